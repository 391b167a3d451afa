//! The changes between two versions of a pack: sentences, with the words marked that differ.

use std::collections::BTreeMap;

use dalil_evidence::approval::ApprovalVote;
use dalil_evidence::pack::diff::{PackChange, PackDifference};
use dalil_evidence::pack::{PackDraft, PackFlag, PackFlagState};
use dalil_phrasebook::{Phrase, pack_change, pack_field, proof_check};
use dalil_proof::json::Json;
use dalil_render::pack::place;

use super::layout::{PageLayout, escaped};
use super::pack_claims::claims;
use super::word_diff;

#[cfg(test)]
mod tests;

/// A change, as a person reads it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ToldChange {
    /// HTML.
    pub(super) sentence: String,
    /// The text before it, where a sentence has no room for it. HTML.
    pub(super) before: Option<String>,
    /// The text after it. HTML.
    pub(super) after: Option<String>,
}

impl ToldChange {
    fn said(sentence: String) -> Self {
        Self { sentence, before: None, after: None }
    }
}

/// The changes from one version to another, votes and findings first.
pub(super) fn told(
    page: &PageLayout,
    diff: &PackDifference,
    (old, new): (&PackDraft, &PackDraft),
) -> Vec<ToldChange> {
    let has = |field: &str| diff.changes.iter().any(|one| top(&one.path) == field);
    let mut told = Vec::new();
    if has("approvals") {
        told.extend(votes(page, &old.approvals, &new.approvals));
    }
    if has("findings") {
        told.extend(findings(page, &old.findings, &new.findings));
    }
    if has("ledger") {
        told.extend(ledgers(page, old.ledger.as_ref(), new.ledger.as_ref()));
    }
    let is_told = |one: &&PackChange| !TOLD_APART.contains(&top(&one.path));
    let mut others: Vec<&PackChange> = diff.changes.iter().filter(is_told).collect();
    let rank = |path: &str| {
        let known = READING_ORDER.iter().position(|field| *field == top(path));
        (LAST_READ.contains(&path), known.unwrap_or(READING_ORDER.len()))
    };
    // A stable sort: the changes of a call or a source keep their order.
    others.sort_by_key(|one| rank(&one.path));
    told.extend(others.into_iter().map(|one| change(page, one, (old, new))));
    cut(page, told)
}

/// As many changes as a page has room for, and how many are left out: a ledger may have thousands
/// of claims.
fn cut(page: &PageLayout, mut told: Vec<ToldChange>) -> Vec<ToldChange> {
    let left = told.len().saturating_sub(MAX_TOLD_CHANGES);
    if left > 0 {
        told.truncate(MAX_TOLD_CHANGES);
        told.push(ToldChange::said(page.say(&pack_change::not_shown(left))));
    }
    told
}

fn votes(page: &PageLayout, old: &[ApprovalVote], new: &[ApprovalVote]) -> Vec<ToldChange> {
    let mut told: Vec<ToldChange> = Vec::new();
    if old.iter().any(|one| !new.contains(one)) {
        told.push(ToldChange::said(page.say(&pack_change::votes_gone())));
    }
    for one in new.iter().filter(|one| !old.contains(one)) {
        let outcome = pack_field::value(&page.word(&one.outcome));
        let outcome = outcome.map_or_else(|| page.term(&one.outcome), |word| page.say(&word));
        let titles = Phrase::fold(one.titles.iter().map(|title| title.label()), proof_check::list);
        let (who, titles) = (isolated(&one.approver), escaped(&page.say(&titles)));
        let sentence = page.say(&pack_change::vote(who, titles, strong(&escaped(&outcome))));
        let after = one.reason.as_deref().map(escaped);
        told.push(ToldChange { after, ..ToldChange::said(sentence) });
    }
    told
}

