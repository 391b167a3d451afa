//! A review of a claim, from its form to its record.

use axum::Extension;
use axum::extract::Path;
use axum::response::Response;
use dalil_evidence::access::{AccessAction, Member};
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_service::member;
use dalil_store::Tenant;
use serde_json::json;

use super::super::error::PageError;
use super::super::form::{FormBody, FormFields};
use super::super::layout::see;
use super::super::visitor::WebVisitor;
use super::query::LedgerQuery;
use super::question::QuestionDraft;
use crate::api::claim_reviews::review_claim;
use crate::percent::seg;
use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind};

/// The input of a refused form, and why, so that nothing has to be typed again.
#[derive(Default)]
pub(super) struct ReviewDraft {
    pub(super) reason: String,
    pub(super) assigned_to: String,
    /// The fault of the reason.
    pub(super) reason_fault: Option<String>,
    /// The fault of the assignee.
    pub(super) assignee_fault: Option<String>,
    /// Any other fault.
    pub(super) fault: Option<String>,
}

impl ReviewDraft {
    fn refused(visitor: &WebVisitor, fields: &FormFields, problem: &ApiProblem) -> Self {
        let mut draft = Self {
            reason: fields.text("reason").to_owned(),
            assigned_to: fields.text("assigned_to").to_owned(),
            ..Self::default()
        };
        let w: &'static ViewerTexts = visitor.w;
        for fault in problem.faults_in(visitor.language) {
            match (fault.path, fault.rule) {
                ("reason", "reason") => draft.reason_fault = Some(w.reason_needed.to_owned()),
                ("reason", _) => draft.reason_fault = Some(fault.message.to_owned()),
                ("assigned_to", "assigned_to") => {
                    draft.assignee_fault = Some(w.assignee_needed.to_owned());
                }
                ("assigned_to", _) => draft.assignee_fault = Some(fault.message.to_owned()),
                ("ledger_id", _) => draft.fault = Some(w.checked_meanwhile.to_owned()),
                _ => draft.fault = Some(fault.message.to_owned()),
            }
        }
        draft
    }
}

/// Records a person's review of a claim.
pub(in super::super) async fn review(
    Extension(visitor): Extension<WebVisitor>,
    Path((id, claim)): Path<(String, String)>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let action = fields.text("action");
    let mut order = json!({
        "ledger_id": fields.text("ledger_id"),
        "claim_id": claim,
        "action": action,
    });
    let assigned_to = fields.one("assigned_to").filter(|_| action == "assigned");
    let said = [("reason", fields.one("reason")), ("assigned_to", assigned_to)];
    if let Some(members) = order.as_object_mut() {
        let said = said.into_iter().filter_map(|(name, value)| Some((name, value?)));
        members.extend(
            said.map(|(name, value)| (name.to_owned(), value.replace("\r\n", "\n").into())),
        );
    }
    let query = LedgerQuery {
        show: fields.text("show").to_owned(),
        text: fields.text("text").to_owned(),
        claim: Some(claim.clone()),
        ..LedgerQuery::default()
    };
    let caller = visitor.admit(Permission::Review).await?;
    let order = order.to_string().into_bytes();
    match review_claim(&visitor.view.app, caller, id.clone(), order).await {
        Ok(_) => {
            let place = query.of_claim(&claim);
            Ok(see(&format!("/sessions/{}{place}&done=said#evidence", seg(&id))))
        }
        Err(problem) if matches!(problem.kind, ProblemKind::Refused | ProblemKind::Conflict) => {
            let draft = ReviewDraft::refused(&visitor, &fields, &problem);
            let drafts = (draft, QuestionDraft::default());
            let mut page = super::page(&visitor, &id, query, drafts).await?;
            *page.status_mut() = problem.kind.status();
            Ok(page)
        }
        Err(problem) => Err(problem.into()),
    }
}

/// The members who can be asked to look at a claim.
pub(super) async fn reviewers(tenant: &Tenant) -> Result<Vec<Member>, PageError> {
    let mut members = member::list(tenant).await?.members;
    members.retain(|one| one.role.may(AccessAction::Review));
    Ok(members)
}
