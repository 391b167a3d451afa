//! Time stamps on the checkpoints of every tenant, at intervals, by the authorities of the
//! configuration.

use std::io;
use std::path::Path;
use std::time::Duration;

use dalil_proof::record::Actor;
use dalil_proof::timestamp::TimestampAuthority;
use dalil_service::trail::{self, TimestampEndpoint};
use dalil_service::{OperationFailure, RequestContext};
use dalil_store::{ErrorKind, LeaseProgress, Tenant, TimeSource};

use crate::app::App;
use crate::config::{TimestampAuthorityConfig, TimestampConfig};
use crate::problem::ApiProblem;
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

/// Asks every authority about every tenant. One that does not answer, or whose stamp the store cannot
/// keep, is left alone until the next round: it would make each tenant wait. What it refuses one
/// tenant, it may give another.
async fn round(app: &App) {
    let mut answering: Vec<&TimestampEndpoint> = app.timestamp_endpoints.iter().collect();
    let tenants = match app.tenants.store.tenants().await {
        Ok(tenants) => tenants,
        Err(failure) => return log_failure(app, "the tenants", &failure),
    };
    for name in tenants {
        let Some(tenant) = app.tenants.find(&name).await else { continue };
        // One size for all of them, so that a receipt has all of their stamps.
        let head = match tenant.head().await {
            Ok(head) => head,
            Err(failure) => {
                log_failure(app, &name, &failure);
                continue;
            }
        };
        let mut silent = Vec::new();
        for endpoint in &answering {
            if let Err(failure) = stamp(app, &tenant, endpoint, head.size).await {
                let authority = endpoint.authority().name();
                log_failure(app, &format!("{name} by {authority}"), &failure);
                if is_unavailable(&failure) {
                    silent.push(authority);
                }
            }
        }
        answering.retain(|endpoint| !silent.contains(&endpoint.authority().name()));
    }
}

fn log_failure(app: &App, about: &str, failure: &dyn std::fmt::Display) {
    app.metrics.failures.add();
    app.log.event("timestamp", &format!("{about}: {failure}"));
}

/// Has a checkpoint of a tenant stamped, if anything was recorded since the last stamp.
async fn stamp(
    app: &App,
    tenant: &Tenant,
    endpoint: &TimestampEndpoint,
    size: u64,
) -> Result<(), OperationFailure> {
    if !trail::is_timestamp_due(tenant, endpoint.authority().name()).await? {
        return Ok(());
    }
    // Of two servers that ask at once, one keeps its stamp; the lease saves the other's call.
    let far = LeaseProgress { stage: "stamping".to_owned(), done: 0, all: 1 };
    if !tenant.lease(LEASE_NAME, &app.jobs.holder, &far).await? {
        return Ok(());
    }
    let Ok(at) = app.now() else { return Ok(()) };
    let (time_source, actor) = (TimeSource::Clock, Actor::System);
    let deed = RequestContext { at, time_source, actor, key: None };
    let (own, endpoint) = (tenant.clone(), endpoint.clone());
    let stamping = async move || {
        // What the authority refuses is for the log, and no problem of a caller.
        Ok::<_, ApiProblem>(trail::timestamp(&own, &endpoint, Some(size), &deed).await)
    };
    let stamped = app.verbs.run(stamping).await;
    // It ends by itself soon, and what came of the stamp matters more.
    if let Err(failure) = tenant.let_go(LEASE_NAME, &app.jobs.holder).await {
        app.log.event("timestamp", &format!("the lease: {failure}"));
    }
    match stamped {
        Ok(stamped) => stamped.map(drop),
        Err(problem) => {
            app.note(&problem);
            Ok(())
        }
    }
}

fn is_unavailable(failure: &OperationFailure) -> bool {
    matches!(failure, OperationFailure::Store(error) if error.kind == ErrorKind::Unavailable)
}

fn endpoint(config: &TimestampAuthorityConfig) -> io::Result<TimestampEndpoint> {
    let TimestampAuthorityConfig { url, name, certificate_file } = config;
    let wrong = |found: &dyn std::fmt::Display| {
        let file = Path::new(certificate_file).display();
        io::Error::other(format!("expected the certificate of `{name}` in `{file}`: {found}"))
    };
    let bytes = std::fs::read(certificate_file).map_err(|error| wrong(&error))?;
    let authority = TimestampAuthority::new(name, trail::certificates(&bytes));
    let authority = authority.map_err(|error| wrong(&error))?;
    let endpoint = TimestampEndpoint::new(url, "timestamps.authorities.url", authority);
    endpoint.map_err(|fault| io::Error::other(fault.to_string()))
}

const LEASE_NAME: &str = "timestamp";
