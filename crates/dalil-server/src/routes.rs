//! Every route, with what it needs. A route that is not here does not exist.

use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::{Extension, Router};
use dalil_core::apikey::ApiKeyScope;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::{HttpMethod, PathItem};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::api;
use crate::app::App;
use crate::guard;
use crate::telemetry;

#[cfg(test)]
mod tests;

/// What a route needs of whoever calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Nothing: anybody may call it.
    Open,
    /// To look.
    View,
    /// To look at one pack, about which the route asks by itself.
    ViewPack,
    /// To leave evidence.
    Record,
    /// To review packs, and to approve what others do.
    Review,
    /// To let evidence leave the system, once others approved it.
    Export,
    /// To change members, keys and holds, and to erase.
    Administer,
}

impl Permission {
    /// The scope that a credential must have.
    pub(crate) const fn scope(self) -> Option<ApiKeyScope> {
        match self {
            Self::Open => None,
            Self::View | Self::ViewPack => Some(ApiKeyScope::View),
            Self::Record => Some(ApiKeyScope::Record),
            Self::Review => Some(ApiKeyScope::Review),
            Self::Export => Some(ApiKeyScope::Export),
            Self::Administer => Some(ApiKeyScope::Administer),
        }
    }
}

/// One route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiRoute {
    /// Its method, in capitals.
    pub method: &'static str,
    /// Its path, with names in braces.
    pub path: String,
    /// What it needs.
    pub need: Permission,
}

/// The routes, as a router, as a document and as a list.
pub struct RouteTable {
    router: OpenApiRouter<App>,
    /// Every route.
    pub routes: Vec<ApiRoute>,
}

impl std::fmt::Debug for RouteTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("routes", &self.routes).finish_non_exhaustive()
    }
}

impl RouteTable {
    /// Every route of the server.
    pub fn new() -> Self {
        let router = OpenApiRouter::with_openapi(api::document::OpenApiDocument::openapi());
        api::all(Self { router, routes: Vec::new() })
    }

    /// Adds the routes of one path, which need the same.
    pub(crate) fn add(
        mut self,
        need: Permission,
        (schemas, paths, methods): UtoipaMethodRouter<App>,
    ) -> Self {
        for (path, item) in &paths.paths {
            for method in methods_of(item) {
                self.routes.push(ApiRoute { method, path: path.clone(), need });
            }
        }
        // The guard is added here and nowhere else: there is no way to a route without one.
        let guarded = methods.route_layer(from_fn(move |request: Request, next: Next| {
            guard::guard(need, request, next)
        }));
        self.router = self.router.routes((schemas, paths, guarded));
        self
    }

    /// The OpenAPI document.
    pub fn document(self) -> OpenApi {
        let (_, document) = self.router.split_for_parts();
        api::document::complete(document, &self.routes)
    }

    /// The router, with everything around it.
    pub(crate) fn router(self, app: &App) -> Router {
        let (router, document) = self.router.split_for_parts();
        let document = api::document::complete(document, &self.routes);
        let document = document.to_json().unwrap_or_default();
        let watched = axum::middleware::from_fn_with_state(app.clone(), telemetry::watch);
        router
            // Layers run from the last to the first: `watch` is outside of everything, the fallback
            // included.
            .fallback(api::nothing)
            .layer(Extension(api::document::OpenApiJson::new(document)))
            .layer(Extension(app.clone()))
            .layer(watched)
            .with_state(app.clone())
    }
}

impl Default for RouteTable {
    fn default() -> Self {
        Self::new()
    }
}

/// The methods that a path has.
pub(crate) fn methods_of(item: &PathItem) -> impl Iterator<Item = &'static str> {
    let all = [
        ("GET", &item.get),
        ("POST", &item.post),
        ("PUT", &item.put),
        ("DELETE", &item.delete),
        ("PATCH", &item.patch),
    ];
    all.into_iter().filter(|(_, method)| method.is_some()).map(|(name, _)| name)
}

/// The method of a name, as the document knows it.
pub(crate) fn method(name: &str) -> HttpMethod {
    match name {
        "POST" => HttpMethod::Post,
        "PUT" => HttpMethod::Put,
        "DELETE" => HttpMethod::Delete,
        "PATCH" => HttpMethod::Patch,
        _ => HttpMethod::Get,
    }
}
