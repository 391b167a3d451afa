//! The words of the press on the pages.

use dalil_evidence::access::MemberTitle;
use dalil_evidence::ledger::review::{ClaimReview, ClaimReviewAction};
use dalil_phrasebook::Language;
use dalil_phrasebook::page::PageTexts;
use dalil_proof::canon;
use dalil_proof::json::Json;
use serde_json::{Value, json};

use super::{BOTH, fixture};
use crate::pdf::digits::DigitStyle;
use crate::pdf::font::EmbeddedFonts;
use crate::pdf::glyphs::PageTextWriter;
use crate::pdf::view;
use crate::pdf::{self, PackPrintout, claims};

fn shown(language: Language) -> Value {
    let pen = PageTextWriter::new(EmbeddedFonts::embedded(), language, DigitStyle::ArabicIndic);
    let view = view::pack(&fixture::unreported(), &pen);
    serde_json::from_slice(&canon::bytes(&view).unwrap()).unwrap()
}

#[test]
fn a_call_that_never_reported_back_says_so_in_the_language_of_the_pages() {
    let said = |language| {
        let view = shown(language);
        [0, 1].map(|n| view["calls"][n]["actual"]["text"].clone())
    };
    let english = json!({"l": "en", "t": "nothing was reported"});
    assert_eq!(said(Language::English), [english.clone(), english.clone()]);
    // A call with an outcome did report; its words are its own.
    assert_eq!(said(Language::Arabic), [json!({"l": "ar", "t": "لم يرد عنه شيء"}), english]);
}

#[test]
fn titles_are_known_by_their_very_spelling() {
    for language in BOTH {
        let view = shown(language);
        let roles = [0, 1].map(|n| view["review"]["approvals"][n]["roles"].clone());
        let known = json!([{"l": "en", "t": "legal"}, {"l": "en", "t": "board"}]);
        let unknown = json!([{"l": "en", "t": "Legal"}, {"l": "ar", "t": "مستشار"}]);
        assert_eq!(roles, [known, unknown]);
    }
}

#[test]
fn the_templates_have_a_name_for_every_title() {
    for language in BOTH {
        let texts = serde_json::to_value(PageTexts::in_language(language)).unwrap();
        for (word, title) in MemberTitle::WIRE_NAMES {
            let name = texts[format!("role_{word}")].as_str().unwrap().to_lowercase();
            assert_eq!(name, title.label().text(language));
        }
    }
}

#[test]
fn how_a_version_stands_is_said() {
    let sheet = fixture::unreported();
    let said = |outcome: &str, at: &str, next: Option<&str>| {
        let mut history: Value = serde_json::from_slice(sheet.history_bytes()).unwrap();
        history["approvals"].as_array_mut().unwrap().remove(0);
        history["approvals"][0]["outcome"] = json!(outcome);
        history["approvals"][0]["at"] = json!(at);
        if let Some(next) = next {
            let version = json!({"created_at": next, "pack_id": "pack_d330000000000009", "status": "unresolved", "version": 2});
            history["versions"].as_array_mut().unwrap().push(version);
        }
        let sheet = PackPrintout::read(sheet.sealed(), &canon::bytes(&history).unwrap()).unwrap();
        let view = view::pack(
            &sheet,
            &PageTextWriter::new(
                EmbeddedFonts::embedded(),
                Language::English,
                DigitStyle::ArabicIndic,
            ),
        );
        pdf::pack(&sheet, Language::Arabic).unwrap();
        serde_json::to_value(&view).unwrap()["decision"]["status"].clone()
    };
    let status = |at: &str, next: Option<&str>| said("rejected", at, next);
    let (before, after, next) =
        ("2020-01-01T00:00:00.000Z", "2026-03-15T10:00:00.000Z", "2026-03-15T10:30:00.000Z");
    assert_eq!(shown(Language::English)["decision"]["status"], "partly_approved");
    assert_eq!(status(after, None), "rejected");
    assert_eq!(status(after, Some(next)), "rejected");
    // Another version was.
    assert_eq!(status(before, None), "unresolved");
    assert_eq!(status(next, Some(after)), "superseded");
    assert_eq!(said("approved", after, None), "partly_approved");
    assert_eq!(said("approved", after, Some(next)), "superseded");
    assert_eq!(said("escalated", after, None), "unresolved");
}

#[test]
fn nobody_reviewed_a_version_only_without_approvals() {
    let nobody = |sheet: &PackPrintout| {
        let view = view::pack(
            sheet,
            &PageTextWriter::new(
                EmbeddedFonts::embedded(),
                Language::English,
                DigitStyle::ArabicIndic,
            ),
        );
        serde_json::to_value(&view).unwrap()["review"]["nobody"].clone()
    };
    let sheets = [fixture::unreported(), fixture::short(), fixture::long(1)];
    assert_eq!(sheets.each_ref().map(nobody), [false, false, true]);
}

