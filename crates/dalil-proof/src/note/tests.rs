use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{NotANote, NoteSignature, UnverifiedNote, sign};
use crate::key::{PublicKey, SecretKey};

/// The example of Go's `golang.org/x/mod/sumdb/note`.
const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_NOTE: &str = "If you think cryptography is the answer to your problem,\n\
    then you don't know what your problem is.\n\n\
    — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

fn key(name: &str, seed: u8) -> SecretKey {
    SecretKey::from_seed(name, &[seed; 32]).unwrap()
}

fn parse(text: &str) -> Result<UnverifiedNote, NotANote> {
    UnverifiedNote::parse(text.as_bytes())
}

#[test]
fn a_note_made_by_go_opens() {
    let keys = [PETER.parse::<PublicKey>().unwrap()];
    let note = parse(GO_NOTE).unwrap();
    let opened = note.open(&keys).unwrap();
    assert_eq!((opened.verified.len(), opened.unknown.len()), (1, 0));
    assert_eq!(note.to_string(), GO_NOTE);
}

#[test]
fn a_signed_note_is_pinned() {
    let note = sign("Arabic: دليل\n\nand a blank line\n", &[&key("dalil.example/acme", 7)]);
    expect![[r#"
        Arabic: دليل

        and a blank line

        — dalil.example/acme mfDqBDNs518c1Ztf/P3wtdMcWGscKafuHRnr2eP+AxewnQX8bkY3gJoBnrTO1JrwbLa4gVFlma4tABz0VI+Oo7aBcQw=
    "#]].assert_eq(&note.unwrap().to_string());
}

/// Opens a note that keys 1 and 2 signed, with these known keys.
#[track_caller]
fn opens(known: &[&SecretKey], spoil: impl Fn(String) -> String, expected: &Expect) {
    let note = sign("text\n", &[&key("one", 1), &key("two", 2)]).unwrap().to_string();
    let note = parse(&spoil(note)).unwrap();
    let keys: Vec<PublicKey> = known.iter().map(|key| key.public().clone()).collect();
    let actual = match note.open(&keys) {
        Ok(note) => format!("{} verified, {} unknown", note.verified.len(), note.unknown.len()),
        Err(unopened) => unopened.to_string(),
    };
    expected.assert_eq(&actual);
}

#[test]
fn verified_and_unknown_signatures_are_kept_apart() {
    let (one, two) = (key("one", 1), key("two", 2));
    let same = |note: String| note;
    opens(&[&one, &two], same, &expect!["2 verified, 0 unknown"]);
    opens(&[&two], same, &expect!["1 verified, 1 unknown"]);
    opens(&[], same, &expect!["expected a signature by a known key, found none"]);
    // The same name with another key is another key.
    opens(&[&key("one", 3)], same, &expect!["expected a signature by a known key, found none"]);
}

#[test]
fn a_line_that_stands_twice_counts_once() {
    let doubled = |note: String| {
        let last = note.lines().last().unwrap().to_owned();
        format!("{note}{last}\n")
    };
    let (one, two) = (key("one", 1), key("two", 2));
    opens(&[&one, &two], doubled, &expect!["2 verified, 0 unknown"]);
    opens(&[&two], doubled, &expect!["1 verified, 1 unknown"]);
}

#[test]
fn a_known_key_that_did_not_sign_spoils_the_whole_note() {
    let (one, two) = (key("one", 1), key("two", 2));
    let spoil = |note: String| note.replacen("text", "test", 1);
    let forged = expect!["expected a signature by the key `one`, found bytes that it did not sign"];
    opens(&[&one, &two], spoil, &forged);
    opens(&[&one], spoil, &forged);
}

#[test]
fn a_cosigner_key_does_not_open_a_plain_signature() {
    let cosigner = SecretKey::cosigner_from_seed("one", &[1; 32]).unwrap();
    opens(&[&cosigner], |note| note, &expect!["expected a signature by a known key, found none"]);
}

#[track_caller]
fn refuses(text: &str, why: NotANote) {
    assert_eq!(parse(text).unwrap_err(), why, "{text:?}");
}

#[test]
fn every_rule_of_the_format_is_enforced() {
    let line = "— one AAAAAAA=\n";
    assert_eq!(parse(&format!("t\n\n{line}")).unwrap().to_string(), format!("t\n\n{line}"));
    refuses("", NotANote::Blank);
    refuses("t\n", NotANote::Blank);
    refuses(&format!("t\n{line}"), NotANote::Blank);
    refuses("t\n\n", NotANote::Unsigned);
    refuses(format!("t\n\n{line}").trim_end(), NotANote::Unsigned);
    refuses(&format!("t\t\n\n{line}"), NotANote::Control);
    refuses(&format!("t\r\n\n{line}"), NotANote::Control);
    refuses("t\n\n— one\n", NotANote::Line);
    refuses("t\n\n- one AAAAAAA=\n", NotANote::Line);
    refuses("t\n\n—  AAAAAAA=\n", NotANote::Line);
    refuses("t\n\n— o+e AAAAAAA=\n", NotANote::Line);
    refuses("t\n\n— one AAAAAA==\n", NotANote::Line);
    refuses("t\n\n— one AAAAAAB=\n", NotANote::Line);
    refuses("t\n\n— one AAAAAAA\n", NotANote::Line);
    refuses("t\n\n— one  AAAAAAA=\n", NotANote::Line);
    refuses("t\n\n— one AAAAAAA= \n", NotANote::Line);
    refuses("t\n\n— o\u{a0}e AAAAAAA=\n", NotANote::Line);
    refuses(&format!("t\n\n{}", line.repeat(101)), NotANote::Many);
    parse(&format!("t\n\n{}", line.repeat(100))).unwrap();
    let largest = "t".repeat((1 << 20) - line.len() - 2);
    parse(&format!("{largest}\n\n{line}")).unwrap();
    refuses(&format!("t{largest}\n\n{line}"), NotANote::Size);
    assert_eq!(UnverifiedNote::parse(b"\xff\n\n").unwrap_err(), NotANote::Utf8);
    assert_eq!(sign("t", &[&key("one", 1)]).unwrap_err(), NotANote::Text);
    assert_eq!(sign("t\n", &[]).unwrap_err(), NotANote::Unsigned);
    assert_eq!(sign("\u{7}\n", &[&key("one", 1)]).unwrap_err(), NotANote::Control);
}

#[test]
fn every_flipped_bit_of_a_note_is_seen() {
    let (one, two) = (key("one", 1), key("two", 2));
    let keys = [one.public().clone(), two.public().clone()];
    let note = sign("text\n", &[&one, &two]).unwrap().to_string().into_bytes();
    for n in 0..note.len() {
        for bit in 0..8 {
            let mut flipped = note.clone();
            flipped[n] ^= 1 << bit;
            let Ok(parsed) = UnverifiedNote::parse(&flipped) else { continue };
            assert_eq!(parsed.to_string().as_bytes(), flipped);
            let both = parsed.open(&keys).is_ok_and(|opened| opened.verified.len() == 2);
            assert!(!both, "byte {n} bit {bit}");
        }
    }
}

proptest! {
    #[test]
    fn what_parses_is_written_back_to_the_same_bytes(text in "\\PC{0,20}(\n\\PC{0,20}){0,3}\n", seed: u8) {
        let note = sign(&text, &[&key("k", seed)]).unwrap().to_string();
        let parsed = parse(&note).unwrap();
        prop_assert_eq!(parsed.to_string(), note);
        prop_assert_eq!(parsed.unverified_text(), text);
    }

    #[test]
    fn parsing_is_total(bytes in prop::collection::vec(prop::sample::select(b"\xe2\x80\x94 \n+aA=\x01\xff".as_slice()), 0..60)) {
        if let Ok(note) = UnverifiedNote::parse(&bytes) {
            prop_assert_eq!(note.to_string().into_bytes(), bytes);
        }
    }
}

#[test]
fn a_note_is_never_larger_than_one_that_can_be_read() {
    let signature =
        |size: usize| NoteSignature { name: "n".to_owned(), id: [0; 4], bytes: vec![0; size] };
    let text = "x".repeat((1 << 20) - 150) + "\n";
    let note = UnverifiedNote { text, signatures: vec![signature(64)] };
    assert!(parse(&note.to_string()).is_ok());
    assert!(note.with(signature(64)) == Err(NotANote::Size));
}
