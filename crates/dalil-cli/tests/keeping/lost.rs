//! The program is killed at random instants, and nothing that it acknowledged is lost or doubled.

use std::collections::BTreeMap;
use std::thread;

use crate::burst::{Burst, End, Places, Request, burst};
use crate::home::{Dice, Home, count, tell};

/// How often the program is killed on each engine, unless `DALIL_KILLS` sets another number.
const KILLS: u64 = 200;
/// How many stores share the kills.
const STORES: u64 = 4;
/// How many requests are open at a time.
const OPEN: usize = 160;
/// After this many kills everything is derived again.
const BETWEEN: u64 = 10;

/// The requests to a store and its answers.
struct Ledger {
    home: Home,
    name: String,
    /// Sent or to be sent, and not acknowledged.
    open: Vec<Request>,
    made: usize,
    acknowledged: BTreeMap<String, (Request, Places)>,
    /// The index and leaf of each subject, as the trail shows them.
    found: BTreeMap<String, (u64, String)>,
    read: u64,
}

impl Ledger {
    fn new(home: Home, name: &str) -> Self {
        home.tenant("acme");
        let read = home.dalil(&["trail", "show"], b"").done()["size"].as_u64().unwrap();
        let (open, acknowledged, found) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { home, name: name.to_owned(), open, made: 0, acknowledged, found, read }
    }

    /// Requests that were not answered, with the keys they had, and new ones.
    fn fill(&mut self) {
        while self.open.len() < OPEN {
            self.open.push(Request::new(&self.name, self.made));
            self.made += 1;
        }
    }

    fn take(&mut self, burst: Burst) {
        assert!(burst.others.is_empty(), "{burst:?}");
        for (key, places) in burst.acknowledged {
            let at = self.open.iter().position(|request| request.key == key);
            // Two programs may have been sent the same request.
            if let Some(at) = at {
                let request = self.open.remove(at);
                self.acknowledged.insert(key, (request, places));
            } else {
                assert_eq!(self.acknowledged[&key].1, places, "{key} has two places");
            }
        }
    }

    /// Reads the new part of the trail, and compares it with the acknowledgements.
    #[track_caller]
    fn check(&mut self) {
        let from = self.read.to_string();
        let args = ["trail", "show", "--from", &from, "--limit", "1000000"];
        let shown = self.home.dalil(&args, b"").done();
        for record in shown["records"].as_array().unwrap() {
            let subject = record["subject"].as_str().unwrap().to_owned();
            for field in record["payload"].as_array().unwrap() {
                assert_eq!(field["verdict"], "PRESENT", "{record}");
            }
            let place =
                (record["index"].as_u64().unwrap(), record["leaf"].as_str().unwrap().into());
            assert_eq!(place.0, self.read);
            self.read += 1;
            let before = self.found.insert(subject, place);
            assert_eq!(before, None, "twice: {record}");
        }
        assert_eq!(shown["size"].as_u64(), Some(self.read));
        for (key, (request, places)) in &self.acknowledged {
            for (subject, place) in request.subjects.iter().zip(places) {
                assert_eq!(self.found.get(subject), Some(place), "{key} was acknowledged");
            }
        }
        for request in &self.open {
            let there = request.subjects.iter().filter(|subject| self.found.contains_key(*subject));
            let there = there.count();
            assert!(there == 0 || there == request.subjects.len(), "half of {request:?}");
        }
    }

    /// Sends everything again that was not acknowledged: now every request is there once.
    #[track_caller]
    fn settle(&mut self) {
        let last = burst(&self.home, &self.open, End::Never);
        assert_eq!(last.exit, Some(0), "{last:?}");
        self.take(last);
        assert_eq!(self.open.len(), 0);
        self.check();
        let subjects: usize = self.acknowledged.values().map(|(one, _)| one.subjects.len()).sum();
        assert_eq!((self.acknowledged.len(), self.found.len()), (self.made, subjects));
        self.home.sound();
    }
}

/// Kills a store's program this often; gives how many records were acknowledged.
fn killed(home: Home, seed: u64, kills: u64) -> usize {
    let mut ledger = Ledger::new(home, &format!("s{seed}"));
    let mut dice = Dice(seed);
    let mut done = 0;
    while done < kills {
        ledger.fill();
        let burst = burst(&ledger.home, &ledger.open, End::random(&mut dice));
        done += u64::from(burst.killed);
        ledger.take(burst);
        ledger.check();
        if done.is_multiple_of(BETWEEN) {
            ledger.home.sound();
        }
    }
    ledger.settle();
    // A program that is killed before it answers proves nothing.
    let acknowledged = ledger.acknowledged.len();
    assert!(acknowledged > OPEN, "{acknowledged} acknowledged");
    acknowledged
}

/// Kills the programs of several stores, two of them at a time.
fn shared(engine: &str, home: impl Fn(u64) -> Home + Sync, kill: fn(Home, u64, u64) -> usize) {
    let kills = count("DALIL_KILLS", KILLS).div_ceil(STORES);
    let acknowledged: usize = thread::scope(|scope| {
        let halves = [0, 1].map(|half| {
            let home = &home;
            scope.spawn(move || {
                let stores = (half..STORES).step_by(2);
                stores.map(|seed| kill(home(seed), seed, kills)).sum::<usize>()
            })
        });
        halves.into_iter().map(|half| half.join().unwrap()).sum()
    });
    let kills = kills * STORES;
    tell(&format!("{engine}: {kills} kills, {acknowledged} acknowledged, 0 lost, 0 doubled"));
}

#[test]
fn a_folder_loses_nothing_when_the_program_is_killed() {
    shared("SQLite", |seed| Home::folder(&format!("lost/{seed}")), killed);
}

#[test]
fn a_database_loses_nothing_when_one_of_two_programs_is_killed() {
    if Home::postgres("lost/probe").is_some() {
        let home = |seed| Home::postgres(&format!("lost/database-{seed}")).unwrap();
        shared("PostgreSQL", home, killed_beside);
    }
}

/// As [`killed`], with two programs at once that are sent the same requests.
fn killed_beside(home: Home, seed: u64, kills: u64) -> usize {
    let mut ledger = Ledger::new(home, &format!("d{seed}"));
    let mut dice = Dice(seed);
    let mut done = 0;
    while done < kills {
        ledger.fill();
        let ends = [End::random(&mut dice), End::random(&mut dice)];
        let both = thread::scope(|scope| {
            let (home, open) = (&ledger.home, &ledger.open);
            ends.map(|end| scope.spawn(move || burst(home, open, end)))
                .map(|one| one.join().unwrap())
        });
        for burst in both {
            done += u64::from(burst.killed);
            ledger.take(burst);
        }
        ledger.check();
        if done % BETWEEN < 2 {
            ledger.home.sound();
        }
    }
    ledger.settle();
    // A program that is killed before it answers proves nothing.
    let acknowledged = ledger.acknowledged.len();
    assert!(acknowledged > OPEN, "{acknowledged} acknowledged");
    acknowledged
}
