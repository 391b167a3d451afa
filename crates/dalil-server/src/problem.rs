//! Problems (RFC 9457) in the requested language.
//!
//! Nothing internal is in one: no place of a store, no message of a driver. Mistakes of
//! the caller are listed completely.

use axum::Json;
use axum::http::header::{ALLOW, CONTENT_LANGUAGE, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use dalil_phrasebook::{Language, Phrase, bound, hint, problem};
use dalil_proof::fault::{Fault, Refused};
#[cfg(feature = "pdf")]
use dalil_render::pdf::{MAX_ANSWER_BYTES, MAX_PDF_CLAIMS, PressError};
use dalil_service::OperationFailure;
use dalil_store::ErrorKind;
use serde::Serialize;

#[cfg(test)]
mod tests;

/// The kind of a problem: the last part of `type`, a status and words for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProblemKind {
    Malformed,
    Unauthenticated,
    Forbidden,
    NotFound,
    Method,
    NotAcceptable,
    Conflict,
    Gone,
    TooLarge,
    MediaType,
    Refused,
    TooMany,
    Internal,
    Busy,
    Timeout,
}

/// A problem on its way to the caller.
#[derive(Clone, Debug)]
pub(crate) struct ApiProblem {
    pub(crate) kind: ProblemKind,
    /// The faults that the caller can do something about.
    pub(crate) faults: Vec<Fault>,
    /// After how many seconds to try again.
    pub(crate) retry_after: Option<u64>,
    /// The cause, for the log only.
    pub(crate) cause: Option<String>,
}

/// The body of a problem.
#[derive(Serialize)]
pub(crate) struct ProblemDetails<'p> {
    r#type: String,
    title: String,
    status: u16,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'p str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<FaultDetails<'p>>,
}

/// A fault in one language.
#[derive(Debug, Serialize)]
pub(crate) struct FaultDetails<'p> {
    pub(crate) rule: &'static str,
    pub(crate) path: &'p str,
    pub(crate) message: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<&'p str>,
}

impl<'p> FaultDetails<'p> {
    fn of(fault: &'p Fault, language: Language) -> Self {
        Self {
            rule: fault.rule,
            path: &fault.path,
            message: fault.message.text(language),
            hint: fault.hint.as_ref().map(|hint| hint.text(language)),
        }
    }
}

impl ApiProblem {
    /// A problem with nothing but its kind.
    pub(crate) const fn new(kind: ProblemKind) -> Self {
        Self { kind, faults: Vec::new(), retry_after: None, cause: None }
    }

    /// A fault of the server or of its machine, whose reason is in the log.
    pub(crate) fn caused(cause: &impl ToString) -> Self {
        Self { cause: Some(cause.to_string()), ..Self::new(ProblemKind::Internal) }
    }

    /// A file that could not be written: most of the time, the disk is full.
    pub(crate) fn unwritten(error: &std::io::Error) -> Self {
        let cause = Some(format!("a file could not be written: {error}"));
        Self { retry_after: Some(1), cause, ..Self::new(ProblemKind::Busy) }
    }

    /// A problem with one fault.
    pub(crate) fn fault(kind: ProblemKind, fault: Fault) -> Self {
        Self { faults: vec![fault], ..Self::new(kind) }
    }

