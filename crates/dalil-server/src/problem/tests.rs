use super::*;

#[test]
fn every_kind_has_a_status_of_its_own_and_words_in_both_languages() {
    let mut seen = std::collections::BTreeSet::new();
    for kind in ProblemKind::ALL {
        assert!(seen.insert(kind.status()), "{kind:?}");
        assert_eq!(ApiProblem::of_status(kind.status()).kind, kind);
        let (en, ar) = (kind.words(ReplyLanguage::English), kind.words(ReplyLanguage::Arabic));
        assert!(en.0.is_ascii() && !ar.0.is_ascii() && !ar.1.is_ascii(), "{kind:?}");
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
        let refused = Refused::from(Fault::new(rule, path, "this", "that"));
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

/// The names that stand after one of these in a source file are rules.
fn rules(text: &str) -> Vec<String> {
    let marks =
        ["Fault::new(", ".refuse(", ".parsed(", " fault(", " refuse(", "rule: ", "=> (", "=> "];
    let mut found = Vec::new();
    for mark in marks {
        for after in text.split(mark).skip(1) {
            let quoted = after.trim_start().strip_prefix('"').and_then(|text| text.split_once('"'));
            let Some((name, rest)) = quoted else { continue };
            let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            // An arm of a match gives a rule only where the next word says so.
            let is_arm = mark.starts_with("=>");
            let gives = rest.starts_with(", \"one that") || KNOWN.contains(&name);
            if is_name && !name.is_empty() && (!is_arm || gives) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

/// Crates that refuse by rules.
const CRATES_WITH_RULES: [&str; 6] =
    ["dalil-proof", "dalil-evidence", "dalil-render", "dalil", "dalil-service", "dalil-server"];

/// Rules that an arm of a match names.
const KNOWN: [&str; 3] = ["taken", "not_a_member", "last_admin"];

fn sources(folder: &std::path::Path, read: &mut dyn FnMut(&str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("tests") {
            sources(&path, read);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            read(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_rule_has_a_sentence_in_arabic() {
    let mut all = std::collections::BTreeSet::new();
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in CRATES_WITH_RULES {
        sources(&crates.join(name).join("src"), &mut |text| all.extend(rules(text)));
    }
    assert!(all.len() > 110, "{all:?}");
    let known: Vec<&str> = arabic::RULE_SENTENCES_AR.iter().map(|(rule, _)| *rule).collect();
    let without: Vec<&String> = all.iter().filter(|rule| !known.contains(&rule.as_str())).collect();
    assert_eq!(without, [""; 0]);
    assert!(known.is_sorted(), "in order, so that none is there twice");
    for (rule, sentence) in arabic::RULE_SENTENCES_AR {
        let letters = sentence.chars().filter(|ch| ('\u{600}'..='\u{6ff}').contains(ch)).count();
        assert!(letters > 8, "{rule}: {sentence}");
    }
}

#[test]
fn a_fault_in_arabic_keeps_the_values_and_no_english() {
    let fault = Fault::new("range", "limit", "1 to `1000` items", "`2000`, which is class A1");
    let told = arabic::told(&fault).unwrap();
    assert_eq!(
        (told.path.as_str(), told.message.as_str(), told.hint),
        ("limit", "القيمة خارج المدى؛ المتوقع: 1، `1000`؛ الموجود: `2000`، A1", None)
    );
    assert!(arabic::told(&Fault::new("no_such_rule", "$", "this", "that")).is_none());
    let fault = Fault::new("empty", "reason", "why it leaves", "nothing").hint("say why");
    let told = arabic::told(&fault).unwrap();
    assert_eq!((told.message.as_str(), told.hint.as_deref()), ("القيمة فارغة", Some("say why")));
}
