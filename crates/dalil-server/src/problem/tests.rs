use super::*;

#[test]
fn every_kind_has_a_status_of_its_own_and_words_in_both_languages() {
    let mut seen = std::collections::BTreeSet::new();
    for kind in Kind::ALL {
        assert!(seen.insert(kind.status()), "{kind:?}");
        assert_eq!(Problem::of_status(kind.status()).kind, kind);
        let (en, ar) = (kind.words(Language::English), kind.words(Language::Arabic));
        assert!(en.0.is_ascii() && !ar.0.is_ascii() && !ar.1.is_ascii(), "{kind:?}");
    }
}

#[test]
fn nothing_of_the_store_is_in_a_problem() {
    use dalil::store::Error;
    let place = "postgres://db.internal/dalil";
    for (error, status) in [
        (Error::unavailable("read a table", place).saw("a reply", "broken pipe"), 503),
        (Error::busy("append", place).saw("room", "4096 entries"), 503),
        (Error::damaged("read a pack", place).saw("bytes", "others"), 500),
    ] {
        let problem = Problem::from(Failure::from(error));
        assert_eq!(problem.kind.status().as_u16(), status);
        assert!(problem.faults.is_empty(), "{problem:?}");
    }
}

#[test]
fn a_fault_decides_the_status() {
    let status = |rule: &'static str, path: &str| {
        let refused = Refused::from(Fault::new(rule, path, "this", "that"));
        Problem::from(refused).kind.status().as_u16()
    };
    assert_eq!(status("not_found", "pack_id"), 404);
    assert_eq!(status("erased", "pack_id"), 410);
    assert_eq!(status("role", "actor"), 403);
    assert_eq!(status("not_a_member", "name"), 404);
    assert_eq!(status("not_a_member", "reviewer_id"), 403);
    assert_eq!(status("taken", "pack_id"), 409);
    assert_eq!(status("type", "query"), 422);
}
