//! Exports: files that left the system, pending approvals, and the approval form.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use dalil_proof::decode;
use dalil_service::approval::{self, ApprovalRequest, asked};
use dalil_service::export::ExportSubject;
use dalil_service::index::{self, ExportSummary};
use dalil_service::{pack, session};
use serde::Deserialize;
use serde_json::json;

use super::admission::saved;
use super::approval_request::ApprovalRequestView;
use super::error::PageError;
use super::filing_name::filing_name;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::query::{FormResultQuery, ListCursorQuery, newest};
use super::signin::local;
use super::visitor::WebVisitor;
use crate::api::approvals::{ask_as, give_as};
use crate::api::exports::{export_bytes, make_export};
use crate::caller::Caller;
use crate::guard;
use crate::page::CursorPage;
use crate::percent::seg;
use crate::permission::Permission;

#[cfg(test)]
mod tests;

#[derive(Template)]
#[template(path = "exports.html")]
struct ExportListPage {
    page: PageLayout,
    requests: Vec<ApprovalRequestView>,
    more: Option<String>,
    exports: Vec<ExportSummary>,
    next: Option<String>,
}

/// Which page of the requests is looked at.
#[derive(Deserialize)]
pub(super) struct ApprovalCursorQuery {
    #[serde(default)]
    requests: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
    Query(asked): Query<ApprovalCursorQuery>,
    Query(FormResultQuery { done }): Query<FormResultQuery>,
) -> Result<Response, PageError> {
    let (app, caller) = (&visitor.view.app, visitor.admit(Permission::View).await?);
    let (tenant, now) = (&caller.tenant, app.now()?);
    let list = async |part| index::exports(tenant, part).await;
    let found = CursorPage::list(&part.page(), list, |one| one.index).await?;
    let list = async |part| approval::requests(tenant, part, now).await;
    let wanted = newest(MAX_REQUESTS_PER_PAGE, asked.requests);
    let asked = CursorPage::list(&wanted, list, |one| one.index).await?;
    let page = PageLayout::new(&visitor, "exports", visitor.w.exports).done(done.as_deref());
    let exports =
        guard::without_hidden_packs(app, &caller, found.items, |one| &one.subject).await?;
    let seen = guard::without_hidden_packs(app, &caller, asked.items, |one| &one.object).await?;
    let mut requests = Vec::new();
    for one in seen {
        requests.push(ApprovalRequestView::of(one)?.weighed(&visitor, &caller).await?);
    }
    let more = asked.next_cursor;
    Ok(shown(&ExportListPage { page, requests, more, exports, next: found.next_cursor }))
}

/// Exports the newest ledger of a session, and returns the bytes to be saved: it needs a record and
/// no approval.
pub(super) async fn ledger(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let format = fields.one("format").unwrap_or("json");
    let mut order = json!({"format": format, "language": visitor.language.tag()});
    if let (Some(reason), Some(members)) = (fields.one("reason"), order.as_object_mut()) {
        members.insert("reason".to_owned(), reason.into());
    }
    let caller = visitor.admit(Permission::Export).await?;
    let subject = ExportSubject::Ledger(id.clone());
    sent(&visitor, &caller, subject, order.to_string().as_bytes()).await
}

/// Makes an export, and returns its bytes under a name that describes them.
async fn sent(
    visitor: &WebVisitor,
    caller: &Caller,
    subject: ExportSubject,
    order: &[u8],
) -> Result<Response, PageError> {
    let (tenant, language) = (&caller.tenant, visitor.language);
    let (kind, title) = match &subject {
        ExportSubject::Ledger(id) => {
            ("ledger", session::show(tenant, id).await?.query.unwrap_or_else(|| id.clone()))
        }
        ExportSubject::Pack(id) => {
            let pack = pack::show(tenant, id).await?.pack;
            ("pack", pack.memo.texts(language).title.to_owned())
        }
    };
    let (made, at) = make_export(&visitor.view.app, caller, subject, order).await?;
    visitor.outside.note_evidence(&made.sha256);
    let response = export_bytes(tenant, &made.export_id, &HeaderMap::new()).await?;
    Ok(saved(response, &filing_name(kind, &title, at, made.format)))
}

/// Asks others to approve that a pack leaves.
pub(super) async fn pack(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    ask(&visitor, ("export_pack", &id), &body).await?;
    Ok(see(&format!("/packs/{}?done=asked", seg(&id))))
}

async fn ask(
    visitor: &WebVisitor,
    (action, id): (&str, &str),
    body: &[u8],
) -> Result<(), PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(visitor, body)?;
    let mut order = json!({
        "action": action,
        "object": id,
        "format": fields.one("format").unwrap_or("json"),
        "language": visitor.language.tag(),
    });
    if let (Some(reason), Some(members)) = (fields.one("reason"), order.as_object_mut()) {
        members.insert("reason".to_owned(), reason.into());
    }
    let caller = visitor.admit(Permission::Export).await?;
    let order = decode::request(order.to_string().as_bytes(), asked)?;
    ask_as(&visitor.view.app, caller, order, &visitor.asked).await?;
    Ok(())
}

/// Approves another user's request.
pub(super) async fn approve(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let caller = visitor.admit(Permission::Review).await?;
    give_as(&visitor.view.app, caller, matter(&fields)?, &visitor.asked).await?;
    // Without its query, which may hold the result of an earlier form.
    let back = local(fields.one("back")).split('?').next().unwrap_or("/exports");
    Ok(see(&format!("{back}?done=approved")))
}

/// Has something exported that others approved, and gives the bytes to be saved.
pub(super) async fn fetch(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let matter = matter(&FormFields::read(&visitor, &body)?)?;
    // The matter comes from the browser: only exports can be fetched with it. The approvals are
    // counted again.
    let ApprovalRequest::Export { subject, format, language, reason, .. } = matter else {
        return Err(PageError::Form);
    };
    let (app, caller) = (&visitor.view.app, visitor.admit(Permission::Export).await?);
    if let ExportSubject::Pack(id) = &subject {
        guard::view_pack(app, &caller, id).await?;
    }
    let language = language.tag();
    let order = json!({"format": format, "language": language, "reason": reason}).to_string();
    sent(&visitor, &caller, subject, order.as_bytes()).await
}

/// The request that a form is about; text that is not ours is refused as a form.
fn matter(fields: &FormFields) -> Result<ApprovalRequest, PageError> {
    decode::request(fields.text("matter").as_bytes(), asked).map_err(|_| PageError::Form)
}

const MAX_REQUESTS_PER_PAGE: u32 = 10;
