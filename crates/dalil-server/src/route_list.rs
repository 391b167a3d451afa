//! The list that routes are added to, each behind its guard.

use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::{HttpMethod, Operation, PathItem};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::app::App;
use crate::documented_query::DocumentedQuery;
use crate::guard;
use crate::permission::Permission;

/// One route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiRoute {
    /// Its method, in capitals.
    pub method: &'static str,
    /// Its path, with names in braces.
    pub path: String,
    /// The permission that it needs.
    pub need: Permission,
}

/// Routes that are being put together.
pub(crate) struct RouteList {
    pub(crate) router: OpenApiRouter<App>,
    pub(crate) routes: Vec<ApiRoute>,
}

impl RouteList {
    /// A list without routes, for a document without paths.
    pub(crate) fn new(document: OpenApi) -> Self {
        Self { router: OpenApiRouter::with_openapi(document), routes: Vec::new() }
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
        let query = Arc::new(DocumentedQuery::of(paths.paths.values().flat_map(operations_of)));
        // Probes and links to documents may carry a query of their own.
        let methods = if need == Permission::Open {
            methods
        } else {
            methods.route_layer(from_fn(move |request: Request, next: Next| {
                let query = Arc::clone(&query);
                async move { query.run(request, next).await }
            }))
        };
        // The guard is added here and nowhere else: there is no way to a route without one. It is
        // outermost, so a caller without the permission gets that answer first.
        let guarded = methods.route_layer(from_fn(move |request: Request, next: Next| {
            guard::guard(need, request, next)
        }));
        self.router = self.router.routes((schemas, paths, guarded));
        self
    }
}

/// The methods that a path has.
pub(crate) fn methods_of(item: &PathItem) -> impl Iterator<Item = &'static str> {
    operations_of(item).map(|(name, _)| name)
}

/// The operations of a path, each with the name of its method.
pub(crate) fn operations_of(item: &PathItem) -> impl Iterator<Item = (&'static str, &Operation)> {
    let all = [
        ("GET", &item.get),
        ("POST", &item.post),
        ("PUT", &item.put),
        ("DELETE", &item.delete),
        ("PATCH", &item.patch),
    ];
    all.into_iter().filter_map(|(name, operation)| Some((name, operation.as_ref()?)))
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
