//! Live queries: run before the bundle is built, each result kept in the lake first.

use std::time::Duration;

use dalil::query::{
    DatabaseAddress, LiveQueryLimits, LiveResultSet, NamedDatabases, connected, run_all,
};
use dalil_evidence::bundle::{
    BundleRequest, LakeUri, LakeWrite, LiveQuery, UnansweredQuery, names_connection,
};
use dalil_proof::digest::Digest;

use crate::env;
use crate::error::CliError;
use crate::lake::LakeFolder;

/// The request with the results of its queries.
pub(crate) fn answered(
    request: BundleRequest,
    given: &[String],
    limit: Duration,
    lake: &LakeFolder,
) -> Result<BundleRequest, CliError> {
    let connections = connections(&request, given)?;
    let queries = request.live_queries();
    // Every name before the first query, so that no query runs for a request that is refused.
    connected(queries, &connections)?;
    let answers =
        run_all(queries, &connections, LiveQueryLimits::within(limit)).map_err(CliError::Live)?;
    let kept = queries.iter().zip(answers).enumerate().map(|(n, (query, answer))| match answer {
        Ok(table) => keep(n, query, &table, lake).map(Ok),
        // A query without a result is a problem of the bundle, and the others still count.
        Err(failure) => Ok(Err(UnansweredQuery::from(failure))),
    });
    let outcomes = kept.collect::<Result<Vec<_>, CliError>>()?;
    Ok(request.with_query_results(outcomes))
}

/// The connections that were given, and those that the request names and the environment has.
fn connections(request: &BundleRequest, given: &[String]) -> Result<NamedDatabases, CliError> {
    let mut connections = NamedDatabases::new();
    for given in given {
        // Text that does not parse may hold a password: none of it is shown.
        let named = given.split_once('=').filter(|(name, _)| names_connection(name));
        let (name, address) = named.ok_or(CliError::NoConnection)?;
        connections.insert(name.to_owned(), parsed(name, address)?);
    }
    for query in request.live_queries() {
        let name = &query.connection;
        if let (false, Some(address)) = (connections.contains_key(name), env::connection(name)) {
            connections.insert(name.clone(), parsed(name, &address)?);
        }
    }
    Ok(connections)
}

fn parsed(name: &str, address: &str) -> Result<DatabaseAddress, CliError> {
    DatabaseAddress::parse(address)
        .map_err(|error| CliError::Address { name: name.to_owned(), error })
}

/// Keeps a whole result: when this returns, it is on the disk under its digest.
fn keep(
    n: usize,
    query: &LiveQuery,
    table: &LiveResultSet,
    lake: &LakeFolder,
) -> Result<LakeUri, CliError> {
    let text = table.artifact(query).map_err(|error| CliError::Live(error.into()))?;
    let lake_uri = LakeUri::of_digest(&Digest::of(text.as_bytes()));
    lake.keep(&LakeWrite { lake_uri: lake_uri.clone(), text, path: LiveQuery::path(n) })?;
    Ok(lake_uri)
}
