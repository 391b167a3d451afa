//! What screens share.

use crate::app::App;

/// What screens share.
#[derive(Clone)]
pub(crate) struct ViewerState {
    pub(super) app: App,
}
