//! The OpenAPI document, and the parts that all its operations share.

use std::sync::Arc;

use axum::Extension;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, ResponseBuilder, Server};

use super::{examples, schema};
use crate::permission::Permission;
use crate::problem::{ApiProblem, PROBLEM_MEDIA_TYPE};
use crate::route_list::{ApiRoute, method};

mod page;

/// The document without its routes.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Dalil",
        description = "Evidence for AI answers and decisions that people must be able to check. \
                       Every error is a problem (RFC 9457). Bodies that name a spec page keep its format.",
    ),
    components(schemas(ProblemBody, FaultBody))
)]
pub(crate) struct OpenApiDocument;

/// A problem (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem, example = json!({
    "type": "urn:dalil:problem:refused",
    "title": "The request breaks rules",
    "status": 422,
    "detail": "expected some text, found ``",
    "request_id": "9f86d081884c7d65",
    "faults": [{"rule": "empty", "path": "answer", "message": "expected some text, found ``"}],
}))]
pub(crate) struct ProblemBody {
    /// `urn:dalil:problem:` and the kind.
    r#type: String,
    /// The kind in words, in the language asked for.
    title: String,
    /// The status.
    status: u16,
    /// The expected and the found value, in the language asked for.
    detail: String,
    /// The id of the request.
    request_id: Option<String>,
    /// Every fault of the request.
    faults: Option<Vec<FaultBody>>,
}

/// One fault of a request.
#[derive(Serialize, ToSchema)]
#[schema(as = Fault)]
pub(crate) struct FaultBody {
    /// The rule that was broken.
    rule: String,
    /// Where, as a path into the request.
    path: String,
    /// The expected and the found value, in one sentence.
    message: String,
    /// The next step.
    hint: Option<String>,
}

/// The document as text, made once.
#[derive(Clone)]
pub(crate) struct OpenApiJson(Arc<str>);

impl OpenApiJson {
    pub(crate) fn new(text: String) -> Self {
        Self(text.into())
    }
}

/// The OpenAPI document of this API
#[utoipa::path(get, path = "/api/v1/openapi.json", operation_id = "openapi_document", tag = "server",
    responses((status = 200, description = "The document.", body = schema::server::OpenApiReplyBody)))]
pub(crate) async fn openapi(Extension(text): Extension<OpenApiJson>) -> Response {
    ([(CONTENT_TYPE, "application/json")], text.0.to_string()).into_response()
}

/// The reference page of the API, for people
#[utoipa::path(get, path = "/api/v1", operation_id = "reference_page", tag = "server",
    responses((status = 200, description = "The page.", body = String, content_type = "text/html")))]
pub(crate) async fn reference(
    Extension(text): Extension<OpenApiJson>,
) -> Result<Response, ApiProblem> {
    // The page holds no script, so none is allowed, not even our own.
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, policy)];
    let html = page::html(&text.0).map_err(|error| ApiProblem::caused(&error))?;
    Ok((headers, html).into_response())
}

/// The style sheet of that page
#[utoipa::path(get, path = "/api/v1/reference.css", operation_id = "reference_style", tag = "server",
    responses((status = 200, description = "The style.", body = String, content_type = "text/css")))]
pub(crate) async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css")], page::REFERENCE_CSS).into_response()
}

/// Adds to every route the parts that all share: how to authenticate, and which problems there are.
pub(crate) fn complete(mut document: OpenApi, routes: &[ApiRoute]) -> OpenApi {
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key, or a token of the configured OpenID Connect provider."))
        .build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
    let any = ApiRoute { method: "GET", path: String::new(), need: Permission::View };
    // Each problem is described once, and the routes refer to it.
    for (status, words, _) in problems(&any, true, true) {
        let content = Content::new(Some(RefOr::Ref(Ref::from_schema_name("Problem"))));
        let response =
            ResponseBuilder::new().description(words).content(PROBLEM_MEDIA_TYPE, content).build();
        components.responses.insert(format!("Problem{status}"), RefOr::T(response));
    }
    document.servers = Some(vec![Server::new("/")]);
    examples::add(&mut document);
    for route in routes {
        let item = document.paths.paths.get_mut(&route.path);
        let Some(operation) = item.and_then(|item| operation(item, route.method)) else { continue };
        // An empty list states that nothing is needed; without one, a reader cannot tell.
        let bearer = SecurityRequirement::new("bearer", Vec::<String>::new());
        operation.security =
            Some(if route.need == Permission::Open { Vec::new() } else { vec![bearer] });
        let takes_path = route.path.contains('{');
        let all = problems(route, operation.request_body.is_some(), takes_path);
        for (status, _, _) in all.iter().filter(|(_, _, applies)| *applies) {
            // A route's own description of a status is more exact.
            if !operation.responses.responses.contains_key(*status) {
                let response = RefOr::Ref(Ref::from_response_name(format!("Problem{status}")));
                operation.responses.responses.insert((*status).to_owned(), response);
            }
        }
    }
    document
}

fn operation<'o>(item: &'o mut utoipa::openapi::PathItem, name: &str) -> Option<&'o mut Operation> {
    use utoipa::openapi::path::HttpMethod;
    match method(name) {
        HttpMethod::Post => item.post.as_mut(),
        HttpMethod::Put => item.put.as_mut(),
        HttpMethod::Delete => item.delete.as_mut(),
        HttpMethod::Patch => item.patch.as_mut(),
        _ => item.get.as_mut(),
    }
}

/// The problems that a route can answer with.
fn problems(
    route: &ApiRoute,
    has_body: bool,
    takes_path: bool,
) -> [(&'static str, &'static str, bool); 13] {
    let guarded = route.need != Permission::Open;
    let writes = route.method != "GET";
    [
        ("400", "The request is not of the documented form.", true),
        ("401", "The credential is missing, unknown, expired or revoked.", guarded),
        ("403", "The caller may not do this; a record says so.", guarded),
        ("404", "There is no such thing for this tenant.", takes_path || writes),
        ("405", "The path has no such method.", true),
        ("409", "The request does not fit how things stand.", guarded),
        ("410", "It was erased, by a record.", takes_path && guarded),
        ("413", "The body is larger than the limit.", has_body),
        ("415", "The body is of another type.", has_body),
        ("422", "The request breaks rules, all of which are listed.", guarded),
        ("429", "The caller asks too often.", guarded),
        ("503", "The store cannot be asked now.", true),
        ("504", "The work did not end in time.", guarded),
    ]
}
