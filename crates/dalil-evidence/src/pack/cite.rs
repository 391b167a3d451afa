//! Citations in a memo: the sources relied on most, each named in both languages.

use std::collections::BTreeSet;

use dalil_phrasebook::{expected, found, hint};
use dalil_proof::decode::JsonReader;
use dalil_proof::digest::Digest;
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;
use dalil_proof::score::Score;

use crate::anchor::{self, Anchor, AnchorIndex, UnresolvedAnchor};
use crate::pack::source;

/// Refuses a memo that does not cite the top three sources in each language, or that cites
/// something that is no source.
///
/// Works on the readable part of both, so that its faults come in the same reply as all others.
/// `reader` is at the object that holds the memo.
pub(super) fn check(reader: JsonReader<'_, '_>, sources: Option<&Json<'_>>) -> Option<()> {
    let Some(memo) = reader.json.get("memo") else { return Some(()) };
    let sources = excerpts(sources);
    let known = AnchorIndex::new(sources.iter().map(|source| source.digest));
    // A source whose confidence cannot be read has a fault of its own, and no rank.
    let ranked: Vec<(&CitableExcerpt, Score)> =
        sources.iter().filter_map(|source| Some((source, source.confidence?))).collect();
    let top = source::top_three(ranked.iter().map(|(_, confidence)| *confidence));
    let top: Vec<&CitableExcerpt> =
        top.iter().filter_map(|place| ranked.get(*place)).map(|(source, _)| *source).collect();
    let mut sound = Some(());
    for texts @ [body, ..] in MEMO_TEXT_FIELDS {
        let mut cited = BTreeSet::new();
        for name in texts {
            let Some(Json::Text(text)) = memo.get(name) else { continue };
            for citation in anchor::citations(text) {
                match known.resolve(&citation.anchor) {
                    Ok(digest) => {
                        cited.insert(digest);
                    }
                    Err(why) => {
                        let path = format!("{}.{name}", reader.member("memo"));
                        sound = reader.push(bad_citation(&path, &citation.anchor, &why));
                    }
                }
            }
        }
        // A body that is missing is a fault already; no citations are asked of it.
        let Some(Json::Text(_)) = memo.get(body) else { continue };
        for source in top.iter().filter(|source| !cited.contains(&source.digest)) {
            let anchor = known.shortest(&source.digest);
            let expected = expected::citation_of_source(anchor, source.place + 1);
            let path = format!("{}.{body}", reader.member("memo"));
            sound = reader.push(
                Fault::new("missing_citation", path, expected, found::none())
                    .hint(hint::cite_the_three_sources_with_the_highest_confidence()),
            );
        }
    }
    sound
}

/// Refuses a memo whose summary cites nothing, when there is something to cite.
///
/// Asked of a pack that is assembled, not of one that is read: a summary used to do without when
/// the body cited, and packs that were sealed then still hold.
pub(super) fn summaries(reader: JsonReader<'_, '_>, sources: Option<&Json<'_>>) -> Option<()> {
    let Some(memo) = reader.json.get("memo") else { return Some(()) };
    let mut sound = Some(());
    let known = AnchorIndex::new(excerpts(sources).iter().map(|source| source.digest));
    let Some(first) = excerpts(sources).first().map(|source| known.shortest(&source.digest)) else {
        return sound;
    };
    for [_, name, _] in MEMO_TEXT_FIELDS {
        let Some(Json::Text(text)) = memo.get(name) else { continue };
        if !text.trim().is_empty() && anchor::citations(text).is_empty() {
            let path = format!("{}.{name}", reader.member("memo"));
            let expected = expected::citation_such_as(&first);
            sound = reader.push(Fault::new("missing_citation", path, expected, found::none()));
        }
    }
    sound
}

fn bad_citation(path: &str, anchor: &Anchor, why: &UnresolvedAnchor) -> Fault {
    let (rule, found) = match why {
        UnresolvedAnchor::Unknown { .. } => {
            ("unknown_citation", found::citation_that_names_none(anchor))
        }
        UnresolvedAnchor::Ambiguous { .. } => {
            ("ambiguous_citation", found::citation_that_names_several(anchor))
        }
    };
    Fault::new(rule, path, expected::a_citation_of_one_source_of_this_decision(), found)
        .hint(hint::what_an_anchor_is())
}

/// What citing needs to know of a source.
struct CitableExcerpt {
    place: usize,
    digest: Digest,
    confidence: Option<Score>,
}

fn excerpts(sources: Option<&Json<'_>>) -> Vec<CitableExcerpt> {
    let Some(Json::List(items)) = sources else { return Vec::new() };
    let excerpt = |(place, item): (usize, &Json<'_>)| {
        let Some(Json::Text(excerpt)) = item.get("excerpt") else { return None };
        let confidence = match item.get("confidence") {
            Some(Json::Number(confidence)) => Score::new(*confidence),
            _ => None,
        };
        Some(CitableExcerpt { place, digest: anchor::text_digest(excerpt), confidence })
    };
    items.iter().enumerate().filter_map(excerpt).collect()
}

/// The texts of each language: the body, where a missing citation is reported, first.
const MEMO_TEXT_FIELDS: [[&str; 3]; 2] = [
    ["body_ar", "executive_summary_ar", "title_ar"],
    ["body_en", "executive_summary_en", "title_en"],
];
