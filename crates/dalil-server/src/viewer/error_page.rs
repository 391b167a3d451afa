//! The error page, which says what to do next.

use askama::Template;
use axum::http::header::{LOCATION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};

use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::session_cookie::ended;
use super::visitor::WebVisitor;
use crate::percent::seg;
use crate::problem::{FaultDetails, ProblemKind};

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'p> {
    page: PageLayout,
    detail: String,
    faults: Vec<FaultDetails<'p>>,
    request_id: &'p str,
    back: String,
}

/// The page, for the visitor.
pub(super) fn page(wrong: PageError, visitor: &WebVisitor, id: &str) -> Response {
    let (w, language) = (visitor.w, visitor.language);
    let plain = |title: &str, detail: &str| (title.to_owned(), detail.to_owned());
    let (status, (title, detail), problem) = match wrong {
        PageError::SignIn => return to_sign_in(visitor),
        PageError::Problem(problem) if problem.kind == ProblemKind::Unauthenticated => {
            return to_sign_in(visitor);
        }
        PageError::Form => (StatusCode::FORBIDDEN, plain(w.error_title, w.error_form), None),
        PageError::Page => (StatusCode::NOT_FOUND, plain(w.error_page, w.error_page), None),
        PageError::Problem(problem) => {
            let title = problem.kind.title().text(language).to_owned();
            let told = (title, problem.detail(language));
            (problem.kind.status(), told, Some(problem))
        }
    };
    let retry_after = problem.as_ref().and_then(|problem| problem.retry_after);
    let faults = problem.as_ref().map_or_else(Vec::new, |problem| problem.faults_in(language));
    let page = PageLayout::new(visitor, "", title);
    let told = ProblemPage { page, detail, faults, request_id: id, back: back(visitor) };
    let mut response = shown(&told);
    *response.status_mut() = status;
    response
        .headers_mut()
        .extend(retry_after.map(|seconds| (RETRY_AFTER, HeaderValue::from(seconds))));
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
        && let Some(cookie) = ended(visitor)
    {
        response.headers_mut().append(axum::http::header::SET_COOKIE, cookie);
    }
    response
}
