//! The scope of a verification at another party's cost.

use dalil_proof::key::SecretKey;
use dalil_proof::report::CheckStatus;
use dalil_proof::trust::Trust;
use expect_test::{Expect, expect};

use super::{Sample, put, reader, rebag, time, trust, zipped};
use crate::verify::{
    DocumentReading, VerifierTrust, VerifyScope, VerifyTools, file, is_costly, trust_in_nobody,
};

/// Whether a verifier that trusts the sample's key, or no key, reads the documents of an archive.
#[track_caller]
fn check(bytes: &[u8], is_trusted: bool, expected: &Expect) {
    let scope = VerifyScope { claims: 0, documents: DocumentReading::WhenVouchedFor };
    let tools = VerifyTools { reader: &reader(), models: None, threads: 1, scope };
    let trust = if is_trusted { trust() } else { trust_in_nobody(bytes, &tools).unwrap() };
    let report = file(bytes, &trust, time("2026-02-01T00:00:00Z"), &tools);
    let told = report
        .findings
        .iter()
        .filter(|one| one.part == "excerpts" || is_trusted && one.verdict == CheckStatus::Fail);
    let lines =
        told.map(|one| format!("{} {}: {}\n", one.verdict, one.part, one.message.english()));
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn documents_are_read_where_a_trusted_key_vouches_for_them() {
    let bytes = zipped(&Sample::new().files());
    check(
        &bytes,
        true,
        &expect![[r#"
        PASS excerpts: 1, each in the document that it is from
    "#]],
    );
    check(
        &bytes,
        false,
        &expect![[r#"
        INCOMPLETE excerpts: not read or judged again, as nothing that is trusted vouches for the archive
    "#]],
    );
}

#[test]
fn documents_are_not_read_where_a_receipt_or_a_signature_does_not_hold() {
    let mut files = Sample::new().files();
    let pack = String::from_utf8(files["data/pack.json"].to_vec()).unwrap();
    let at = pack.find("\"sig\":\"").unwrap() + 8;
    let mut changed = pack.into_bytes();
    changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
    put(&mut files, "data/pack.json", changed);
    rebag(&mut files);
    check(
        &zipped(&files),
        true,
        &expect![[r#"
        FAIL signature: expected a signature by a trusted key over these bytes, found none
        FAIL report: expected what follows from the evidence, found another
        INCOMPLETE excerpts: not read or judged again, as nothing that is trusted vouches for the archive
    "#]],
    );
}

#[test]
fn keys_that_were_chosen_fail_a_file_of_another_trail_and_ones_own_do_not() {
    let own = SecretKey::from_seed("dalil.example/other", &[8; 32]).unwrap();
    let own = format!(r#"{{"origin":"dalil.example/other","keys":["{}"]}}"#, own.public());
    let scope = VerifyScope { claims: 0, documents: DocumentReading::WhenVouchedFor };
    let tools = VerifyTools { reader: &reader(), models: None, threads: 1, scope };
    let sample = Sample::new().files();
    let files = [("archive", zipped(&sample)), ("pack", sample["data/pack.json"].to_vec())];
    let verdict = |bytes: &[u8], trust: &VerifierTrust<String>| {
        let trust = trust.as_bytes().try_map(Trust::parse).unwrap();
        let trust = trust.about(bytes, &tools).unwrap();
        file(bytes, &trust, time("2026-02-01T00:00:00Z"), &tools).verdict()
    };
    let mut lines = String::new();
    for (name, bytes) in &files {
        let trusts = [
            VerifierTrust::Nobody,
            VerifierTrust::Own(own.clone()),
            VerifierTrust::Chosen(own.clone()),
        ];
        let [nobody, own, chosen] = trusts.map(|trust| verdict(bytes, &trust));
        lines += &format!("{name}: nobody {nobody}, own {own}, chosen {chosen}\n");
    }
    expect![[r#"
        archive: nobody INCOMPLETE, own INCOMPLETE, chosen FAIL
        pack: nobody INCOMPLETE, own INCOMPLETE, chosen FAIL
    "#]]
    .assert_eq(&lines);
}

#[test]
fn archives_and_pages_are_costly_and_nothing_else_is() {
    for (bytes, costly) in [
        (&b"PK\x03\x04"[..], true),
        (b"%PDF-1.7", true),
        (b"{}", false),
        (b"dalil.example/tenant-1\n7\n", false),
        (b"", false),
    ] {
        assert_eq!(is_costly(bytes), costly, "{bytes:?}");
    }
}
