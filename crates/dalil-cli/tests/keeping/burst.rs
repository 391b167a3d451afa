//! Many clients on one program that is killed while it works.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Child;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::home::{Dice, Home};

/// When the program is killed.
#[derive(Clone, Copy)]
pub(crate) enum End<'d> {
    /// This long after it was started, in any state.
    After(Duration),
    /// This long after this many answers.
    Answered(usize, Duration),
    /// Never, but after this many answers its surroundings are disturbed.
    Disturbed(usize, &'d (dyn Fn() + Sync)),
    /// Never: it ends when it has answered everything.
    Never,
}

impl End<'_> {
    /// An instant while it opens the store, or one while it works.
    pub(crate) fn random(dice: &mut Dice) -> Self {
        match dice.below(4) {
            0 => Self::After(Duration::from_micros(dice.below(60_000))),
            _ => {
                let answers = usize::try_from(dice.below(120)).unwrap();
                Self::Answered(answers, Duration::from_micros(dice.below(4_000)))
            }
        }
    }
}

/// A request that clients send until it is answered.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) key: String,
    pub(crate) line: String,
    /// The subjects of its records, in their order.
    pub(crate) subjects: Vec<String>,
}

impl Request {
    /// A change of status, or a package with a record and a skip.
    pub(crate) fn new(name: &str, number: usize) -> Self {
        let key = format!("{name}-{number}");
        let (kind, request, subjects) = if number.is_multiple_of(3) {
            let skipped = format!("{key}-skipped");
            let request = json!({
                "obligations": [
                    {"obligation_id": key, "doc_id": "d", "source_clause": "The Vendor shall deliver.",
                     "extraction_model": "m", "confidence": 0.9},
                    {"obligation_id": skipped, "doc_id": "none", "source_clause": "c", "extraction_model": "m"}],
                "documents": {"d": {"filename": "agreement.pdf"}},
                "verifications": {},
            });
            ("package", request, vec![key.clone(), skipped])
        } else {
            let request = json!({"obligation_id": key, "old_status": "ACTIVE",
                "new_status": "TERMINATED", "reason": "r".repeat(200)});
            ("status", request, vec![key.clone()])
        };
        let line = json!({"kind": kind, "key": key, "request": request}).to_string();
        Self { key, line, subjects }
    }
}

/// The places of records as they were acknowledged: index and leaf of each.
pub(crate) type Places = Vec<(u64, String)>;

/// The acknowledgements of a program before it ended.
#[derive(Debug, Default)]
pub(crate) struct Burst {
    pub(crate) acknowledged: BTreeMap<String, Places>,
    /// Answers that are no acknowledgement.
    pub(crate) others: Vec<Value>,
    pub(crate) killed: bool,
    pub(crate) exit: Option<i32>,
    pub(crate) stderr: String,
}

/// Sends requests from many clients, kills the program, and returns what it acknowledged.
#[track_caller]
pub(crate) fn burst(home: &Home, requests: &[Request], end: End<'_>) -> Burst {
    let mut child = home.command(&["record", "append", "-", "--lines"]).spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut stderr = child.stderr.take().unwrap();
    let waiting = Mutex::new(requests.iter().collect::<VecDeque<_>>());
    let stdin = Mutex::new(Some(stdin));
    let answers = (Mutex::new(0_usize), Condvar::new());
    let mut burst = Burst::default();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    while let Some(request) = locked(&waiting).pop_front() {
                        let line = format!("{}\n", request.line);
                        let sent = locked(&stdin).as_mut().map(|to| to.write_all(line.as_bytes()));
                        // The program was killed.
                        if !matches!(sent, Some(Ok(()))) {
                            break;
                        }
                    }
                })
            })
            .collect();
        let said = scope.spawn(move || std::io::read_to_string(&mut stderr).unwrap());
        let read = scope.spawn(|| {
            let mut lines = Vec::new();
            let mut stdout = BufReader::new(stdout);
            let mut line = String::new();
            while stdout.read_line(&mut line).unwrap() > 0 {
                // A line that is cut off is no answer.
                if line.ends_with('\n') {
                    lines.push(std::mem::take(&mut line));
                    *locked(&answers.0) += 1;
                    answers.1.notify_all();
                }
            }
            *locked(&answers.0) = usize::MAX;
            answers.1.notify_all();
            lines
        });
        burst.killed = match end {
            End::After(time) => {
                thread::sleep(time);
                kill(&mut child)
            }
            End::Answered(count, time) => {
                answered(&answers, count);
                thread::sleep(time);
                kill(&mut child)
            }
            End::Disturbed(count, disturb) => {
                answered(&answers, count);
                disturb();
                false
            }
            End::Never => false,
        };
        clients.into_iter().for_each(|client| client.join().unwrap());
        drop(locked(&stdin).take());
        burst.exit = child.wait().unwrap().code();
        burst.stderr = said.join().unwrap();
        for line in read.join().unwrap() {
            let answer: Value = serde_json::from_str(&line).unwrap();
            match places(&answer) {
                Some(places) => {
                    let key = answer["key"].as_str().unwrap().to_owned();
                    assert!(burst.acknowledged.insert(key, places).is_none(), "{line}");
                }
                None => burst.others.push(answer),
            }
        }
    });
    burst
}

/// Waits for more than this many answers, or the end of them.
fn answered((answers, more): &(Mutex<usize>, Condvar), count: usize) {
    drop(more.wait_while(locked(answers), |answers| *answers <= count).unwrap());
}

/// The records that an answer acknowledges.
fn places(answer: &Value) -> Option<Places> {
    let place = |one: &Value| Some((one["index"].as_u64()?, one["leaf"].as_str()?.to_owned()));
    if answer["index"].is_u64() {
        return Some(vec![place(answer)?]);
    }
    let (records, skipped) = (answer["records"].as_array()?, answer["skipped"].as_array()?);
    records.iter().chain(skipped).map(place).collect()
}

/// Kills a program with SIGKILL, unless it has ended by itself.
fn kill(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_none() && child.kill().is_ok()
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const CLIENTS: usize = 8;
