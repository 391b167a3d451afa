//! The store: durable appends, receipts and opening, and their baselines.
//!
//! The input is `[WORK, PLACE, CLIENTS, AMOUNT]`; the amount is seconds, or records to fill in. Groups
//! have a tenant in place of each client.

use std::error::Error;

use tokio::runtime::Runtime;

use crate::measure::BenchFigures;

mod load;
mod postgres;
mod raw;
mod trail;

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let (work, place, clients, amount): (String, String, usize, u64) =
        serde_json::from_slice(input)?;
    let figures: Result<BenchFigures, BenchError> = Runtime::new()?.block_on(async {
        match work.as_str() {
            "append" => trail::append(&place, clients, amount).await,
            "receipts" => trail::receipts(&place, clients, amount).await,
            "fill" => trail::fill(&place, clients, amount).await,
            "open" => trail::open(&place).await,
            "groups" => trail::groups(&place, clients, amount).await,
            "fsck" => trail::fsck(&place).await,
            "raw" => raw::append(&place, clients, amount).await,
            "plain" => postgres::insert(&postgres::PLAIN_TABLE, &place, clients, amount).await,
            "chain" => postgres::insert(&postgres::HASH_CHAIN_TABLE, &place, clients, amount).await,
            other => Err(format!("expected work on a store, found `{other}`").into()),
        }
    });
    let figures = figures.map_err(|error| -> Box<dyn Error> { error })?;
    Ok((figures, b"null".to_vec()))
}

/// The error of a task of the runtime.
type BenchError = Box<dyn Error + Send + Sync>;

/// The size of a record's payload.
const PAYLOAD_BYTES: usize = 1024;
