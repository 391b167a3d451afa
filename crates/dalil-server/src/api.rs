//! The API: a module for each noun. Each route is one verb of `dalil`.

use axum::response::{IntoResponse as _, Response};
use utoipa_axum::routes;

pub(crate) use self::sessions::Told;
use crate::problem::{Kind, Problem};
use crate::table::{Need, Table};

mod apikeys;
mod approvals;
mod bundles;
mod decisions;
pub(crate) mod document;
pub(crate) mod documents;
mod exports;
mod health;
mod holds;
mod jobs;
mod keys;
mod obligations;
mod packs;
mod sessions;
mod sources;
mod tenant;
mod trail;
mod verify;

/// Adds every route, with what it needs.
pub(crate) fn all(table: Table) -> Table {
    governed(evidence(open(table)))
}

/// What anybody may call.
fn open(table: Table) -> Table {
    table
        .add(Need::Open, routes!(health::alive))
        .add(Need::Open, routes!(health::ready))
        .add(Need::Open, routes!(health::metrics))
        .add(Need::Open, routes!(document::openapi))
        .add(Need::Open, routes!(document::reference))
        .add(Need::Open, routes!(document::style))
        .add(Need::Open, routes!(exports::download))
}

/// Evidence: what comes in, and what is made of it.
fn evidence(table: Table) -> Table {
    table
        .add(Need::View, routes!(documents::list))
        .add(Need::Record, routes!(documents::upload))
        .add(Need::View, routes!(documents::show))
        .add(Need::View, routes!(documents::text))
        .add(Need::View, routes!(documents::original))
        .add(Need::View, routes!(sessions::list))
        .add(Need::Record, routes!(sessions::open))
        .add(Need::View, routes!(sessions::show))
        .add(Need::View, routes!(sessions::ledger))
        .add(Need::Export, routes!(sessions::export))
        .add(Need::Record, routes!(sessions::check))
        .add(Need::View, routes!(jobs::list))
        .add(Need::View, routes!(jobs::show))
        .add(Need::View, routes!(jobs::events))
        .add(Need::View, routes!(bundles::list))
        .add(Need::Record, routes!(bundles::build))
        .add(Need::View, routes!(bundles::show))
        .add(Need::Record, routes!(bundles::ran))
        .add(Need::View, routes!(bundles::run))
        .add(Need::View, routes!(bundles::uses))
        .add(Need::View, routes!(sources::choose))
        .add(Need::View, routes!(obligations::list))
        .add(Need::Record, routes!(obligations::package))
        .add(Need::Record, routes!(obligations::status))
        .add(Need::View, routes!(obligations::missing))
        .add(Need::View, routes!(obligations::history))
        .add(Need::View, routes!(decisions::list))
        .add(Need::Record, routes!(decisions::record))
        .add(Need::View, routes!(decisions::show))
        .add(Need::View, routes!(decisions::calls))
        .add(Need::Record, routes!(decisions::tool))
        .add(Need::View, routes!(packs::list))
        .add(Need::Record, routes!(packs::assemble))
        .add(Need::Record, routes!(packs::seal))
        .add(Need::View, routes!(packs::show))
        .add(Need::View, routes!(packs::versions))
        .add(Need::View, routes!(packs::diff))
        .add(Need::View, routes!(packs::sealed))
        .add(Need::View, routes!(packs::standing))
        .add(Need::Review, routes!(packs::review))
        .add(Need::Export, routes!(packs::export))
        .add(Need::View, routes!(exports::list))
        .add(Need::View, routes!(approvals::list))
        .add(Need::Review, routes!(approvals::give))
        .add(Need::View, routes!(approvals::requests))
        .add(Need::Export, routes!(approvals::ask))
        .add(Need::View, routes!(verify::verify))
}

/// The trail, and what it is governed by.
fn governed(table: Table) -> Table {
    table
        .add(Need::View, routes!(trail::records))
        .add(Need::View, routes!(trail::receipt))
        .add(Need::View, routes!(trail::checkpoint))
        .add(Need::View, routes!(trail::consistency))
        .add(Need::Export, routes!(trail::export))
        .add(Need::View, routes!(trail::audit))
        .add(Need::View, routes!(keys::list))
        .add(Need::Administer, routes!(keys::add))
        .add(Need::View, routes!(keys::trust))
        .add(Need::Administer, routes!(keys::retire))
        .add(Need::Administer, routes!(keys::revoke))
        .add(Need::View, routes!(holds::list))
        .add(Need::Administer, routes!(holds::place))
        .add(Need::Administer, routes!(holds::lift))
        .add(Need::Administer, routes!(holds::erase))
        .add(Need::View, routes!(tenant::show))
        .add(Need::View, routes!(tenant::members))
        .add(Need::Administer, routes!(tenant::add))
        .add(Need::Administer, routes!(tenant::remove))
        .add(Need::Administer, routes!(apikeys::list))
        .add(Need::Administer, routes!(apikeys::add))
        .add(Need::Administer, routes!(apikeys::revoke))
}

/// What is answered where there is no route.
pub(crate) async fn nothing() -> Response {
    Problem::new(Kind::NotFound).into_response()
}
