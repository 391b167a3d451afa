//! Bundles of evidence for a model, and the runs that used them.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_evidence::bundle::{BuiltBundle, BundleRequest, FetchedArtifacts};
use dalil_phrasebook::{bound, expected, found, hint, precondition};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::json::Json;
use dalil_proof::time::Time;
use dalil_service::bundle::{self, BundleInputs, ModelRun};
use dalil_service::index;
use serde::Serialize;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery, JsonBody};
use crate::page::{CursorPage, PageQuery};
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// Bundles, in the order in which they were built
#[utoipa::path(get, path = "/api/v1/bundles", operation_id = "list_bundles", tag = "bundles", params(PageQuery),
    responses((status = 200, description = "A page of bundles.", body = schema::bundle::BundlePageBody)))]
pub(crate) async fn list(
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let items = index::bundles(&caller.tenant, part).await?;
    reply::json(&headers, &CursorPage::of(items, part, |one| one.index))
}

/// A built bundle, and where it is stored.
#[derive(Serialize)]
struct BundleResponse {
    bundle: Json<'static>,
    saved: bundle::SavedBundle,
}

/// Builds a bundle of the evidence in the request (spec/bundle.md), and stores it
///
/// References to a lake and live queries are for the command line only: the server fetches nothing
/// that a caller names.
#[utoipa::path(post, path = "/api/v1/bundles", operation_id = "build_bundle", tag = "bundles", request_body = schema::bundle_request::BundleRequestBody,
    responses((status = 201, description = "The bundle, and its record.", body = schema::bundle::BundleResponseBody)))]
pub(crate) async fn build(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    if app.bundles.waiting(&caller.credential) >= MAX_WAITING_BUNDLES {
        return Err(ApiProblem { retry_after: Some(5), ..ApiProblem::new(ProblemKind::Busy) });
    }
    let (turn, now) = (app.bundles.take(&caller.credential).await, app.now()?);
    let made = tokio::task::spawn_blocking(move || {
        let made = made(&body, now);
        // The caller may be gone; the next one may begin only when the work is done.
        drop(turn);
        made
    });
    let made = made.await.map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
    let MadeBundle { built, bundle } = made?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let saved = app.verbs.run(async move || {
        let artifacts = FetchedArtifacts::new();
        let making = BundleInputs { built: &built, artifacts: &artifacts, corpus: None, run: None };
        bundle::save(&tenant, making, &request_context).await
    });
    let saved = saved.await?;
    reply::created(
        &format!("/api/v1/bundles/{}", saved.bundle_id),
        &BundleResponse { bundle, saved },
    )
}

/// A bundle that is not kept yet, and how it is replied.
struct MadeBundle {
    built: BuiltBundle,
    bundle: Json<'static>,
}

fn made(body: &[u8], now: Time) -> Result<MadeBundle, ApiProblem> {
    let request = BundleRequest::parse_at(body, now)?;
    // A reference is an address that this server would fetch for the caller, from inside its own
    // network.
    if !request.live_queries().is_empty() || !request.lake_uris().is_empty() {
        let expected = expected::items_in_the_request_itself();
        let fault = Fault::new("reference", "evidence_refs", expected, found::a_reference());
        return Err(Refused::from(fault).into());
    }
    // A caller's pattern can take a thousand times as long as reading the text.
    let cost = request.own_redaction_rules().saturating_mul(body.len());
    if cost > MAX_RULE_BYTES {
        let expected = bound::rules_times_bytes(MAX_RULE_BYTES);
        let fault = Fault::new("range", "policy.redaction_rules", expected, cost);
        let hint = hint::dalil_bundle_has_the_limits_of_your_own_machine();
        return Err(Refused::from(fault.hint(hint)).into());
    }
    let built = dalil_evidence::bundle::build(request, &FetchedArtifacts::new(), None)?;
    let content = dalil_proof::canon::bytes(&built.bundle);
    let content = content.map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
    let bundle = Json::parse(&content)?.into_owned();
    Ok(MadeBundle { built, bundle })
}

