//! Stores to test with: one of each engine, and what the tests put in.

use std::path::PathBuf;

use dalil_core::digest::{Digest, hex};
use dalil_core::record::{Actor, RecordKind};
use dalil_core::time::Time;
use dalil_core::trust::Trust;
use sqlx::{AnyConnection, Connection as _};

use crate::catalog::run;
use crate::{
    AppendEntry, EvidenceRow, EvidenceTable, FieldContent, LakePlace, NewRecord, NewRecordField,
    NewTenant, RecordTime, SqlValue, Store, StoreOptions, StorePlace, TimeSource,
};
use crate::{Tenant, Vault};

/// A place for a store that is gone after the test.
pub(crate) struct Home {
    pub(crate) place: StorePlace,
    /// How another program would connect.
    pub(crate) url: String,
    folder: Option<PathBuf>,
}

impl Home {
    /// A new folder.
    pub(crate) fn folder() -> Self {
        let name = format!("dalil-store-{}", random_name());
        let dir = std::env::temp_dir().join(name);
        let url = format!("sqlite://{}/catalog.sqlite?mode=rw", dir.display());
        Self { place: StorePlace::File { dir: dir.clone() }, url, folder: Some(dir) }
    }

    /// The same folder once more.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self::folder();
        let mut cp = std::process::Command::new("cp");
        assert!(cp.arg("-r").arg(self.dir()).arg(copy.dir()).status().unwrap().success());
        copy
    }

    /// A new database, where the tests were given a PostgreSQL to make one in.
    pub(crate) async fn postgres() -> Option<Self> {
        let server = std::env::var_os("DALIL_TEST_POSTGRES")?.into_string().ok()?;
        let name = format!("dalil_{}", random_name());
        sqlx::any::install_default_drivers();
        let mut connection = AnyConnection::connect(&server).await.unwrap();
        run(&mut connection, &format!("CREATE DATABASE {name}")).await.unwrap();
        connection.close().await.unwrap();
        let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
        let lake = LakePlace::Folder(std::env::temp_dir().join(name));
        Some(Self { place: StorePlace::Postgres { url: url.clone(), lake }, url, folder: None })
    }

    /// One of each engine that there is.
    pub(crate) async fn each() -> Vec<Self> {
        std::iter::once(Self::folder()).chain(Self::postgres().await).collect()
    }

    pub(crate) fn is_folder(&self) -> bool {
        self.folder.is_some()
    }

    pub(crate) fn dir(&self) -> &PathBuf {
        self.folder.as_ref().unwrap()
    }

    /// Opens the store for writing.
    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.place, Vault::of([7; 32]), StoreOptions::writing(at(0))).await.unwrap()
    }

    /// Opens the store once more, where two processes may.
    pub(crate) async fn open_beside(&self) -> Option<Store> {
        if self.is_folder() { None } else { Some(self.open().await) }
    }

    /// Connects as another program would.
    pub(crate) async fn stranger(&self) -> AnyConnection {
        sqlx::any::install_default_drivers();
        AnyConnection::connect(&self.url).await.unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            drop(std::fs::remove_dir_all(folder));
        }
    }
}

/// Makes the tenant that most tests use.
pub(crate) async fn acme(store: &Store) -> Tenant {
    tenant(store, "acme").await
}

pub(crate) async fn tenant(store: &Store, name: &str) -> Tenant {
    let origin = format!("dalil.example/{name}");
    let new = NewTenant { name, origin: &origin, at: at(0), actor: Actor::System };
    store.create_tenant(new).await.unwrap()
}

/// A record about a subject, with a field and a row.
pub(crate) fn draft(subject: &str, second: i64) -> NewRecord {
    let values = ["run-1", "model-1", "done"].map(SqlValue::from);
    let values = values.into_iter().chain([SqlValue::from(at(second).to_string())]).collect();
    let content = FieldContent::Bytes(format!("{subject} at {second}").into_bytes());
    NewRecord {
        kind: RecordKind::RunRecorded,
        id: None,
        when: RecordTime { at: at(second), source: TimeSource::Stated },
        actor: Actor::Agent("agent-7".to_owned()),
        subject: subject.to_owned(),
        fields: vec![NewRecordField { name: "run".to_owned(), content }],
        rows: vec![EvidenceRow { table: EvidenceTable::Runs, values }],
    }
}

/// An entry of one record.
pub(crate) fn entry(subject: &str, second: i64) -> AppendEntry {
    AppendEntry { drafts: vec![draft(subject, second)], key: None }
}

/// The record of an erasure, with its rows.
pub(crate) fn erasing(erased: &[i64]) -> AppendEntry {
    let mut record = draft("all", 30);
    record.kind = RecordKind::PayloadErased;
    let list = erased.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let field = format!(
        r#"{{"approver":"dpo-1","erased":[{list}],"legal_basis":"court_order","scope":"all"}}"#
    );
    record.fields = vec![NewRecordField {
        name: "erasure".to_owned(),
        content: FieldContent::Bytes(field.into()),
    }];
    let row = |erased: &i64| {
        let texts = ["all", "court_order", "dpo-1", "2026-01-03T00:26:40.000Z"].map(SqlValue::from);
        let values = std::iter::once(SqlValue::Int(*erased)).chain(texts).collect();
        EvidenceRow { table: EvidenceTable::Erasures, values }
    };
    record.rows = erased.iter().map(row).collect();
    AppendEntry { drafts: vec![record], key: None }
}

/// An entry of one record that needs an object of the lake.
pub(crate) fn needing(subject: &str, object: &Digest, second: i64) -> AppendEntry {
    let mut draft = draft(subject, second);
    draft
        .fields
        .push(NewRecordField { name: "object".to_owned(), content: FieldContent::Lake(*object) });
    let values =
        vec![object.to_string().into(), 9_i64.into(), "text/plain".into(), "document".into()];
    draft.rows.push(EvidenceRow { table: EvidenceTable::Artifacts, values });
    AppendEntry { drafts: vec![draft], key: None }
}

/// So many seconds after a day in January.
pub(crate) fn at(second: i64) -> Time {
    Time::from_millis(1_767_400_000_000 + second * 1000).unwrap()
}

/// What a verifier believes who knows a tenant's keys.
pub(crate) async fn trust(tenant: &Tenant) -> Trust {
    let keys = tenant.select(&crate::TableQuery::all(EvidenceTable::Keys)).await.unwrap();
    let keys: Vec<String> = keys
        .iter()
        .map(|row| match &row[4] {
            SqlValue::Text(key) => format!("\"{key}\""),
            other => panic!("expected a key, found {other:?}"),
        })
        .collect();
    let json = format!(r#"{{"origin":"{}","keys":[{}]}}"#, tenant.origin(), keys.join(","));
    Trust::parse(json.as_bytes()).unwrap()
}

fn random_name() -> String {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).unwrap();
    hex(&bytes)
}
