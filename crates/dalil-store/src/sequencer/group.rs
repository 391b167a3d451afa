//! One group: what its entries become, and the rows that say so.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dalil_core::record::{Envelope, Lineage};
use sqlx::AnyConnection;

use super::desk::{Desk, Desks, fits};
use super::look::{self, Answered, Last};
use super::objects::lacks;
use super::{Answer, Job, Sequencer, erase};
use crate::catalog::{Column, ColumnType, Engine, Failed, Table, Value, insert};
use crate::error::Error;
use crate::trail::edge::{Completed, Edge};
use crate::trail::entry::{Content, Payload, Placed, Prepared, Unless, Written};
use crate::trail::signer::Signer;
use crate::trail::tip::{Tip, int};

/// What a group came to: an answer for each entry, and the desks after it.
pub(super) struct Outcome {
    pub(super) answers: Vec<Answer>,
    pub(super) desks: Desks,
    /// Whether something was erased.
    pub(super) has_erased: bool,
    /// The evidence tables that it adds to.
    pub(super) tables: BTreeSet<Table>,
}

impl Sequencer {
    /// Does everything of a group but the commit.
    pub(super) async fn group(
        &mut self,
        connection: &mut AnyConnection,
        jobs: &[Job],
        is_retry: bool,
    ) -> Result<Outcome, Failed> {
        let mut desks = self.desks_of(connection, jobs).await?;
        let engine = self.shared.catalog.engine;
        let mut pages = BTreeMap::new();
        for (tenant, desk) in &desks {
            let own = jobs.iter().filter(|job| job.tenant == *tenant).collect::<Vec<_>>();
            pages.insert(Arc::clone(tenant), Page::open(connection, desk, &own, is_retry).await?);
        }
        let mut answers = Vec::with_capacity(jobs.len());
        for job in jobs {
            let Some(page) = pages.get_mut(&job.tenant) else { continue };
            answers.push(match page.known(connection, job).await? {
                Some(answer) => answer,
                None => match page.has_changed(connection, job).await? {
                    Some(error) => Err(error),
                    None => match lacks(&self.shared, connection, job).await? {
                        Some(error) => Err(error),
                        None => fits(page.edge.size(), job).and_then(|()| page.write(job)),
                    },
                },
            });
        }
        let has_erased = pages.values().any(|page| !page.new.erased.is_empty());
        let tables = pages.values().flat_map(|page| page.new.evidence.keys().copied()).collect();
        for (tenant, page) in pages {
            if let (Some(desk), true) = (desks.get_mut(&tenant), page.has_news()) {
                *desk = page.close(engine, connection).await?;
            }
        }
        Ok(Outcome { answers, desks, has_erased, tables })
    }
}

/// What a group adds to one tenant.
struct Page {
    tenant: Arc<str>,
    edge: Edge,
    signer: Arc<Signer>,
    lineages: BTreeMap<String, Last>,
    requests: BTreeMap<String, Answered>,
    /// Records of a transaction whose fate was not known, by id.
    earlier: BTreeMap<String, Placed>,
    /// Answers that this group has given to requests.
    answered: BTreeMap<String, Vec<Placed>>,
    completed: Vec<Completed>,
    new: Rows,
}

/// New lines, by table.
#[derive(Default)]
struct Rows {
    records: Vec<Vec<Value>>,
    payloads: Vec<Vec<Value>>,
    evidence: BTreeMap<Table, Vec<Vec<Value>>>,
    requests: Vec<Vec<Value>>,
    secrets: Vec<Vec<Value>>,
    cosignatures: Vec<Vec<Value>>,
    /// Records whose payloads and rows go.
    erased: Vec<Value>,
}

impl Page {
    async fn open(
        connection: &mut AnyConnection,
        desk: &Desk,
        jobs: &[&Job],
        is_retry: bool,
    ) -> Result<Self, Failed> {
        let tenant = jobs.first().map(|job| Arc::clone(&job.tenant)).unwrap_or_default();
        let drafts = || jobs.iter().flat_map(|job| &job.drafts);
        let looked = jobs.iter().filter_map(|job| match &job.unless {
            Some(Unless::Subject { subject, .. }) => Some(subject.as_str()),
            Some(Unless::Kinds { .. }) | None => None,
        });
        let subjects = drafts().map(|draft| draft.subject.as_str());
        let mut subjects = subjects.chain(looked).collect::<Vec<_>>();
        subjects.sort_unstable();
        subjects.dedup();
        let keys = jobs.iter().filter_map(|job| Some(job.key.as_ref()?.key.as_str()));
        let keys = keys.collect::<Vec<_>>();
        let ids = drafts().map(|draft| draft.id.as_str()).filter(|_| is_retry).collect::<Vec<_>>();
        Ok(Self {
            lineages: look::lineages(connection, &tenant, &subjects).await?,
            requests: look::requests(connection, &tenant, &keys).await?,
            earlier: look::records(connection, &tenant, &ids).await?,
            tenant,
            edge: desk.edge(),
            signer: Arc::clone(&desk.signer),
            answered: BTreeMap::new(),
            completed: Vec::new(),
            new: Rows::default(),
        })
    }

