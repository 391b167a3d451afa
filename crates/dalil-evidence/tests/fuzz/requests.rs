//! Requests: whatever arrives, the reply is a value or the faults, and the same again.

use dalil_evidence::citation_source::event::SourcesEvent;
use dalil_evidence::citation_source::request::SourcesRequest;
use dalil_evidence::citation_source::wire;
use dalil_evidence::{obligation, pack, policy};
use dalil_proof::canon;
use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use serde::Serialize;

use crate::bound::fuzz;
use crate::corpus::{examples, inputs};

#[test]
fn decisions() {
    let corpus = [examples("examples/requests", "policy"), inputs("pack", &["policy"])];
    fuzz(&corpus.concat(), &WORDS, |bytes| lawful(&policy::assess(bytes)));
}

#[test]
fn packs_to_assemble() {
    let corpus = [examples("examples/decision", ""), inputs("pack", &["pack", "assemble"])];
    fuzz(&corpus.concat(), &WORDS, |bytes| lawful(&pack::assemble(bytes)));
}

#[test]
fn sources() {
    let corpus = [examples("examples/requests", "sources"), inputs("sources", &["sources"])];
    fuzz(&corpus.concat(), &WORDS, |bytes| {
        let Ok(json) = Json::parse(bytes) else { return };
        let request = SourcesRequest::read(&json);
        if let Ok(request) = &request {
            let event = SourcesEvent::of(request);
            canon::bytes(&wire::parts(&event)).unwrap();
            canon::bytes(&wire::anthropic(&event)).unwrap();
            canon::bytes(&wire::openai(request, &event)).unwrap();
        }
        lawful(&request.map(|request| canon::bytes(&SourcesEvent::of(&request)).unwrap()));
    });
}

#[test]
fn obligations() {
    let corpus = [
        examples("examples/requests", "record"),
        inputs("record", &["record"]),
        vec![CHAIN.as_bytes().to_vec()],
    ];
    fuzz(&corpus.concat(), &WORDS, |bytes| {
        let Ok(json) = Json::parse(bytes) else { return };
        lawful(&obligation::package::package(&json));
        lawful(&obligation::resolve::resolve(&json));
        lawful(&obligation::status::change(&json));
        lawful(&obligation::validate::validate(&json));
    });
}

/// A reply has canonical bytes; a refusal has at least one fault, and no character that a terminal
/// obeys.
pub(crate) fn lawful<T: Serialize>(reply: &Result<T, Refused>) {
    match reply {
        Ok(reply) => drop(canon::bytes(reply).unwrap()),
        Err(refused) => {
            assert!(!refused.refused.is_empty(), "refused without a fault");
            let text = refused.to_string();
            assert!(!text.contains(obeyed), "a terminal would obey {text:?}");
        }
    }
}

/// Whether a terminal would do something else than show this character.
pub(crate) fn obeyed(ch: char) -> bool {
    ch.is_control() && ch != '\n' || matches!(ch, '\u{202a}'..='\u{202e}')
}

pub(crate) const WORDS: [&str; 22] = [
    "null",
    "\"\"",
    "[]",
    "{}",
    "-1",
    "1.5",
    "true",
    "\"\\u202e\\u001b[2J\":",
    "\"\\u0000\"",
    "\"2026-02-30T25:61:61.000Z\"",
    "\"9999-12-31T23:59:59.999Z\"",
    "\"sha256:00\"",
    "\"../../etc\"",
    "\"A9\"",
    "\"ب\"",
    "\u{200f}",
    "[cite:b8b859ac]",
    "\"id\":1,\"id\":1,",
    ",\"unknown\":{}",
    "0.00001",
    "\"\\ud83d\\ude00\"",
    "\"<script>|`*_[](\"",
];

const CHAIN: &str = r#"{"obligation_id":"ob-1"}"#;
