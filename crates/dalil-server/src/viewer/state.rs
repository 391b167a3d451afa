//! What screens share.

use axum::Router;

use crate::app::App;

/// What screens share.
#[derive(Clone)]
pub(crate) struct ViewerState {
    pub(super) app: App,
    pub(super) api: Router,
}
