//! Why there is no page.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use dalil_proof::canon::NotCanonical;
use dalil_proof::fault::Refused;
use dalil_service::OperationFailure;

use crate::problem::{ApiProblem, ProblemKind};

/// Why there is no page.
#[derive(Clone, Debug)]
pub(super) enum PageError {
    /// The visitor is not signed in.
    SignIn,
    /// The form is not from this visit.
    Form,
    /// There is no such page.
    Page,
    /// The request was refused, or failed.
    Problem(ApiProblem),
}

impl From<ApiProblem> for PageError {
    fn from(problem: ApiProblem) -> Self {
        Self::Problem(problem)
    }
}

impl From<OperationFailure> for PageError {
    fn from(failure: OperationFailure) -> Self {
        Self::Problem(failure.into())
    }
}

impl From<Refused> for PageError {
    fn from(refused: Refused) -> Self {
        Self::Problem(refused.into())
    }
}

impl From<NotCanonical> for PageError {
    fn from(error: NotCanonical) -> Self {
        Self::Problem(error.into())
    }
}

impl PageError {
    /// An internal error for a case that cannot occur, with its place for the log.
    pub(super) fn impossible(place: &'static str) -> Self {
        Self::Problem(ApiProblem::caused(&place))
    }

    /// The error of an answer that is not a page, from the viewer or from a layer around it.
    pub(super) fn of(answer: &mut Response) -> Option<Self> {
        let status = answer.status();
        if let Some(wrong) = answer.extensions_mut().remove::<Self>() {
            return Some(wrong);
        }
        let media_type = answer.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        let is_page = media_type.is_some_and(|media_type| media_type.starts_with(b"text/html"));
        let has_failed = status.is_client_error() || status.is_server_error();
        let own = answer.extensions_mut().remove::<ApiProblem>();
        (has_failed && !is_page)
            .then(|| Self::Problem(own.unwrap_or_else(|| ApiProblem::of_status(status))))
    }

    /// Whether the credential opens nothing any more.
    pub(super) fn is_unknown(&self) -> bool {
        self.is_kind(ProblemKind::Unauthenticated)
    }

    /// Whether the credential opens something else.
    pub(super) fn is_refusal(&self) -> bool {
        self.is_kind(ProblemKind::Forbidden)
    }

    fn is_kind(&self, kind: ProblemKind) -> bool {
        matches!(self, Self::Problem(problem) if problem.kind == kind)
    }
}

/// A screen does not know its visitor: the layer around it writes the page.
impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        if let Self::Problem(problem) = &self {
            // The telemetry of the request notes why it failed.
            response.extensions_mut().insert(problem.clone());
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The value that was asked for, unless it does not exist.
pub(super) fn found<T>(answer: Result<T, OperationFailure>) -> Result<Option<T>, PageError> {
    match answer.map_err(ApiProblem::from) {
        Ok(found) => Ok(Some(found)),
        Err(problem) if problem.kind == ProblemKind::NotFound => Ok(None),
        Err(problem) => Err(problem.into()),
    }
}
