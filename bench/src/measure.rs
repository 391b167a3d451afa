//! Measures the time of a step and the peak memory of this process.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Names and values of measurements.
pub(crate) type BenchFigures = Vec<(&'static str, f64)>;

/// The median of `rounds` runs in seconds, after one that is not counted, and the step's result.
pub(crate) fn median<T>(rounds: usize, mut step: impl FnMut() -> T) -> (f64, T) {
    median_of(rounds, || (), |()| step())
}

/// The same for a step that uses up what `prepare` makes; the making is not counted.
pub(crate) fn median_of<P, T>(
    rounds: usize,
    mut prepare: impl FnMut() -> P,
    mut step: impl FnMut(P) -> T,
) -> (f64, T) {
    let mut result = black_box(step(prepare()));
    let mut taken = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        drop(result);
        let prepared = black_box(prepare());
        let (duration, made) = timed(|| step(prepared));
        taken.push(duration);
        result = made;
    }
    taken.sort_unstable();
    // Without a round there is no median.
    (taken.get(rounds / 2).map_or(f64::NAN, Duration::as_secs_f64), result)
}

/// The seconds that a step took, and its result.
pub(crate) fn once<T>(step: impl FnOnce() -> T) -> (f64, T) {
    let (duration, made) = timed(step);
    (duration.as_secs_f64(), made)
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is the one thing that reads the clock")]
fn timed<T>(step: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let made = black_box(step());
    (start.elapsed(), made)
}

/// The peak of this process's resident memory.
pub(crate) fn peak_kb() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("expected VmHWM in /proc/self/status, found none")?.parse()?)
}

/// The processor time of this process, of all its threads.
pub(crate) fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/stat")?;
    // The name of the program may hold spaces, and ends with the last bracket.
    let (_, fields) = status.rsplit_once(')').ok_or("expected a name in /proc/self/stat")?;
    let ticks: Result<Vec<f64>, _> =
        fields.split_whitespace().skip(11).take(2).map(str::parse).collect();
    Ok(ticks?.iter().sum::<f64>() / TICKS_PER_SECOND)
}

/// Linux gives times in hundredths of a second to every program.
const TICKS_PER_SECOND: f64 = 100.0;
