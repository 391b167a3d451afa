//! The claims of the ledger in a pack.

use dalil_evidence::anchor::text_digest;
use dalil_proof::json::Json;

#[cfg(test)]
mod tests;

/// A claim of the ledger that the decision rests on.
pub(super) struct PackClaim<'p> {
    pub(super) claim_text: &'p str,
    pub(super) verdict: &'p str,
    pub(super) evidence_snippet: Option<&'p str>,
}

/// The claims that are not supported, the contradicted ones first.
pub(super) fn doubtful<'l>(ledger: Option<&'l Json<'_>>) -> Vec<PackClaim<'l>> {
    let of = |verdict: &'static str| claims(ledger).filter(move |one| one.verdict == verdict);
    of("contradicted").chain(of("not_found")).chain(of("weak")).collect()
}

/// The ledger of a pack may be another program's, so its claims are read one by one.
pub(super) fn claims<'l>(ledger: Option<&'l Json<'_>>) -> impl Iterator<Item = PackClaim<'l>> {
    let entries = match ledger.and_then(|ledger| ledger.get("entries")) {
        Some(Json::List(entries)) => entries.as_slice(),
        _ => &[],
    };
    entries.iter().filter_map(|entry| {
        Some(PackClaim {
            claim_text: text(entry, "claim_text")?,
            verdict: text(entry, "verdict")?,
            evidence_snippet: text(entry, "evidence_snippet").filter(|text| !text.is_empty()),
        })
    })
}

/// A text member of an object.
pub(super) fn text<'j>(json: &'j Json<'_>, name: &str) -> Option<&'j str> {
    match json.get(name) {
        Some(Json::Text(text)) => Some(text),
        _ => None,
    }
}

/// The short anchor by which a memo cites a source.
pub(super) fn short_anchor(excerpt: &str) -> String {
    text_digest(excerpt).hex().chars().take(MIN_ANCHOR_CHARS).collect()
}

/// How many digits of a digest a citation has at least; spec/sources.md.
const MIN_ANCHOR_CHARS: usize = 8;
