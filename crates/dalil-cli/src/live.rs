//! Live queries: run before the bundle is built, each result kept in the lake first.

use std::time::Duration;

use dalil::query::{Connection, Connections, Limits, Table, connected, run_all};
use dalil_core::bundle::{Keep, LakeUri, LiveQuery, Request, Unanswered, names_connection};
use dalil_core::digest::Digest;

use crate::failure::Failure;
use crate::lake::Lake;
use crate::surroundings;

/// The request with what came of its queries.
pub(crate) fn answered(
    request: Request,
    given: &[String],
    limit: Duration,
    lake: &Lake,
) -> Result<Request, Failure> {
    let connections = connections(&request, given)?;
    let queries = request.live_queries();
    connected(queries, &connections)?;
    let answers = run_all(queries, &connections, Limits::within(limit)).map_err(Failure::Live)?;
    let kept = queries.iter().zip(answers).enumerate().map(|(n, (query, answer))| match answer {
        Ok(table) => keep(n, query, &table, lake).map(Ok),
        Err(failure) => Ok(Err(Unanswered::from(failure))),
    });
    let outcomes = kept.collect::<Result<Vec<_>, Failure>>()?;
    Ok(request.answered(outcomes))
}

/// The connections that were given, and those that the request names and the environment has.
fn connections(request: &Request, given: &[String]) -> Result<Connections, Failure> {
    let mut connections = Connections::new();
    for given in given {
        // What does not parse may hold a password: nothing of it is shown.
        let (name, address) = given.split_once('=').unwrap_or_default();
        if !names_connection(name) {
            return Err(Failure::NoConnection);
        }
        connections.insert(name.to_owned(), parsed(name, address)?);
    }
    for query in request.live_queries() {
        let name = &query.connection;
        if let (false, Some(address)) =
            (connections.contains_key(name), surroundings::connection(name))
        {
            connections.insert(name.clone(), parsed(name, &address)?);
        }
    }
    Ok(connections)
}

fn parsed(name: &str, address: &str) -> Result<Connection, Failure> {
    Connection::parse(address).map_err(|error| Failure::Address { name: name.to_owned(), error })
}

/// Keeps a whole result: when this returns, it is on the disk under its digest.
fn keep(n: usize, query: &LiveQuery, table: &Table, lake: &Lake) -> Result<LakeUri, Failure> {
    let text = table.artifact(query).map_err(|error| Failure::Live(error.into()))?;
    let lake_uri = LakeUri::of_digest(&Digest::of(text.as_bytes()));
    lake.keep(&Keep { lake_uri: lake_uri.clone(), text, path: LiveQuery::path(n) })?;
    Ok(lake_uri)
}