    /// The problem for a status that another layer answered with.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        let kind = ProblemKind::ALL.iter().find(|kind| kind.status() == status).copied();
        let other =
            if status.is_server_error() { ProblemKind::Internal } else { ProblemKind::Malformed };
        Self::new(kind.unwrap_or(other))
    }

    /// Its faults, in a language.
    pub(crate) fn faults_in(&self, language: Language) -> Vec<FaultDetails<'_>> {
        self.faults.iter().map(|fault| FaultDetails::of(fault, language)).collect()
    }

    /// The explanation, in a language.
    pub(crate) fn detail(&self, language: Language) -> String {
        let phrase = match self.faults.as_slice() {
            // A single fault is the explanation; several are listed.
            [only] => only.phrase(),
            _ => self.kind.sentence(),
        };
        phrase.text(language).to_owned()
    }

    /// Its body, in a language.
    pub(crate) fn details(&self, language: Language) -> ProblemDetails<'_> {
        ProblemDetails {
            r#type: format!("urn:dalil:problem:{}", self.kind.as_str()),
            title: self.kind.title().text(language).to_owned(),
            status: self.kind.status().as_u16(),
            detail: self.detail(language),
            request_id: None,
            faults: self.faults_in(language),
        }
    }

    /// The response, in a language.
    pub(crate) fn response(&self, language: Language, request_id: Option<&str>) -> Response {
        let Self { kind, retry_after, .. } = self;
        let status = kind.status();
        let said = ProblemDetails { request_id, ..self.details(language) };
        let mut response = (status, Json(said)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_MEDIA_TYPE));
        headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(language.tag()));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"dalil\""));
        }
        if let Some(seconds) = retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(*seconds));
        }
        response
    }
}

/// A handler does not know the language: the outermost layer writes the body.
impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        let mut response = self.kind.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<OperationFailure> for ApiProblem {
    fn from(failure: OperationFailure) -> Self {
        match failure {
            OperationFailure::Refused(refused) => refused.into(),
            OperationFailure::Store(error) => match error.kind {
                // The data that the caller had read was changed; the caller has to read again.
                ErrorKind::Outdated => Self::new(ProblemKind::Conflict),
                ErrorKind::Refused => {
                    let message = problem::store_refuses(&error.expected, &error.found);
                    let fault = Fault::with_message("store", "$", message);
                    Self::fault(ProblemKind::Conflict, fault)
                }
                ErrorKind::Busy => Self { retry_after: Some(1), ..Self::new(ProblemKind::Busy) },
                ErrorKind::Unavailable => Self {
                    retry_after: Some(1),
                    cause: Some(error.to_string()),
                    ..Self::new(ProblemKind::Busy)
                },
                ErrorKind::Damaged => Self::caused(&error),
            },
            OperationFailure::NotCanonical(error) => Self::caused(&error),
            #[cfg(feature = "pdf")]
            OperationFailure::Unpressed(PressError::TooManyClaims { found }) => {
                let expected = bound::a_ledger_of_at_most_claims(MAX_PDF_CLAIMS);
                let fault = Fault::new("claims", "format", expected, found)
                    .hint(hint::export_it_as_json_or_markdown());
                Self::fault(ProblemKind::Refused, fault)
            }
            #[cfg(feature = "pdf")]
            OperationFailure::Unpressed(PressError::LongAnswer { found }) => {
                let expected = bound::an_answer_of_at_most_bytes(MAX_ANSWER_BYTES);
                let fault = Fault::new("answer", "format", expected, found)
                    .hint(hint::export_it_as_json_or_markdown());
                Self::fault(ProblemKind::Refused, fault)
            }
            #[cfg(feature = "pdf")]
            OperationFailure::Unpressed(error) => Self::caused(&error),
        }
    }
}

impl From<Refused> for ApiProblem {
    fn from(refused: Refused) -> Self {
        let faults = refused.refused;
        let kind = match faults.as_slice() {
            [only] => match only.rule {
                "not_found" => ProblemKind::NotFound,
                // Here the member is the subject of the request, not its maker.
                "not_a_member" if only.path == "name" => ProblemKind::NotFound,
                "erased" => ProblemKind::Gone,
                "not_a_member" | "role" => ProblemKind::Forbidden,
                rule if CONFLICT_RULES.contains(&rule) => ProblemKind::Conflict,
                _ => ProblemKind::Refused,
            },
            _ => ProblemKind::Refused,
        };
        Self { faults, ..Self::new(kind) }
    }
}

impl From<dalil_proof::canon::NotCanonical> for ApiProblem {
    fn from(_: dalil_proof::canon::NotCanonical) -> Self {
        Self::new(ProblemKind::Internal)
    }
}

impl From<dalil_store::Error> for ApiProblem {
    fn from(error: dalil_store::Error) -> Self {
        OperationFailure::from(error).into()
    }
}

