//! Names for new records.

use std::sync::atomic::{AtomicU64, Ordering};

use dalil_proof::id::RecordId;

use super::entry::random;
use crate::error::Error;

/// Draws names that follow each other: 40 random bits, then a count of 24.
///
/// Names that follow each other lie side by side in the index over them, so that
/// a group of records writes a page or two of it and not one for each record.
#[derive(Debug)]
pub(crate) struct RecordIdGenerator {
    next: AtomicU64,
}

impl RecordIdGenerator {
    pub(crate) fn new() -> Result<Self, Error> {
        Ok(Self { next: AtomicU64::new(start()?) })
    }

    /// A name that this store has not given, and that another hardly will.
    pub(crate) fn draw(&self) -> Result<RecordId, Error> {
        let drawn = self.next.fetch_add(1, Ordering::Relaxed);
        // After the last number of a row another row begins, long before its neighbour does.
        if drawn & ID_COUNTER_MASK == ID_COUNTER_MASK {
            self.next.store(start()?, Ordering::Relaxed);
        }
        Ok(RecordId::from_random(drawn.to_be_bytes()))
    }
}

fn start() -> Result<u64, Error> {
    Ok(u64::from_be_bytes(random()?) & !ID_COUNTER_MASK)
}

const ID_COUNTER_MASK: u64 = 0xff_ffff;
