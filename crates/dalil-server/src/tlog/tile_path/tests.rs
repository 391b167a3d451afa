use super::*;

#[test]
fn a_path_is_what_the_specification_writes() {
    let hashes =
        |level, number, width| TilePath { kind: TileKind::Hashes { level }, number, width };
    let entries = |number, width| TilePath { kind: TileKind::Entries, number, width };
    let paths = [
        ("0/000", hashes(0, 0, 256)),
        ("1/x001/x234/067", hashes(1, 1_234_067, 256)),
        ("63/x001/000.p/255", hashes(63, 1000, 255)),
        ("entries/x999/999.p/1", entries(999_999, 1)),
    ];
    for (path, tile) in paths {
        assert_eq!(TilePath::parse(path), Some(tile), "{path}");
        assert_eq!(tile.to_string(), path);
    }
    assert_eq!(entries(3, 7).leaves(), Some(768..775));
}

#[test]
fn another_spelling_is_no_path() {
    let paths = [
        "",
        "0",
        "0/",
        "0/0",
        "0/00",
        "00/000",
        "64/000",
        "-1/000",
        "+1/000",
        "0/x000/000",
        "0/x001",
        "0/1000",
        "0/x01/000",
        "0/001/000",
        "0/000.p",
        "0/000.p/",
        "0/000.p/0",
        "0/000.p/256",
        "0/000.p/01",
        "0/000.p/1/1",
        "0/000/",
        "/000",
        "data/000",
        "Entries/000",
        "0/x18/446/744/073/709/551/616",
    ];
    for path in paths {
        assert_eq!(TilePath::parse(path), None, "{path}");
    }
}