/// A bundle with its content
#[utoipa::path(get, path = "/api/v1/bundles/{bundle_id}", operation_id = "show_bundle", tag = "bundles",
    params(("bundle_id" = String, Path, description = "The bundle.")),
    responses((status = 200, description = "The bundle (spec/bundle.md).", body = schema::bundle::BundleBody)))]
pub(crate) async fn show(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    reply::json(&headers, &index::show_bundle(&caller.tenant, &id).await?)
}

/// Records a run of a model and the bundles that it used
///
/// `{"run_id", "model", "status", "bundles": [ids]}`.
#[utoipa::path(post, path = "/api/v1/runs", operation_id = "record_run", tag = "bundles", request_body = schema::bundle_request::ModelRunOrderBody,
    responses((status = 201, description = "The record.", body = schema::scalar::RecordAckBody)))]
pub(crate) async fn ran(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let (run, bundles) = decode::request(&body, running)?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done =
        app.verbs.run(async move || bundle::run(&tenant, &run, &bundles, &request_context).await);
    reply::status(StatusCode::CREATED, &done.await?)
}

fn running(reader: JsonReader<'_, '_>) -> Option<(ModelRun, Vec<String>)> {
    let mut fields = reader.object()?;
    let run_id = fields.required("run_id", decode::filled);
    let model = fields.required("model", decode::filled);
    let status = fields.required("status", decode::filled);
    let bundles = fields.or("bundles", Vec::new(), |list| list.list(decode::filled));
    fields.done()?;
    Some((ModelRun { run_id: run_id?, model: model?, status: status? }, bundles?))
}

/// A run and the bundles that it used
#[utoipa::path(get, path = "/api/v1/runs/{run_id}", operation_id = "show_run", tag = "bundles",
    params(("run_id" = String, Path, description = "The run.")),
    responses((status = 200, description = "The run.", body = schema::bundle_request::RunDetailsBody)))]
pub(crate) async fn run(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    reply::json(&headers, &bundle::show(&caller.tenant, &id).await?)
}

/// A full text or query result that a bundle was built from
///
/// By the digest in its `full_ref`. Other objects of the lake are available as exports only.
#[utoipa::path(get, path = "/api/v1/artifacts/{artifact}", operation_id = "artifact_bytes", tag = "bundles",
    params(("artifact" = String, Path, description = "A digest.")),
    responses((status = 200, description = "The bytes.", body = schema::scalar::FileBytes, content_type = "*/*")))]
pub(crate) async fn artifact(
    caller: Caller,
    ApiPath(artifact): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let found = bundle::whole_artifact(&caller.tenant, &artifact).await?;
    let name = found.sha256.hex();
    let about = (found.media_type.as_str(), name.as_str());
    reply::object(&headers, &caller.tenant, (&found.sha256, found.size), about).await
}

/// Which bundles and runs used an artifact
#[utoipa::path(get, path = "/api/v1/artifacts/{artifact}/uses", operation_id = "list_artifact_uses", tag = "bundles",
    params(("artifact" = String, Path, description = "A digest, or where it came from.")),
    responses((status = 200, description = "The bundles and runs.", body = schema::bundle_request::ArtifactUsesBody)))]
pub(crate) async fn uses(
    caller: Caller,
    ApiPath(artifact): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let uses = bundle::uses(&caller.tenant, &artifact).await?;
    if uses.bundles.is_empty() && !bundle::is_known(&caller.tenant, &artifact).await? {
        let found = quoted(&artifact);
        let fault =
            Fault::new("not_found", "artifact", precondition::an_artifact_of_this_tenant(), found);
        return Err(ApiProblem::fault(ProblemKind::NotFound, fault));
    }
    reply::json(&headers, &uses)
}

/// The number of rules of one's own times the bytes that they look at: eight seconds of a processor
/// at the slowest that was measured, 256 kB a second for one rule.
const MAX_RULE_BYTES: usize = 2 << 20;
/// How many bundles of one credential may wait for a turn; further ones get a retry time.
const MAX_WAITING_BUNDLES: usize = 64;
