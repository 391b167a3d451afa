//! The API: a module for each noun. Each route is one verb of `dalil`.

use axum::response::{IntoResponse as _, Response};
use utoipa_axum::routes;

use crate::problem::{Kind, Problem};
use crate::table::{Need, Table};

pub(crate) mod document;
mod documents;
mod health;
mod jobs;
mod sessions;

/// Adds every route, with what it needs.
pub(crate) fn all(table: Table) -> Table {
    table
        .add(Need::Open, routes!(health::alive))
        .add(Need::Open, routes!(health::ready))
        .add(Need::Open, routes!(health::metrics))
        .add(Need::Open, routes!(document::openapi))
        .add(Need::View, routes!(documents::list))
        .add(Need::Record, routes!(documents::upload))
        .add(Need::View, routes!(documents::show))
        .add(Need::View, routes!(documents::text))
        .add(Need::View, routes!(documents::original))
        .add(Need::View, routes!(sessions::list))
        .add(Need::Record, routes!(sessions::open))
        .add(Need::View, routes!(sessions::show))
        .add(Need::View, routes!(sessions::ledger))
        .add(Need::Record, routes!(sessions::check))
        .add(Need::View, routes!(jobs::show))
        .add(Need::View, routes!(jobs::events))
}

/// What is answered where there is no route.
pub(crate) async fn nothing() -> Response {
    Problem::new(Kind::NotFound).into_response()
}
