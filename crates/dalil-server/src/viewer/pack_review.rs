//! A reviewer's view of a pack: each concern with who acknowledged it, and the remarks.

use std::collections::BTreeMap;

use dalil_evidence::approval::ApprovalVote;
use dalil_evidence::pack::PackDraft;
use dalil_evidence::pack::concern::{PackConcern, PackConcernKind, concerns};
use dalil_evidence::pack::tool::ToolCallOutcome;
use dalil_proof::json::Json;
use dalil_proof::time::Time;
use dalil_service::pack::{DeclinedReview, RecordedAcknowledgement};

use super::layout::PageLayout;
use super::pack_claims::{short_anchor, text};

#[cfg(test)]
mod tests;

/// A concern, as the page shows it.
pub(super) struct ConcernView<'p> {
    /// The value that a form sends to acknowledge it.
    pub(super) value: String,
    /// Why it is one. HTML.
    pub(super) badge: String,
    /// The claim, the call or the source.
    pub(super) name: &'p str,
    /// Whether the name is one, and no sentence.
    pub(super) is_code: bool,
    /// Its place on the page.
    pub(super) place: String,
    /// Who acknowledged it, and when.
    pub(super) seen_by: Vec<(&'p str, Time)>,
}

/// The concerns of a pack, each with its acknowledgements.
pub(super) fn concern_views<'p>(
    page: &PageLayout,
    pack: &'p PackDraft,
    acknowledged: &'p [RecordedAcknowledgement],
) -> Vec<ConcernView<'p>> {
    let mut by_concern: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for RecordedAcknowledgement { about, reviewer, at } in acknowledged {
        let key = (about.rule.as_str(), about.path.as_str());
        by_concern.entry(key).or_default().push((reviewer.as_str(), *at));
    }
    let all = concerns(pack).into_iter();
    all.filter_map(|one| {
        let (rule, path) = (one.rule(), one.path());
        let seen_by = by_concern.get(&(rule, path.as_str())).cloned().unwrap_or_default();
        let (badge, name, is_code, place) = told(page, pack, one)?;
        Some(ConcernView { value: format!("{rule} {path}"), badge, name, is_code, place, seen_by })
    })
    .collect()
}

fn told<'p>(
    page: &PageLayout,
    pack: &'p PackDraft,
    one: PackConcern,
) -> Option<(String, &'p str, bool, String)> {
    let labelled = |class: &str, icon: &str, label: &str| {
        format!("<span class=\"badge {class}\">{}{label}</span>", page.icon(icon))
    };
    let call = format!("#call-{}", one.number);
    Some(match one.kind {
        PackConcernKind::ContradictedClaim => {
            let entry = match pack.ledger.as_ref()?.get("entries")? {
                Json::List(entries) => entries.get(one.number)?,
                _ => return None,
            };
            let claim = text(entry, "claim_text").unwrap_or("–");
            (page.badge("contradicted"), claim, false, "#claims-title".to_owned())
        }
        PackConcernKind::ContradictedCall => {
            let name = pack.tool_calls.get(one.number)?.tool_name.as_str();
            let badge = labelled("contradicted", "contradicted", page.w.not_as_intended);
            (badge, name, true, call)
        }
        PackConcernKind::FailedCall => {
            let one = pack.tool_calls.get(one.number)?;
            let badge = match one.outcome {
                None | Some(ToolCallOutcome::Succeeded) => {
                    labelled("weak", "warning", page.w.never_reported)
                }
                Some(outcome) => page.badge(&outcome),
            };
            (badge, one.tool_name.as_str(), true, call)
        }
        PackConcernKind::StaleSource => {
            let source = pack.sources.get(one.number)?;
            let place = format!("#cite-{}", short_anchor(&source.excerpt));
            (labelled("weak", "warning", page.w.stale_short), source.source.as_str(), false, place)
        }
    })
}

/// A person's remark about a version: a vote, or that they declined to vote.
pub(super) struct PackRemark<'p> {
    pub(super) who: &'p str,
    pub(super) titles: String,
    /// HTML.
    pub(super) badge: String,
    pub(super) at: Time,
    pub(super) reason: Option<&'p str>,
}

/// All remarks, in order of time.
pub(super) fn remarks<'p>(
    page: &PageLayout,
    votes: &'p [ApprovalVote],
    declined: &'p [DeclinedReview],
) -> Vec<PackRemark<'p>> {
    let votes = votes.iter().map(|one| PackRemark {
        who: &one.approver,
        titles: page.terms(&one.titles),
        badge: page.badge(&one.outcome),
        at: one.at,
        reason: one.reason.as_deref(),
    });
    let aside = declined.iter().map(|one| PackRemark {
        who: &one.reviewer,
        titles: page.terms(&one.titles),
        badge: page.badge("declined"),
        at: one.at,
        reason: Some(&one.reason),
    });
    let mut all: Vec<PackRemark<'p>> = votes.chain(aside).collect();
    all.sort_by_key(|one| one.at);
    all
}