fn findings(page: &PageLayout, old: &[PackFlag], new: &[PackFlag]) -> Vec<ToldChange> {
    let same = |a: &PackFlag, b: &PackFlag| (a.rule, &a.path) == (b.rule, &b.path);
    let text = |one: &PackFlag| isolated(&page.found(one));
    let mut told = Vec::new();
    for one in new {
        let sentence = match old.iter().find(|before| same(before, one)) {
            None => pack_change::finding_added(text(one)),
            Some(before)
                if before.state != one.state && one.state == PackFlagState::Acknowledged =>
            {
                pack_change::acknowledged(text(one))
            }
            Some(before) if before.state != one.state => pack_change::finding_open(text(one)),
            Some(_) => continue,
        };
        told.push(ToldChange::said(page.say(&sentence)));
    }
    let gone = old.iter().filter(|one| !new.iter().any(|after| same(after, one)));
    told.extend(
        gone.map(|one| ToldChange::said(page.say(&pack_change::finding_removed(text(one))))),
    );
    told
}

/// The changes of the claims; the figures of a ledger follow from them.
fn ledgers(page: &PageLayout, old: Option<&Json<'_>>, new: Option<&Json<'_>>) -> Vec<ToldChange> {
    let badge = |verdict: &str| page.badge(verdict);
    // An answer may contain one claim twice: each is compared with one of before, first with one
    // that has its verdict.
    let mut left: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in claims(old) {
        left.entry(one.claim_text).or_default().push(one.verdict);
    }
    let mut others = Vec::new();
    for one in claims(new) {
        let verdicts = left.entry(one.claim_text).or_default();
        match verdicts.iter().position(|verdict| *verdict == one.verdict) {
            Some(at) => drop(verdicts.remove(at)),
            None => others.push(one),
        }
    }
    let mut told = Vec::new();
    for one in others {
        let (claim, is) = (isolated(one.claim_text), badge(one.verdict));
        told.push(match left.get_mut(one.claim_text).and_then(Vec::pop) {
            None => pack_change::claim_added(claim, is),
            Some(was) => pack_change::claim_changed(claim, badge(was), is),
        });
    }
    for (text, verdicts) in left {
        let removed = |was| pack_change::claim_removed(isolated(text), badge(was));
        told.extend(verdicts.into_iter().map(removed));
    }
    if told.is_empty() {
        told.push(pack_change::another_ledger());
    }
    told.iter().map(|one| ToldChange::said(page.say(one))).collect()
}

/// Any other change, by the name of its field.
fn change(page: &PageLayout, one: &PackChange, (old, new): (&PackDraft, &PackDraft)) -> ToldChange {
    // A path leads into the new version, or into the old one where only that has the item.
    let draft = if one.new.is_some() { new } else { old };
    let label = escaped(&page.say(&one.label()));
    let what = match item_name(draft, &one.path) {
        Some(name) => Phrase::verbatim(page.say(&pack_change::named(label, isolated(name)))),
        None => Phrase::verbatim(label),
    };
    let text = |value: &Json<'_>| shown(page, &one.path, value);
    let (before, after) = (one.old.as_ref().map(text), one.new.as_ref().map(text));
    match (before, after) {
        (Some(before), Some(after)) => {
            let is_short = is_short(&before) && is_short(&after);
            let (before, after) = word_diff::beside(&before, &after);
            if is_short {
                let sentence = pack_change::changed(what, quoted(&before), quoted(&after));
                return ToldChange::said(page.say(&sentence));
            }
            let sentence = page.say(&pack_change::reworded(what));
            ToldChange { sentence, before: Some(before), after: Some(after) }
        }
        (None, Some(after)) if is_short(&after) && !is_item(&one.path) => {
            let value = quoted(&escaped(&after));
            ToldChange::said(page.say(&pack_change::new_value(what, value)))
        }
        (None, Some(after)) => {
            let after = Some(escaped(&after));
            ToldChange { after, ..ToldChange::said(page.say(&pack_change::added(what))) }
        }
        (Some(before), None) if is_short(&before) && !is_item(&one.path) => {
            let value = quoted(&escaped(&before));
            ToldChange::said(page.say(&pack_change::old_value(what, value)))
        }
        (Some(before), None) => {
            let before = Some(escaped(&before));
            ToldChange { before, ..ToldChange::said(page.say(&pack_change::removed(what))) }
        }
        (None, None) => ToldChange::said(page.say(&pack_change::reworded(what))),
    }
}

