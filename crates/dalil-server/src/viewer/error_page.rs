//! What went wrong, as a page that says what to do.

use askama::Template;
use axum::http::header::{LOCATION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};

use super::error::{FaultView, PageError, ProblemReply};
use super::layout::{PageLayout, shown};
use super::session_cookie::ended;
use super::visitor::WebVisitor;
use crate::percent::seg;

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'p> {
    page: PageLayout,
    detail: String,
    faults: Vec<FaultView>,
    request_id: &'p str,
    back: String,
}

/// The page, for whoever looks.
pub(super) fn page(wrong: PageError, visitor: &WebVisitor, id: &str) -> Response {
    let w = visitor.w;
    let plain = |title: &str, detail: &str| ProblemReply {
        title: title.to_owned(),
        detail: detail.to_owned(),
        ..ProblemReply::default()
    };
    let (status, problem) = match wrong {
        PageError::SignIn => return to_sign_in(visitor),
        PageError::Problem(problem) if problem.status == 401 => return to_sign_in(visitor),
        PageError::Form => (StatusCode::FORBIDDEN, plain(w.error_title, w.error_form)),
        PageError::Page => (StatusCode::NOT_FOUND, plain(w.error_page, w.error_page)),
        PageError::Internal => {
            (StatusCode::INTERNAL_SERVER_ERROR, plain(w.error_title, w.error_title))
        }
        PageError::Own(own) => (own.kind.status(), ProblemReply::of(&own, visitor.language)),
        PageError::Problem(problem) => {
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

/// The nearest page that is likely to be there.
fn back(visitor: &WebVisitor) -> String {
    let path = visitor.address.split('?').next().unwrap_or("/");
    path.split('/').nth(1).map_or("/".to_owned(), |first| format!("/{}", seg(first)))
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
