//! Every byte of a small store: changed, it is reported, or it holds no evidence.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::thread;

use super::layout::{Idle, Layout};
use super::{ALL, findings, sample};
use crate::fixture::{Home, draft, erasing};
use crate::{AppendEntry, EvidenceTable, FieldContent, IdempotencyKey, NewRecord};

/// Why a change was not seen.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// SQLite keeps nothing there.
    Idle(Idle),
    /// When a migration ran is no evidence; which one ran is.
    MigratedAt,
    /// Which request a key belongs to, and where its answer begins, is no evidence.
    Request,
}

/// A store with every kind of page, and a row in every table that takes rows of any record.
async fn rich() -> Home {
    let (home, _) = sample().await;
    let store = home.open().await;
    let tenant = store.tenant("acme").await.unwrap();
    let append = async |drafts: Vec<NewRecord>, key| {
        let placed = tenant.append(AppendEntry { drafts, key }).await.unwrap();
        placed[0].index
    };
    // Longer than a page: one stays, and one goes and leaves free pages.
    let long = |subject, word: &[u8]| {
        let mut draft = draft(subject, 10);
        draft.fields[0].content = FieldContent::Bytes(word.repeat(1000));
        draft
    };
    append(vec![long("run-2", b"evidence ")], None).await;
    let goes = append(vec![long("run-3", ERASED)], None).await;
    // Many long names make an index of several pages.
    append((0..25).map(|n| draft(&format!("{n:0>200}"), 11)).collect(), None).await;
    let mut all = draft("run-4", 12);
    let tables = EvidenceTable::ALL.iter().filter(|table| !OWN.contains(table));
    all.rows = tables.map(|table| crate::fixture::row(*table)).collect();
    let key = IdempotencyKey::new(KEY, b"a request").unwrap();
    append(vec![all], Some(key)).await;
    tenant.append(erasing(&[goes])).await.unwrap();
    drop(tenant);
    store.close().await.unwrap();
    home
}

/// With `DALIL_EVERY_BYTE` set to a number, every byte that is not blank, on that many copies at
/// once; otherwise a sample of every kind.
#[test]
fn no_byte_changes_unseen() {
    let home = wait(rich());
    let sound = fs::read(home.dir().join("catalog.sqlite")).unwrap();
    let layout = Layout::of(&sound);
    let copies = std::env::var_os("DALIL_EVERY_BYTE").map(|copies| {
        let copies = copies.into_string().unwrap();
        copies.parse::<usize>().unwrap()
    });
    let places: Vec<usize> = match copies {
        Some(_) => (0..sound.len()).filter(|at| layout.idle(*at) != Some(Idle::Blank)).collect(),
        None => layout.sample(),
    };
    let share = places.len().div_ceil(copies.unwrap_or(2));
    let unseen: Vec<usize> = thread::scope(|scope| {
        let mut shares = Vec::new();
        for places in places.chunks(share) {
            let (home, sound) = (home.copy(), &sound);
            shares.push(scope.spawn(move || wait(unseen(&home, sound, places))));
        }
        shares.into_iter().flat_map(|share| share.join().unwrap()).collect()
    });
    let mut reasons: BTreeMap<Why, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for at in unseen {
        match why(&layout, &sound, at) {
            Some(why) => *reasons.entry(why).or_default() += 1,
            None => found.push(format!("byte {at} of page {}: {}", at / 4096 + 1, sound[at])),
        }
    }
    assert_eq!(found, [""; 0], "{} tried, unseen: {reasons:?}", places.len());
}

