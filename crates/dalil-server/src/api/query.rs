//! The queries of single routes.

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

/// How long a caller waits for a ledger.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LedgerWaitQuery {
    /// How many seconds to wait for the ledger; at most the time limit of a request less two
    /// seconds.
    #[param(minimum = 0, maximum = 600, default = 0)]
    pub(crate) wait: Option<u32>,
}

/// The format of the sources.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SourcesQuery {
    /// The format of the reply; the event when absent.
    #[param(inline)]
    pub(crate) format: Option<SourcesFormat>,
}

/// A format of sources.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SourcesFormat {
    /// The `rag.sources` event.
    #[default]
    Event,
    /// Source parts of the Vercel AI SDK.
    AiSdk,
    /// Citations as in Anthropic's messages.
    Anthropic,
    /// Annotations as in OpenAI's responses.
    Openai,
}
