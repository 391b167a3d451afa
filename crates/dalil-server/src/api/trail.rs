//! The trail: records, receipts, checkpoints, proofs, exports, audit.

use std::fs::File;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use dalil_phrasebook::{bound, expected, found};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, quoted};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::receipt::Receipt;
use dalil_proof::record::RecordKind;
use dalil_service::approval::ApprovalBasis;
use dalil_service::index::ListRange;
use dalil_service::trail::{self, RecordSummary, TrailExportRequest};
use dalil_store::Tenant;
use serde::Deserialize;
use tokio::io::AsyncReadExt as _;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery, JsonBody};
use crate::page::{CursorPage, ListOrder, PageQuery};
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;
use crate::scratch_folder::ScratchFolder;

#[cfg(test)]
mod tests;

/// Records of the trail, in order
#[utoipa::path(get, path = "/api/v1/trail/records", operation_id = "list_records", tag = "trail", params(PageQuery),
    responses((status = 200, description = "A page of records.", body = schema::trail::RecordPageBody)))]
pub(crate) async fn records(
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let records = records_in(&caller.tenant, part).await?;
    reply::json(&headers, &CursorPage::of(records, part, |one| one.index))
}

/// Records of a part of a trail, in the order of that part.
pub(crate) async fn records_in(
    tenant: &Tenant,
    part: ListRange,
) -> Result<Vec<RecordSummary>, ApiProblem> {
    let mut from = part.from;
    let mut limit = u64::from(part.limit);
    if part.newest {
        // The store reads upwards. A page of the newest is the range that ends at `from`, reversed.
        let end = from.saturating_add(1).min(tenant.head().await?.size);
        limit = limit.min(end);
        from = end - limit;
    }
    let mut records = trail::show(tenant, from, limit).await?.records;
    if part.newest {
        records.reverse();
    }
    Ok(records)
}

/// The receipt of a record: the record, its path, a signed checkpoint
#[utoipa::path(get, path = "/api/v1/trail/records/{index}/receipt", operation_id = "record_receipt", tag = "trail",
    params(("index" = u64, Path, description = "The index of the record.")),
    responses((status = 200, description = "The receipt (spec/checkpoint.md).", body = String,
               content_type = "text/plain")))]
pub(crate) async fn receipt(
    caller: Caller,
    ApiPath(index): ApiPath<u64>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    Ok(reply::text(&headers, receipt_of(&caller.tenant, index).await?.to_string()))
}

/// The receipt of a record that is there.
pub(crate) async fn receipt_of(tenant: &Tenant, index: u64) -> Result<Receipt, ApiProblem> {
    let size = tenant.head().await?.size;
    // Asked here, so that it is a 404: the store would call it a conflict.
    if index >= size {
        let fault = Fault::new("not_found", "index", bound::an_index_below(size), index);
        return Err(ApiProblem::fault(ProblemKind::NotFound, fault));
    }
    Ok(trail::receipt(tenant, index).await?)
}

/// Which checkpoint to return.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CheckpointQuery {
    /// The checkpoint of this size, if one was signed; the newest by default.
    #[param(minimum = 1)]
    size: Option<u64>,
}

/// A signed checkpoint
#[utoipa::path(get, path = "/api/v1/trail/checkpoint", operation_id = "trail_checkpoint", tag = "trail", params(CheckpointQuery),
    responses((status = 200, description = "The checkpoint (spec/checkpoint.md).", body = String,
               content_type = "text/plain")))]
pub(crate) async fn checkpoint(
    caller: Caller,
    ApiQuery(sized): ApiQuery<CheckpointQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    Ok(reply::text(&headers, trail::checkpoint(&caller.tenant, sized.size).await?.to_string()))
}

/// The two sizes of a consistency proof.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ConsistencyQuery {
    /// The older size.
    #[param(minimum = 1)]
    old: u64,
    /// The newer size; the newest by default.
    #[param(minimum = 1)]
    new: Option<u64>,
}

/// The proof that the trail only grew from one size to another
#[utoipa::path(get, path = "/api/v1/trail/consistency", operation_id = "prove_consistency", tag = "trail", params(ConsistencyQuery),
    responses((status = 200, description = "Both heads and the proof.", body = schema::trail::ConsistencyProofBody)))]
pub(crate) async fn consistency(
    caller: Caller,
    ApiQuery(between): ApiQuery<ConsistencyQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let ConsistencyQuery { old, new } = between;
    let size = caller.tenant.head().await?.size;
    let last = new.unwrap_or(size);
    if old == 0 || old > last || last > size {
        let expected = bound::two_sizes_in_order_from_1_to(size);
        let fault = Fault::new("range", "old", expected, found::two_sizes(old, last));
        return Err(ApiProblem::fault(ProblemKind::Refused, fault));
    }
    reply::json(&headers, &trail::consistency(&caller.tenant, old, new).await?)
}

/// Exports the trail, recorded first, as a file that anybody can verify
///
/// `{"reason", "from"?, "withhold"?: [names of fields]}`. Another member must approve exactly this
/// export first, with their own credential: `POST /api/v1/approvals`.
#[utoipa::path(post, path = "/api/v1/trail/export", operation_id = "export_trail", tag = "trail", request_body = schema::trail::TrailExportOrderBody,
    responses((status = 200, description = "The export (spec/trail.md), a record on each line.",
               body = String, content_type = "application/x-ndjson")))]
