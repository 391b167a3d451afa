use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use expect_test::{Expect, expect};

use super::{Passphrase, Vault};
use crate::error::Error;
use crate::scratch::{StoreTestDir, write};

const SEED: [u8; 32] = *b"a seed that nobody may ever see!";
const WORDS: &str = "correct horse battery staple كلمة";

fn passphrase(text: &str) -> Passphrase {
    Passphrase::new(text.to_owned()).unwrap()
}

#[track_caller]
fn check<T>(scratch: &StoreTestDir, result: Result<T, Error>, expected: &Expect) {
    let said = match result {
        Ok(_) => "done".to_owned(),
        Err(error) => format!("{:?}: {error}", error.kind),
    };
    assert!(!said.contains("horse"), "{said}");
    expected.assert_eq(&scratch.hidden(&said));
}

#[test]
fn an_identity_seals_and_opens_for_one_tenant_and_key() {
    let scratch = StoreTestDir::new();
    let vault = Vault::create(&scratch.path("identity"), None).unwrap();
    let sealed = vault.seal("acme", "key-1", &SEED).unwrap();
    assert_eq!(*vault.open("acme", "key-1", &sealed).unwrap(), SEED);
    let again = Vault::load(&scratch.path("identity"), None).unwrap();
    assert_eq!(*again.open("acme", "key-1", &sealed).unwrap(), SEED);
    assert_ne!(vault.seal("acme", "key-1", &SEED).unwrap(), sealed);

    check(
        &scratch,
        vault.open("other", "key-1", &sealed),
        &expect![[r#"
        Damaged: cannot open the signing key: tenant `other`, key `key-1`: expected a seed sealed by this identity for this key, found another, or a changed one
        hint: give the identity that the key was made with, or restore the catalog"#]],
    );
    check(
        &scratch,
        vault.open("acme", "key-2", &sealed),
        &expect![[r#"
        Damaged: cannot open the signing key: tenant `acme`, key `key-2`: expected a seed sealed by this identity for this key, found another, or a changed one
        hint: give the identity that the key was made with, or restore the catalog"#]],
    );
    check(
        &scratch,
        vault.open("acmek", "ey-1", &sealed),
        &expect![[r#"
        Damaged: cannot open the signing key: tenant `acmek`, key `ey-1`: expected a seed sealed by this identity for this key, found another, or a changed one
        hint: give the identity that the key was made with, or restore the catalog"#]],
    );
    check(
        &scratch,
        Vault::of([1; 32]).open("acme", "key-1", &sealed),
        &expect![[r#"
        Damaged: cannot open the signing key: tenant `acme`, key `key-1`: expected a seed sealed by this identity for this key, found another, or a changed one
        hint: give the identity that the key was made with, or restore the catalog"#]],
    );
    check(
        &scratch,
        vault.open("acme", "key-1", &sealed[1..]),
        &expect![[r#"
        Damaged: cannot open the signing key: tenant `acme`, key `key-1`: expected a sealed seed of 61 bytes, found 60 bytes
        hint: give the identity that the key was made with, or restore the catalog"#]],
    );
    let newer = [&[2], &sealed[1..]].concat();
    check(
        &scratch,
        vault.open("acme", "key-1", &newer),
        &expect![[r#"
        Damaged: cannot open the signing key: tenant `acme`, key `key-1`: expected a sealed seed of version 1, found version 2
        hint: give the identity that the key was made with, or restore the catalog"#]],
    );
}

#[test]
fn every_changed_byte_of_a_sealed_seed_shows() {
    let vault = Vault::of([1; 32]);
    let sealed = vault.seal("acme", "key-1", &SEED).unwrap();
    for at in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        let error = vault.open("acme", "key-1", &changed).unwrap_err();
        assert_eq!(error.kind, crate::ErrorKind::Damaged, "byte {at}");
    }
}

#[test]
fn a_passphrase_guards_the_identity_and_can_be_changed() {
    let scratch = StoreTestDir::new();
    let path = scratch.path("identity");
    let (first, second) = (passphrase(WORDS), passphrase("another horse"));
    let vault = Vault::create(&path, Some(&first)).unwrap();
    let sealed = vault.seal("acme", "key-1", &SEED).unwrap();
    let opened = Vault::load(&path, Some(&first)).unwrap();
    assert_eq!(*opened.open("acme", "key-1", &sealed).unwrap(), SEED);

    check(
        &scratch,
        Vault::load(&path, Some(&second)),
        &expect![[r#"
        Refused: cannot open the identity: `$/identity`: expected the passphrase of the identity, found another
        hint: the file is whole; give the passphrase that it was made with"#]],
    );
    check(
        &scratch,
        Vault::load(&path, None),
        &expect![[r#"
        Refused: cannot open the identity: `$/identity`: expected the passphrase of the identity, found none
        hint: give the passphrase that the identity was made with"#]],
    );
    check(
        &scratch,
        Vault::change(&path, Some(&second), None),
        &expect![[r#"
        Refused: cannot open the identity: `$/identity`: expected the passphrase of the identity, found another
        hint: the file is whole; give the passphrase that it was made with"#]],
    );

    Vault::change(&path, Some(&first), Some(&second)).unwrap();
    let opened = Vault::load(&path, Some(&second)).unwrap();
    assert_eq!(*opened.open("acme", "key-1", &sealed).unwrap(), SEED);
    check(
        &scratch,
        Vault::load(&path, Some(&first)),
        &expect![[r#"
        Refused: cannot open the identity: `$/identity`: expected the passphrase of the identity, found another
        hint: the file is whole; give the passphrase that it was made with"#]],
    );

    Vault::change(&path, Some(&second), None).unwrap();
    let opened = Vault::load(&path, None).unwrap();
    assert_eq!(*opened.open("acme", "key-1", &sealed).unwrap(), SEED);
    check(
        &scratch,
        Vault::load(&path, Some(&second)),
        &expect![[r#"
        Refused: cannot open the identity: `$/identity`: expected no passphrase, for the identity is plain, found a passphrase
        hint: leave the passphrase out"#]],
    );
    check(
        &scratch,
        Passphrase::new(String::new()),
        &expect![
            "Refused: cannot take the passphrase: the passphrase: expected at least one character, found none"
        ],
    );
}

#[test]
fn an_identity_file_is_for_its_owner_and_never_overwritten() {
    let scratch = StoreTestDir::new();
    let path = scratch.path("identity");
    Vault::create(&path, None).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o600);
    let before = fs::read(&path).unwrap();
    check(
        &scratch,
        Vault::create(&path, None),
        &expect![[r#"
        Refused: cannot keep the identity: `$/identity`: expected no file, found a file
        hint: an identity is never overwritten; move the file away if it is not needed"#]],
    );
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(scratch.path("")).unwrap().count(), 1);

    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    check(
        &scratch,
        Vault::load(&path, None),
        &expect![[r#"
        Refused: cannot open the identity: `$/identity`: expected a file for its owner only, mode 0600, found mode 0644
        hint: others may have seen the identity; if not, run `chmod 600` on it"#]],
    );
    check(
        &scratch,
        Vault::load(&scratch.path("none"), None),
        &expect![[r#"
        Unavailable: cannot open the identity: `$/none`: expected a file that can be read, found No such file or directory (os error 2)
        hint: make one with the store, or name the file where it is"#]],
    );
    check(
        &scratch,
        Vault::load(&scratch.path(""), None),
        &expect![[r#"
        Unavailable: cannot open the identity: `$/`: expected a file that can be read, found something that is no file
        hint: the identity must be a small text file"#]],
    );
    check(
        &scratch,
        Vault::create(&scratch.path("no/such/identity"), None),
        &expect![[r#"
        Unavailable: cannot keep the identity: `$/no/such/identity`: expected a folder that can be written, found No such file or directory (os error 2)
        hint: check that the folder is there, is not read-only and has room"#]],
    );
}

#[test]
fn a_damaged_identity_is_told_from_a_wrong_passphrase() {
    let scratch = StoreTestDir::new();
    let (plain, sealed) = (scratch.path("plain"), scratch.path("sealed"));
    let words = passphrase(WORDS);
    Vault::create(&plain, None).unwrap();
    Vault::create(&sealed, Some(&words)).unwrap();
    for (path, words) in [(&plain, None), (&sealed, Some(&words))] {
        let bytes = fs::read(path).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= if at % 2 == 0 { 1 } else { 0x80 };
            write(path, &changed);
            let error = Vault::load(path, words).unwrap_err();
            assert_eq!(error.kind, crate::ErrorKind::Damaged, "byte {at}: {error}");
        }
        for end in 0..bytes.len() {
            write(path, &bytes[..end]);
            assert_eq!(Vault::load(path, words).unwrap_err().kind, crate::ErrorKind::Damaged);
        }
        write(path, &[&bytes[..], b"\n"].concat());
        let error = Vault::load(path, words).unwrap_err();
        let said = scratch.hidden(&error.to_string()).replace("plain", "sealed");
        expect![[r#"
            cannot open the identity: `$/sealed`: expected an identity as it was written, found other bytes
            hint: restore the file from a backup; nothing else opens the signing keys"#]]
        .assert_eq(&said);
    }
}

#[test]
fn no_secret_is_in_a_file_or_printed() {
    let scratch = StoreTestDir::new();
    let words = passphrase(WORDS);
    let vault = Vault::create(&scratch.path("identity"), Some(&words)).unwrap();
    let sealed = vault.seal("acme", "key-1", &SEED).unwrap();
    write(&scratch.path("sealed"), &sealed);
    let identity = vault.identity.to_vec();
    for entry in fs::read_dir(scratch.path("")).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        for secret in [&SEED[..], WORDS.as_bytes(), &identity] {
            let encoded = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, secret);
            let hex = dalil_proof::digest::hex(secret);
            for form in [secret, encoded.as_bytes(), hex.as_bytes()] {
                assert!(!bytes.windows(form.len()).any(|window| window == form));
            }
        }
    }
    assert_eq!(format!("{vault:?} {words:?}"), "Vault(…) Passphrase(…)");
}
