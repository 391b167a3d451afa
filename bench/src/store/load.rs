//! Clients that each ask, wait for the answer, and ask again.

use std::time::Duration;

use tokio::time::Instant;

use super::BenchError;
use crate::measure::BenchFigures;

/// Lets every client work for some seconds: how many answers a second, and how long one takes.
pub(super) async fn run<S, F>(
    clients: Vec<S>,
    seconds: u64,
    work: impl Fn(S, u64) -> F + Copy + Send + Sync + 'static,
) -> Result<BenchFigures, BenchError>
where
    S: Clone + Send + Sync + 'static,
    F: Future<Output = Result<(), BenchError>> + Send + 'static,
{
    let start = Instant::now() + WARM_UP_TIME;
    let end = start + Duration::from_secs(seconds);
    let mut running = Vec::with_capacity(clients.len());
    for (first, client) in (0..).step_by(CLIENT_NUMBER_STRIDE).zip(clients) {
        running.push(tokio::spawn(async move {
            let mut taken = Vec::new();
            for n in first.. {
                let asked = Instant::now();
                work(client.clone(), n).await?;
                let answered = Instant::now();
                if answered >= end {
                    break;
                }
                if answered >= start {
                    taken.push(answered - asked);
                }
            }
            Ok::<Vec<Duration>, BenchError>(taken)
        }));
    }
    let mut taken = Vec::new();
    for client in running {
        taken.extend(client.await??);
    }
    taken.sort_unstable();
    let at = |hundredth: usize| {
        let place = taken.len() * hundredth / 100;
        taken.get(place).map_or(f64::NAN, Duration::as_secs_f64)
    };
    let count = f64::from(u32::try_from(taken.len())?);
    let rate = count / f64::from(u32::try_from(seconds)?);
    Ok(vec![("per_second", rate), ("p50", at(50)), ("p99", at(99))])
}

/// Not counted: connections, caches and files come to rest.
const WARM_UP_TIME: Duration = Duration::from_millis(500);
/// The numbers of two clients are this far apart, so that none is used twice.
const CLIENT_NUMBER_STRIDE: usize = 1 << 32;