/// With `DALIL_CATALOG_CHANGES`, that many changes; otherwise a few.
#[test]
fn no_change_of_several_bytes_is_unseen() {
    let home = wait(rich());
    let path = home.dir().join("catalog.sqlite");
    let sound = fs::read(&path).unwrap();
    let layout = Layout::of(&sound);
    // Most of a small catalog is blank: changes begin where something is kept.
    let held = (0..sound.len() - SWAPPED_BYTES).filter(|at| layout.idle(*at).is_none());
    let held: Vec<usize> = held.collect();
    let set = std::env::var_os("DALIL_CATALOG_CHANGES");
    let all = set.map_or(CHANGES, |all| all.to_str().unwrap().parse().unwrap());
    let (mut random, mut reported, mut idle) = (1, 0, 0);
    for n in 0..all {
        let changed = several(&sound, &held, &mut random);
        replace(&path, &changed);
        if !wait(findings(&home, ALL)).is_empty() {
            reported += 1;
            continue;
        }
        let differs = |at: &usize| changed[*at] != sound[*at];
        let evidence = |at: &usize| why(&layout, &sound, *at).is_none();
        let found = (0..sound.len()).filter(differs).find(evidence);
        assert_eq!(found, None, "change {n} is not reported");
        idle += 1;
    }
    if let Some(file) = std::env::var_os("DALIL_TEST_RESULTS") {
        let line = format!(
            "catalog: {reported} changes reported, {idle} where nothing is kept, 0 unseen\n"
        );
        let mut file = File::options().append(true).create(true).open(file).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}

/// A bit, a byte, sixteen zeros, or two places exchanged.
fn several(sound: &[u8], held: &[usize], random: &mut u64) -> Vec<u8> {
    // SplitMix64: the same changes in every run.
    let mut below = |limit: usize| {
        *random = random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (*random ^ (*random >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit).unwrap()).unwrap()
    };
    let mut changed = sound.to_vec();
    while changed == sound {
        let at = held[below(held.len())];
        match below(5) {
            0 | 1 => changed[at] ^= 1 << below(8),
            2 => changed[at] = changed[at].wrapping_add(u8::try_from(1 + below(255)).unwrap()),
            3 => changed[at..at + 16].fill(0),
            _ => {
                let other = held[below(held.len())];
                changed[at..at + SWAPPED_BYTES].copy_from_slice(&sound[other..][..SWAPPED_BYTES]);
                changed[other..other + SWAPPED_BYTES]
                    .copy_from_slice(&sound[at..][..SWAPPED_BYTES]);
            }
        }
    }
    changed
}

/// The places where a change is not reported.
async fn unseen(home: &Home, sound: &[u8], places: &[usize]) -> Vec<usize> {
    let path = home.dir().join("catalog.sqlite");
    let mut unseen = Vec::new();
    for at in places {
        change(&path, *at, sound[*at] ^ 1);
        if findings(home, ALL).await.is_empty() {
            unseen.push(*at);
        }
        change(&path, *at, sound[*at]);
    }
    assert_eq!(findings(home, ALL).await, "");
    unseen
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Unused pages are zero, and nothing of what was erased is left anywhere.
#[tokio::test]
async fn what_was_erased_is_in_no_byte() {
    let home = rich().await;
    let sound = fs::read(home.dir().join("catalog.sqlite")).unwrap();
    let layout = Layout::of(&sound);
    let is_free = |at: &usize| layout.idle(*at) == Some(Idle::FreePage);
    assert_eq!((0..sound.len()).filter(is_free).filter(|at| sound[*at] != 0).count(), 0);
    assert_eq!(sound.windows(ERASED.len()).filter(|text| *text == ERASED).count(), 0);
    assert_eq!(layout.kinds(), ["index", "index leaf", "table", "table leaf", "overflow", "free"]);
}

/// Small payloads of many sizes: rows that moved between pages before they were erased.
#[tokio::test]
async fn what_was_erased_after_it_moved_is_in_no_byte() {
    let (home, _) = sample().await;
    let store = home.open().await;
    let tenant = store.tenant("acme").await.unwrap();
    let mut goes = [Vec::new(), Vec::new(), Vec::new()];
    for n in 0..600_usize {
        let mut draft = draft(&format!("run-{}", n % 7), 20);
        let word = if n % 3 == 1 { ERASED } else { b"evidence " };
        draft.fields[0].content = FieldContent::Bytes(word.repeat(1 + n * 37 % 90));
        let placed = tenant.append(AppendEntry { drafts: vec![draft], key: None }).await.unwrap();
        goes[n % 3].push(placed[0].index);
    }
    // The first makes pages that are half empty, whose rows are put together.
    tenant.append(erasing(&goes[0])).await.unwrap();
    tenant.append(erasing(&goes[1])).await.unwrap();
    drop(tenant);
    store.close().await.unwrap();
    let file = fs::read(home.dir().join("catalog.sqlite")).unwrap();
    assert_eq!(file.windows(ERASED.len()).filter(|text| *text == ERASED).count(), 0);
}

fn change(path: &Path, at: usize, byte: u8) {
    let file = without_log(path);
    file.write_all_at(&[byte], u64::try_from(at).unwrap()).unwrap();
}

fn replace(path: &Path, bytes: &[u8]) {
    without_log(path).write_all_at(bytes, 0).unwrap();
}

/// A catalog to change. A log that is left beside it would be played into it.
fn without_log(path: &Path) -> File {
    for end in ["-wal", "-shm"] {
        drop(fs::remove_file(format!("{}{end}", path.display())));
    }
    File::options().write(true).open(path).unwrap()
}

fn why(layout: &Layout<'_>, file: &[u8], at: usize) -> Option<Why> {
    if let Some(idle) = layout.idle(at) {
        return Some(Why::Idle(idle));
    }
    let migrated = |name: &str| {
        let digest = format!("{name}sha256:");
        let start = file.windows(digest.len()).position(|text| text == digest.as_bytes());
        let end = start.map(|start| start + digest.len() + 64);
        end.is_some_and(|end| (end..end + 24).contains(&at))
    };
    if crate::schema::names().any(migrated) {
        return Some(Why::MigratedAt);
    }
    let is_key = file.windows(KEY.len()).enumerate().any(|(start, text)| {
        text == KEY.as_bytes() && (start..start + KEY.len() + 72).contains(&at)
    });
    is_key.then_some(Why::Request)
}

/// Tables whose rows belong to records of their own kinds.
const OWN: &[EvidenceTable] = &[
    EvidenceTable::Tenants,
    EvidenceTable::Keys,
    EvidenceTable::Holds,
    EvidenceTable::Erasures,
    EvidenceTable::Artifacts,
];
/// A word of a payload that was erased.
const ERASED: &[u8] = b"forgotten ";
const KEY: &str = "request-1-request-1";
/// The default number of changes of several bytes that are tried.
const CHANGES: usize = 60;
/// How many bytes are exchanged with others.
const SWAPPED_BYTES: usize = 32;
