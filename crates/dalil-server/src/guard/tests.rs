use dalil_service::pack::PackState;

use super::*;

/// A version of a pack between two others.
fn version(names: [Option<&str>; 3]) -> PackVersionSummary {
    let [supersedes, pack_id, superseded_by] = names.map(|name| name.map(str::to_owned));
    PackVersionSummary {
        pack_id: pack_id.unwrap(),
        decision_id: "dec-1".to_owned(),
        version: 1,
        supersedes,
        superseded_by,
        status: "unresolved".to_owned(),
        state: PackState::Unresolved,
        reviewer_id: None,
        created_at: String::new(),
        retain_until: String::new(),
        sha256: String::new(),
        index: 0,
    }
}

#[test]
fn a_hidden_version_is_not_named_by_its_neighbours_either() {
    let line = [
        [None, Some("one"), Some("two")],
        [Some("one"), Some("two"), Some("three")],
        [Some("two"), Some("three"), Some("four")],
        [Some("three"), Some("four"), None],
    ];
    let hidden = BTreeSet::from(["two".to_owned()]);
    let seen = seen_versions(Vec::from(line.map(version)), &hidden);
    let expected = [
        [None, Some("one"), None],
        [None, Some("three"), Some("four")],
        [Some("three"), Some("four"), None],
    ];
    assert_eq!(seen, expected.map(version));
}
