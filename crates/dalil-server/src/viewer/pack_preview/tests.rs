use dalil_phrasebook::Language;

use super::{PictureName, cut, purpose};

#[test]
fn a_picture_has_one_name() {
    let file = || PictureName { language: Language::Arabic, digest: "0123abcd".to_owned() };
    assert_eq!(file().of_page(3), "ar-0123abcd-3.png");
    assert_eq!(PictureName::parse("ar-0123abcd-3.png"), Some((file(), 3)));
    for other in [
        "ar-0123abcd-03.png",
        "ar-0123abcd-3",
        "fr-0123abcd-3.png",
        "ar-3.png",
        "3.png",
        "ar-0123abcd-0.png",
        "ar-0123abcd-13.png",
    ] {
        assert_eq!(PictureName::parse(other), None, "{other}");
    }
}

/// Pages of documents are kept beside them, and belong to others.
#[test]
fn pictures_of_two_tenants_packs_or_languages_are_kept_apart() {
    let key = |language, tenant, pack, erasure| {
        PictureName { language, digest: "0123abcd".to_owned() }.key(tenant, pack, erasure)
    };
    let one = key(Language::English, "acme", "pack_1", Some(7));
    assert_eq!(one, key(Language::English, "acme", "pack_1", Some(7)));
    assert_ne!(one, key(Language::Arabic, "acme", "pack_1", Some(7)));
    assert_ne!(one, key(Language::English, "acme", "pack_2", Some(7)));
    assert_ne!(one, key(Language::English, "other", "pack_1", Some(7)));
    // Nor is a page found that was drawn before an erasure.
    assert_ne!(one, key(Language::English, "acme", "pack_1", Some(9)));
    assert_ne!(one, key(Language::English, "acme", "pack_1", None));
}

#[test]
fn every_file_of_an_archive_says_what_it_is() {
    for name in [
        "bag-info.txt",
        "bagit.txt",
        "data/checkpoint.txt",
        "data/keys.json",
        "data/objects/db1d",
        "data/pack.json",
        "data/previous.json",
        "data/receipts/0000000000000000.txt",
        "data/records.jsonl",
        "data/report.ar.txt",
        "data/versions/00000001.json",
        "manifest-sha256.txt",
        "tagmanifest-sha256.txt",
    ] {
        assert!(purpose(name).is_some(), "{name}");
    }
}

#[test]
fn a_long_text_ends_on_a_whole_letter() {
    let (text, is_cut) = cut("ب".repeat(60_000));
    assert!(is_cut && text.len() <= 100_000 && text.chars().all(|ch| ch == 'ب'));
    assert_eq!(cut("short".to_owned()), ("short".to_owned(), false));
}
