//! Packs: what was decided, on what basis, how it was reviewed, and whether it holds.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::response::Response;
use dalil_evidence::anchor::text_digest;
use dalil_evidence::pack::diff::PackDifference;
use dalil_evidence::pack::tool::ToolCallOutcome;
use dalil_evidence::pack::{PackDraft, PackFlagState};
use dalil_phrasebook::Language;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_service::index;
use dalil_service::pack::{self, PackReviewStatus, PackVersionSummary};
use serde::Deserialize;
use serde_json::json;

use super::approval_request::{ApprovalRequestView, requests};
use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::query::{FormResultQuery, ListCursorQuery};
use super::verify::VerificationReportView;
use super::visitor::WebVisitor;
use crate::api::packs::review_as;
use crate::guard;
use crate::page::CursorPage;
use crate::percent::seg;
use crate::permission::Permission;

#[cfg(test)]
mod tests;

#[derive(Template)]
#[template(path = "packs.html")]
struct PackListPage {
    page: PageLayout,
    packs: Vec<PackVersionSummary>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let list = async |part| index::packs(&tenant, part).await;
    let found = CursorPage::list(&part.page(), list, |one| one.index).await?;
    let page = PageLayout::new(&visitor, "packs", visitor.w.packs);
    Ok(shown(&PackListPage { page, packs: found.items, next: found.next_cursor }))
}

/// A pack, and what a reviewer weighs.
struct ReviewedPackView(PackDraft);

impl std::ops::Deref for ReviewedPackView {
    type Target = PackDraft;

    fn deref(&self) -> &PackDraft {
        &self.0
    }
}

/// A claim of the ledger that the decision rests on.
struct PackClaim<'p> {
    claim_text: &'p str,
    verdict: &'p str,
    evidence_snippet: Option<&'p str>,
}

impl ReviewedPackView {
    /// How many claims of the ledger are contradicted.
    fn contradicted_claims(&self) -> usize {
        claims(self.ledger.as_ref()).filter(|claim| claim.verdict == "contradicted").count()
    }

    /// How many calls did not succeed, or did something else than was intended.
    fn failed_calls(&self) -> usize {
        let has_succeeded = |outcome| outcome == Some(ToolCallOutcome::Succeeded);
        let calls = self.tool_calls.iter();
        calls.filter(|call| call.contradiction_flag || !has_succeeded(call.outcome)).count()
    }

    /// How many sources were too old when the decision was made.
    fn stale_sources(&self) -> usize {
        self.sources.iter().filter(|source| source.stale).count()
    }

    /// Whether the decision is told in words.
    fn is_told(&self) -> bool {
        let words = &self.words;
        words.objective.is_some() || words.recommendation.is_some() || words.rationale.is_some()
    }

    /// The session of the ledger.
    fn ledger_session(&self) -> Option<&str> {
        self.ledger.as_ref().and_then(|ledger| text(ledger, "session_id"))
    }

    /// The claims that are not supported, the contradicted ones first.
    fn doubtful(&self) -> Vec<PackClaim<'_>> {
        doubtful(self.ledger.as_ref())
    }

    /// Whether the ledger has no claim that was checked.
    fn is_unchecked(&self) -> bool {
        claims(self.ledger.as_ref()).next().is_none()
    }

    /// The short anchor by which a memo cites a source.
    fn anchor(&self, excerpt: &str) -> String {
        text_digest(excerpt).hex().chars().take(MIN_ANCHOR_CHARS).collect()
    }

    /// What is said above the memo in a language, when it is a translation from the other.
    fn translation_note(&self, language: Language) -> Option<&'static str> {
        let is_translated = self.memo.translated_from.is_some_and(|from| from != language);
        is_translated.then_some(ViewerTexts::in_language(language).memo_translated)
    }
}

fn doubtful<'l>(ledger: Option<&'l Json<'_>>) -> Vec<PackClaim<'l>> {
    let of = |verdict: &'static str| claims(ledger).filter(move |one| one.verdict == verdict);
    of("contradicted").chain(of("not_found")).chain(of("weak")).collect()
}

