//! The file of an identity.
//!
//! ```text
//! dalil identity 1
//! plain                       or:  scrypt 16 8 1 SALT
//! IDENTITY                         NONCE AND SEALED IDENTITY
//! sha256:…
//! ```
//!
//! Base64 throughout. The last line is the digest of the lines before it, which
//! distinguishes a damaged file from a wrong passphrase.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use dalil_proof::digest::{Digest, hex};
use zeroize::Zeroizing;

use super::{NONCE_BYTES, Passphrase, SecretBytes, open, random, seal};
use crate::error::Error;

/// Writes a file that must not exist.
pub(super) fn create(
    path: &Path,
    identity: &SecretBytes,
    passphrase: Option<&Passphrase>,
) -> Result<(), Error> {
    write(path, identity, passphrase, |part| {
        // A link, unlike a rename, never replaces an existing file.
        fs::hard_link(part, path)?;
        fs::remove_file(part)
    })
}

/// Writes a file in the place of another.
pub(super) fn replace(
    path: &Path,
    identity: &SecretBytes,
    passphrase: Option<&Passphrase>,
) -> Result<(), Error> {
    write(path, identity, passphrase, |part| fs::rename(part, path))
}

/// Reads a file.
pub(super) fn load(path: &Path, passphrase: Option<&Passphrase>) -> Result<SecretBytes, Error> {
    let bytes = read(path)?;
    let (body, key) = std::str::from_utf8(&bytes).ok().and_then(parse).ok_or_else(|| {
        Error::damaged(OPEN_IDENTITY, shown(path))
            .saw("an identity as it was written", "other bytes")
            .hint("restore the file from a backup; nothing else opens the signing keys")
    })?;
    match (key, passphrase) {
        (IdentityFileKey::Plain(identity), None) => Ok(identity),
        (IdentityFileKey::Plain(_), Some(_)) => Err(Error::refused(OPEN_IDENTITY, shown(path))
            .saw("no passphrase, for the identity is plain", "a passphrase")
            .hint("leave the passphrase out")),
        (IdentityFileKey::Sealed { .. }, None) => Err(Error::refused(OPEN_IDENTITY, shown(path))
            .saw("the passphrase of the identity", "none")
            .hint("give the passphrase that the identity was made with")),
        (IdentityFileKey::Sealed { salt, sealed }, Some(passphrase)) => {
            let (nonce, sealed) = (sealed.0, sealed.1);
            let key = stretch(passphrase, &salt)?;
            // The digest line has held, so the file is whole and only the passphrase can be wrong.
            open(&key, &nonce, &sealed, head(body).as_bytes()).ok_or_else(|| {
                Error::refused(OPEN_IDENTITY, shown(path))
                    .saw("the passphrase of the identity", "another")
                    .hint("the file is whole; give the passphrase that it was made with")
            })
        }
    }
}

/// The content of the second and third line.
enum IdentityFileKey {
    Plain(SecretBytes),
    Sealed { salt: [u8; 32], sealed: ([u8; NONCE_BYTES], Vec<u8>) },
}

/// The lines before the digest, and the key in them; nothing unless every byte is as written.
fn parse(text: &str) -> Option<(&str, IdentityFileKey)> {
    let body = text.strip_suffix('\n')?;
    let (body, digest) = body.split_at_checked(body.rfind('\n')? + 1)?;
    if Digest::of(body.as_bytes()).to_string() != digest {
        return None;
    }
    let mut lines = body.lines();
    if lines.next()? != IDENTITY_HEADER_LINE {
        return None;
    }
    let (how, bytes) = (lines.next()?, Zeroizing::new(BASE64.decode(lines.next()?).ok()?));
    let key = if how == PLAIN_KEY_LINE {
        IdentityFileKey::Plain(Zeroizing::new(bytes.as_slice().try_into().ok()?))
    } else {
        let salt =
            BASE64.decode(how.strip_prefix(SCRYPT_KEY_LINE_PREFIX)?).ok()?.try_into().ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        IdentityFileKey::Sealed { salt, sealed: (*nonce, sealed.to_vec()) }
    };
    lines.next().is_none().then_some((body, key))
}

