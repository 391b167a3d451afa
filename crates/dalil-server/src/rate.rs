//! The rate limit: a token bucket for each credential.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use dalil_proof::time::Time;

#[cfg(test)]
mod tests;

/// The buckets of every recent caller.
pub(crate) struct RateLimiter {
    per_second: u64,
    burst: u64,
    buckets: Mutex<HashMap<String, TokenBucket>>,
}

/// The remaining tokens in thousandths of a request, and the time of that count.
#[derive(Clone, Copy)]
struct TokenBucket {
    left: u64,
    at: i64,
}

impl RateLimiter {
    pub(crate) fn new(per_second: u64, burst: u64) -> Self {
        Self { per_second, burst, buckets: Mutex::default() }
    }

    /// Takes one request, or returns after how many seconds there will be one.
    pub(crate) fn take(&self, who: &str, now: Time) -> Result<(), u64> {
        let full =
            self.per_second.saturating_add(self.burst).saturating_mul(BUCKET_UNITS_PER_REQUEST);
        let now = now.millis();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS && !buckets.contains_key(who) {
            // A caller with a full bucket is as if never seen.
            let rate = self.per_second;
            buckets.retain(|_, bucket| bucket.after(now, rate, full).left < full);
        }
        let bucket = buckets.entry(who.to_owned()).or_insert(TokenBucket { left: full, at: now });
        *bucket = bucket.after(now, self.per_second, full);
        match bucket.left.checked_sub(BUCKET_UNITS_PER_REQUEST) {
            Some(left) => {
                bucket.left = left;
                Ok(())
            }
            None => {
                let missing = BUCKET_UNITS_PER_REQUEST - bucket.left;
                Err(missing
                    .div_ceil(self.per_second.max(1).saturating_mul(BUCKET_UNITS_PER_REQUEST))
                    .max(1))
            }
        }
    }
}

impl TokenBucket {
    fn after(self, now: i64, per_second: u64, full: u64) -> Self {
        // A clock that goes back gives nothing, and takes nothing either.
        let elapsed = u64::try_from(now.saturating_sub(self.at)).unwrap_or(0);
        let left = self.left.saturating_add(elapsed.saturating_mul(per_second)).min(full);
        Self { left, at: now.max(self.at) }
    }
}

/// A request, in the unit of a bucket.
const BUCKET_UNITS_PER_REQUEST: u64 = 1000;
/// How many are remembered before those that do not matter are forgotten.
const MAX_BUCKETS: usize = 10_000;
