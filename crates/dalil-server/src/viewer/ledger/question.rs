//! A reply to a follow-up question, from its form to its record.

use axum::Extension;
use axum::extract::Path;
use axum::response::Response;
use dalil_phrasebook::viewer::ViewerTexts;
use serde_json::json;

use super::super::error::PageError;
use super::super::form::{FormBody, FormFields};
use super::super::layout::see;
use super::super::visitor::WebVisitor;
use super::query::LedgerQuery;
use super::review::ReviewDraft;
use crate::api::questions::reply_to_question;
use crate::percent::seg;
use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind};

/// The input of a refused form about a question, and why, so that nothing has to be typed again.
#[derive(Default)]
pub(super) struct QuestionDraft {
    pub(super) words: String,
    pub(super) sent_to: String,
    pub(super) fault: Option<String>,
}

impl QuestionDraft {
    fn refused(visitor: &WebVisitor, fields: &FormFields, problem: &ApiProblem) -> Self {
        let w: &'static ViewerTexts = visitor.w;
        let fault = problem.faults_in(visitor.language).into_iter().next();
        let fault = fault.map(|fault| match (fault.path, fault.rule) {
            ("words", "words") => w.answer_needed.to_owned(),
            ("sent_to", "sent_to") => w.assignee_needed.to_owned(),
            ("ledger_id", _) => w.checked_meanwhile.to_owned(),
            _ => fault.message.to_owned(),
        });
        Self {
            words: fields.text("words").to_owned(),
            sent_to: fields.text("sent_to").to_owned(),
            fault,
        }
    }
}

/// Records a person's reply to a question.
pub(in super::super) async fn reply(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let action = fields.text("action");
    let mut order = json!({
        "ledger_id": fields.text("ledger_id"),
        "question": fields.text("question"),
        "action": action,
    });
    let sent_to = fields.one("sent_to").filter(|_| action == "sent_on");
    if let Some(members) = order.as_object_mut() {
        let said = [("words", fields.one("words")), ("sent_to", sent_to)];
        let said = said.into_iter().filter_map(|(name, value)| Some((name, value?)));
        members.extend(
            said.map(|(name, value)| (name.to_owned(), value.replace("\r\n", "\n").into())),
        );
    }
    let caller = visitor.admit(Permission::Review).await?;
    let order = order.to_string().into_bytes();
    match reply_to_question(&visitor.view.app, caller, id.clone(), order).await {
        Ok(_) => Ok(see(&format!("/sessions/{}?done=replied#questions", seg(&id)))),
        Err(problem) if matches!(problem.kind, ProblemKind::Refused | ProblemKind::Conflict) => {
            let draft = QuestionDraft::refused(&visitor, &fields, &problem);
            let drafts = (ReviewDraft::default(), draft);
            let question = fields.text("number").parse().ok();
            let query = LedgerQuery { question, ..LedgerQuery::default() };
            let mut page = super::page(&visitor, &id, query, drafts).await?;
            *page.status_mut() = problem.kind.status();
            Ok(page)
        }
        Err(problem) => Err(problem.into()),
    }
}
