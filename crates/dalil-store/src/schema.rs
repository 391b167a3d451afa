//! Migrations of the catalog. Forward only.
//!
//! One text serves both engines. Each migration runs in one transaction with its
//! line in `migrations`, which has the digest of its text; so a catalog is
//! at one version or at the next, whenever the process ends.

use std::collections::BTreeMap;

use dalil_proof::digest::Digest;
use dalil_proof::time::Time;
use sqlx::AnyConnection;

use crate::catalog::{CatalogFailure, DatabaseEngine, RowSource, columns, fetch, run, typed_row};
use crate::error::Error;

mod column_rule;
mod guard;
#[cfg(test)]
mod tests;

/// One step of the schema.
struct Migration {
    name: &'static str,
    text: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration { name: "catalog", text: include_str!("schema/0001-catalog.sql") },
    Migration { name: "members", text: include_str!("schema/0002-members.sql") },
    Migration { name: "server", text: include_str!("schema/0003-server.sql") },
    Migration { name: "erased-packs", text: include_str!("schema/0004-erased-packs.sql") },
    Migration { name: "leases", text: include_str!("schema/0005-leases.sql") },
    Migration { name: "matters", text: include_str!("schema/0006-matters.sql") },
    Migration { name: "checkpoint-links", text: include_str!("schema/0007-checkpoint-links.sql") },
    Migration { name: "checked-rows", text: include_str!("schema/0008-checked-rows.sql") },
    Migration { name: "typed-rows", text: include_str!("schema/0009-typed-rows.sql") },
    Migration { name: "key-redatings", text: include_str!("schema/0010-key-redatings.sql") },
    Migration { name: "timestamps", text: include_str!("schema/0011-timestamps.sql") },
];

/// Brings a catalog up to date.
pub(crate) async fn migrate(
    engine: DatabaseEngine,
    label: &str,
    connection: &mut AnyConnection,
    now: Time,
) -> Result<(), CatalogFailure> {
    // Looking costs no lock, and is all there is to do nearly always.
    if version(engine, label, &mut RowSource::Writer(connection)).await? == MIGRATIONS.len() {
        return Ok(());
    }
    run(connection, engine.begin()).await?;
    let done = steps(engine, label, connection, now).await;
    run(connection, if done.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
    done
}

async fn steps(
    engine: DatabaseEngine,
    label: &str,
    connection: &mut AnyConnection,
    now: Time,
) -> Result<(), CatalogFailure> {
    if engine == DatabaseEngine::Postgres {
        run(connection, &format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK_ID})")).await?;
    }
    // Asked again under the lock: another process may have migrated since the first look.
    let done = version(engine, label, &mut RowSource::Writer(connection)).await?;
    for (n, migration) in MIGRATIONS.iter().enumerate().skip(done) {
        run(connection, &guard::expand(engine, migration.text)).await?;
        let (name, digest) = (migration.name, digest(migration).to_string());
        let sql = "INSERT INTO migrations (version, name, digest, at) VALUES ($1, $2, $3, $4)";
        let bound = [(n as u64 + 1).into(), name.into(), digest.into(), now.to_string().into()];
        fetch(connection, sql, &bound).await?;
    }
    Ok(())
}

/// Checks that a catalog that may not be written to is of this version.
pub(crate) async fn check(
    engine: DatabaseEngine,
    label: &str,
    source: &mut RowSource<'_>,
) -> Result<(), CatalogFailure> {
    let found = version(engine, label, source).await?;
    if found == MIGRATIONS.len() {
        return Ok(());
    }
    let expected = format!("a store of version {}", MIGRATIONS.len());
    let error = Error::refused("open the store", format!("`{label}`"));
    Err(if found == 0 {
        error.saw(expected, "no store").hint("make one by opening it for writing").into()
    } else {
        let hint = "open it once for writing, which brings it up to date";
        error.saw(expected, format!("one of version {found}")).hint(hint).into()
    })
}

