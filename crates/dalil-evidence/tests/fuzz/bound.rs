//! Runs a parser on many inputs, each within bounds of time and memory.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::MEMORY;
use crate::corpus;
use crate::mutate::{self, Random};

/// Runs `parser` on the corpus, on large inputs, and on inputs made from the corpus.
///
/// `parser` checks what it can about an input that it accepts, and panics when
/// a law does not hold. `words` are pieces of the format, to mix in.
#[track_caller]
pub(crate) fn fuzz(corpus: &[Vec<u8>], words: &[&str], parser: fn(&[u8])) {
    // The allocator counts for the whole process, so one parser runs at a time.
    let alone = lock(&ALONE);
    let input = Arc::new(Mutex::new(Vec::new()));
    let (done, each) = mpsc::channel();
    let worker = {
        let (input, corpus) = (Arc::clone(&input), corpus.to_vec());
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        std::thread::spawn(move || {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut random = Random(SEED);
            let made = runs().map(|()| mutate::input(&mut random, &corpus, &words));
            let large = mutate::large().into_iter().chain(corpus::grown(&corpus));
            for bytes in corpus.clone().into_iter().chain(large).chain(made) {
                lock(&input).clone_from(&bytes);
                measure(&bytes, parser);
                done.send(()).unwrap();
            }
        })
    };
    loop {
        match each.recv_timeout(MAX_TIME) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => {
                panic!("still running after {MAX_TIME:?} on {}", show(&lock(&input)))
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    assert!(worker.join().is_ok(), "the input was {}", show(&lock(&input)));
    drop(alone);
}

/// Runs the parser on one input and bounds its allocations.
fn measure(bytes: &[u8], parser: fn(&[u8])) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    parser(bytes);
    let used = MEMORY.peak_usage().saturating_sub(before);
    let most = MEMORY_FLOOR + MEMORY_FACTOR * bytes.len();
    assert!(used <= most, "{} bytes of input took {used} bytes, at most {most}", bytes.len());
}

/// An input as a Rust byte string, shortened in the middle.
fn show(bytes: &[u8]) -> String {
    const ENDS: usize = 2000;
    if bytes.len() <= 2 * ENDS {
        return format!("b\"{}\"", bytes.escape_ascii());
    }
    let (start, end) = (&bytes[..ENDS], &bytes[bytes.len() - ENDS..]);
    format!("b\"{}\" … b\"{}\"", start.escape_ascii(), end.escape_ascii())
}

/// Runs for as many inputs as are asked for; unasked, for [`RUNS`] or [`BUDGET`].
#[expect(clippy::disallowed_methods, reason = "a run is bounded by time as well")]
fn runs() -> impl Iterator<Item = ()> {
    let set = std::env::var_os("DALIL_FUZZ_RUNS").and_then(|runs| runs.to_str()?.parse().ok());
    let started = Instant::now();
    let goes_on = move |_: &()| set.is_some() || started.elapsed() < BUDGET;
    std::iter::repeat_n((), set.unwrap_or(RUNS)).take_while(goes_on)
}

/// Takes a lock, also one whose holder failed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

static ALONE: Mutex<()> = Mutex::new(());

const SEED: u64 = 1;
const RUNS: usize = 5_000;
const BUDGET: Duration = Duration::from_secs(6);
/// Far above what any input needs, so that a busy machine does not fail the run.
const MAX_TIME: Duration = Duration::from_secs(20);
/// A parsed value takes 32 bytes for as little as two bytes of input, and lists grow by doubling.
const MEMORY_FACTOR: usize = 150;
/// A thousand faults, each with a path of 127 long keys, and their text.
const MEMORY_FLOOR: usize = 40 << 20;
