//! What went wrong, as a page that says what to do.

use askama::Template;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::call::seg;
use super::frame::{Page, shown};
use super::visit::{Visitor, ended};

/// Why there is no page.
#[derive(Clone, Debug)]
pub(super) enum Wrong {
    /// Nobody is signed in.
    SignIn,
    /// The form is not from this visit.
    Form,
    /// There is no such page.
    Page,
    /// The API said no.
    Problem(Box<Problem>),
    /// A fault of this program.
    Internal,
}

/// What the API says when it says no.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Problem {
    title: String,
    pub(super) status: u16,
    detail: String,
    #[serde(default)]
    request_id: Option<String>,
    #[serde(default)]
    faults: Vec<Fault>,
}

/// One thing that was wrong with a request.
#[derive(Clone, Debug, Deserialize)]
struct Fault {
    path: String,
    message: String,
    #[serde(default)]
    hint: Option<String>,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct Told {
    page: Page,
    detail: String,
    faults: Vec<Fault>,
    request_id: Option<String>,
    back: String,
}

impl Problem {
    /// A problem that is known by its status alone.
    pub(super) fn plain(status: u16) -> Self {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let said = status.canonical_reason().unwrap_or_default().to_owned();
        Self { title: said.clone(), detail: said, status: status.as_u16(), ..Self::default() }
    }

    /// A problem with faults: where, and what was found.
    pub(super) fn refused(faults: impl Iterator<Item = (String, String)>) -> Self {
        let fault = |(path, message)| Fault { path, message, hint: None };
        let faults = faults.map(fault).collect();
        Self { faults, ..Self::plain(StatusCode::UNPROCESSABLE_ENTITY.as_u16()) }
    }
}

impl Wrong {
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
    pub(super) fn page(self, visitor: &Visitor) -> Response {
        let w = visitor.w;
        let plain = |title: &str, detail: &str| Problem {
            title: title.to_owned(),
            detail: detail.to_owned(),
            ..Problem::default()
        };
        let (status, problem) = match self {
            Self::SignIn => return to_sign_in(visitor),
            Self::Problem(problem) if problem.status == 401 => return to_sign_in(visitor),
            Self::Form => (StatusCode::FORBIDDEN, plain(w.error_title, w.error_form)),
            Self::Page => (StatusCode::NOT_FOUND, plain(w.error_page, w.error_page)),
            Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, plain(w.error_title, w.error_title))
            }
            Self::Problem(problem) => {
                let status = StatusCode::from_u16(problem.status);
                (status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), *problem)
            }
        };
        let Problem { title, detail, request_id, faults, .. } = problem;
        let page = Page::new(visitor, "", title);
        let mut response = shown(&Told { page, detail, faults, request_id, back: back(visitor) });
        *response.status_mut() = status;
        response
    }
}

/// The nearest page that is likely to be there.
fn back(visitor: &Visitor) -> String {
    let path = visitor.address.split('?').next().unwrap_or("/");
    let first = path.split('/').nth(1).unwrap_or_default();
    format!("/{}", seg(first))
}

fn to_sign_in(visitor: &Visitor) -> Response {
    let to = format!("/signin?back={}", seg(&visitor.address));
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(to) = HeaderValue::from_str(&to) {
        response.headers_mut().insert(LOCATION, to);
    }
    if visitor.session.is_some()
        && let Some(cookie) = ended(&visitor.view, &axum::http::HeaderMap::new())
    {
        response.headers_mut().append(axum::http::header::SET_COOKIE, cookie);
    }
    response
}

/// A screen does not know who looks: the layer around it writes the page.
impl IntoResponse for Wrong {
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
