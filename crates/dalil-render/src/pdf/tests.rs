//! Pages: pressed, read back by other programs, and compared.

use std::fs;

use dalil_evidence::ledger::review::{ClaimReview, ClaimReviewAction};
use dalil_phrasebook::Language;
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use expect_test::{Expect, expect, expect_file};
use serde_json::{Value, json};

use self::reader::Readers;
use crate::pdf::{self, PackPrintout, PrintoutAnswer, PrintoutReview};

mod fixture;
mod limit;
mod reader;
mod vector;
mod words;

const BOTH: [Language; 2] = [Language::English, Language::Arabic];

#[test]
fn equal_inputs_give_equal_bytes() {
    for language in BOTH {
        let press = || pdf::pack(&fixture::hostile(), language).unwrap();
        assert!(press() == press());
    }
}

#[test]
fn what_is_attached_is_what_was_given() {
    let Some(readers) = Readers::found() else { return };
    for sheet in [fixture::short(), fixture::hostile()] {
        for language in BOTH {
            let file = readers.leave("attached", language, &pdf::pack(&sheet, language).unwrap());
            let attached = readers.attachments(&file);
            let given = [
                (pdf::HISTORY_ATTACHMENT.to_owned(), sheet.history_bytes().to_vec()),
                (pdf::PACK_ATTACHMENT.to_owned(), sheet.sealed().to_vec()),
            ];
            assert_eq!(attached, given);
            // A reader who has only the file can render it again.
            let again = PackPrintout::read(&attached[1].1, &attached[0].1).unwrap();
            assert_eq!(pdf::pack(&again, language).unwrap(), fs::read(&file).unwrap());
        }
    }
    let (ledger, about) = fixture::answered();
    let given = (pdf::LEDGER_ATTACHMENT.to_owned(), canon::bytes(&ledger).unwrap());
    let attached = |about: &PrintoutAnswer| {
        let pages = pdf::ledger(&ledger, about, Language::English).unwrap();
        readers.attachments(&readers.leave("attached", Language::English, &pages))
    };
    assert_eq!(attached(&PrintoutAnswer::default()), std::slice::from_ref(&given));
    let [answer, own] = attached(&about).try_into().unwrap();
    assert_eq!((answer.0.as_str(), own), (pdf::ANSWER_ATTACHMENT, given));
    assert_eq!(PrintoutAnswer::parse(&answer.1).unwrap(), about);
}