    /// The answer to an entry that is in the trail already.
    async fn known(
        &self,
        connection: &mut AnyConnection,
        job: &Job,
    ) -> Result<Option<Answer>, Failed> {
        if let Some(key) = &job.key
            && let Some(answered) = self.requests.get(&key.key)
        {
            if answered.fingerprint != key.fingerprint.to_string() {
                return Ok(Some(Err(key.of_another())));
            }
            let placed = match self.answered.get(&key.key) {
                Some(placed) => placed.clone(),
                None => look::first_answer(connection, &self.tenant, answered).await?,
            };
            return Ok(Some(Ok(placed)));
        }
        // A transaction is there whole or not at all: one record stands for its entry.
        let ids = job.drafts.iter().map(|draft| draft.id.as_str());
        let placed = ids.map(|id| self.earlier.get(id).cloned()).collect::<Option<Vec<_>>>();
        Ok(placed.filter(|placed| !placed.is_empty()).map(Ok))
    }

    /// Whether what the caller decided on is not so any more.
    async fn has_changed(
        &self,
        connection: &mut AnyConnection,
        job: &Job,
    ) -> Result<Option<Error>, Failed> {
        let (since, is_new) = match &job.unless {
            None => return Ok(None),
            Some(Unless::Subject { since, subject }) => {
                (since, self.lineages.get(subject).is_some_and(|last| last.index >= *since))
            }
            Some(Unless::Kinds { since, kinds }) => {
                let here = |row: &Vec<Value>| {
                    let is = |kind: &Value| kinds.iter().any(|one| text(one.as_str()) == *kind);
                    row.get(KIND).is_some_and(is)
                };
                let is_new = self.new.records.iter().any(here)
                    || look::has_kind(connection, &self.tenant, *since, kinds).await?;
                (since, is_new)
            }
        };
        Ok(is_new.then(|| {
            Error::refused("append a record", format!("tenant `{}`", self.tenant))
                .saw(format!("the trail as it was at {since} records"), crate::error::OUTDATED)
                .hint("look again and repeat the request")
        }))
    }

    /// Gives an entry its place, whole or not at all.
    fn write(&mut self, job: &Job) -> Answer {
        let mut signer = Arc::clone(&self.signer);
        let mut lineages = BTreeMap::new();
        let mut records = Vec::with_capacity(job.drafts.len());
        for draft in &job.drafts {
            let last = lineages.get(&draft.subject).or_else(|| self.lineages.get(&draft.subject));
            let written = record(draft, last)?;
            let sequence = written.record.envelope().lineage.sequence();
            let index = self.edge.size() + records.len() as u64;
            let last = Last { index, sequence, leaf: written.leaf, at: draft.at.clone() };
            lineages.insert(draft.subject.clone(), last);
            if draft.rows.iter().any(|row| row.table == Table::Keys) {
                Arc::make_mut(&mut signer).follow(&draft.rows, job.new_key.as_ref())?;
            }
            records.push(written);
        }
        let first = self.edge.size();
        let mut placed = Vec::with_capacity(records.len());
        for (draft, written) in job.drafts.iter().zip(records) {
            let leaf = written.leaf;
            let index = self.edge.size();
            self.edge.push(leaf, &mut self.completed);
            self.new.add(&self.tenant, index, draft, &written);
            placed.push(Placed { index, id: draft.id.clone(), leaf });
        }
        self.lineages.extend(lineages);
        self.signer = signer;
        if let Some(key) = &job.key {
            let count = placed.len() as u64;
            let fingerprint = key.fingerprint.to_string();
            self.new.request(&self.tenant, &key.key, &fingerprint, (first, count));
            self.requests.insert(key.key.clone(), Answered { fingerprint, first, count });
            self.answered.insert(key.key.clone(), placed.clone());
        }
        for (size, line) in &job.cosignatures {
            self.new.cosignatures.push(vec![text(&self.tenant), int(*size), text(line)]);
        }
        if let Some(new) = &job.new_key {
            let row = vec![text(&self.tenant), text(&new.key_id), Value::Blob(new.sealed.clone())];
            self.new.secrets.push(row);
        }
        Ok(placed)
    }

    fn has_news(&self) -> bool {
        !self.new.records.is_empty()
    }

