//! Stores and shared functions for tests.

use std::fs;
use std::path::PathBuf;

use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_evidence::pack::SealedPack;
use dalil_proof::canon;
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use dalil_store::catalog::KeyRow;
use dalil_store::{
    EvidenceTable, NewTenant, Store, StoreOptions, StorePlace, Tenant, TimeSource, Vault,
};
use serde::Serialize;

use crate::operation::{OperationFailure, RequestContext};

/// A store in a folder that is gone after the test.
pub(super) struct Home {
    store: Store,
    folder: PathBuf,
}

impl Drop for Home {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).unwrap_or_default();
    }
}

impl Home {
    /// A new store.
    pub(super) async fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("dalil-keep-{}-{name}", std::process::id()));
        fs::remove_dir_all(&folder).unwrap_or_default();
        let place = StorePlace::File { dir: folder.clone() };
        let store =
            Store::open(&place, Vault::of([7; 32]), StoreOptions::writing(at(0))).await.unwrap();
        Self { store, folder }
    }

    /// A new tenant of it.
    pub(super) async fn tenant(&self, name: &str) -> Tenant {
        let origin = format!("dalil.example/{name}");
        // Before everything that the tests date: nothing is sealed that is older than its key.
        let begun = "2026-01-01T00:00:00Z".parse().unwrap();
        let new = NewTenant { name, origin: &origin, at: begun, actor: Actor::System };
        self.store.create_tenant(new).await.unwrap()
    }
}

/// A store with one tenant.
pub(super) async fn one(name: &str) -> (Home, Tenant) {
    let home = Home::new(name).await;
    let acme = home.tenant("acme").await;
    (home, acme)
}

/// A store with two tenants.
pub(super) async fn two(name: &str) -> (Home, Tenant, Tenant) {
    let (home, acme) = one(name).await;
    let other = home.tenant("zenith").await;
    (home, acme, other)
}

/// A time, in seconds after a moment in March.
pub(super) fn at(second: i64) -> Time {
    Time::from_millis(1_773_500_000_000 + second * 1000).unwrap()
}

/// The context of an agent's operation at a second.
pub(super) fn context_at(second: i64) -> RequestContext {
    let actor = Actor::Agent("agent-7".to_owned());
    RequestContext { at: at(second), time_source: TimeSource::Stated, actor, key: None }
}

/// The context of a person's operation at a second.
pub(super) fn person(second: i64, name: &str) -> RequestContext {
    RequestContext { actor: Actor::Person(name.to_owned()), ..context_at(second) }
}

/// Adds those who approve in the tests: one for each title, and one who only looks.
pub(super) async fn house(tenant: &Tenant) {
    let titles = MemberTitle::WIRE_NAMES
        .iter()
        .map(|(word, title)| (*word, MemberRole::Approver, vec![*title]));
    for (name, role, titles) in titles.chain([("viewer", MemberRole::Viewer, Vec::new())]) {
        let member =
            Member { name: format!("the_{name}"), role, titles: titles.into_iter().collect() };
        crate::member::add(tenant, &member, &person(0, "ada")).await.unwrap();
    }
}

/// The same under a key.
pub(super) fn keyed(second: i64, key: &str) -> RequestContext {
    RequestContext { key: Some(key.to_owned()), ..context_at(second) }
}

/// Seals a pack of a decision that is recorded before, unless one of its name is.
pub(super) async fn seal_recorded(
    tenant: &Tenant,
    request: &[u8],
    context: &RequestContext,
) -> Result<SealedPack, OperationFailure> {
    let json: serde_json::Value = serde_json::from_slice(request).unwrap();
    let decision = json["decision"].to_string();
    let own = RequestContext { key: None, ..context.clone() };
    // One that cannot be recorded is refused again below.
    drop(crate::decision::record(tenant, decision.as_bytes(), &own).await);
    crate::pack::seal(tenant, request, context).await
}

/// A value as JSON, without its random parts.
pub(super) fn said(value: &impl Serialize) -> String {
    masked(&String::from_utf8(canon::bytes(value).unwrap()).unwrap())
}

/// Why a verb did nothing.
#[track_caller]
pub(super) fn why<T>(result: Result<T, OperationFailure>) -> String {
    match result {
        Ok(_) => "nothing is wrong".to_owned(),
        Err(failure) => masked(&failure.to_string()),
    }
}

/// How many records a tenant has.
pub(super) async fn size(tenant: &Tenant) -> u64 {
    tenant.head().await.unwrap().size
}

/// The rows of a table, without their random parts.
pub(super) async fn table(tenant: &Tenant, table: EvidenceTable) -> String {
    let mut lines = String::new();
    for (index, rows) in tenant.rows(0..1000).await.unwrap() {
        for (ord, row) in rows.iter().enumerate().filter(|(_, row)| row.table() == table) {
            let values = said(row);
            let (_, values) = values.split_once(',').unwrap();
            lines.push_str(&format!("[{index},{ord},{values}\n"));
        }
    }
    lines
}

/// The trust of a verifier that knows a tenant's keys.
pub(super) async fn trust(tenant: &Tenant) -> Trust {
    let keys = tenant.select(&KeyRow::query()).await.unwrap();
    let keys: Vec<String> = keys.iter().map(|key| format!("\"{}\"", key.row.public_key)).collect();
    let json = format!(r#"{{"origin":"{}","keys":[{}]}}"#, tenant.origin(), keys.join(","));
    Trust::parse(json.as_bytes()).unwrap()
}

/// Record ids and leaf hashes are different every time.
fn masked(text: &str) -> String {
    let mut text = text.to_owned();
    for (start, digits) in [
        ("rec_", 16),
        ("rev_", 16),
        ("exp_", 16),
        ("apr_", 16),
        ("ask_", 16),
        ("\"leaf\":\"sha256:", 64),
        ("\"root\":\"sha256:", 64),
    ] {
        let mut parts = text.split(start);
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let hidden = part.split_at_checked(digits).filter(|(hex, _)| is_hex(hex));
            let rest = hidden.map_or_else(|| part.to_owned(), |(_, rest)| format!("…{rest}"));
            shown = shown + start + &rest;
        }
        text = shown;
    }
    text
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
