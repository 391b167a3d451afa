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
use dalil_store::{Error, LeaseProgress, Tenant, TimeSource};

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
/// round: it would make each tenant wait. It may refuse one tenant and serve another, and a failure
/// of one tenant's store is no failure of the authority.
async fn round(app: &App) {
    let mut answering: Vec<&TimestampEndpoint> = app.timestamp_endpoints.iter().collect();
    let tenants = match app.tenants.store.tenants().await {
        Ok(tenants) => tenants,
        Err(failure) => return log_failure(app, STAMP_EVENT, "the tenants", &failure),
    };
    for name in tenants {
        let (tenant, size) = match tenant_and_size(app, &name).await {
            Ok(opened) => opened,
            Err(failure) => {
                log_failure(app, STAMP_EVENT, &name, &failure);
                continue;
            }
        };
        let mut silent = Vec::new();
        for endpoint in &answering {
            let about = about(&tenant, endpoint);
            match stamp(app, &tenant, endpoint, size).await {
                Ok(()) => {}
                // The other server's stamp is as good: nothing failed.
                Err(TimestampFailure::AlreadyStamped(_)) => {
                    app.log.event(STAMP_EVENT, &format!("{about}: another server has kept one"));
                }
                Err(failure) => {
                    log_failure(app, STAMP_EVENT, &about, &failure);
                    if silences(&failure) {
                        silent.push(endpoint.authority().name());
                    }
                }
            }
        }
        answering.retain(|endpoint| !silent.contains(&endpoint.authority().name()));
    }
}

/// A tenant, and the size that every authority stamps, so that a receipt has all of their stamps.
async fn tenant_and_size(app: &App, name: &str) -> Result<(Tenant, u64), Error> {
    let tenant = app.tenants.open(name).await?;
    let size = tenant.head().await?.size;
    Ok((tenant, size))
}

/// The name in the log for the stamp of a tenant by an authority.
fn about(tenant: &Tenant, endpoint: &TimestampEndpoint) -> String {
    format!("{} by {}", tenant.name(), endpoint.authority().name())
}

fn log_failure(app: &App, event: &'static str, about: &str, failure: &dyn std::fmt::Display) {
    app.metrics.failures.add();
    app.log.event(event, &format!("{about}: {failure}"));
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
    let about = about(tenant, endpoint);
    let (tenant, endpoint) = (tenant.clone(), endpoint.clone());
    // Without the app: its holder keeps a server that stops from closing its store.
    let stamping = async move || {
        // A refusal by the authority is for the log, and no problem of a caller.
        Ok::<_, ApiProblem>(stamp_under_lease(&tenant, &endpoint, size, (&holder, clock)).await)
    };
    match app.verbs.run(stamping).await {
        Ok(LeasedStamp { stamped, released }) => {
            // The stamp is not affected; only the lease stays until it ends by itself.
            if let Err(failure) = released {
                log_failure(app, LEASE_EVENT, &about, &failure);
            }
            stamped
        }
        Err(problem) => {
            app.note(&problem);
            Ok(())
        }
    }
}

/// The results of a stamp and of releasing its lease.
#[derive(Debug)]
struct LeasedStamp {
    stamped: Result<(), TimestampFailure>,
    released: Result<(), Error>,
}

impl LeasedStamp {
    /// Without a lease, which need not be released.
    fn unleased(stamped: Result<(), TimestampFailure>) -> Self {
        Self { stamped, released: Ok(()) }
    }
}

/// Of two servers that ask at once for one tenant, one keeps its stamp; the lease saves the other's
/// call. The lease is released with or without a stamp; that of a server that ends meanwhile ends
/// by itself.
async fn stamp_under_lease(
    tenant: &Tenant,
    endpoint: &TimestampEndpoint,
    size: u64,
    (holder, clock): (&str, ServerClock),
) -> LeasedStamp {
    let far = LeaseProgress { stage: "stamping".to_owned(), done: 0, all: 1 };
    match tenant.lease(LEASE_NAME, holder, &far, LEASE_TTL).await {
        Ok(true) => {}
        Ok(false) => return LeasedStamp::unleased(Ok(())),
        Err(failure) => return LeasedStamp::unleased(Err(failure.into())),
    }
    let stamped = match clock.read() {
        Some(at) => {
            let (time_source, actor) = (TimeSource::Clock, Actor::System);
            let request_context = RequestContext { at, time_source, actor, key: None };
            trail::timestamp(tenant, endpoint, Some(size), &request_context).await.map(drop)
        }
        None => {
            let expected = precondition::a_clock_that_says_a_time();
            Err(Fault::new("clock", "$", expected, found::none()).into())
        }
    };
    let released = tenant.let_go(LEASE_NAME, holder).await;
    LeasedStamp { stamped, released }
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

/// The event of a stamp that failed, or that another server has kept.
const STAMP_EVENT: &str = "timestamp";
/// The event of a lease that could not be released.
const LEASE_EVENT: &str = "lease";
const LEASE_NAME: &str = "timestamp";
/// Longer than the longest call: it ends only when the call is over. The rest is for looking before
/// the call and for appending after it, and was chosen, not measured.
const LEASE_TTL: Duration = MAX_CALL_TIME.saturating_add(Duration::from_secs(15));
