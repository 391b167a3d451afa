//! Stores for tests: one of each engine, and test data.

use std::path::PathBuf;

use dalil_proof::digest::{Digest, hex};
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use sqlx::{AnyConnection, Connection as _};

use crate::catalog::{
    ApiKeyRow, ArtifactRow, BundleRow, ChunkRow, ClaimRow, DecisionRow, ErasureRow, EvidenceRow,
    EvidenceTable, HoldRow, JobRow, KeyRedatingRow, KeyRow, MatterRow, MemberRow, ObligationRow,
    PackApprovalRow, PackRow, RunRow, ToolCallRow, VerdictRow, run,
};
use crate::{
    AppendEntry, FieldContent, LakePlace, NewRecord, NewRecordField, NewTenant, RecordTime, Store,
    StoreOptions, StorePlace, TimeSource,
};
use crate::{Tenant, Vault};

/// A row with something in every column, such as the database takes.
pub(crate) fn row(table: EvidenceTable) -> EvidenceRow {
    match table.sample() {
        EvidenceRow::Claims(row) => {
            let (claim_type, importance) = ("fact".to_owned(), "minor".to_owned());
            ClaimRow { claim_type, importance, ..row }.into()
        }
        EvidenceRow::EvidenceLedger(row) => {
            let (verdict, chunk_ids) = ("weak".to_owned(), "[]".to_owned());
            VerdictRow { verdict, confidence_score: 0.5, chunk_ids, ..row }.into()
        }
        EvidenceRow::Chunks(row) => ChunkRow { heading_path: Some("[]".to_owned()), ..row }.into(),
        EvidenceRow::EvidenceBundle(row) => BundleRow { policy: "{}".to_owned(), ..row }.into(),
        EvidenceRow::Decisions(row) => DecisionRow {
            approval_class: "A1".to_owned(),
            reversibility_class: "R1".to_owned(),
            sensitivity_class: "S1".to_owned(),
            requirement: "skip".to_owned(),
            ..row
        }
        .into(),
        EvidenceRow::Obligations(row) => ObligationRow {
            event: "recorded".to_owned(),
            verification_result: Some("CONFIRMED".to_owned()),
            amendment_history: Some("[]".to_owned()),
            ..row
        }
        .into(),
        other => changed_row(other),
    }
}

/// The same for rows that state a status or a change.
fn changed_row(row: EvidenceRow) -> EvidenceRow {
    match row {
        EvidenceRow::ToolCalls(row) => {
            let (phase, outcome) = ("reported".to_owned(), Some("failed".to_owned()));
            ToolCallRow { phase, outcome, ..row }.into()
        }
        EvidenceRow::EvidencePacks(row) => PackRow { status: "resolved".to_owned(), ..row }.into(),
        EvidenceRow::Approvals(row) => {
            PackApprovalRow { outcome: "approved".to_owned(), ..row }.into()
        }
        EvidenceRow::Matters(row) => {
            MatterRow { change: "asked".to_owned(), said: Some("{}".to_owned()), ..row }.into()
        }
        EvidenceRow::Keys(row) => KeyRow { change: "added".to_owned(), ..row }.into(),
        EvidenceRow::KeyRedatings(row) => {
            KeyRedatingRow { change: "added".to_owned(), ..row }.into()
        }
        EvidenceRow::Members(row) => MemberRow {
            role: "viewer".to_owned(),
            titles: "[]".to_owned(),
            change: "added".to_owned(),
            ..row
        }
        .into(),
        EvidenceRow::ApiKeys(row) => ApiKeyRow { change: "added".to_owned(), ..row }.into(),
        EvidenceRow::Jobs(row) => {
            JobRow { state: "done".to_owned(), result: Some("{}".to_owned()), ..row }.into()
        }
        EvidenceRow::Holds(row) => HoldRow { change: "placed".to_owned(), ..row }.into(),
        EvidenceRow::Erasures(row) => {
            ErasureRow { legal_basis: "court_order".to_owned(), ..row }.into()
        }
        other => other,
    }
}

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
    let row = RunRow {
        run_id: "run-1".to_owned(),
        model: "model-1".to_owned(),
        status: "done".to_owned(),
        created_utc: at(second),
    };
    let content = FieldContent::Bytes(format!("{subject} at {second}").into_bytes());
    NewRecord {
        kind: RecordKind::RunRecorded,
        id: None,
        when: RecordTime { at: at(second), source: TimeSource::Stated },
        actor: Actor::Agent("agent-7".to_owned()),
        subject: subject.to_owned(),
        fields: vec![NewRecordField { name: "run".to_owned(), content }],
        rows: vec![row.into()],
    }
}

/// An entry of one record.
pub(crate) fn entry(subject: &str, second: i64) -> AppendEntry {
    AppendEntry { drafts: vec![draft(subject, second)], key: None }
}

/// The record of an erasure, with its rows.
pub(crate) fn erasing(erased: &[u64]) -> AppendEntry {
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
    record.rows = erased.iter().map(|erased| erasure(*erased).into()).collect();
    AppendEntry { drafts: vec![record], key: None }
}

/// The row of an erasure.
pub(crate) fn erasure(erased: u64) -> ErasureRow {
    ErasureRow {
        erased,
        scope: "all".to_owned(),
        legal_basis: "court_order".to_owned(),
        approver: "dpo-1".to_owned(),
        at: at(0),
    }
}

/// An entry of one record that needs an object of the lake.
pub(crate) fn needing(subject: &str, object: &Digest, second: i64) -> AppendEntry {
    let mut draft = draft(subject, second);
    draft
        .fields
        .push(NewRecordField { name: "object".to_owned(), content: FieldContent::Lake(*object) });
    let (media_type, role) = ("text/plain".to_owned(), "document".to_owned());
    draft.rows.push(ArtifactRow { sha256: *object, size: 9, media_type, role }.into());
    AppendEntry { drafts: vec![draft], key: None }
}

/// A time, in seconds after a day in January.
pub(crate) fn at(second: i64) -> Time {
    Time::from_millis(1_767_400_000_000 + second * 1000).unwrap()
}

/// The trust of a verifier that knows a tenant's keys.
pub(crate) async fn trust(tenant: &Tenant) -> Trust {
    let keys = tenant.select(&KeyRow::query()).await.unwrap();
    let keys: Vec<String> = keys.iter().map(|key| format!("\"{}\"", key.row.public_key)).collect();
    let json = format!(r#"{{"origin":"{}","keys":[{}]}}"#, tenant.origin(), keys.join(","));
    Trust::parse(json.as_bytes()).unwrap()
}

fn random_name() -> String {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).unwrap();
    hex(&bytes)
}
