use dalil_phrasebook::Language;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::record::Actor;
use dalil_service::index::ObligationSummary;

use super::{actor_name, newest_of_each};

#[test]
fn actors_are_named_in_the_language_of_the_page() {
    let actors =
        [Actor::Agent("clerk".to_owned()), Actor::Person("amal".to_owned()), Actor::System];
    let named = |language| {
        let w = ViewerTexts::in_language(language);
        actors.iter().map(|actor| actor_name(w, actor)).collect::<Vec<_>>()
    };
    assert_eq!(named(Language::English), ["Agent clerk", "amal", "The system"]);
    assert_eq!(named(Language::Arabic), ["الوكيل الآلي clerk", "amal", "النظام"]);
}

#[test]
fn the_newest_record_of_an_obligation_tells() {
    let item = |id: &str, event: &str, file: Option<&str>, confidence: f64| ObligationSummary {
        obligation_id: id.to_owned(),
        event: event.to_owned(),
        doc_filename: file.map(str::to_owned),
        verification_result: None,
        confidence: Some(confidence),
        recorded_at: None,
        index: 0,
    };
    let newest_first = vec![
        item("rent", "status_changed", Some("status_change"), 1.0),
        item("audit", "recorded", Some("audit-2.pdf"), 0.6),
        item("rent", "recorded", Some("lease.pdf"), 0.9),
        item("rent", "recorded", Some("draft.pdf"), 0.5),
        item("audit", "recorded", Some("audit-1.pdf"), 0.8),
    ];
    let told: Vec<String> = newest_of_each(newest_first)
        .iter()
        .map(|one| {
            let ObligationSummary { obligation_id, event, doc_filename, confidence, .. } = one;
            format!("{obligation_id} {event} {doc_filename:?} {confidence:?}")
        })
        .collect();
    let expected = [
        "audit recorded Some(\"audit-2.pdf\") Some(0.6)",
        "rent status_changed Some(\"lease.pdf\") Some(0.9)",
    ];
    assert_eq!(told, expected);
}