    /// Writes the rows, and a signed checkpoint over them.
    async fn close(self, engine: Engine, connection: &mut AnyConnection) -> Result<Desk, Failed> {
        let Self { tenant, edge, signer, completed, new, .. } = self;
        let Rows { records, payloads, evidence, requests, secrets, cosignatures, erased } = new;
        insert(engine, connection, "records", RECORDS, records).await?;
        insert(engine, connection, "payloads", PAYLOADS, payloads).await?;
        for (table, rows) in evidence {
            let columns = [OWN, table.columns()].concat();
            insert(engine, connection, table.name(), &columns, rows).await?;
        }
        insert(engine, connection, "requests", REQUESTS, requests).await?;
        insert(engine, connection, "secrets", SECRETS, secrets).await?;
        insert(engine, connection, "cosignatures", COSIGNATURES, cosignatures).await?;
        erase::erase(connection, &tenant, &erased).await?;
        let tile = |completed: &Completed| {
            let Completed { level, number, tile } = completed;
            vec![text(&tenant), int(*level as u64), int(*number), Value::Blob(tile.bytes())]
        };
        let tiles = completed.iter().map(tile).collect::<Vec<_>>();
        insert(engine, connection, "tiles", TILES, tiles).await?;
        let note = signer.sign(edge.head())?;
        let row = vec![text(&tenant), int(edge.size()), Value::from(note.to_string())];
        insert(engine, connection, "checkpoints", CHECKPOINTS, vec![row]).await?;
        let tip = Tip { edge, note: Arc::new(note) };
        Ok(Desk { tip: Some(Arc::new(tip)), signer })
    }
}

/// Writes a draft down after the record of its subject that it follows.
fn record(draft: &Prepared, last: Option<&Last>) -> Result<Arc<Written>, Error> {
    match last {
        None => Ok(Arc::clone(&draft.first)),
        Some(last) if last.at <= draft.at => {
            let lineage = Lineage::Next { sequence: last.sequence + 1, previous: last.leaf };
            let envelope = draft.first.record.envelope().clone();
            Written::new(&Envelope { lineage, ..envelope }).map(Arc::new)
        }
        Some(last) => {
            Err(Error::refused("append a record", format!("subject `{}`", draft.subject))
                .saw(format!("a time not before {}", last.at), &draft.at)
                .hint("records of one subject are in the order of time"))
        }
    }
}

impl Rows {
    fn add(&mut self, tenant: &str, index: u64, draft: &Prepared, record: &Written) {
        let Written { record, leaf } = record;
        let envelope = record.envelope();
        self.records.push(vec![
            text(tenant),
            int(index),
            text(envelope.id.as_str()),
            text(envelope.kind.as_str()),
            text(&envelope.subject),
            int(envelope.lineage.sequence()),
            text(&draft.at),
            Value::Blob(leaf.as_bytes().to_vec()),
            Value::Blob(record.bytes().to_vec()),
        ]);
        for Payload { name, salt, content } in &draft.payloads {
            let (bytes, sha256) = match content {
                Some(Content::Bytes(bytes)) => (Value::Blob(bytes.clone()), Value::Null),
                Some(Content::Lake(digest)) => (Value::Null, Value::from(digest.to_string())),
                None => (Value::Null, Value::Null),
            };
            let salt = Value::Blob(salt.to_vec());
            self.payloads.push(vec![text(tenant), int(index), text(name), salt, bytes, sha256]);
        }
        for (ord, row) in draft.rows.iter().enumerate() {
            let mut values = vec![text(tenant), int(index), int(ord as u64)];
            values.extend(row.values.iter().cloned());
            if row.table == Table::Erasures {
                self.erased.extend(row.values.first().cloned());
            }
            self.evidence.entry(row.table).or_default().push(values);
        }
    }

    fn request(&mut self, tenant: &str, key: &str, fingerprint: &str, (first, count): (u64, u64)) {
        self.requests.push(vec![
            text(tenant),
            text(key),
            text(fingerprint),
            int(first),
            int(count),
        ]);
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

const OWN: &[Column] =
    &[("tenant", ColumnType::Text), ("idx", ColumnType::Int), ("ord", ColumnType::Int)];
/// Where the kind stands in a line of `records`.
const KIND: usize = 3;
const RECORDS: &[Column] = &[
    ("tenant", ColumnType::Text),
    ("idx", ColumnType::Int),
    ("id", ColumnType::Text),
    ("kind", ColumnType::Text),
    ("subject", ColumnType::Text),
    ("sequence", ColumnType::Int),
    ("at", ColumnType::Text),
    ("leaf", ColumnType::Blob),
    ("envelope", ColumnType::Blob),
];
const PAYLOADS: &[Column] = &[
    ("tenant", ColumnType::Text),
    ("idx", ColumnType::Int),
    ("name", ColumnType::Text),
    ("salt", ColumnType::Blob),
    ("bytes", ColumnType::Blob),
    ("sha256", ColumnType::Text),
];
const REQUESTS: &[Column] = &[
    ("tenant", ColumnType::Text),
    ("key", ColumnType::Text),
    ("fingerprint", ColumnType::Text),
    ("first", ColumnType::Int),
    ("count", ColumnType::Int),
];
const SECRETS: &[Column] =
    &[("tenant", ColumnType::Text), ("key_id", ColumnType::Text), ("sealed", ColumnType::Blob)];
const TILES: &[Column] = &[
    ("tenant", ColumnType::Text),
    ("level", ColumnType::Int),
    ("tile", ColumnType::Int),
    ("hashes", ColumnType::Blob),
];
const COSIGNATURES: &[Column] =
    &[("tenant", ColumnType::Text), ("size", ColumnType::Int), ("line", ColumnType::Text)];
const CHECKPOINTS: &[Column] =
    &[("tenant", ColumnType::Text), ("size", ColumnType::Int), ("note", ColumnType::Text)];
