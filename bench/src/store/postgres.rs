//! PostgreSQL by itself: one transaction for each row, with and without a hash chain.

use std::sync::Arc;

use sqlx::{Connection as _, PgConnection};
use tokio::sync::Mutex;

use super::{BenchError, PAYLOAD_BYTES, load};
use crate::measure::BenchFigures;

/// A table, and the statement that adds a row to it.
pub(super) struct PostgresBaseline {
    schema: &'static str,
    insert: &'static str,
}

/// Every client has a connection of its own, and a statement that stays prepared.
pub(super) async fn insert(
    peer: &PostgresBaseline,
    url: &str,
    clients: usize,
    seconds: u64,
) -> Result<BenchFigures, BenchError> {
    let mut first = PgConnection::connect(url).await?;
    sqlx::raw_sql(peer.schema).execute(&mut first).await?;
    first.close().await?;
    let mut connections = Vec::with_capacity(clients);
    for _ in 0..clients {
        connections.push(Arc::new(Mutex::new(PgConnection::connect(url).await?)));
    }
    let insert = peer.insert;
    load::run(connections, seconds, move |connection, _| async move {
        let mut connection = connection.lock().await;
        sqlx::query(insert).bind(vec![b'x'; PAYLOAD_BYTES]).execute(&mut *connection).await?;
        Ok(())
    })
    .await
}

pub(super) const PLAIN_TABLE: PostgresBaseline = PostgresBaseline {
    schema: "DROP TABLE IF EXISTS plain;
        CREATE TABLE plain (
            id BIGSERIAL PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now(), payload BYTEA NOT NULL
        );",
    insert: "INSERT INTO plain (payload) VALUES ($1)",
};

/// The place in the chain is given under the lock: a sequence would let two rows follow one.
pub(super) const HASH_CHAIN_TABLE: PostgresBaseline = PostgresBaseline {
    schema: "DROP TABLE IF EXISTS chain;
        CREATE TABLE chain (
            id BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now(), payload BYTEA NOT NULL,
            previous BYTEA NOT NULL, hash BYTEA NOT NULL
        );
        CREATE OR REPLACE FUNCTION link() RETURNS TRIGGER LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock(20261115);
            SELECT id + 1, hash INTO NEW.id, NEW.previous FROM chain ORDER BY id DESC LIMIT 1;
            NEW.id := coalesce(NEW.id, 1);
            NEW.previous := coalesce(NEW.previous, '');
            NEW.hash := sha256(
                NEW.previous || int8send(NEW.id) || convert_to(NEW.at::text, 'UTF8') || NEW.payload
            );
            RETURN NEW;
        END $$;
        CREATE TRIGGER link BEFORE INSERT ON chain FOR EACH ROW EXECUTE FUNCTION link();",
    insert: "INSERT INTO chain (payload) VALUES ($1)",
};
