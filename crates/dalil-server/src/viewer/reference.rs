//! The reference of the API: every operation with its schemas and examples, to read and to try.
//!
//! It is made of the OpenAPI document, once, when the server starts.

use askama::Template;
use axum::Extension;
use axum::extract::Path;
use axum::response::Response;

use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::visitor::WebVisitor;

mod operation;
mod schema;
#[cfg(test)]
mod tests;

use operation::ReferenceOperation;

/// Every operation of the API.
pub(super) struct ApiReference {
    groups: Vec<ReferenceGroup>,
}

/// The operations about one thing, in the order of their paths.
struct ReferenceGroup {
    tag: String,
    operations: Vec<ReferenceOperation>,
}

impl ApiReference {
    /// The reference of an OpenAPI document.
    pub(super) fn of(document: &serde_json::Value) -> Self {
        let mut groups: Vec<ReferenceGroup> = Vec::new();
        for (tag, operation) in operation::all(document) {
            match groups.iter_mut().find(|group| group.tag == tag) {
                Some(group) => group.operations.push(operation),
                None => groups.push(ReferenceGroup { tag, operations: vec![operation] }),
            }
        }
        groups.sort_by(|a, b| a.tag.cmp(&b.tag));
        Self { groups }
    }
}

impl ReferenceGroup {
    /// The tag as a part of an address.
    fn address(&self) -> String {
        self.tag.replace(' ', "-")
    }
}

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

/// Every operation in a line. Anybody may read it, as anybody may read the document.
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
    // Whoever is signed in is offered what they may do, as on every page.
    if let Ok(caller) = visitor.who().await {
        drop(visitor.note_abilities(&caller).await);
    }
    PageLayout::new(visitor, "reference", title)
}