fn format(
    identity: &SecretBytes,
    passphrase: Option<&Passphrase>,
) -> Result<Zeroizing<String>, Error> {
    // As large as it can become: a string that grows leaves copies of secrets behind.
    let mut text = Zeroizing::new(String::with_capacity(MAX_IDENTITY_BYTES));
    text.push_str(IDENTITY_HEADER_LINE);
    text.push('\n');
    match passphrase {
        None => {
            text.push_str(PLAIN_KEY_LINE);
            text.push('\n');
            BASE64.encode_string(identity.as_ref(), &mut text);
        }
        Some(passphrase) => {
            let (salt, nonce) = (random(KEEP_IDENTITY)?, random(KEEP_IDENTITY)?);
            let nonce = nonce.first_chunk::<NONCE_BYTES>().unwrap_or(&[0; NONCE_BYTES]);
            text.push_str(SCRYPT_KEY_LINE_PREFIX);
            BASE64.encode_string(salt.as_ref(), &mut text);
            text.push('\n');
            let key = stretch(passphrase, &salt)?;
            // Bound to the lines above, so that an attacker cannot weaken the parameters or swap
            // the salt.
            let sealed = seal(&key, nonce, identity.as_ref(), text.as_bytes())?;
            BASE64.encode_string([nonce.as_slice(), &sealed].concat(), &mut text);
        }
    }
    text.push('\n');
    let digest = Digest::of(text.as_bytes()).to_string();
    text.push_str(&digest);
    text.push('\n');
    Ok(text)
}

/// The first two lines, to which a sealed identity is bound.
fn head(body: &str) -> &str {
    let end = body.match_indices('\n').nth(1).map_or(body.len(), |(at, _)| at + 1);
    body.get(..end).unwrap_or(body)
}

/// A key from a passphrase: 64 MiB and about a fifth of a second.
fn stretch(passphrase: &Passphrase, salt: &[u8; 32]) -> Result<SecretBytes, Error> {
    let mut key = Zeroizing::new([0; 32]);
    let failed = |found: String| Error::unavailable(OPEN_IDENTITY, "scrypt").saw("a key", found);
    let params = scrypt::Params::new(16, 8, 1).map_err(|error| failed(error.to_string()))?;
    scrypt::scrypt(passphrase.0.as_bytes(), salt, &params, key.as_mut())
        .map_err(|error| failed(error.to_string()))?;
    Ok(key)
}

fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    let failed = |error: io::Error| {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "make one with the store, or name the file where it is",
            io::ErrorKind::PermissionDenied => "run as the owner of the file",
            _ => "the identity must be a small text file",
        };
        Error::unavailable(OPEN_IDENTITY, shown(path))
            .saw("a file that can be read", error)
            .hint(hint)
    };
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_IDENTITY_BYTES));
    let file = File::open(path).map_err(failed)?;
    // Of the open file, not of the path, which could lead elsewhere by now.
    let stat = file.metadata().map_err(failed)?;
    if !stat.is_file() {
        return Err(failed(io::Error::other("something that is no file")));
    }
    if stat.mode() & 0o077 != 0 {
        let found = format!("mode {:04o}", stat.mode() & 0o7777);
        return Err(Error::refused(OPEN_IDENTITY, shown(path))
            .saw("a file for its owner only, mode 0600", found)
            .hint("others may have seen the identity; if not, run `chmod 600` on it"));
    }
    file.take(MAX_IDENTITY_BYTES as u64).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn write(
    path: &Path,
    identity: &SecretBytes,
    passphrase: Option<&Passphrase>,
    publish: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), Error> {
    let text = format(identity, passphrase)?;
    let name = hex(random(KEEP_IDENTITY)?.first_chunk::<8>().unwrap_or(&[0; 8]));
    let part = beside(path, &name);
    // Bytes, then name, then folder: after a crash the file is whole or not there.
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&part)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| publish(&part))
        .and_then(|()| File::open(folder(path))?.sync_all());
    written.map_err(|error| {
        // The write has failed already; a leftover is the lesser trouble.
        drop(fs::remove_file(&part));
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Error::refused(KEEP_IDENTITY, shown(path))
                .saw("no file", "a file")
                .hint("an identity is never overwritten; move the file away if it is not needed");
        }
        Error::unavailable(KEEP_IDENTITY, shown(path))
            .saw("a folder that can be written", error)
            .hint("check that the folder is there, is not read-only and has room")
    })
}

fn beside(path: &Path, name: &str) -> PathBuf {
    let mut file = path.as_os_str().to_owned();
    file.push(format!(".{name}.part"));
    PathBuf::from(file)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn shown(path: &Path) -> String {
    format!("`{}`", path.display())
}

const OPEN_IDENTITY: &str = "open the identity";
const KEEP_IDENTITY: &str = "keep the identity";
const IDENTITY_HEADER_LINE: &str = "dalil identity 1";
const PLAIN_KEY_LINE: &str = "plain";
const SCRYPT_KEY_LINE_PREFIX: &str = "scrypt 16 8 1 ";
/// More than any identity needs.
const MAX_IDENTITY_BYTES: usize = 1024;
