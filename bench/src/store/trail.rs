//! Dalil's own side: appends, receipts, a large trail, and opening it.

use std::path::PathBuf;
use std::time::Duration;

use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::fsck::{FsckOptions, FsckStatus};
use dalil_store::{
    AppendEntry, ErrorKind, FieldContent, LakePlace, NewRecord, NewRecordField, NewTenant,
    RecordTime, Store, StoreOptions, StorePlace, Tenant, TimeSource, Vault,
};
use tokio::time::Instant;

use super::{BenchError, PAYLOAD_BYTES, load};
use crate::measure::BenchFigures;

pub(super) async fn append(
    place: &str,
    clients: usize,
    seconds: u64,
) -> Result<BenchFigures, BenchError> {
    let (store, tenant) = opened(place).await?;
    let at = at()?;
    let figures = load::run(vec![tenant; clients], seconds, move |tenant, n| async move {
        let entry = AppendEntry { drafts: vec![draft(n, at, PAYLOAD_BYTES)], key: None };
        tenant.append(entry).await?;
        Ok(())
    })
    .await?;
    store.close().await?;
    Ok(figures)
}

/// Receipts of records here and there in the trail.
pub(super) async fn receipts(
    place: &str,
    clients: usize,
    seconds: u64,
) -> Result<BenchFigures, BenchError> {
    let (store, tenant) = opened(place).await?;
    let size = tenant.head().await?.size;
    let figures = load::run(vec![tenant; clients], seconds, move |tenant, n| async move {
        tenant.receipt(n.wrapping_mul(SCATTER_MULTIPLIER) % size).await?;
        Ok(())
    })
    .await?;
    store.close().await?;
    Ok(figures)
}

/// Appends small records, many in an entry, until the trail has `size` of them.
pub(super) async fn fill(
    place: &str,
    clients: usize,
    size: u64,
) -> Result<BenchFigures, BenchError> {
    let (store, tenant) = opened(place).await?;
    let (at, before) = (at()?, tenant.head().await?.size);
    let start = Instant::now();
    let mut running = Vec::with_capacity(clients);
    for client in 0..clients {
        let tenant = tenant.clone();
        running.push(tokio::spawn(async move {
            for first in (before..size).step_by(RECORDS_PER_ENTRY).skip(client).step_by(clients) {
                let bulk = (first..size).take(RECORDS_PER_ENTRY);
                let drafts = bulk.map(|n| draft(n, at, FILLER_PAYLOAD_BYTES)).collect();
                tenant.append(AppendEntry { drafts, key: None }).await?;
            }
            Ok::<(), BenchError>(())
        }));
    }
    for client in running {
        client.await??;
    }
    let seconds = start.elapsed().as_secs_f64();
    let size = tenant.head().await?.size;
    store.close().await?;
    Ok(vec![("seconds", seconds), ("records", f64::from(u32::try_from(size)?))])
}

/// From nothing to the head of the trail; the process's peak memory is this alone.
pub(super) async fn open(place: &str) -> Result<BenchFigures, BenchError> {
    let start = Instant::now();
    let (store, tenant) = opened(place).await?;
    let size = tenant.head().await?.size;
    let seconds = start.elapsed().as_secs_f64();
    store.close().await?;
    Ok(vec![("seconds", seconds), ("records", f64::from(u32::try_from(size)?))])
}

/// Records of many tenants at once: every tenant appends an entry of `records` records, and all
/// wait for all.
pub(super) async fn groups(
    place: &str,
    tenants: usize,
    records: u64,
) -> Result<BenchFigures, BenchError> {
    let (store, first) = opened(place).await?;
    let at = at()?;
    let start = Instant::now();
    let mut handles = vec![first];
    for n in 1..tenants {
        handles.push(tenant(&store, &format!("bench-{n}")).await?);
    }
    let create = start.elapsed().as_secs_f64();
    let mut taken = Vec::new();
    let start = Instant::now();
    while start.elapsed() < GROUPS_TIME || taken.len() < MIN_ROUNDS {
        // Subjects that are new, as most are.
        let first = taken.len() as u64 * records;
        let round = Instant::now();
        let mut running = Vec::with_capacity(handles.len());
        for tenant in &handles {
            let tenant = tenant.clone();
            let drafts = (first..first + records).map(|n| draft(n, at, PAYLOAD_BYTES)).collect();
            let entry = AppendEntry { drafts, key: None };
            running.push(tokio::spawn(async move { tenant.append(entry).await }));
        }
        for client in running {
            client.await??;
        }
        taken.push(round.elapsed().as_secs_f64());
    }
    taken.sort_by(f64::total_cmp);
    let seconds = taken.get(taken.len() / 2).copied().ok_or("expected a round")?;
    let rounds = f64::from(u32::try_from(taken.len())?);
    store.close().await?;
    Ok(vec![("create", create), ("seconds", seconds), ("rounds", rounds)])
}

/// Verifies the whole store, by deriving everything again.
pub(super) async fn fsck(place: &str) -> Result<BenchFigures, BenchError> {
    let (store, _) = opened(place).await?;
    let start = Instant::now();
    let options = FsckOptions { sweep: false, secrets: true };
    let worst = store.fsck(options, &mut |_| ()).await?;
    let seconds = start.elapsed().as_secs_f64();
    store.close().await?;
    if worst != FsckStatus::Pass {
        return Err("expected a store in which nothing is wrong".into());
    }
    Ok(vec![("seconds", seconds)])
}

async fn opened(place: &str) -> Result<(Store, Tenant), BenchError> {
    let place = if place.starts_with("postgres") {
        // Appends put nothing into the lake, but a store has one.
        let lake = LakePlace::Folder(std::env::temp_dir().join("dalil-bench-lake"));
        StorePlace::Postgres { url: place.to_owned(), lake }
    } else {
        StorePlace::File { dir: PathBuf::from(place) }
    };
    let store = Store::open(&place, Vault::of([7; 32]), StoreOptions::writing(at()?)).await?;
    let tenant = tenant(&store, "bench").await?;
    Ok((store, tenant))
}

/// A tenant of that name, which is made if there is none.
async fn tenant(store: &Store, name: &str) -> Result<Tenant, BenchError> {
    match store.tenant(name).await {
        Err(error) if error.kind == ErrorKind::Refused => {
            let (origin, at) = (format!("dalil.example/{name}"), at()?);
            let new = NewTenant { name, origin: &origin, at, actor: Actor::System };
            Ok(store.create_tenant(new).await?)
        }
        found => Ok(found?),
    }
}

fn draft(n: u64, at: Time, size: usize) -> NewRecord {
    let content = FieldContent::Bytes(vec![b'x'; size]);
    NewRecord {
        kind: RecordKind::DecisionRecorded,
        id: None,
        when: RecordTime { at, source: TimeSource::Clock },
        actor: Actor::Agent("agent-7".to_owned()),
        subject: format!("decision-{n:x}"),
        fields: vec![NewRecordField { name: "decision".to_owned(), content }],
        rows: Vec::new(),
    }
}

fn at() -> Result<Time, BenchError> {
    Time::from_millis(1_767_400_000_000).ok_or_else(|| "expected a time".into())
}

/// How long rounds of groups are repeated, and how often at least.
const GROUPS_TIME: Duration = Duration::from_secs(2);
const MIN_ROUNDS: usize = 5;
/// The payload of a record that only makes the trail longer.
const FILLER_PAYLOAD_BYTES: usize = 32;
/// How many of them are in one entry.
const RECORDS_PER_ENTRY: usize = 64;
/// Takes one number after the other to places far apart.
const SCATTER_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