/// The ledger of a pack may be another program's, so its claims are read one by one.
fn claims<'l>(ledger: Option<&'l Json<'_>>) -> impl Iterator<Item = PackClaim<'l>> {
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

fn text<'j>(json: &'j Json<'_>, name: &str) -> Option<&'j str> {
    match json.get(name) {
        Some(Json::Text(text)) => Some(text),
        _ => None,
    }
}

#[derive(Template)]
#[template(path = "pack.html")]
struct PackPage {
    page: PageLayout,
    version: PackVersionSummary,
    pack: ReviewedPackView,
    versions: Vec<PackVersionSummary>,
    /// How the review stands, while it is open.
    standing: Option<PackReviewStatus>,
    requests: Vec<ApprovalRequestView>,
    report: VerificationReportView,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(FormResultQuery { done }): Query<FormResultQuery>,
) -> Result<Response, PageError> {
    let (app, caller) = (&visitor.view.app, visitor.admit(Permission::ViewPack).await?);
    guard::view_pack(app, &caller, &id).await?;
    let details = pack::show(&caller.tenant, &id).await?;
    let (version, content) = (details.version, ReviewedPackView(details.pack));
    let is_open = version.superseded_by.is_none() && version.status == "unresolved";
    let standing = match is_open {
        true => Some(pack::standing(&caller.tenant, &id).await?),
        false => None,
    };
    // What is not of this one pack: who may see it alone may not see the rest of the tenant.
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let requests = requests(&visitor, &tenant, &id).await?;
    let versions = pack::versions(&tenant, &id).await?;
    // Verified here, and not let out: it leaves by an export.
    let sealed = canon::bytes(&pack::sealed_file(&tenant, &id).await?)?;
    let report = VerificationReportView::own(&visitor, sealed.into()).await?;
    let title = content.memo.texts(visitor.w.language()).title.to_owned();
    let page = PageLayout::new(&visitor, "packs", title).done(done.as_deref());
    Ok(shown(&PackPage { page, version, pack: content, versions, standing, requests, report }))
}

/// Which version to compare with.
#[derive(Deserialize)]
pub(super) struct PackDiffQuery {
    from: String,
}

#[derive(Template)]
#[template(path = "changes.html")]
struct PackDiffPage {
    page: PageLayout,
    diff: PackDifference,
}

pub(super) async fn changes(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(PackDiffQuery { from }): Query<PackDiffQuery>,
) -> Result<Response, PageError> {
    let (app, caller) = (&visitor.view.app, visitor.admit(Permission::ViewPack).await?);
    guard::view_pack(app, &caller, &from).await?;
    guard::view_pack(app, &caller, &id).await?;
    let diff = pack::diff(&caller.tenant, &from, &id).await?;
    let page = PageLayout::new(&visitor, "packs", visitor.w.compare);
    Ok(shown(&PackDiffPage { page, diff }))
}

/// Records what a person says about a pack.
pub(super) async fn review(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    // A rule has no spaces; a path may.
    let named = fields.all("acknowledged").filter_map(|one| one.split_once(' '));
    let acknowledged = named.map(|(rule, path)| json!({"rule": rule, "path": path}));
    let acknowledged: Vec<_> = acknowledged.collect();
    let mut review = json!({"outcome": fields.text("outcome"), "acknowledged": acknowledged});
    if let (Some(reason), Some(members)) = (fields.one("reason"), review.as_object_mut()) {
        members.insert("reason".to_owned(), reason.into());
    }
    let caller = visitor.admit(Permission::Review).await?;
    let (app, tenant) = (&visitor.view.app, caller.tenant.clone());
    review_as(app, caller, &id, review.to_string().as_bytes()).await?;
    // Asked again, since the last approval seals another version, to which people are led.
    let version = pack::show(&tenant, &id).await?.version;
    Ok(match version.superseded_by {
        Some(next) => see(&format!("/packs/{}?done=sealed", seg(&next))),
        None => see(&format!("/packs/{}?done=reviewed", seg(&id))),
    })
}

/// How many digits of a digest a citation has at least; spec/sources.md.
const MIN_ANCHOR_CHARS: usize = 8;
