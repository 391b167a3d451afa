//! Every route, with its permission. A route that is not here does not exist.

use axum::{Extension, Router};
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::api;
use crate::app::App;
use crate::route_list::RouteList;
use crate::telemetry;

pub use crate::permission::Permission;
pub use crate::route_list::ApiRoute;

#[cfg(test)]
mod tests;

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
        let list = RouteList::new(api::document::OpenApiDocument::openapi());
        let RouteList { router, routes } = api::all(list);
        Self { router, routes }
    }

    /// The OpenAPI document.
    pub fn document(self) -> OpenApi {
        let (_, document) = self.router.split_for_parts();
        api::document::complete(document, &self.routes)
    }

    /// The router, with everything around it.
    pub(crate) fn router(self, app: &App) -> Result<Router, serde_json::Error> {
        let (router, document) = self.router.split_for_parts();
        let document = api::document::complete(document, &self.routes);
        let document = document.to_json()?;
        let watched = axum::middleware::from_fn_with_state(app.clone(), telemetry::watch);
        let router = router
            // Layers run from the last to the first: `watch` is outside of everything, the fallback
            // included.
            .fallback(api::nothing)
            .layer(Extension(api::document::OpenApiJson::new(document)))
            .layer(Extension(app.clone()))
            .layer(watched)
            .with_state(app.clone());
        Ok(router)
    }
}

impl Default for RouteTable {
    fn default() -> Self {
        Self::new()
    }
}
