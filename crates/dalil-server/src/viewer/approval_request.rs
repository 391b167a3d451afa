//! Pending approval requests, as pages show them.

use dalil_proof::canon;
use dalil_proof::decode;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::fault::Fault;
use dalil_proof::hold::RecordScope;
use dalil_proof::json::Json;
use dalil_service::OperationFailure;
use dalil_service::approval::{self, ApprovalLifecycle, ApprovalRequest, ApprovalRequestSummary};
use dalil_service::export::{ExportFormat, ExportSubject};

use super::error::PageError;
use super::layout::word;
use super::visitor::WebVisitor;
use crate::caller::Caller;
use crate::percent::seg;

/// A request, with its exact content.
pub(super) struct ApprovalRequestView {
    pub(super) summary: ApprovalRequestSummary,
    asked: ApprovalRequest,
    /// The body of an approval of it.
    pub(super) body: String,
    /// Why the visitor may not approve it, if so.
    pub(super) obstacle: Option<String>,
}

impl ApprovalRequestView {
    pub(super) fn of(summary: ApprovalRequestSummary) -> Result<Self, OperationFailure> {
        let asked = decode::value(&summary.matter, approval::asked)?;
        let body = String::from_utf8_lossy(&canon::bytes(&summary.matter)?).into_owned();
        Ok(Self { summary, asked, body, obstacle: None })
    }

    /// The action, in a word.
    pub(super) fn action(&self) -> &'static str {
        match &self.asked {
            ApprovalRequest::Export { subject: ExportSubject::Pack(_), .. } => "export_pack",
            ApprovalRequest::Export { subject: ExportSubject::Ledger(_), .. } => "export_ledger",
            ApprovalRequest::Trail { .. } => "export_trail",
            ApprovalRequest::Erase { .. } => "erase",
        }
    }

    /// Where the file is to be looked at that would leave, while it has not.
    pub(super) fn preview(&self) -> Option<String> {
        let ApprovalRequest::Export { subject: ExportSubject::Pack(id), format, language, .. } =
            &self.asked
        else {
            return None;
        };
        let (form, language) = (word(format), language.tag());
        let is_open = self.is_waiting() || self.is_approved();
        is_open.then(|| format!("/packs/{}/preview?format={form}&language={language}", seg(id)))
    }

    pub(super) fn format(&self) -> Option<ExportFormat> {
        match self.asked {
            ApprovalRequest::Export { format, .. } => Some(format),
            ApprovalRequest::Trail { .. } | ApprovalRequest::Erase { .. } => None,
        }
    }

    /// The language, where the form has one.
    pub(super) fn language(&self) -> Option<&str> {
        match self.summary.matter.get("language") {
            Some(Json::Text(language)) => Some(language),
            _ => None,
        }
    }

    pub(super) fn reason(&self) -> Option<&str> {
        match &self.asked {
            ApprovalRequest::Export { reason, .. } | ApprovalRequest::Trail { reason, .. } => {
                Some(reason)
            }
            ApprovalRequest::Erase { .. } => None,
        }
    }

    /// The scope, the basis and the records of an erasure.
    pub(super) fn erasure(&self) -> Option<(&RecordScope, LegalBasis, &[u64])> {
        match &self.asked {
            ApprovalRequest::Erase { scope, legal_basis, records } => {
                Some((scope, *legal_basis, records))
            }
            ApprovalRequest::Export { .. } | ApprovalRequest::Trail { .. } => None,
        }
    }

    /// From which record on the trail would leave, and without which fields.
    pub(super) fn trail(&self) -> Option<(u64, &[String])> {
        match &self.asked {
            ApprovalRequest::Trail { from, withhold, .. } => Some((*from, withhold)),
            ApprovalRequest::Export { .. } | ApprovalRequest::Erase { .. } => None,
        }
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.summary.state == ApprovalLifecycle::Waiting
    }

    fn is_approved(&self) -> bool {
        self.summary.state == ApprovalLifecycle::Approved
    }

    /// Until when its state lasts: the first expiry of its approvals, or its own.
    pub(super) fn until(&self) -> Option<&str> {
        let ends = self.summary.approved_by.iter().map(|one| one.expires_at.as_str());
        let own = self.summary.expires_at.as_str();
        match self.summary.state {
            ApprovalLifecycle::Waiting => Some(own),
            ApprovalLifecycle::Approved => Some(ends.min().unwrap_or(own)),
            ApprovalLifecycle::Used | ApprovalLifecycle::Expired | ApprovalLifecycle::Void => None,
        }
    }

    /// The request, with why the caller may not approve it, if so. Nothing is recorded.
    pub(super) async fn weighed(
        mut self,
        visitor: &WebVisitor,
        caller: &Caller,
    ) -> Result<Self, PageError> {
        if self.is_open_to(Some(caller.name())) {
            let request_context = visitor.view.app.request_context(caller)?;
            let obstacle =
                approval::obstacle(&caller.tenant, &self.asked, &request_context).await?;
            let text = |fault: Fault| fault.message.into_text(visitor.language).into_owned();
            self.obstacle = obstacle.map(text);
        }
        Ok(self)
    }

    /// Whether a user may try to approve it: one who neither asked nor approved.
    pub(super) fn is_open_to(&self, who: Option<&str>) -> bool {
        let own = who == Some(self.summary.asked_by.as_str());
        let said = self.summary.approved_by.iter().any(|one| who == Some(one.name.as_str()));
        self.is_waiting() && !own && !said
    }

    /// Whether a user may fetch the export that it is about.
    pub(super) fn is_ready_for(&self, who: Option<&str>) -> bool {
        let leaves = matches!(self.asked, ApprovalRequest::Export { .. });
        leaves && self.is_approved() && who == Some(self.summary.asked_by.as_str())
    }
}

/// The requests about one object, the newest first.
pub(super) async fn requests(
    visitor: &WebVisitor,
    caller: &Caller,
    object: &str,
) -> Result<Vec<ApprovalRequestView>, PageError> {
    let found = approval::about(&caller.tenant, object, visitor.view.app.now()?).await?;
    let mut all = Vec::with_capacity(found.len());
    for one in found.into_iter().rev() {
        all.push(ApprovalRequestView::of(one)?.weighed(visitor, caller).await?);
    }
    Ok(all)
}
