//! Time stamps on the checkpoints of every tenant, at intervals, by the authorities of the
//! configuration.

use std::io;
use std::path::Path;
use std::time::Duration;

use dalil::timestamp_call::MAX_CALL_TIME;
use dalil_phrasebook::{found, precondition};
use dalil_proof::fault::Fault;
use dalil_proof::record::Actor;
use dalil_proof::timestamp::TimestampAuthority;
use dalil_service::RequestContext;
use dalil_service::trail::{self, TimestampEndpoint, TimestampFailure};
use dalil_store::{LeaseProgress, Tenant, TimeSource};

use crate::app::App;
use crate::clock::ServerClock;
use crate::config::{TimestampAuthorityConfig, TimestampConfig};
use crate::problem::ApiProblem;
use crate::shutdown::ShutdownSignal;

#[cfg(test)]
mod tests;

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

/// Asks every authority about every tenant. One that does not answer is left alone until the next
/// round: it would make each tenant wait. What it refuses one tenant, it may give another, and what
/// the store of one tenant cannot do says nothing about the authority.
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
            let authority = endpoint.authority().name();
            let about = format!("{name} by {authority}");
            match stamp(app, &tenant, endpoint, head.size).await {
                Ok(()) => {}
                // The other server's stamp is as good: nothing failed.
                Err(TimestampFailure::AlreadyStamped(_)) => {
                    app.log.event("timestamp", &format!("{about}: another server has kept one"));
                }
                Err(failure) => {
                    log_failure(app, &about, &failure);
                    if silences(&failure) {
                        silent.push(authority);
                    }
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

/// Whether an authority is not asked again in this round: only when the call to it failed.
fn silences(failure: &TimestampFailure) -> bool {
    matches!(failure, TimestampFailure::Unanswered(_))
}

/// Has a checkpoint of a tenant stamped, if anything was recorded since the last stamp.
async fn stamp(
    app: &App,
    tenant: &Tenant,
    endpoint: &TimestampEndpoint,
    size: u64,
) -> Result<(), TimestampFailure> {
    if !trail::is_timestamp_due(tenant, endpoint.authority().name()).await? {
        return Ok(());
    }
    let (holder, clock) = (app.jobs.holder.clone(), app.clock);
    let (tenant, endpoint) = (tenant.clone(), endpoint.clone());
    // Without the app: whoever holds that keeps a server that stops from closing its store.
    let stamping = async move || {
        // What the authority refuses is for the log, and no problem of a caller.
        Ok::<_, ApiProblem>(stamp_under_lease(&tenant, &endpoint, size, (&holder, clock)).await)
    };
    match app.verbs.run(stamping).await {
        Ok(stamped) => stamped,
        Err(problem) => {
            app.note(&problem);
            Ok(())
        }
    }
}

/// Of two servers that ask at once, one keeps its stamp; the lease saves the other's call. Whatever
/// comes of the stamp, the lease is released; that of a server that ends meanwhile ends by itself.
async fn stamp_under_lease(
    tenant: &Tenant,
    endpoint: &TimestampEndpoint,
    size: u64,
    (holder, clock): (&str, ServerClock),
) -> Result<(), TimestampFailure> {
    let far = LeaseProgress { stage: "stamping".to_owned(), done: 0, all: 1 };
    if !tenant.lease(LEASE_NAME, holder, &far, LEASE_TTL).await? {
        return Ok(());
    }
    let stamped = match clock.read() {
        Some(at) => {
            let (time_source, actor) = (TimeSource::Clock, Actor::System);
            let deed = RequestContext { at, time_source, actor, key: None };
            trail::timestamp(tenant, endpoint, Some(size), &deed).await.map(drop)
        }
        None => {
            let expected = precondition::a_clock_that_says_a_time();
            Err(Fault::new("clock", "$", expected, found::none()).into())
        }
    };
    let released = tenant.let_go(LEASE_NAME, holder).await;
    stamped.and(released.map_err(TimestampFailure::from))
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
/// Longer than the longest call: it ends while nobody asks any more. The rest is for looking before
/// the call and for appending after it, and was chosen, not measured.
const LEASE_TTL: Duration = MAX_CALL_TIME.saturating_add(Duration::from_secs(15));