/// How many migrations a catalog has had; each must be one of ours.
async fn version(
    engine: DatabaseEngine,
    label: &str,
    source: &mut RowSource<'_>,
) -> Result<usize, CatalogFailure> {
    let names: Vec<String> =
        source.fetch_column(("the schema", "name"), engine.tables(), &[]).await?;
    let place = format!("`{label}`");
    if !names.iter().any(|name| name == "migrations") {
        // A database of another application must not be filled with our tables.
        let Some(other) = names.first() else { return Ok(0) };
        return Err(Error::refused("open the store", place)
            .saw("an empty database or a store", format!("a database with a table `{other}`"))
            .hint("name another place for the store")
            .into());
    }
    let own = columns::<MigrationLine>();
    let sql = format!("SELECT {own} FROM migrations ORDER BY version");
    let rows = source.fetch_as::<MigrationLine>(&sql, &[]).await?;
    for (n, MigrationLine { version: found, name, digest: text }) in rows.iter().enumerate() {
        let Some(ours) = MIGRATIONS.get(n) else {
            return Err(Error::refused("open the store", place)
                .saw(
                    format!("a store of version {}", MIGRATIONS.len()),
                    format!("one of version {found}"),
                )
                .hint("use a newer dalil; nothing was written")
                .into());
        };
        let expected = digest(ours).to_string();
        // A migration is never edited once it was released: its digest is in every store.
        if (name.as_str(), text) != (ours.name, &expected) {
            return Err(Error::damaged("open the store", place)
                .saw(format!("migration `{}` {expected}", ours.name), format!("`{name}` {text}"))
                .into());
        }
    }
    Ok(rows.len())
}

/// The statements that the migrations run on an engine.
pub(crate) fn texts(engine: DatabaseEngine) -> Vec<String> {
    MIGRATIONS.iter().map(|migration| guard::expand(engine, migration.text)).collect()
}

/// The names of the migrations.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MIGRATIONS.iter().map(|migration| migration.name)
}

/// The guards of a PostgreSQL, as its own catalog describes them.
pub(crate) fn postgres_guards() -> BTreeMap<String, String> {
    MIGRATIONS.iter().flat_map(|migration| guard::postgres_guards(migration.text)).collect()
}

fn digest(migration: &Migration) -> Digest {
    Digest::of(migration.text.as_bytes())
}

impl DatabaseEngine {
    /// How a transaction that writes begins.
    pub(crate) const fn begin(self) -> &'static str {
        match self {
            // At once: a transaction that read first cannot always be upgraded to write.
            Self::Sqlite => "BEGIN IMMEDIATE",
            // Each statement sees what was committed before it: above all, after the lock.
            Self::Postgres => "BEGIN ISOLATION LEVEL READ COMMITTED",
        }
    }

    /// A durable write without content: on SQLite a header field that is not used, on PostgreSQL an
    /// expired lease.
    pub(crate) const fn probe(self) -> &'static str {
        match self {
            Self::Sqlite => "PRAGMA user_version = 0",
            Self::Postgres => {
                "INSERT INTO leases (tenant, work, holder, ends, stage, done, total) \
                 VALUES ('', 'probe', '', 0, 'probe', 0, 0) \
                 ON CONFLICT (tenant, work) DO UPDATE SET ends = 0"
            }
        }
    }

    /// The tables that are there.
    const fn tables(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
            Self::Postgres => {
                "SELECT table_name::text FROM information_schema.tables \
                 WHERE table_schema = current_schema() ORDER BY table_name"
            }
        }
    }
}

typed_row! {
    /// A migration that was run.
    struct MigrationLine of "migrations" { version: i64, name: String, digest: String }
}

/// The number that processes agree on while one of them migrates: `dalil` in ASCII.
const MIGRATION_LOCK_ID: i64 = 0x0064_616c_696c;
