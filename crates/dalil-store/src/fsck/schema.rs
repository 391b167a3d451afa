//! The database itself: whether it is whole, and whether its guards are in place.

use std::collections::BTreeMap;

use sqlx::{AnyConnection, Connection as _};

use super::cell;
use super::finding::FindingSink;
use crate::catalog::{CatalogFailure, DatabaseEngine, RowSource, run};
use crate::schema;

/// Asks SQLite whether its pages are sound.
pub(super) async fn integrity(
    engine: DatabaseEngine,
    connection: &mut AnyConnection,
    teller: &mut FindingSink<'_>,
) -> Result<(), CatalogFailure> {
    if engine == DatabaseEngine::Postgres {
        // `pg_amcheck` is the server's own; the rows that are read below are checked by digest.
        return Ok(());
    }
    let rows = RowSource::Writer(connection).fetch("PRAGMA integrity_check(100)", &[]).await?;
    for row in &rows {
        match cell::text(row, 0) {
            Some(said) if said == "ok" => {}
            said => {
                teller.fail(DATABASE_PART, None, said.unwrap_or_else(|| "no answer".to_owned()));
            }
        }
    }
    teller.pass(DATABASE_PART, "SQLite finds its pages sound");
    Ok(())
}

/// Compares tables, indices and triggers with those that the migrations make.
pub(super) async fn check(
    engine: DatabaseEngine,
    connection: &mut AnyConnection,
    teller: &mut FindingSink<'_>,
) -> Result<(), CatalogFailure> {
    let found = objects(connection, found(engine)).await?;
    let expected = match engine {
        DatabaseEngine::Sqlite => {
            // SQLite keeps the text of each statement as it was given, so the migrations define the
            // expected schema.
            let mut fresh = AnyConnection::connect("sqlite::memory:").await?;
            for text in schema::texts(engine) {
                run(&mut fresh, &text).await?;
            }
            let expected = objects(&mut fresh, SQLITE_SCHEMA_QUERY).await?;
            fresh.close().await?;
            expected
        }
        DatabaseEngine::Postgres => schema::postgres_guards(),
    };
    for (name, text) in &expected {
        match found.get(name) {
            Some(there) if there == text => {}
            Some(_) => {
                teller.fail(SCHEMA_PART, None, format!("{name} is not as the migrations make it"));
            }
            None => teller.fail(SCHEMA_PART, None, format!("{name} is missing")),
        }
    }
    for name in found.keys().filter(|name| !expected.contains_key(*name)) {
        teller.fail(SCHEMA_PART, None, format!("{name} was made by no migration"));
    }
    let count = expected.len();
    teller.pass(
        SCHEMA_PART,
        format!("{count} tables, indices and triggers as the migrations make them"),
    );
    Ok(())
}

/// The names of the objects and their definitions.
async fn objects(
    connection: &mut AnyConnection,
    sql: &str,
) -> Result<BTreeMap<String, String>, CatalogFailure> {
    let rows = RowSource::Writer(connection).fetch(sql, &[]).await?;
    let named = |row| {
        let (kind, name) = (cell::text(row, 0)?, cell::text(row, 1)?);
        Some((format!("{kind} `{name}`"), cell::text(row, 2)?))
    };
    Ok(rows.iter().filter_map(named).collect())
}

const fn found(engine: DatabaseEngine) -> &'static str {
    match engine {
        DatabaseEngine::Sqlite => SQLITE_SCHEMA_QUERY,
        DatabaseEngine::Postgres => POSTGRES_GUARDS_QUERY,
    }
}

const DATABASE_PART: &str = "database";
const SCHEMA_PART: &str = "schema";
/// The definition of an object: its table, whether it has pages of its own, and its text.
const SQLITE_SCHEMA_QUERY: &str = "SELECT type, name, tbl_name || ' ' || typeof(tbl_name) || ' ' || \
     (coalesce(rootpage, 0) > 0) || ' ' || typeof(sql) || ' ' || coalesce(sql, '') \
     FROM sqlite_master ORDER BY type, name";
/// The guards: which trigger on which table, whether it is on, and the function that it calls; and
/// which conditions of rows on which table.
const POSTGRES_GUARDS_QUERY: &str = "SELECT 'trigger'::text, t.tgname::text, \
     (c.relname || ' ' || p.proname || ' ' || t.tgenabled::text || ' ' || t.tgtype::text)::text \
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid \
     WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace \
     UNION ALL SELECT 'function'::text, p.proname::text, btrim(p.prosrc)::text FROM pg_proc p \
     WHERE p.pronamespace = current_schema()::regnamespace AND p.proname LIKE 'dalil%' \
     UNION ALL SELECT 'constraint'::text, k.conname::text, c.relname::text FROM pg_constraint k \
     JOIN pg_class c ON c.oid = k.conrelid \
     WHERE k.contype = 'c' AND c.relnamespace = current_schema()::regnamespace";
