//! Every byte of a small store: changed, it is reported, or it holds no evidence.

use std::collections::BTreeMap;
use std::fs;

use super::layout::idle;
use super::{ALL, findings, put, sample};
use crate::fixture::Home;

/// With `DALIL_EVERY_BYTE` set, every byte; otherwise one in a prime number of them.
#[tokio::test]
async fn no_byte_changes_unseen() {
    let (home, _) = sample().await;
    let file = home.dir().join("catalog.sqlite");
    let sound = fs::read(&file).unwrap();
    let stride = if std::env::var_os("DALIL_EVERY_BYTE").is_some() { 1 } else { 4999 };
    let mut unseen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tried = 0_usize;
    for at in (0..sound.len()).step_by(stride) {
        // Free space is most of a small store: whether it is seen says nothing.
        let why = idle(&sound, at);
        if stride == 1 && why == Some("free space of a page") {
            continue;
        }
        let mut changed = sound.clone();
        changed[at] ^= 1;
        put(&file, &changed);
        tried += 1;
        if is_seen(&home).await {
            continue;
        }
        let why = why.or_else(|| migrated_at(&sound, at));
        *unseen
            .entry(why.unwrap_or_else(|| panic!("byte {at} of page {}", at / 4096 + 1)))
            .or_default() += 1;
    }
    put(&file, &sound);
    assert_eq!(findings(&home, ALL).await, "");
    assert!(tried > 50, "{tried} bytes were tried; unseen: {unseen:?}");
}

async fn is_seen(home: &Home) -> bool {
    !findings(home, ALL).await.is_empty()
}

/// When a migration ran is no evidence; which one ran is.
fn migrated_at(file: &[u8], at: usize) -> Option<&'static str> {
    let found = file.windows(7).enumerate().filter(|(_, text)| *text == b"sha256:");
    let digest = found.map(|(start, _)| start).find(|start| {
        let name = start.checked_sub(7).map(|name| &file[name..*start]);
        name == Some(b"catalog")
    })?;
    let time = digest + 71..digest + 71 + 24;
    time.contains(&at).then_some("the time at which a migration ran")
}
