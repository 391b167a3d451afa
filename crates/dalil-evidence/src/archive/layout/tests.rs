//! The names of an archive's files: one for each, and nothing else has a role.

use dalil_proof::digest::Digest;

use super::{ArchiveFileRole, object_name, receipt_name, version_name};

#[test]
fn what_is_written_is_read() {
    for number in [0, 1, 99_999_999, 100_000_000, 9_999_999_999_999_999, 10_000_000_000_000_000] {
        let version = ArchiveFileRole::of(&version_name(number));
        assert_eq!(version, Some(ArchiveFileRole::Version(number)));
        let receipt = ArchiveFileRole::of(&receipt_name(number));
        assert_eq!(receipt, Some(ArchiveFileRole::Receipt(number)));
    }
    assert_eq!(receipt_name(7), "data/receipts/0000000000000007.txt");
    let most = ArchiveFileRole::of(&receipt_name(u64::MAX));
    assert_eq!(most, Some(ArchiveFileRole::Receipt(u64::MAX)));
    let digest = Digest::of(b"one");
    assert_eq!(ArchiveFileRole::of(&object_name(&digest)), Some(ArchiveFileRole::Object(digest)));
    assert_eq!(ArchiveFileRole::of("bagit.txt"), Some(ArchiveFileRole::Fixed));
}

#[test]
fn another_spelling_has_no_role() {
    let upper =
        object_name(&Digest::of(b"one")).to_uppercase().replace("DATA/OBJECTS", "data/objects");
    let names = [
        "data/versions/7.json",
        "data/versions/+0000007.json",
        "data/versions/000000007.json",
        "data/versions/00000007.txt",
        "data/versions/0000000\u{661}.json",
        "data/versions/.json",
        "data/receipts/7.txt",
        "data/receipts/+000000000000007.txt",
        "data/receipts/00000000000000007.txt",
        "data/receipts/18446744073709551616.txt",
        "data/receipts/0000000000000007",
        "data/objects/",
        "data/other",
        "",
        &upper,
    ];
    for name in names {
        assert_eq!(ArchiveFileRole::of(name), None, "{name}");
    }
}
