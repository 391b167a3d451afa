//! Why there is no page.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::language::ReplyLanguage;
use crate::problem;

/// Why there is no page.
#[derive(Clone, Debug)]
pub(super) enum PageError {
    /// Nobody is signed in.
    SignIn,
    /// The form is not from this visit.
    Form,
    /// There is no such page.
    Page,
    /// The API said no.
    Problem(Box<ProblemReply>),
    /// The request was refused before it came to the API.
    Own(problem::ApiProblem),
    /// A fault of this program.
    Internal,
}

/// What the API says when it says no.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ProblemReply {
    pub(super) title: String,
    pub(super) status: u16,
    pub(super) detail: String,
    #[serde(default)]
    pub(super) faults: Vec<FaultView>,
    #[serde(skip)]
    pub(super) retry_after: Option<HeaderValue>,
}

/// One thing that was wrong with a request.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FaultView {
    pub(super) path: String,
    pub(super) message: String,
    #[serde(default)]
    pub(super) hint: Option<String>,
}

impl ProblemReply {
    /// A problem of this program, as the API would say it.
    pub(super) fn of(own: &problem::ApiProblem, language: ReplyLanguage) -> Self {
        let (title, detail) = own.kind.words(language);
        let faults = own.faults_in(language).into_iter();
        let faults = faults.map(|fault| FaultView {
            path: fault.path,
            message: fault.message,
            hint: fault.hint,
        });
        Self {
            title: title.to_owned(),
            status: own.kind.status().as_u16(),
            detail: detail.to_owned(),
            faults: faults.collect(),
            retry_after: own.retry_after.map(HeaderValue::from),
        }
    }
}

impl From<problem::ApiProblem> for PageError {
    fn from(own: problem::ApiProblem) -> Self {
        Self::Own(own)
    }
}

impl PageError {
    /// What is wrong with an answer that is no page, whoever gave it.
    pub(super) fn of(answer: &mut Response) -> Option<Self> {
        let status = answer.status();
        if let Some(wrong) = answer.extensions_mut().remove::<Self>() {
            return Some(wrong);
        }
        let media_type = answer.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        let is_page = media_type.is_some_and(|media_type| media_type.starts_with(b"text/html"));
        let has_failed = status.is_client_error() || status.is_server_error();
        let own = answer.extensions_mut().remove::<problem::ApiProblem>();
        (has_failed && !is_page)
            .then(|| Self::Own(own.unwrap_or_else(|| problem::ApiProblem::of_status(status))))
    }

    /// Whether the credential opens nothing any more.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Problem(problem) if problem.status == 401)
    }

    /// Whether the credential opens something else.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self, Self::Problem(problem) if problem.status == 403)
    }

    /// Whether what was asked for is not there.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Problem(problem) if problem.status == 404)
    }
}

/// A screen does not know who looks: the layer around it writes the page.
impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        if let Self::Own(own) = &self {
            // Whoever watches over the request notes why it failed.
            response.extensions_mut().insert(own.clone());
        }
        response.extensions_mut().insert(self);
        response
    }
}
