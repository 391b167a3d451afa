//! Exports that left the system, and temporary links to them.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_phrasebook::{Language, Phrase, expected, found};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Fault;
use dalil_proof::time::Time;
use dalil_service::approval::ApprovalBasis;
use dalil_service::export::{self, CompletedExport, ExportFormat, ExportRequest, ExportSubject};
use dalil_service::index;
use dalil_store::Tenant;
use serde::Serialize;
use utoipa::ToSchema;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery};
use crate::guard;
use crate::page::{CursorPage, PageQuery};
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// Where to fetch an export, and until when.
#[derive(Serialize, ToSchema)]
pub(crate) struct DownloadLink {
    /// Every holder of this link may fetch the export.
    download_url: String,
    /// When it expires.
    expires_at: String,
}

/// Exports, in the order in which they were made
#[utoipa::path(get, path = "/api/v1/exports", operation_id = "list_exports", tag = "exports", params(PageQuery),
    responses((status = 200, description = "A page of exports.", body = schema::export::ExportPageBody)))]
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let items = index::exports(&caller.tenant, part).await?;
    let CursorPage { items, next_cursor } = CursorPage::of(items, part, |one| one.index);
    let items = guard::without_hidden_packs(&app, &caller, items, |one| &one.subject).await?;
    reply::json(&headers, &CursorPage { items, next_cursor })
}

/// The bytes of an export, by its link
#[utoipa::path(get, path = "/api/v1/downloads/{tenant}/{link}", operation_id = "download_export", tag = "exports",
    params(("tenant" = String, Path, description = "The tenant of the export."),
           ("link" = String, Path, description = "The token from the reply of an export.")),
    responses((status = 200, description = "The bytes.", body = schema::scalar::FileBytes, content_type = "*/*")))]
pub(crate) async fn download(
    State(app): State<App>,
    ApiPath((tenant, link)): ApiPath<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let nowhere = |found: Phrase| {
        let fault = Fault::new("not_found", "link", expected::a_link_that_leads_somewhere(), found);
        ApiProblem::fault(ProblemKind::NotFound, fault)
    };
    // A caller without the signature learns nothing: neither which tenants there are nor which
    // exports.
    let export_id = app.links.check(&tenant, &link, app.now()?);
    let export_id = export_id.map_err(|_| nowhere(found::one_that_ended_or_none()))?;
    let tenant = app.tenants.find(&tenant).await.ok_or_else(|| nowhere(found::none()))?;
    export_bytes(&tenant, export_id, &headers).await
}

/// The bytes of an export, to be saved.
pub(crate) async fn export_bytes(
    tenant: &Tenant,
    export_id: &str,
    headers: &HeaderMap,
) -> Result<Response, ApiProblem> {
    let (export, digest, size) = index::export_of(tenant, export_id).await?;
    let format = ExportFormat::WIRE_NAMES.iter().find(|(word, _)| *word == export.format);
    let (media_type, end) =
        format.map_or(("application/octet-stream", "bin"), |(_, format)| format.media_type());
    let name = format!("{}.{end}", export.export_id);
    reply::object(headers, tenant, (&digest, size), (media_type, &name)).await
}

/// Makes an export, and gives a link to it.
pub(crate) async fn make(
    app: &App,
    caller: Caller,
    subject: ExportSubject,
    body: &[u8],
) -> Result<Response, ApiProblem> {
    let (made, now) = make_export(app, &caller, subject, body).await?;
    // Counted from the time of the record, not from when the bytes were ready.
    let seconds = i64::try_from(app.config.link_seconds).unwrap_or(i64::MAX);
    let end = now.millis().saturating_add(seconds.saturating_mul(1000));
    let end = Time::from_millis(end).ok_or(ApiProblem::new(ProblemKind::Internal))?;
    let name = caller.tenant.name();
    let link = app.links.sign(name, &made.export_id, end);
    let link = link.map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
    // Without a public address the link is a path of this server.
    let base = app.config.public_url.as_deref().unwrap_or("");
    let link = DownloadLink {
        download_url: format!("{base}/api/v1/downloads/{name}/{link}"),
        expires_at: end.to_string(),
    };
    Ok(reply::about(reply::status(StatusCode::OK, &link)?, &made.sha256))
}

/// Makes an export, approved by others where it must be; returns it with its time.
pub(crate) async fn make_export(
    app: &App,
    caller: &Caller,
    subject: ExportSubject,
    body: &[u8],
) -> Result<(CompletedExport, Time), ApiProblem> {
    let mut asked = decode::request(body, |reader| asked(reader, subject.clone()))?;
    asked.verify_url = app.config.verify_url();
    let (request_context, tenant) = (app.request_context(caller)?, caller.tenant.clone());
    let now = request_context.at;
    let done = app.verbs.run(async move || export::export(&tenant, &asked, &request_context).await);
    Ok((done.await?.0, now))
}

fn asked(reader: JsonReader<'_, '_>, subject: ExportSubject) -> Option<ExportRequest> {
    let mut fields = reader.object()?;
    let format = fields.required("format", |word| word.choice(ExportFormat::WIRE_NAMES));
    let language = fields.or("language", Language::English, |word| word.choice(EXPORT_LANGUAGES));
    let reason = match subject {
        // The contract's body for ledgers is the form alone.
        ExportSubject::Ledger(_) => fields.or("reason", UNSTATED_REASON.to_owned(), decode::place),
        ExportSubject::Pack(_) => fields.required("reason", decode::place),
    };
    fields.done()?;
    Some(ExportRequest {
        subject,
        format: format?,
        language: language?,
        // Over HTTP only approvals that are in the store count; a request cannot name approvers.
        approved: ApprovalBasis::Given,
        reason: reason?,
        verify_url: None,
    })
}

/// The reason in the record of an export when the caller gave none.
const UNSTATED_REASON: &str = "no reason was given";
const EXPORT_LANGUAGES: &[(&str, Language)] =
    &[("en", Language::English), ("ar", Language::Arabic)];
