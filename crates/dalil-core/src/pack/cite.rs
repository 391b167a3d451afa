//! Citations in a memo: the sources relied on most, each named in both languages.

use std::collections::BTreeSet;

use crate::anchor::{self, Anchor};
use crate::digest::Digest;
use crate::fault::Fault;
use crate::json::Json;
use crate::pack::source;
use crate::read::Reader;
use crate::score::Score;

/// Refuses a memo that does not cite the top three sources in the body of each
/// language, or that cites anywhere what is no source.
///
/// Works on whatever can be read of both, so that its faults come in the same
/// reply as all others. `reader` stands at the object that holds the memo.
pub(super) fn check(reader: Reader<'_, '_>, sources: Option<&Json<'_>>) -> Option<()> {
    let Some(memo) = reader.json.get("memo") else { return Some(()) };
    let sources = excerpts(sources);
    let digests: Vec<Digest> = sources.iter().map(|source| source.digest).collect();
    let ranked: Vec<(&Excerpt, Score)> =
        sources.iter().filter_map(|source| Some((source, source.confidence?))).collect();
    let top = source::top_three(ranked.iter().map(|(_, confidence)| *confidence));
    let top: Vec<&Excerpt> =
        top.iter().filter_map(|place| ranked.get(*place)).map(|(source, _)| *source).collect();
    let names = sorted(&digests);
    let mut sound = Some(());
    for name in TEXTS {
        let Some(Json::Text(text)) = memo.get(name) else { continue };
        let path = format!("{}.{name}", reader.member("memo"));
        let mut cited = BTreeSet::new();
        for citation in anchor::citations(text) {
            match named(&citation.anchor, &names) {
                [one] => {
                    cited.insert(one.as_str());
                }
                others => sound = reader.push(bad_citation(&path, &citation.anchor, others)),
            }
        }
        let owed = top.iter().filter(|_| BODIES.contains(&name));
        for source in owed.filter(|source| !cited.contains(source.digest.hex().as_str())) {
            let anchor = Anchor::shortest(&source.digest, &digests);
            let expected = format!("a citation `[cite:{anchor}]` of source {}", source.place + 1);
            sound = reader.push(
                Fault::new("missing_citation", &path, expected, "none")
                    .hint("cite the three sources with the highest confidence"),
            );
        }
    }
    sound
}

/// The digests of all excerpts in hex, each once, in order.
fn sorted(digests: &[Digest]) -> Vec<String> {
    let mut names: Vec<String> = digests.iter().map(Digest::hex).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The digests that an anchor begins. They stand together, so many citations of
/// many sources cost no more than looking each one up.
fn named<'n>(anchor: &Anchor, names: &'n [String]) -> &'n [String] {
    let start = names.partition_point(|name| name.as_str() < anchor.as_str());
    let (_, from) = names.split_at(start);
    let (named, _) = from.split_at(from.partition_point(|name| name.starts_with(anchor.as_str())));
    named
}

fn bad_citation(path: &str, anchor: &Anchor, named: &[String]) -> Fault {
    let (rule, found) = match named {
        [] => ("unknown_citation", "one that names none"),
        _ => ("ambiguous_citation", "one that names several"),
    };
    let found = format!("`[cite:{anchor}]`, {found}");
    Fault::new(rule, path, "a citation of one source of this decision", found)
        .hint("an anchor is the first 8 or more digits of the digest of the source's excerpt")
}

/// What citing needs to know of a source.
struct Excerpt {
    place: usize,
    digest: Digest,
    confidence: Option<Score>,
}

fn excerpts(sources: Option<&Json<'_>>) -> Vec<Excerpt> {
    let Some(Json::List(items)) = sources else { return Vec::new() };
    let excerpt = |(place, item): (usize, &Json<'_>)| {
        let Some(Json::Text(excerpt)) = item.get("excerpt") else { return None };
        let confidence = match item.get("confidence") {
            Some(Json::Number(confidence)) => Score::new(*confidence),
            _ => None,
        };
        Some(Excerpt { place, digest: anchor::text_digest(excerpt), confidence })
    };
    items.iter().enumerate().filter_map(excerpt).collect()
}

const TEXTS: [&str; 6] =
    ["title_ar", "title_en", "body_ar", "body_en", "executive_summary_ar", "executive_summary_en"];
const BODIES: [&str; 2] = ["body_ar", "body_en"];
