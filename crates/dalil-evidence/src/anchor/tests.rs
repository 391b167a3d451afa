//! Anchors: the contract's digits, prefixes, ambiguity, and citations in text.

use dalil_proof::digest::Digest;
use expect_test::{Expect, expect};

use super::{Anchor, AnchorIndex, citations, is_lowered_as_ascii, is_space, text_digest};

#[track_caller]
fn short(text: &str, expected: &str) {
    let digest = text_digest(text);
    assert_eq!(Anchor::shortest(&digest, []).as_str(), expected);
}

#[test]
fn digits_of_the_contract() {
    short("All permanent employees shall receive 15 days of paid annual leave.", "b8b859ac");
    short("", "e3b0c442");
}

#[test]
fn case_and_white_space_do_not_count() {
    assert_eq!(text_digest("  Hello\t\u{a0}World \n"), text_digest("hello world"));
    assert_ne!(text_digest("hello world"), text_digest("helloworld"));
}

#[test]
fn folding_is_the_same_whichever_way_it_is_done() {
    let reference = |text: &str| {
        let words = text.split(is_space).filter(|word| !word.is_empty());
        Digest::of(words.map(str::to_lowercase).collect::<Vec<_>>().join(" ").as_bytes())
    };
    let texts = [
        "",
        " \t\u{b}\u{c}\r\n",
        "One",
        " TWO\u{b}words \u{1c}x\u{1d}",
        "\u{b}A  b\n\n\tC d\u{c}",
        "عقد  الصيانة ABC\u{a0}É ١٥",
        "ΟΔΟΣ ΣΑΣ aΣ Σ.",
        "İ\u{feff}I \u{85}x",
        "עברית ܐ ߊ",
        "  عقد  الصيانة ABC\n١٥ \u{5d0}\u{7ff} ",
        "\u{85}x\u{a0}",
        "\u{5bf}A\u{800} \u{1680}Z",
    ];
    for text in texts {
        assert_eq!(text_digest(text), reference(text), "{text:?}");
    }
    // Every character by itself, between letters and beside white space.
    for ch in (0..=0x1_0000).filter_map(char::from_u32) {
        let text = format!(" A{ch}B {ch} ");
        assert_eq!(text_digest(&text), reference(&text), "{ch:?}");
    }
    // The quick way is for characters that have no lower case of their own.
    for ch in (0..=0x10_ffff).filter_map(char::from_u32).filter(|ch| is_lowered_as_ascii(*ch)) {
        assert!(ch.to_lowercase().eq([ch.to_ascii_lowercase()]), "{ch:?}");
    }
}

fn digest(start: &str) -> Digest {
    Digest::from_hex(&format!("{start:0<64}")).unwrap()
}

#[test]
fn shortest_grows_until_it_is_unambiguous() {
    let all = [digest("abcdef0123"), digest("abcdef0124"), digest("ff")];
    let anchors = all.iter().map(|one| Anchor::shortest(one, &all).to_string());
    assert_eq!(anchors.collect::<Vec<_>>(), ["abcdef0123", "abcdef0124", "ff000000"]);
}

#[track_caller]
fn resolve(anchor: &str, expected: &Expect) {
    let all = [digest("abcdef0123"), digest("abcdef0124"), digest("abcdef0124")];
    let found = match anchor.parse::<Anchor>() {
        Err(error) => error.to_string(),
        Ok(anchor) => match anchor.resolve(&all) {
            Ok(digest) => digest.to_string(),
            Err(error) => error.to_string(),
        },
    };
    expected.assert_eq(&found);
}

#[test]
fn prefixes_resolve_in_either_case() {
    resolve(
        "ABCDEF0124",
        &expect!["sha256:abcdef0124000000000000000000000000000000000000000000000000000000"],
    );
    resolve(
        "abcdef01",
        &expect![
            "expected an anchor of one chunk, found `abcdef01`, which names `sha256:abcdef0123000000000000000000000000000000000000000000000000000000` and `sha256:abcdef0124000000000000000000000000000000000000000000000000000000`"
        ],
    );
    resolve(
        "00000000",
        &expect!["expected an anchor of a known chunk, found `00000000`, which names none"],
    );
    resolve("abcdef0", &expect!["expected 8 to 64 hex digits"]);
    resolve("abcdefgh", &expect!["expected 8 to 64 hex digits"]);
    resolve(&"a".repeat(65), &expect!["expected 8 to 64 hex digits"]);
}

#[test]
fn citations_are_found_with_their_places() {
    let answer = "a [cite:A1B2C3D4]. ب [cite:deadbeef][cite:short] [cite:12345678";
    let found: Vec<_> = citations(answer)
        .into_iter()
        .map(|one| (one.anchor.to_string(), answer.get(one.start..one.end).unwrap()))
        .collect();
    assert_eq!(
        found,
        [("a1b2c3d4".to_owned(), "[cite:A1B2C3D4]"), ("deadbeef".to_owned(), "[cite:deadbeef]"),]
    );
}

#[test]
fn many_open_citations_cost_no_more_than_their_length() {
    assert_eq!(citations(&"[cite:".repeat(200_000)), []);
}

#[test]
fn a_sorted_set_resolves_as_a_walk_does() {
    let all = [digest("abcdef0123"), digest("abcdef0124"), digest("ff"), digest(&"f".repeat(64))];
    let known = AnchorIndex::new(all);
    let full = "f".repeat(64);
    for text in ["abcdef01", "ABCDEF0123", "ff000000", "ffffffff", "00000000", &full] {
        let anchor: Anchor = text.parse().unwrap();
        assert_eq!(known.resolve(&anchor), anchor.resolve(&all), "{text}");
    }
    for one in &all {
        assert_eq!(known.shortest(one), Anchor::shortest(one, &all));
    }
}
