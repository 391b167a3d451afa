//! What went wrong, as a page that says what to do.

use askama::Template;
use axum::http::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::api_client::seg;
use super::layout::{PageLayout, shown};
use super::web_session::{WebVisitor, ended};
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
    title: String,
    pub(super) status: u16,
    detail: String,
    #[serde(default)]
    faults: Vec<FaultView>,
    #[serde(skip)]
    pub(super) retry_after: Option<HeaderValue>,
}

/// One thing that was wrong with a request.
#[derive(Clone, Debug, Deserialize)]
struct FaultView {
    path: String,
    message: String,
    #[serde(default)]
    hint: Option<String>,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'p> {
    page: PageLayout,
    detail: String,
    faults: Vec<FaultView>,
    request_id: &'p str,
    back: String,
}

impl ProblemReply {
    /// A problem of this program, as the API would say it.
    fn of(own: &problem::ApiProblem, language: ReplyLanguage) -> Self {
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

    /// The page, for whoever looks.
    pub(super) fn page(self, visitor: &WebVisitor, id: &str) -> Response {
        let w = visitor.w;
        let plain = |title: &str, detail: &str| ProblemReply {
            title: title.to_owned(),
            detail: detail.to_owned(),
            ..ProblemReply::default()
        };
        let (status, problem) = match self {
            Self::SignIn => return to_sign_in(visitor),
            Self::Problem(problem) if problem.status == 401 => return to_sign_in(visitor),
            Self::Form => (StatusCode::FORBIDDEN, plain(w.error_title, w.error_form)),
            Self::Page => (StatusCode::NOT_FOUND, plain(w.error_page, w.error_page)),
            Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, plain(w.error_title, w.error_title))
            }
            Self::Own(own) => (own.kind.status(), ProblemReply::of(&own, visitor.language)),
            Self::Problem(problem) => {
                let status = StatusCode::from_u16(problem.status);
                (status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), *problem)
            }
        };
        let ProblemReply { title, detail, faults, retry_after, .. } = problem;
        let page = PageLayout::new(visitor, "", title);
        let told = ProblemPage { page, detail, faults, request_id: id, back: back(visitor) };
        let mut response = shown(&told);
        *response.status_mut() = status;
        response.headers_mut().extend(retry_after.map(|seconds| (RETRY_AFTER, seconds)));
        response
    }
}

/// The nearest page that is likely to be there.
fn back(visitor: &WebVisitor) -> String {
    let path = visitor.address.split('?').next().unwrap_or("/");
    let first = path.split('/').nth(1).unwrap_or_default();
    format!("/{}", seg(first))
}

fn to_sign_in(visitor: &WebVisitor) -> Response {
    let to = format!("/signin?back={}", seg(&visitor.address));
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(to) = HeaderValue::from_str(&to) {
        response.headers_mut().insert(LOCATION, to);
    }
    // The credential opens nothing any more: kept, it would fail on every page.
    if visitor.session.is_some()
        && let Some(cookie) = ended(&visitor.view, &axum::http::HeaderMap::new())
    {
        response.headers_mut().append(axum::http::header::SET_COOKIE, cookie);
    }
    response
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
