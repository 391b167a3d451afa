//! How many durable appends, and receipts, a store does in a second.
//!
//! `throughput PLACE CLIENTS SECONDS [SECONDS]`, where the place is a new folder or a
//! PostgreSQL URL; the second time is for receipts.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use dalil_core::record::{Actor, Kind};
use dalil_core::time::Time;
use dalil_store::{
    Content, Draft, Entry, Field, LakePlace, NewTenant, Options, Place, Store, Tenant, Vault,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let place = arguments.next().ok_or("which place?")?;
    let clients: u64 = arguments.next().unwrap_or_default().parse().unwrap_or(256);
    let seconds: u64 = arguments.next().unwrap_or_default().parse().unwrap_or(5);
    let place = if place.starts_with("postgres") {
        Place::Postgres { url: place, lake: LakePlace::Folder(PathBuf::new()) }
    } else {
        Place::File { dir: PathBuf::from(place) }
    };
    let at = Time::from_millis(1_767_400_000_000).ok_or("no time")?;
    let store = Store::open(&place, Vault::of([7; 32]), Options::writing(at)).await?;
    let new = NewTenant { name: "bench", origin: "dalil.example/bench", at, actor: Actor::System };
    let tenant = match store.create_tenant(new).await {
        Ok(tenant) => tenant,
        Err(_) => store.tenant("bench").await?,
    };
    let appended = run(&tenant, clients, seconds, move |tenant, n| async move {
        tenant.append(entry(n, at)).await.map(|_| ())
    })
    .await?;
    let size = tenant.head().await?.size;
    let seconds = arguments.next().map_or(Ok(seconds), |text| text.parse())?;
    let receipts = run(&tenant, clients, seconds, move |tenant, n| async move {
        tenant.receipt(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % size).await.map(|_| ())
    })
    .await?;
    report(&format!("{clients} clients: {appended} appends/s, {receipts} receipts/s at {size}"));
    store.close().await?;
    Ok(())
}

/// Runs a piece of work on every client until the time is over, and says how often in a second.
async fn run<F: Future<Output = Result<(), dalil_store::Error>> + Send + 'static>(
    tenant: &Tenant,
    clients: u64,
    seconds: u64,
    work: impl Fn(Tenant, u64) -> F + Copy + Send + 'static,
) -> Result<u64, Failure> {
    let (over, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let mut running = Vec::new();
    for client in 0..clients {
        let (tenant, over, done) = (tenant.clone(), Arc::clone(&over), Arc::clone(&done));
        running.push(tokio::spawn(async move {
            let mut n = client << 32;
            while !over.load(Ordering::Relaxed) {
                work(tenant.clone(), n).await?;
                done.fetch_add(1, Ordering::Relaxed);
                n += 1;
            }
            Ok::<(), dalil_store::Error>(())
        }));
    }
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let count = done.load(Ordering::Relaxed);
    over.store(true, Ordering::Relaxed);
    for client in running {
        client.await??;
    }
    Ok(count / seconds.max(1))
}

/// A record of 1 KiB.
fn entry(n: u64, at: Time) -> Entry {
    let content = Content::Bytes(vec![b'x'; 1024]);
    let draft = Draft {
        kind: Kind::DecisionRecorded,
        id: None,
        at,
        actor: Actor::Agent("agent-7".to_owned()),
        subject: format!("decision-{n:x}"),
        fields: vec![Field { name: "decision".to_owned(), content }],
        rows: Vec::new(),
    };
    Entry { drafts: vec![draft], key: None }
}

#[expect(clippy::print_stdout, reason = "a measurement is printed")]
fn report(line: &str) {
    println!("{line}");
}
