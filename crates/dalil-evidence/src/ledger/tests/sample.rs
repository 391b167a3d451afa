//! Requests for ledgers. `dalil-render` tests its views with the same ones.

use proptest::prelude::Strategy;
use proptest::{collection, prop_oneof};

use super::{ClaimImportance, ClaimKind, ConflictReason, LedgerRequest, Score, SupportLevel};

/// A request with these claims and these other fields.
pub(super) fn request(claims: &str, rest: &str) -> LedgerRequest {
    let text = format!(
        r#"{{"session":{{"id":"ses_1","query":"Leave","mode":"answer"}},"created_at":"2026-01-03T14:30:00Z","claims":[{claims}]{rest}}}"#
    );
    LedgerRequest::read(text.as_bytes()).unwrap_or_else(|refused| panic!("{refused}"))
}

pub(super) fn claim(id: &str, importance: &str, matches: &str) -> String {
    format!(
        r#"{{"claim_id":"{id}","claim_text":"Claim {id}","claim_type":"fact","importance":"{importance}","matches":[{matches}]}}"#
    )
}

/// A match of a chunk of a document.
pub(super) fn one(chunk: &str, document: &str, similarity: f64, says: &str) -> String {
    let (support, contradicts) = if says == "against" { ("none", true) } else { (says, false) };
    let reason = r#","reason":{"claim_words":"yes","evidence_words":"no"}"#;
    let reason = if contradicts { reason } else { "" };
    format!(
        r#"{{"chunk_id":"{chunk}","document":{{"id":"{document}","filename":"{document}.pdf"}},"similarity":{similarity},"support":"{support}","contradicts":{contradicts},"snippet":"Words of {chunk}"{reason}}}"#
    )
}

pub(super) fn arbitrary() -> impl Strategy<Value = LedgerRequest> {
    let text =
        prop_oneof!["\\PC{1,40}", "[\u{0}-\u{20}a-zا-ي漢👩\u{200d}\u{301}\u{202e}|`#<>\\\\]{1,60}"];
    let found = (0_usize..16, 0_u16..=10_000, 0_usize..3, "[a-c]", "[d-f]");
    let claims =
        collection::vec((text, 0_usize..3, 0_usize..4, collection::vec(found, 0..4)), 0..8);
    claims.prop_map(|claims| {
        let mut request = request(&claim("x", "minor", &one("a", "d", 0.5, "none")), "");
        let [blank] = request.claims.as_slice() else { panic!("one claim") };
        let blank = blank.clone();
        let build =
            |(n, (text, importance, kind, found)): (usize, (String, usize, usize, Vec<_>))| {
                let mut claim = blank.clone();
                claim.claim_id = n.to_string();
                claim.claim_text.clone_from(&text);
                claim.importance = ClaimImportance::WIRE_NAMES[importance].1;
                claim.claim_type = ClaimKind::WIRE_NAMES[kind].1;
                let matched = |(bits, units, support, chunk, document): (
                    usize,
                    u16,
                    usize,
                    String,
                    String,
                )| {
                    let mut one = blank.matches[0].clone();
                    one.contradicts = bits & 1 > 0;
                    let (claim_words, evidence_words) = (format!("a{text}"), format!("b{text}"));
                    let reason = ConflictReason { claim_words, evidence_words };
                    one.reason = (bits & 2 > 0).then_some(reason);
                    one.hidden = (bits > 12).then(|| text.clone());
                    one.named = bits & 12 == 8;
                    one.amends = if bits & 4 > 0 { vec!["e".to_owned()] } else { Vec::new() };
                    one.similarity = Score::from_units(units).unwrap();
                    one.support = SupportLevel::WIRE_NAMES[support].1;
                    one.chunk_id = chunk;
                    one.document.id.clone_from(&document);
                    one.document.filename = format!("{document} {text}");
                    one.snippet.clone_from(&text);
                    one
                };
                claim.matches = found.into_iter().map(matched).collect();
                claim
            };
        request.claims = claims.into_iter().enumerate().map(build).collect();
        request
    })
}
