//! The reference of the API: every operation with its schemas and examples, to read and to try.
//!
//! It is made of the OpenAPI document, once, when the server starts.

use askama::Template;
use axum::Extension;
use axum::extract::Path;
use axum::response::Response;

use super::api_reference::ReferenceGroup;
use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::visitor::WebVisitor;

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage<'r> {
    page: PageLayout,
    groups: &'r [ReferenceGroup],
}

#[derive(Template)]
#[template(path = "reference-group.html")]
struct ReferenceGroupPage<'r> {
    page: PageLayout,
    group: &'r ReferenceGroup,
}

/// Every operation in a line. It is as public as the document.
pub(super) async fn list(Extension(visitor): Extension<WebVisitor>) -> Response {
    let page = layout(&visitor, visitor.w.api_reference).await;
    shown(&ReferencePage { page, groups: &visitor.view.reference.groups })
}

/// The operations about one thing.
pub(super) async fn group(
    Extension(visitor): Extension<WebVisitor>,
    Path(name): Path<String>,
) -> Result<Response, PageError> {
    let reference = &visitor.view.reference;
    let group = reference.groups.iter().find(|group| group.address() == name);
    let group = group.ok_or(PageError::Page)?;
    let page = layout(&visitor, group.tag.clone()).await;
    Ok(shown(&ReferenceGroupPage { page, group }))
}

async fn layout(visitor: &WebVisitor, title: impl Into<String>) -> PageLayout {
    // As on every page, a signed-in user is offered the actions that they may take.
    if let Ok(caller) = visitor.who().await {
        drop(visitor.note_abilities(&caller).await);
    }
    PageLayout::new(visitor, "reference", title)
}
