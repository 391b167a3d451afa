//! The state that screens share.

use std::sync::Arc;

use super::api_reference::ApiReference;
use crate::app::App;

/// The state that screens share.
#[derive(Clone)]
pub(crate) struct ViewerState {
    pub(super) app: App,
    pub(super) reference: Arc<ApiReference>,
}
