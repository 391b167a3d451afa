//! Time stamps on the checkpoints of every tenant, at intervals, by the authorities of the
//! configuration.

use std::io;
use std::path::Path;
use std::time::Duration;

use dalil_proof::record::Actor;
use dalil_proof::timestamp::TimestampAuthority;
use dalil_service::trail::{self, TimestampEndpoint};
use dalil_service::{OperationFailure, RequestContext};
use dalil_store::{LeaseProgress, Tenant, TimeSource};

use crate::app::App;
use crate::config::{TimestampAuthorityConfig, TimestampConfig};
use crate::shutdown::ShutdownSignal;

/// Reads the certificates of the authorities.
///
/// # Errors
/// A file that cannot be read, or that has no certificate.
pub(crate) fn endpoints(config: &TimestampConfig) -> io::Result<Vec<TimestampEndpoint>> {
    config.authorities.iter().map(endpoint).collect()
}

/// Has checkpoints stamped until the server stops.
pub(crate) async fn tend(app: App, mut stop: ShutdownSignal) {
    let Some(interval) = app.config.timestamps.as_ref().map(|config| config.seconds) else {
        return;
    };
    loop {
        tokio::select! {
            () = round(&app) => (),
            _ = stop.wait_for(|stop| *stop) => return,
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(interval)) => (),
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

/// Asks every authority about every tenant. One that fails is left alone until the next round: it
/// would make each tenant wait.
async fn round(app: &App) {
    let mut answering: Vec<&TimestampEndpoint> = app.timestamp_endpoints.iter().collect();
    for name in app.tenants.store.tenants().await.into_iter().flatten() {
        let Some(tenant) = app.tenants.find(&name).await else { continue };
        // One size for all of them, so that a receipt has all of their stamps.
        let Ok(head) = tenant.head().await else { continue };
        let mut failed = Vec::new();
        for endpoint in &answering {
            if let Err(failure) = stamp(app, &tenant, endpoint, head.size).await {
                let authority = endpoint.authority.name();
                app.metrics.failures.add();
                app.log.event("timestamp", &format!("{name} by {authority}: {failure}"));
                failed.push(authority);
            }
        }
        answering.retain(|endpoint| !failed.contains(&endpoint.authority.name()));
    }
}

/// Has a checkpoint of a tenant stamped, if anything was recorded since the last stamp.
async fn stamp(
    app: &App,
    tenant: &Tenant,
    endpoint: &TimestampEndpoint,
    size: u64,
) -> Result<(), OperationFailure> {
    if !trail::is_timestamp_due(tenant, endpoint.authority.name()).await? {
        return Ok(());
    }
    // Two servers that ask at once leave two stamps, which does no harm; the lease saves the call.
    let far = LeaseProgress { stage: "stamping".to_owned(), done: 0, all: 1 };
    if !tenant.lease(LEASE_NAME, &app.jobs.holder, &far).await? {
        return Ok(());
    }
    let Ok(at) = app.now() else { return Ok(()) };
    let (time_source, actor) = (TimeSource::Clock, Actor::System);
    let deed = RequestContext { at, time_source, actor, key: None };
    let stamped = trail::timestamp(tenant, endpoint, Some(size), &deed).await;
    tenant.let_go(LEASE_NAME, &app.jobs.holder).await?;
    stamped.map(drop)
}

fn endpoint(config: &TimestampAuthorityConfig) -> io::Result<TimestampEndpoint> {
    let TimestampAuthorityConfig { url, name, certificate_file } = config;
    let wrong = |found: &dyn std::fmt::Display| {
        let file = Path::new(certificate_file).display();
        io::Error::other(format!("expected the certificate of `{name}` in `{file}`: {found}"))
    };
    let bytes = std::fs::read(certificate_file).map_err(|error| wrong(&error))?;
    let authority = TimestampAuthority::new(name, trail::certificates(&bytes));
    Ok(TimestampEndpoint { url: url.clone(), authority: authority.map_err(|error| wrong(&error))? })
}

const LEASE_NAME: &str = "timestamp";
