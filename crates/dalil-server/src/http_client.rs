//! The client for the other servers that this one asks: OpenID Connect, OpenFGA and OTLP.

use std::time::Duration;

/// Returns a client that follows no redirect and has a short timeout.
pub(crate) fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(5)))
        // A redirect could send the token to another host, or lead into this network.
        .max_redirects(0)
        .build();
    config.new_agent()
}
