//! The server's account of itself: health, version, settings.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::FreeObjectBody;

/// An OpenAPI document.
#[derive(Serialize, ToSchema)]
#[schema(as = OpenApiReply)]
pub(crate) struct OpenApiReplyBody {
    /// The version of OpenAPI.
    openapi: String,
    /// The title and version of the document.
    info: FreeObjectBody,
    /// Where the API is.
    servers: Vec<FreeObjectBody>,
    /// The routes.
    paths: FreeObjectBody,
    /// The parts that the routes share.
    components: FreeObjectBody,
    /// The groups of routes.
    #[schema(nullable = false)]
    tags: Option<Vec<FreeObjectBody>>,
}