/// The name of a list item for a reader.
fn item_name<'d>(draft: &'d PackDraft, path: &str) -> Option<&'d str> {
    let (list, rest) = path.split_once('[')?;
    let (number, _) = rest.split_once(']')?;
    let number = number.parse::<usize>().ok()?;
    match list {
        "sources" => draft.sources.get(number).map(|one| one.source.as_str()),
        "tool_calls" => draft.tool_calls.get(number).map(|one| one.tool_name.as_str()),
        _ => None,
    }
}

/// A value as a reader knows it from the page of the pack.
fn shown(page: &PageLayout, path: &str, value: &Json<'_>) -> String {
    let field = path.rsplit(['.', ']']).next().unwrap_or(path);
    match value {
        Json::Text(text) if CODED_FIELDS.contains(&field) => coded(page, text),
        Json::Text(text) if TIME_FIELDS.contains(&field) => {
            text.get(..16).unwrap_or(text).replace('T', " ")
        }
        Json::Text(text) if DIGEST_FIELDS.contains(&field) => {
            let hex = text.strip_prefix("sha256:").unwrap_or(text);
            hex.chars().take(12).chain(['…']).collect()
        }
        Json::Bool(true) => page.say(&pack_field::yes()),
        Json::Bool(false) => page.say(&pack_field::no()),
        Json::List(places) if field == "contradictions" => {
            let name = |one: &Json<'_>| page.say(&place(&page.json(one)));
            places.iter().map(name).collect::<Vec<_>>().join("\n")
        }
        Json::List(items) => items.iter().map(|one| page.json(one)).collect::<Vec<_>>().join("\n"),
        // A call without an id is known again by all of itself.
        Json::Object(_) if value.get("tool_name").is_some() => {
            let (intended, actual) = (value.get("intended_action"), value.get("actual_action"));
            let told = [(page.w.intended, intended), (page.w.actual, actual)].into_iter();
            let told =
                told.filter_map(|(label, action)| Some(format!("{label}: {}", page.json(action?))));
            told.collect::<Vec<_>>().join("\n")
        }
        Json::Object(_) => {
            let known = ["excerpt", "template_name"].iter().find_map(|name| value.get(name));
            page.json(known.unwrap_or(value))
        }
        other => page.json(other),
    }
}

/// The display name of a word of the published formats.
fn coded(page: &PageLayout, word: &str) -> String {
    let known = page.w.of(word);
    match pack_field::value(word).filter(|_| known == word) {
        Some(phrase) => page.say(&phrase),
        None => known.into_owned(),
    }
}

fn top(path: &str) -> &str {
    path.split(['[', '.']).next().unwrap_or(path)
}

/// Whether a path is that of an item of a list, and not of a field.
fn is_item(path: &str) -> bool {
    path.ends_with(']')
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= MAX_INLINE_CHARS && !text.contains('\n')
}

/// Words with a direction of their own. HTML.
fn isolated(text: &str) -> String {
    format!("<bdi>{}</bdi>", escaped(text))
}

/// A value inside a sentence. HTML.
fn quoted(html: &str) -> String {
    format!("<q><bdi>{html}</bdi></q>")
}

fn strong(html: &str) -> String {
    format!("<strong>{html}</strong>")
}

/// Fields that have sentences of their own.
const TOLD_APART: [&str; 3] = ["approvals", "findings", "ledger"];
/// The fields that a reader wants first.
const READING_ORDER: [&str; 9] = [
    "status",
    "objective",
    "recommendation",
    "rationale",
    "options_considered",
    "memo",
    "tool_calls",
    "sources",
    "confidence",
];
/// Fields that only show that there is another version.
const LAST_READ: [&str; 3] = ["reviewed_at", "created_at", "decision_hash"];
const CODED_FIELDS: [&str; 8] = [
    "status",
    "requirement",
    "outcome",
    "verification_status",
    "approval_class",
    "reversibility_class",
    "sensitivity_class",
    "translated_from",
];
const TIME_FIELDS: [&str; 5] =
    ["created_at", "reviewed_at", "decided_at", "retrieved_at", "invoked_at"];
const DIGEST_FIELDS: [&str; 2] = ["decision_hash", "content_hash"];
/// How many changes are shown: a sentence has about 400 bytes, and a page stays below 300 kB.
const MAX_TOLD_CHANGES: usize = 500;
/// How many characters a value in a sentence may have; a longer one is shown below it.
const MAX_INLINE_CHARS: usize = 60;