impl ProblemKind {
    const ALL: [Self; 15] = [
        Self::Malformed,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::NotFound,
        Self::Method,
        Self::NotAcceptable,
        Self::Conflict,
        Self::Gone,
        Self::TooLarge,
        Self::MediaType,
        Self::Refused,
        Self::TooMany,
        Self::Internal,
        Self::Busy,
        Self::Timeout,
    ];

    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::Conflict => StatusCode::CONFLICT,
            Self::Gone => StatusCode::GONE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Timeout => StatusCode::GATEWAY_TIMEOUT,
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not-found",
            Self::Method => "method-not-allowed",
            Self::NotAcceptable => "not-acceptable",
            Self::Conflict => "conflict",
            Self::Gone => "gone",
            Self::TooLarge => "too-large",
            Self::MediaType => "media-type",
            Self::Refused => "refused",
            Self::TooMany => "too-many-requests",
            Self::Internal => "internal",
            Self::Busy => "busy",
            Self::Timeout => "timeout",
        }
    }

    /// A title.
    pub(crate) const fn title(self) -> Phrase {
        match self {
            Self::Malformed => problem::malformed_title(),
            Self::Unauthenticated => problem::unauthenticated_title(),
            Self::Forbidden => problem::forbidden_title(),
            Self::NotFound => problem::not_found_title(),
            Self::Method => problem::method_title(),
            Self::NotAcceptable => problem::not_acceptable_title(),
            Self::Conflict => problem::conflict_title(),
            Self::Gone => problem::gone_title(),
            Self::TooLarge => problem::too_large_title(),
            Self::MediaType => problem::media_type_title(),
            Self::Refused => problem::refused_title(),
            Self::TooMany => problem::too_many_title(),
            Self::Internal => problem::internal_title(),
            Self::Busy => problem::busy_title(),
            Self::Timeout => problem::timeout_title(),
        }
    }

    /// Its meaning, as a sentence.
    pub(crate) const fn sentence(self) -> Phrase {
        match self {
            Self::Malformed => problem::malformed(),
            Self::Unauthenticated => problem::unauthenticated(),
            Self::Forbidden => problem::forbidden(),
            Self::NotFound => problem::not_found(),
            Self::Method => problem::method(),
            Self::NotAcceptable => problem::not_acceptable(),
            Self::Conflict => problem::conflict(),
            Self::Gone => problem::gone(),
            Self::TooLarge => problem::too_large(),
            Self::MediaType => problem::media_type(),
            Self::Refused => problem::refused(),
            Self::TooMany => problem::too_many(),
            Self::Internal => problem::internal(),
            Self::Busy => problem::busy(),
            Self::Timeout => problem::timeout(),
        }
    }
}

/// Marks an error response that is already in the form of another protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SaidElsewhere;

/// Writes the body of every error response, from any layer.
pub(crate) fn said(response: Response, language: Language, request_id: &str) -> Response {
    let status = response.status();
    let is_said = response.extensions().get::<SaidElsewhere>().is_some();
    if is_said || !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    // axum and hyper answer some requests themselves, such as 405; these become problems too.
    let own = response.extensions().get::<ApiProblem>().cloned();
    let allow = response.headers().get(ALLOW).cloned();
    let problem = own.unwrap_or_else(|| ApiProblem::of_status(status));
    let mut told = problem.response(language, Some(request_id));
    if let Some(allow) = allow {
        told.headers_mut().insert(ALLOW, allow);
    }
    told
}

/// The media type of RFC 9457 for JSON.
pub(crate) const PROBLEM_MEDIA_TYPE: &str = "application/problem+json";
/// The rules that a request breaks only because of earlier events.
const CONFLICT_RULES: [&str; 20] = [
    "approvals",
    "changed",
    "decided",
    "expired",
    "hold",
    "last_admin",
    "other_answer",
    "other_question",
    "rejected",
    "resolved",
    "revoked",
    "same_approver",
    "same_reviewer",
    "superseded",
    "supersedes",
    "taken",
    "unapproved",
    "used",
    "version",
    "withdrawn",
];
