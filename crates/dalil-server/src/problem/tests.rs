use dalil_phrasebook::{expected, found};

use super::*;

#[test]
fn every_kind_has_a_status_of_its_own_and_words_in_both_languages() {
    let mut seen = std::collections::BTreeSet::new();
    for kind in ProblemKind::ALL {
        assert!(seen.insert(kind.status()), "{kind:?}");
        assert_eq!(ApiProblem::of_status(kind.status()).kind, kind);
        for phrase in [kind.title(), kind.sentence()] {
            let (en, ar) = (phrase.text(Language::English), phrase.text(Language::Arabic));
            assert!(en.is_ascii() && !ar.is_ascii(), "{kind:?}");
        }
    }
}

#[test]
fn nothing_of_the_store_is_in_a_problem() {
    use dalil_store::Error;
    let place = "postgres://db.internal/dalil";
    for (error, status) in [
        (Error::unavailable("read a table", place).saw("a reply", "broken pipe"), 503),
        (Error::busy("append", place).saw("room", "4096 entries"), 503),
        (Error::damaged("read a pack", place).saw("bytes", "others"), 500),
    ] {
        let problem = ApiProblem::from(OperationFailure::from(error));
        assert_eq!(problem.kind.status().as_u16(), status);
        assert!(problem.faults.is_empty(), "{problem:?}");
    }
}

#[test]
fn a_fault_decides_the_status() {
    let status = |rule: &'static str, path: &str| {
        let refused = Refused::from(Fault::new(rule, path, expected::a_value(), found::nothing()));
        ApiProblem::from(refused).kind.status().as_u16()
    };
    assert_eq!(status("not_found", "pack_id"), 404);
    assert_eq!(status("erased", "pack_id"), 410);
    assert_eq!(status("role", "actor"), 403);
    assert_eq!(status("not_a_member", "name"), 404);
    assert_eq!(status("not_a_member", "reviewer_id"), 403);
    assert_eq!(status("taken", "pack_id"), 409);
    assert_eq!(status("type", "query"), 422);
}

#[test]
fn a_fault_is_a_whole_sentence_in_the_language_asked_for() {
    let fault = Fault::new("range", "limit", bound::from_one_to(1000), Phrase::verbatim(2000))
        .hint(hint::people_approve());
    let problem = ApiProblem::fault(ProblemKind::Refused, fault);
    let texts = |language| {
        let faults = problem.faults_in(language);
        let [fault] = faults.as_slice() else { panic!("one fault") };
        assert_eq!((fault.rule, fault.path), ("range", "limit"));
        (fault.message.to_owned(), fault.hint.map(str::to_owned), problem.detail(language))
    };
    assert_eq!(
        texts(Language::English),
        (
            "expected 1 to 1000, found 2000".to_owned(),
            Some("people approve".to_owned()),
            "`limit`: expected 1 to 1000, found 2000\nhint: people approve".to_owned(),
        )
    );
    assert_eq!(
        texts(Language::Arabic),
        (
            "المتوقع قيمة من 1 إلى 1000، والموجود 2000".to_owned(),
            Some("الاعتماد للأشخاص".to_owned()),
            "`limit`: المتوقع قيمة من 1 إلى 1000، والموجود 2000\nإرشاد: الاعتماد للأشخاص".to_owned(),
        )
    );
}

#[test]
fn of_several_faults_only_the_list_says_what_is_wrong() {
    let fault = || Fault::new("empty", "reason", expected::why_it_leaves(), found::nothing());
    let problem = ApiProblem::from(Refused { refused: vec![fault(), fault()] });
    assert_eq!(problem.detail(Language::Arabic), "في الطلب المخالفات المذكورة.");
}
