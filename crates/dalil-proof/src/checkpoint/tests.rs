use expect_test::expect;
use proptest::prelude::*;

use super::{Checkpoint, NotACheckpoint, open};
use crate::digest::Digest;
use crate::key::SecretKey;
use crate::tree::{MerkleTree, TreeHead, leaf};

const ORIGIN: &str = "dalil.example/acme";

fn key() -> SecretKey {
    SecretKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

fn checkpoint() -> Checkpoint {
    let tree: MerkleTree = [leaf(b"one"), leaf(b"two"), leaf(b"three")].into_iter().collect();
    Checkpoint::new(ORIGIN, tree.head()).unwrap()
}

#[test]
fn a_signed_checkpoint_is_pinned() {
    let note = checkpoint().sign(&[&key()]).unwrap().to_string();
    expect![[r#"
        dalil.example/acme
        3
        Wqx3HImawpLnS/Gv4ubjAvi1WIOy0b8Ze0amvqbavKk=

        — dalil.example/acme mfDqBA24jAYshDwFBktq/ZyL6AaTfrYBpAy8sZf25jtOA182TMah5RA5l9S34rVDEoGDRR5vz2YVYPyG9iZpaV5h2AQ=
    "#]].assert_eq(&note);
    assert_eq!(open(ORIGIN, &[key().public().clone()], note.as_bytes()).unwrap(), checkpoint());
}

#[test]
fn the_example_of_the_c2sp_page_parses() {
    let text =
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
    let checkpoint = Checkpoint::parse(text).unwrap();
    assert_eq!(
        (checkpoint.origin(), checkpoint.head().size),
        ("example.com/behind-the-sofa", 20_852_163)
    );
    assert_eq!(checkpoint.to_string(), text);
}

#[test]
fn another_trails_checkpoint_is_refused_even_with_a_good_signature() {
    let note = checkpoint().sign(&[&key()]).unwrap().to_string();
    let refused = open("dalil.example/other", &[key().public().clone()], note.as_bytes());
    expect!["expected a checkpoint of `dalil.example/other`, found one of `dalil.example/acme`"]
        .assert_eq(&refused.unwrap_err().to_string());
}

#[test]
fn only_the_canonical_text_is_a_checkpoint() {
    let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    let parses = |text: String| Checkpoint::parse(&text);
    assert_eq!(parses(format!("o\n7\n{root}\n")).unwrap().head().size, 7);
    assert_eq!(parses(format!("o\n7\n{root}\next\n")).unwrap().extensions(), ["ext"]);
    assert_eq!(parses(format!("o\n18446744073709551615\n{root}\n")).unwrap().head().size, u64::MAX);
    for text in [
        String::new(),
        "o\n7\n".to_owned(),
        format!("\n7\n{root}\n"),
        format!("o\n07\n{root}\n"),
        format!("o\n+7\n{root}\n"),
        format!("o\n-7\n{root}\n"),
        format!("o\n7 \n{root}\n"),
        format!("o\n18446744073709551616\n{root}\n"),
        format!("o\n٧\n{root}\n"),
        format!("o\n7\n{root}"),
        format!("o\n7\n{root}\n\n"),
        format!("o\n7\n{root}\n\next\n"),
        format!("o\n7\n{}\n", root.replace("2I=", "2J=")),
        format!("o\n7\n{}\n", root.replace('=', "")),
        format!("o\n7\n{}\n", root.replace("CsUY", "")),
        format!("o\u{85}p\n7\n{root}\n"),
    ] {
        assert_eq!(parses(text.clone()), Err(NotACheckpoint), "{text:?}");
    }
    let head = TreeHead { size: 0, root: Digest::of(b"") };
    for origin in ["", "two\nlines", "bell\u{7}"] {
        assert_eq!(Checkpoint::new(origin, head), Err(NotACheckpoint));
    }
}

#[test]
fn every_flipped_bit_of_a_signed_checkpoint_is_seen() {
    let keys = [key().public().clone()];
    let note = checkpoint().sign(&[&key()]).unwrap().to_string().into_bytes();
    open(ORIGIN, &keys, &note).unwrap();
    for n in 0..note.len() {
        for bit in 0..8 {
            let mut flipped = note.clone();
            flipped[n] ^= 1 << bit;
            assert!(open(ORIGIN, &keys, &flipped).is_err(), "byte {n} bit {bit}");
        }
    }
}

proptest! {
    #[test]
    fn a_checkpoint_is_written_and_read_the_same(origin in "[^\\pC]{1,30}", size: u64, root: [u8; 32]) {
        let checkpoint = Checkpoint::new(&origin, TreeHead { size, root: Digest::from_bytes(root) }).unwrap();
        prop_assert_eq!(Checkpoint::parse(&checkpoint.to_string()), Ok(checkpoint));
    }

    #[test]
    fn parsing_is_total(text in "[\\n0-9A-Za-z+/=ا]{0,80}") {
        if let Ok(checkpoint) = Checkpoint::parse(&text) {
            prop_assert_eq!(checkpoint.to_string(), text);
        }
    }
}