#[test]
fn a_ledger_begins_with_its_question_and_its_answer() {
    let Some(readers) = Readers::found() else { return };
    let (ledger, about) = fixture::answered();
    for (language, found) in BOTH.into_iter().zip([
        expect![[r#"
        Evidence Ledger
        How much leave do employees have?
        3 claims need a person
        Scan to verify
        dalil.example/verify
        1
        Supported: 1
        2
        Weak: 1
        Contradicted: 1
        3
        4
        Not Found: 1
        Evidence coverage: 38% · Unsupported: 25% · Claims: 4
        Answer
        Leave
    "#]],
        expect![[r#"
        سجل الأدلة
        How much leave do employees have?
        3 :ادعاءات تحتاج إلى نظر شخص
        امسح الرمز للتحقق
        dalil.example/verify
        4
        3
        2
        1 :غير موجود
        1
        1 :مناقض
        1 :ضعيف
        1 :مؤيد
        4 : · عدد الادعاءات%25 : · بلا دليل%38 :تغطية الأدلة
        الإجابة
        Leave
    "#]],
    ]) {
        let pages = pdf::ledger(&ledger, &about, language).unwrap();
        let text = readers.text(&readers.leave("answered", language, &pages));
        let head: Vec<&str> =
            text.lines().filter(|line| !line.trim().is_empty()).take(16).collect();
        found.assert_eq(&(head.join("\n") + "\n"));
    }
}

#[test]
fn the_pages_of_a_ledger_say_how_it_stands_after_its_reviews() {
    let Some(readers) = Readers::found() else { return };
    let (ledger, about) = fixture::answered();
    let review = |claim: usize, action: ClaimReviewAction, ledger_id: &str| ClaimReview {
        ledger_id: ledger_id.to_owned(),
        claim_id: ledger.content.entries[claim].finding.claim_id.clone(),
        action,
        reviewer: "noura".to_owned(),
        at: "2026-03-16T08:00:00Z".parse().unwrap(),
        assigned_to: None,
        reason: Some("The annex says so.".to_owned()),
    };
    let id = ledger.id.to_string();
    let own = |claim, action| review(claim, action, &id);
    let mut reviews = vec![
        review(1, ClaimReviewAction::Resolved, "another-ledger"),
        own(1, ClaimReviewAction::Disagreed),
        own(1, ClaimReviewAction::Commented),
        own(1, ClaimReviewAction::Resolved),
        own(2, ClaimReviewAction::Agreed),
        own(3, ClaimReviewAction::Assigned),
    ];
    let pressed = |about: &PrintoutAnswer| {
        let language = Language::English;
        let text = canon::bytes(about).unwrap();
        assert_eq!(PrintoutAnswer::parse(&text).unwrap(), *about, "the attachment is read back");
        let pages = pdf::ledger(&ledger, about, language).unwrap();
        let text = readers.text(&readers.leave("reviewed", language, &pages));
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).skip(2);
        lines.take_while(|line| *line != "Scan to verify").collect::<Vec<_>>().join(" ")
    };
    let stands = |reviews: &[ClaimReview]| pressed(&about.clone().reviewed(&ledger, reviews));
    let mut told = vec![stands(&[]), stands(&reviews)];
    reviews.push(own(3, ClaimReviewAction::Resolved));
    told.push(stands(&reviews));
    reviews.push(own(2, ClaimReviewAction::Resolved));
    told.push(stands(&reviews));
    // Attached reviews of claims that are not there do not count.
    let mut padded = about.clone().reviewed(&ledger, &reviews);
    let first = padded.reviews[0].clone();
    padded.reviews.push(PrintoutReview { claim_id: "elsewhere".to_owned(), ..first });
    assert_eq!(told.last(), Some(&pressed(&padded)));
    expect![[r#"
        3 claims need a person
        1 claim needs a person (reviews that count: 3)
        1 claim does not hold (reviews that count: 3)
        Ready to rely on: every claim is supported or was resolved by a person (reviews that count: 3)"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn of_the_reviews_those_that_count_are_attached() {
    let (ledger, about) = fixture::answered();
    let claim = |at: usize| ledger.content.entries[at].finding.claim_id.clone();
    let said = |claim_id: &str, action: ClaimReviewAction, ledger_id: &str| ClaimReview {
        ledger_id: ledger_id.to_owned(),
        claim_id: claim_id.to_owned(),
        action,
        reviewer: "noura".to_owned(),
        at: "2026-03-16T08:00:00Z".parse().unwrap(),
        assigned_to: None,
        reason: None,
    };
    let (id, first, second) = (ledger.id.to_string(), claim(0), claim(1));
    let reviews = [
        said(&first, ClaimReviewAction::Agreed, &id),
        said(&second, ClaimReviewAction::Assigned, &id),
        said(&first, ClaimReviewAction::Agreed, &id),
        said(&first, ClaimReviewAction::Assigned, &id),
        said(&first, ClaimReviewAction::Commented, &id),
        said(&second, ClaimReviewAction::Resolved, &id),
        said(&second, ClaimReviewAction::Disagreed, "another-ledger"),
        said("elsewhere", ClaimReviewAction::Resolved, &id),
    ];
    let counted = about.reviewed(&ledger, &reviews).reviews;
    let counted: Vec<_> = counted.iter().map(|one| (one.claim_id.as_str(), one.action)).collect();
    assert_eq!(
        counted,
        [
            (first.as_str(), ClaimReviewAction::Agreed),
            (first.as_str(), ClaimReviewAction::Assigned),
            (second.as_str(), ClaimReviewAction::Resolved),
        ]
    );
}

#[test]
fn reviews_that_do_not_count_and_too_many_are_refused() {
    let attached = |reviews: &[(&str, &str)]| {
        let one = |(claim, action): &(&str, &str)| {
            format!(
                r#"{{"action":"{action}","at":"2026-03-15T09:30:00.000Z","claim_id":"{claim}","reviewer":"noura"}}"#
            )
        };
        let reviews: Vec<String> = reviews.iter().map(one).collect();
        let text = format!(r#"{{"reviews":[{}]}}"#, reviews.join(","));
        match PrintoutAnswer::parse(text.as_bytes()) {
            Ok(about) => format!("{} taken", about.reviews.len()),
            Err(refused) => refused.to_string(),
        }
    };
    let names: Vec<String> = (0..=2 * pdf::MAX_PDF_CLAIMS).map(|n| format!("c{n}")).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "agreed")).collect();
    let told = [
        attached(&[("c", "agreed"), ("d", "resolved"), ("c", "assigned")]),
        attached(&[("c", "agreed"), ("c", "commented")]),
        attached(&[("c", "agreed"), ("c", "resolved")]),
        attached(&[("c", "assigned"), ("c", "disagreed")]),
        attached(&many[1..]),
        attached(&many),
    ];
    expect![[r#"
        3 taken
        `reviews`: expected of each claim only its last decision and an assignment after it, found others
        `reviews`: expected of each claim only its last decision and an assignment after it, found others
        `reviews`: expected of each claim only its last decision and an assignment after it, found others
        4000 taken
        `reviews`: expected at most 4000 items, found 4001"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn what_is_said_of_an_answer_is_bounded_and_canonical() {
    let refused = |text: &str| PrintoutAnswer::parse(text.as_bytes()).unwrap_err().to_string();
    let told = [
        refused(r#"{"answer":"15 days","more":1}"#),
        refused(r#"{"answer": "15 days"}"#),
        refused(r#"{"answer":" "}"#),
        refused(
            r#"{"reviews":[{"action":"approved","at":"2026-03-15T09:30:00.000Z","claim_id":"c"}]}"#,
        ),
        refused(r#"{"verify_url":"https://a@b.example/verify"}"#),
        refused(r#"{"verify_url":"javascript:alert(1)"}"#),
        refused(&format!(r#"{{"verify_url":"https://{}"}}"#, "a".repeat(256))),
        refused(&format!(r#"{{"answer":"{}"}}"#, "a".repeat(pdf::MAX_ANSWER_BYTES))),
    ];
    let told: Vec<String> = told.iter().map(|one| one.chars().take(220).collect()).collect();
    expect![[r#"
        `more`: expected only answer, question, reviews, verify_url, found a field it does not know
        hint: remove the field or correct its name
        `$`: expected canonical JSON (RFC 8785), found another spelling of `answer.json`
        `answer`: expected some text, found ` `
        `reviews[0].action`: expected one of `agreed`, `disagreed`, `resolved`, `commented`, `assigned`, found `approved`
        `reviews[0].reviewer`: expected a value, found nothing
        `verify_url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII characters, without user, query and fragment, found something else
        `verify_url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII characters, without user, query and fragment, found `javascript:alert(1)`
        `verify_url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII characters, without user, query and fragment, found `https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…`
        `$`: expected an answer of at most 1048576 bytes, found 1048589 bytes
    "#]].assert_eq(&(told.join("\n") + "\n"));
    // Input that is refused on reading is not written.
    let unwritten = |url: &str| {
        let about = PrintoutAnswer::new(None, "15 days").verified_at(Some(url));
        about.map_or_else(|fault| fault.to_string(), |_| "written".to_owned())
    };
    expect![[r#"
        `verify_url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII characters, without user, query and fragment, found `https://دليل.example/verify`
        `verify_url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII characters, without user, query and fragment, found something else
        written"#]].assert_eq(
        &[
            unwritten("https://دليل.example/verify"),
            unwritten("https://dalil.example/verify?to=a"),
            unwritten("https://dalil.example/verify"),
        ]
        .join("\n"),
    );
    let long = PrintoutAnswer::new(None, &"a".repeat(pdf::MAX_ANSWER_BYTES));
    let pressed = pdf::ledger(&fixture::big_ledger(1), &long, Language::English);
    assert_eq!(
        pressed.unwrap_err().to_string(),
        "expected at most 1048576 bytes of question and answer in one PDF, found 1048589"
    );
}

#[test]
fn text_is_read_in_logical_order() {
    let Some(readers) = Readers::found() else { return };
    let read = |language| {
        readers.text(&readers.leave(
            "order",
            language,
            &pdf::pack(&fixture::short(), language).unwrap(),
        ))
    };
    expect_file!["../../../../suite/press/pack.en.txt"].assert_eq(&read(Language::English));
    expect_file!["../../../../suite/press/pack.ar.txt"].assert_eq(&read(Language::Arabic));
}

#[test]
fn the_code_on_the_cover_is_the_digest() {
    let Some(readers) = Readers::found() else { return };
    for sheet in [fixture::short(), fixture::hostile()] {
        for language in BOTH {
            let file = readers.leave("code", language, &pdf::pack(&sheet, language).unwrap());
            assert_eq!(readers.codes(&file), sheet.digest().to_string());
        }
    }
    // If there is a page that verifies, the code leads there.
    let short = fixture::short();
    let mut history: Value = serde_json::from_slice(short.history_bytes()).unwrap();
    history["verify_url"] = json!("https://dalil.example/verify");
    let sheet = PackPrintout::read(short.sealed(), &canon::bytes(&history).unwrap()).unwrap();
    let (ledger, about) = fixture::answered();
    for language in BOTH {
        let code = |pages: &[u8]| readers.codes(&readers.leave("code", language, pages));
        let link =
            |digest: &dyn std::fmt::Display| format!("https://dalil.example/verify#{digest}");
        assert_eq!(code(&pdf::pack(&sheet, language).unwrap()), link(sheet.digest()));
        let digest = Digest::of(&canon::bytes(&ledger).unwrap());
        assert_eq!(code(&pdf::ledger(&ledger, &about, language).unwrap()), link(&digest));
    }
}

#[test]
fn a_version_that_was_erased_is_told_as_one() {
    let short = fixture::short();
    let mut history: Value = serde_json::from_slice(short.history_bytes()).unwrap();
    history["versions"][0]["status"] = json!("erased");
    history["versions"][0]["created_at"] = json!("2026-03-15T09:00:00.000Z");
    let sheet = PackPrintout::read(short.sealed(), &canon::bytes(&history).unwrap()).unwrap();
    for (language, word) in BOTH.into_iter().zip(["Erased", "ممحو"]) {
        let pages = pdf::pack(&sheet, language).unwrap();
        let Some(readers) = Readers::found() else { continue };
        let text = |bytes: &[u8]| readers.text(&readers.leave("erased", language, bytes));
        let before = text(&pdf::pack(&short, language).unwrap());
        let after = text(&pages);
        assert_eq!((before.matches(word).count(), after.matches(word).count()), (0, 1), "{after}");
    }
}

#[test]
fn other_programs_find_nothing_wrong() {
    let Some(readers) = Readers::found() else { return };
    let mut files = Vec::new();
    for language in BOTH {
        let mut leave =
            |name: &str, bytes: Vec<u8>| files.push(readers.leave(name, language, &bytes));
        leave("short", pdf::pack(&fixture::short(), language).unwrap());
        leave("hostile", pdf::pack(&fixture::hostile(), language).unwrap());
        leave("long", pdf::pack(&fixture::long(300), language).unwrap());
        let (ledger, about) = fixture::answered();
        leave("answered", pdf::ledger(&ledger, &about, language).unwrap());
        let none = PrintoutAnswer::default();
        leave("ledger", pdf::ledger(&fixture::big_ledger(12), &none, language).unwrap());
        leave("empty", pdf::ledger(&fixture::big_ledger(0), &none, language).unwrap());
    }
    for file in &files {
        assert_eq!(
            (readers.archive(file), readers.access(file), readers.structure(file)),
            Default::default(),
            "{}",
            file.display()
        );
    }
    assert_eq!(readers.rules(&files), "");
}

#[test]
fn three_hundred_claims_are_all_there() {
    let Some(readers) = Readers::found() else { return };
    for language in BOTH {
        let file =
            readers.leave("whole", language, &pdf::pack(&fixture::long(300), language).unwrap());
        let text = readers.text(&file);
        let pages = text.matches('\u{c}').count();
        assert!((30..=60).contains(&pages), "{pages} pages");
        for n in (2..=300).step_by(2) {
            assert!(text.contains(&format!("Employee number {n} is")), "claim {n} in {language:?}");
        }
    }
}

#[track_caller]
fn refused(sealed: &[u8], history: &str, expect: &Expect) {
    expect.assert_eq(&PackPrintout::read(sealed, history.as_bytes()).unwrap_err().to_string());
}

#[test]
fn a_sheet_is_sealed_canonical_and_about_its_pack() {
    let short = fixture::short();
    let (sealed, history) = (short.sealed(), std::str::from_utf8(short.history_bytes()).unwrap());
    refused(
        &[sealed, b" "].concat(),
        history,
        &expect!["`$`: expected canonical JSON (RFC 8785), found another spelling of `pack.json`"],
    );
    refused(
        sealed,
        &history.replace(":[", ": ["),
        &expect![
            "`$`: expected canonical JSON (RFC 8785), found another spelling of `history.json`"
        ],
    );
    refused(
        &canon::bytes(short.draft()).unwrap(),
        history,
        &expect![[r#"
        `$`: expected a sealed pack, found a pack that nobody has signed
        hint: seal it first with `dalil pack seal`"#]],
    );
    refused(
        sealed,
        r#"{"approvals":[],"versions":[]}"#,
        &expect![
            "`versions`: expected a history with the pack `pack_d330000000000002`, found one without it"
        ],
    );
    // No history contradicts the pack about itself or the version before it.
    let told: Vec<String> = [
        ("\"reviewer_id\":\"finance_director\"", "\"reviewer_id\":\"chief_executive\""),
        ("\"status\":\"resolved\"", "\"status\":\"unresolved\""),
        ("\"created_at\":\"2026-03-15T11:00", "\"created_at\":\"2020-03-15T11:00"),
        ("\"version\":2", "\"version\":3"),
        ("\"version\":1", "\"version\":7"),
        ("\"pack_id\":\"pack_93d0b7e4a61c2f58\"", "\"pack_id\":\"pack_d330000000000009\""),
    ]
    .iter()
    .map(|(from, to)| {
        assert!(history.contains(from), "{from}: {history}");
        PackPrintout::read(sealed, history.replace(from, to).as_bytes()).unwrap_err().to_string()
            + "\n"
    })
    .collect();
    expect![[r#"
        `versions`: expected `pack_d330000000000002` as the pack says itself, once, found another
        `versions`: expected `pack_d330000000000002` as the pack says itself, once, found another
        `versions`: expected `pack_d330000000000002` as the pack says itself, once, found another
        `versions`: expected `pack_d330000000000002` as the pack says itself, once, found another
        `versions`: expected `pack_93d0b7e4a61c2f58` as version 1, once, found another
        `versions`: expected `pack_93d0b7e4a61c2f58` as version 1, once, found another
    "#]]
    .assert_eq(&told.concat());
    refused(
        sealed,
        r#"{"approvals":[{"approver":" ","at":"now","outcome":"reviewed"}],"more":1,"versions":[{"pack_id":"pack_1","status":"done","version":0}]}"#,
        &expect![[r#"
            `approvals[0].at`: expected an RFC 3339 time such as `2026-01-03T14:30:00Z`, found `now`
            `approvals[0].approver`: expected some text, found ` `
            `approvals[0].outcome`: expected one of `approved`, `escalated`, `rejected`, found `reviewed`
            `versions[0].pack_id`: expected `pack_` and 16 lower-case hex digits, found `pack_1`
            `versions[0].status`: expected one of `resolved`, `unresolved`, `erased`, `superseded`, found `done`
            `versions[0].version`: expected a whole number from 1 to 9007199254740991, found `0`
            `versions[0].created_at`: expected a value, found nothing
            `more`: expected only approvals, verify_url, versions, found a field it does not know
            hint: remove the field or correct its name"#]],
    );
}