pub(crate) async fn export(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let order = decode::request(&body, order)?;
    // To a file first: an export that fails half-way must be an error, and not a reply with
    // status 200 that ends early.
    let folder = ScratchFolder::new(&app.scratch).await?;
    let path = folder.path().join("export");
    let (request_context, tenant, own) =
        (app.request_context(&caller)?, caller.tenant.clone(), path.clone());
    let done = app.verbs.run(async move || {
        let failed = |error| {
            dalil_service::OperationFailure::from(
                dalil_store::Error::unavailable("export a trail", "a file").saw("room", error),
            )
        };
        let mut file = File::create_new(&own).map_err(failed)?;
        trail::export_to_file(&tenant, &order, &request_context, &mut file).await
    });
    let since = done.await?;
    let file =
        tokio::fs::File::open(&path).await.map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
    // The folder travels with the stream and is removed when the last byte was read.
    let held = (file, folder, caller.tenant, since);
    let pieces = futures_util::stream::unfold(held, async |(mut file, folder, tenant, since)| {
        let mut piece = bytes::BytesMut::with_capacity(READ_BUFFER_BYTES);
        let read = file.read_buf(&mut piece).await;
        let read = match trail::has_erasure_since(&tenant, since).await {
            Ok(false) => read,
            // A slow reader must not get records that were erased meanwhile: the reply breaks off.
            Ok(true) => Err(std::io::Error::other("something was erased meanwhile")),
            Err(failure) => Err(std::io::Error::other(failure)),
        };
        match read {
            Ok(0) => None,
            Ok(_) => Some((Ok(piece.freeze()), (file, folder, tenant, since))),
            Err(error) => Some((Err(error), (file, folder, tenant, since))),
        }
    });
    let mut response = Body::from_stream(pieces).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    Ok(response)
}

fn order(reader: JsonReader<'_, '_>) -> Option<TrailExportRequest> {
    let mut fields = reader.object()?;
    let from = fields.or("from", 0, |at| at.whole(0..=MAX_INTEGER));
    let withhold = fields.or("withhold", Vec::new(), |list| list.list(decode::filled));
    let reason = fields.required("reason", decode::place);
    fields.done()?;
    let approved = ApprovalBasis::Given;
    Some(TrailExportRequest { from: from?, withhold: withhold?, approved, reason: reason? })
}

/// Which part of the audit log to list.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Only records of this kind; by default refusals, approvals, exports, reviews, replies to questions,
    /// invitations, and changes of members, keys, holds and payloads.
    kind: Option<String>,
    /// The maximum number of records.
    #[param(minimum = 1, maximum = 1000, default = 50)]
    limit: Option<u32>,
    /// The `next_cursor` of the previous page, in the same order.
    cursor: Option<String>,
    /// Whether the oldest or the newest come first.
    #[param(inline)]
    order: Option<ListOrder>,
}

/// Refusals, exports, and changes of members, keys and holds
#[utoipa::path(get, path = "/api/v1/audit", operation_id = "list_audit_records", tag = "trail", params(AuditQuery),
    responses((status = 200, description = "A page of records.",
               body = schema::trail::RecordPageBody)))]
pub(crate) async fn audit(
    caller: Caller,
    ApiQuery(asked): ApiQuery<AuditQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let AuditQuery { limit, cursor, order, .. } = asked;
    let part = PageQuery { limit, cursor, order }.place()?;
    let kinds = match &asked.kind {
        None => audited_kinds(),
        Some(word) => {
            let named = RecordKind::WORDS.iter().find(|(known, _)| known == word);
            let named = named.ok_or_else(|| {
                let fault = Fault::new("kind", "kind", expected::a_kind_of_record(), quoted(word));
                ApiProblem::fault(ProblemKind::Malformed, fault)
            })?;
            vec![named.1]
        }
    };
    let items = trail::show_kinds(&caller.tenant, &kinds, part).await?;
    reply::json(&headers, &CursorPage::of(items, part, |one| one.index))
}

/// The kinds that an auditor sees without asking for one.
fn audited_kinds() -> Vec<RecordKind> {
    let kinds = RecordKind::WORDS.iter().map(|(_, kind)| *kind);
    kinds.filter(|kind| is_audited(*kind)).collect()
}

/// Whether records of a kind belong to the audit log: actions of people, and the rules that others
/// are held to. Every kind is named, so that a new one is decided about and not left out.
const fn is_audited(kind: RecordKind) -> bool {
    match kind {
        RecordKind::AccessRefused
        | RecordKind::ApikeyAdded
        | RecordKind::ApikeyRevoked
        | RecordKind::ApprovalAsked
        | RecordKind::ApprovalGiven
        | RecordKind::ApprovalUsed
        | RecordKind::ClaimReviewed
        | RecordKind::ExportMade
        | RecordKind::HoldLifted
        | RecordKind::HoldPlaced
        | RecordKind::InvitationMade
        | RecordKind::InvitationUsed
        | RecordKind::InvitationWithdrawn
        | RecordKind::KeyAdded
        | RecordKind::KeyRedated
        | RecordKind::KeyRetired
        | RecordKind::KeyRevoked
        | RecordKind::MemberAdded
        | RecordKind::MemberRemoved
        | RecordKind::PackReviewed
        | RecordKind::PackSealed
        | RecordKind::PayloadErased
        | RecordKind::QuestionReplied
        | RecordKind::TenantCreated => true,
        RecordKind::BundleBuilt
        | RecordKind::CheckpointTimestamped
        | RecordKind::CheckpointWitnessed
        | RecordKind::DecisionRecorded
        | RecordKind::DocumentAdded
        | RecordKind::JobAccepted
        | RecordKind::JobEnded
        | RecordKind::LedgerClosed
        | RecordKind::ObligationRecorded
        | RecordKind::ObligationSkipped
        | RecordKind::ObligationStatusChanged
        | RecordKind::RunRecorded
        | RecordKind::SessionOpened
        | RecordKind::ToolIntended
        | RecordKind::ToolReported => false,
    }
}

const READ_BUFFER_BYTES: usize = 64 << 10;
