//! The API: a module for each noun. Each route is one verb of `dalil`.

use axum::response::{IntoResponse as _, Response};
use utoipa_axum::routes;

use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind};
use crate::route_list::RouteList;

pub(crate) mod apikeys;
pub(crate) mod approvals;
mod bundles;
pub(crate) mod check;
mod check_stream;
pub(crate) mod claim_reviews;
mod decisions;
pub(crate) mod document;
pub(crate) mod documents;
mod examples;
pub(crate) mod exports;
mod health;
mod holds;
pub(crate) mod invitations;
pub(crate) mod jobs;
mod keys;
pub(crate) mod obligations;
pub(crate) mod packs;
mod query;
pub(crate) mod questions;
pub(crate) mod schema;
pub(crate) mod sessions;
mod sources;
pub(crate) mod tenant;
pub(crate) mod trail;
mod verify;

/// Adds every route, with the permission that it needs.
pub(crate) fn all(table: RouteList) -> RouteList {
    governed(evidence(open(table)))
}

/// Routes that need no credential.
fn open(table: RouteList) -> RouteList {
    table
        .add(Permission::Open, routes!(health::alive))
        .add(Permission::Open, routes!(health::ready))
        .add(Permission::Open, routes!(health::metrics))
        .add(Permission::Open, routes!(document::openapi))
        .add(Permission::Open, routes!(document::reference))
        .add(Permission::Open, routes!(document::style))
        .add(Permission::Open, routes!(exports::download))
}

/// Routes for evidence and for the results made from it.
fn evidence(table: RouteList) -> RouteList {
    table
        .add(Permission::View, routes!(documents::list))
        .add(Permission::Record, routes!(documents::upload))
        .add(Permission::View, routes!(documents::show))
        .add(Permission::View, routes!(documents::text))
        .add(Permission::View, routes!(documents::original))
        .add(Permission::Record, routes!(check::check))
        .add(Permission::Record, routes!(check_stream::stream))
        .add(Permission::View, routes!(sessions::list))
        .add(Permission::Record, routes!(sessions::open))
        .add(Permission::View, routes!(sessions::show))
        .add(Permission::View, routes!(sessions::ledger))
        .add(Permission::Export, routes!(sessions::export))
        .add(Permission::Record, routes!(sessions::check))
        .add(Permission::View, routes!(claim_reviews::list))
        .add(Permission::Review, routes!(claim_reviews::add))
        .add(Permission::View, routes!(questions::list))
        .add(Permission::Review, routes!(questions::add))
        .add(Permission::View, routes!(jobs::list))
        .add(Permission::View, routes!(jobs::show))
        .add(Permission::View, routes!(jobs::events))
        .add(Permission::View, routes!(bundles::list))
        .add(Permission::Record, routes!(bundles::build))
        .add(Permission::View, routes!(bundles::show))
        .add(Permission::Record, routes!(bundles::ran))
        .add(Permission::View, routes!(bundles::run))
        .add(Permission::View, routes!(bundles::artifact))
        .add(Permission::View, routes!(bundles::uses))
        .add(Permission::View, routes!(sources::choose))
        .add(Permission::View, routes!(obligations::list))
        .add(Permission::Record, routes!(obligations::package))
        .add(Permission::Record, routes!(obligations::status))
        .add(Permission::View, routes!(obligations::missing))
        .add(Permission::View, routes!(obligations::completeness))
        .add(Permission::View, routes!(obligations::validate))
        .add(Permission::View, routes!(obligations::resolve))
        .add(Permission::View, routes!(obligations::history))
        .add(Permission::View, routes!(decisions::list))
        .add(Permission::Record, routes!(decisions::record))
        .add(Permission::View, routes!(decisions::show))
        .add(Permission::View, routes!(decisions::calls))
        .add(Permission::Record, routes!(decisions::tool))
        .add(Permission::View, routes!(packs::list))
        .add(Permission::Record, routes!(packs::assemble))
        .add(Permission::Record, routes!(packs::seal))
        .add(Permission::ViewPack, routes!(packs::show))
        .add(Permission::View, routes!(packs::versions))
        .add(Permission::ViewPack, routes!(packs::diff))
        .add(Permission::ViewPack, routes!(packs::standing))
        .add(Permission::Review, routes!(packs::review))
        .add(Permission::Export, routes!(packs::export))
        .add(Permission::View, routes!(exports::list))
        .add(Permission::View, routes!(approvals::list))
        .add(Permission::Review, routes!(approvals::give))
        .add(Permission::View, routes!(approvals::requests))
        .add(Permission::Export, routes!(approvals::ask))
        .add(Permission::View, routes!(verify::verify))
}

/// Routes for the trail and its governance.
fn governed(table: RouteList) -> RouteList {
    table
        .add(Permission::View, routes!(trail::records))
        .add(Permission::View, routes!(trail::receipt))
        .add(Permission::View, routes!(trail::checkpoint))
        .add(Permission::View, routes!(trail::consistency))
        .add(Permission::Export, routes!(trail::export))
        .add(Permission::View, routes!(trail::audit))
        .add(Permission::View, routes!(keys::list))
        .add(Permission::Administer, routes!(keys::add))
        .add(Permission::View, routes!(keys::trust))
        .add(Permission::Administer, routes!(keys::retire))
        .add(Permission::Administer, routes!(keys::revoke))
        .add(Permission::View, routes!(holds::list))
        .add(Permission::Administer, routes!(holds::place))
        .add(Permission::Administer, routes!(holds::lift))
        .add(Permission::Administer, routes!(holds::erase))
        .add(Permission::View, routes!(tenant::show))
        .add(Permission::View, routes!(tenant::members))
        .add(Permission::Administer, routes!(tenant::add))
        .add(Permission::Administer, routes!(tenant::remove))
        .add(Permission::Administer, routes!(invitations::list))
        .add(Permission::Administer, routes!(invitations::make))
        .add(Permission::Administer, routes!(invitations::withdraw))
        .add(Permission::Administer, routes!(apikeys::list))
        .add(Permission::Administer, routes!(apikeys::add))
        .add(Permission::Administer, routes!(apikeys::revoke))
}

/// The answer where there is no route.
pub(crate) async fn nothing() -> Response {
    ApiProblem::new(ProblemKind::NotFound).into_response()
}