#[test]
fn a_claim_is_as_long_as_it_is_shown_in_every_column() {
    let pen =
        PageTextWriter::new(EmbeddedFonts::embedded(), Language::English, DigitStyle::ArabicIndic);
    let long = |entry: Value| {
        let ledger = json!({"entries": [entry]}).to_string();
        let claims = claims::of(&Json::parse(ledger.as_bytes()).unwrap(), &pen);
        serde_json::to_value(&claims).unwrap()["entries"][0]["long"].clone()
    };
    let words = "word ".repeat(450);
    let source = |name: &str, heading: &str| json!({"claim_text": "a", "evidence": {"source": {"filename": name, "heading_path": [heading]}}});
    assert_eq!(long(json!({"claim_text": "word ".repeat(380)})), false);
    assert_eq!(long(json!({"claim_text": words})), true);
    assert_eq!(long(json!({"claim_text": "a", "evidence": {"snippet": words}})), true);
    assert_eq!(long(json!({"claim_text": "a", "notes": words})), true);
    assert_eq!(long(source("a", "a")), false);
    assert_eq!(long(source(&words, "a")), true);
    assert_eq!(long(source("a", &words)), true);
    // Three bytes are shown as eight.
    assert_eq!(long(json!({"claim_text": "\u{202e}".repeat(300)})), true);
}

#[test]
fn citations_that_belong_to_no_claim_are_named_in_both_languages() {
    let cited = |hash: &str, resolved: bool| json!({"chunk_hash": hash, "resolved": resolved});
    let ledger = json!({
        "entries": [],
        "citations": [cited("deadbeef", false), cited("b8b859ac", true), cited("deadbeef", false)],
        "risk_flags": [{
            "type": "unresolved_citation", "severity": "high", "affected_claim_ids": [],
            "description": "1 citation(s) name no passage of the documents: deadbeef",
        }],
    });
    let ledger = ledger.to_string();
    let said = BOTH.map(|language| {
        let pen = PageTextWriter::new(EmbeddedFonts::embedded(), language, DigitStyle::ArabicIndic);
        let claims = claims::of(&Json::parse(ledger.as_bytes()).unwrap(), &pen);
        serde_json::to_value(&claims).unwrap()["flags"][0]["description"]["t"].clone()
    });
    assert_eq!(
        said,
        [
            json!("1 citation(s) name no passage of the documents: deadbeef"),
            json!("1 من الاستشهادات لا تسمّي أي مقطع من الوثائق: deadbeef"),
        ]
    );
}

#[test]
fn each_band_has_its_colours() {
    let template = include_str!("../claims.typ");
    let colours = ["high", "good", "moderate", "low", "very_low"].map(|band| {
        let start = format!("    {band}: (paper: ");
        let line = template.lines().find_map(|line| line.strip_prefix(&start));
        line.and_then(|line| line.split_once(", line: ")).map(|(colours, _)| colours)
    });
    let contract = [
        "green, ink: white",
        "pale-green, ink: green",
        "amber, ink: white",
        "pale-amber, ink: amber",
        "pale-grey, ink: grey",
    ];
    assert_eq!(colours, contract.map(Some));
    let pen =
        PageTextWriter::new(EmbeddedFonts::embedded(), Language::English, DigitStyle::ArabicIndic);
    let shown = [0.85, 0.7, 0.5, 0.3, 0.1].map(|score| {
        let ledger = json!({"entries": [{"claim_text": "a", "confidence_score": score, "calculated_confidence": 0.5}]});
        let claims = claims::of(&Json::parse(ledger.to_string().as_bytes()).unwrap(), &pen);
        let entry = serde_json::to_value(&claims).unwrap()["entries"][0].clone();
        (entry["band"]["word"].clone(), entry["calculated"].clone())
    });
    let bands = ["high", "good", "moderate", "low", "very_low"];
    assert_eq!(shown, bands.map(|band| (json!(band), json!("50%"))));
}

#[test]
fn how_an_answer_stands_is_said_without_vowel_signs() {
    let (ledger, about) = fixture::answered();
    let reviews: Vec<ClaimReview> = ledger
        .content
        .entries
        .iter()
        .map(|entry| ClaimReview {
            ledger_id: ledger.id.to_string(),
            claim_id: entry.finding.claim_id.clone(),
            action: ClaimReviewAction::Resolved,
            reviewer: "noura".to_owned(),
            at: "2026-03-16T08:00:00Z".parse().unwrap(),
            assigned_to: None,
            reason: None,
        })
        .collect();
    let about = about.reviewed(&ledger, &reviews);
    let said = BOTH.map(|language| {
        let pen = PageTextWriter::new(EmbeddedFonts::embedded(), language, DigitStyle::ArabicIndic);
        let claims = claims::of(&Json::parse(b"{}").unwrap(), &pen);
        let view = view::ledger((&ledger, &about), "", claims, &pen);
        serde_json::to_value(&view).unwrap()["standing"]["words"].clone()
    });
    // Readers of PDF give a vowel sign between letters, so that no search finds the word.
    assert_eq!(
        said,
        [
            json!(
                "Ready to rely on: every claim is supported or was resolved by a person (reviews that count: 4)"
            ),
            json!("يمكن الاعتماد عليها: كل ادعاء مؤيد أو حسمه شخص (المراجعات المحتسبة: ٤)"),
        ]
    );
}
