//! One group: turns entries into records, and writes their rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dalil_proof::record::{Lineage, RecordEnvelope, RecordKind};
use dalil_proof::time::Time;
use sqlx::AnyConnection;

use super::lookups::{self, LineageHead};
use super::message::{AppendJob, AppendResult};
use super::objects::lacks;
use super::tenant_state::{TenantState, TenantStates, fits};
use super::{Sequencer, erase};
use crate::catalog::{
    CatalogFailure, CheckpointLine, CheckpointLinkLine, CosignatureLine, DatabaseEngine,
    EvidenceRow, EvidenceTable, NewEvidenceRow, PayloadLine, RecordLine, RequestLine, SecretLine,
    TileLine, TimestampLine, insert, insert_evidence,
};
use crate::error::Error;
use crate::trail::entry::{
    AppendCondition, FieldContent, HashedRecord, IdempotencyKey, PayloadRow, PlacedRecord,
    PreparedRecord, RecordTime, TimeSource,
};
use crate::trail::signer::TenantSigner;
use crate::trail::tile_frontier::{CompletedTile, TileFrontier};
use crate::trail::trail_head::TrailHead;

/// The result of a group: an answer for each entry, and the tenants' states after it.
pub(super) struct GroupResult {
    pub(super) answers: Vec<AppendResult>,
    pub(super) states: TenantStates,
    /// Whether something was erased.
    pub(super) has_erased: bool,
    /// The evidence tables that it adds to.
    pub(super) tables: BTreeSet<EvidenceTable>,
}

impl Sequencer {
    /// Does everything of a group but the commit.
    pub(super) async fn group(
        &mut self,
        connection: &mut AnyConnection,
        jobs: &[AppendJob],
        is_retry: bool,
    ) -> Result<GroupResult, CatalogFailure> {
        let mut states = self.tenant_states_of(connection, jobs).await?;
        let engine = self.shared.catalog.engine;
        let mut groups = BTreeMap::new();
        for (tenant, state) in &states {
            let own = jobs.iter().filter(|job| job.tenant == *tenant).collect::<Vec<_>>();
            groups.insert(
                Arc::clone(tenant),
                TenantGroup::open(connection, (tenant, state), &own, is_retry).await?,
            );
        }
        let mut answers = Vec::with_capacity(jobs.len());
        for job in jobs {
            // Every tenant of a job has a group, so there is one answer for each job, in order.
            let Some(group) = groups.get_mut(&job.tenant) else { continue };
            // Known entries first: a repeated request gets its answer even if its condition no
            // longer holds, or its objects were erased.
            answers.push(match group.known(connection, job).await? {
                Some(answer) => answer,
                None => match group.has_changed(connection, job).await? {
                    Some(error) => Err(error),
                    None => match lacks(&self.shared, connection, job).await? {
                        Some(error) => Err(error),
                        None => fits(group.edge.size(), job).and_then(|()| group.write(job)),
                    },
                },
            });
        }
        let has_erased = groups.values().any(|group| !group.new.erased.is_empty());
        let tables = groups.values().flat_map(|group| group.new.evidence.keys().copied()).collect();
        for (tenant, group) in groups {
            // Without a new record there is no checkpoint: one of this size exists.
            if let (Some(state), true) = (states.get_mut(&tenant), group.has_news()) {
                *state = group.close(engine, connection).await?;
            }
        }
        Ok(GroupResult { answers, states, has_erased, tables })
    }
}

/// The additions of a group to one tenant.
struct TenantGroup {
    tenant: Arc<str>,
    /// The size of the checkpoint before this group; 0 for the first.
    follows: u64,
    edge: TileFrontier,
    signer: Arc<TenantSigner>,
    /// When the trail began.
    begins: Option<Time>,
    lineages: BTreeMap<String, LineageHead>,
    requests: BTreeMap<String, RequestLine>,
    /// Records of a transaction whose fate was not known, by id.
    earlier: BTreeMap<String, PlacedRecord>,
    /// Answers that this group has given to requests.
    answered: BTreeMap<String, Vec<PlacedRecord>>,
    completed: Vec<CompletedTile>,
    new: PendingRows,
}

/// New lines, by table.
#[derive(Default)]
struct PendingRows {
    records: Vec<RecordLine>,
    payloads: Vec<PayloadLine>,
    evidence: BTreeMap<EvidenceTable, Vec<NewEvidenceRow>>,
    requests: Vec<RequestLine>,
    secrets: Vec<SecretLine>,
    cosignatures: Vec<CosignatureLine>,
    timestamps: Vec<TimestampLine>,
    /// Records whose payloads and rows go.
    erased: Vec<u64>,
}

impl TenantGroup {
    async fn open(
        connection: &mut AnyConnection,
        (tenant, state): (&Arc<str>, &TenantState),
        jobs: &[&AppendJob],
        is_retry: bool,
    ) -> Result<Self, CatalogFailure> {
        let drafts = || jobs.iter().flat_map(|job| &job.drafts);
        let looked = jobs.iter().flat_map(|job| &job.unless).filter_map(|unless| match unless {
            AppendCondition::Subject { subject, .. } => Some(subject.as_str()),
            AppendCondition::Kinds { .. } => None,
        });
        let subjects = drafts().map(|draft| draft.subject.as_str());
        let mut subjects = subjects.chain(looked).collect::<Vec<_>>();
        subjects.sort_unstable();
        subjects.dedup();
        let keys = jobs.iter().filter_map(|job| Some(job.key.as_ref()?.key.as_str()));
        let keys = keys.collect::<Vec<_>>();
        // Ids are looked for only after a lost commit; on the first attempt an id that is there is
        // a conflict, and the unique index finds it.
        let ids = drafts().map(|draft| draft.id.as_str()).filter(|_| is_retry).collect::<Vec<_>>();
        Ok(Self {
            lineages: lookups::lineages(connection, tenant, &subjects).await?,
            requests: lookups::requests(connection, tenant, &keys).await?,
            earlier: lookups::records(connection, tenant, &ids).await?,
            tenant: Arc::clone(tenant),
            follows: state.edge().size(),
            edge: state.edge(),
            signer: Arc::clone(&state.signer),
            begins: state.begins,
            answered: BTreeMap::new(),
            completed: Vec::new(),
            new: PendingRows::default(),
        })
    }

    /// The answer to an entry that is in the trail already.
    async fn known(
        &self,
        connection: &mut AnyConnection,
        job: &AppendJob,
    ) -> Result<Option<AppendResult>, CatalogFailure> {
        if let Some(key) = &job.key
            && let Some(answered) = self.requests.get(&key.key)
        {
            if answered.fingerprint != key.fingerprint {
                return Ok(Some(Err(key.of_another())));
            }
            // Two entries of one group may have the same key; the first one is in no table yet.
            let placed = match self.answered.get(&key.key) {
                Some(placed) => placed.clone(),
                None => lookups::first_answer(connection, &self.tenant, answered).await?,
            };
            return Ok(Some(Ok(placed)));
        }
        // A transaction is there whole or not at all, so one record shows that its entry is there.
        let ids = job.drafts.iter().map(|draft| draft.id.as_str());
        let placed = ids.map(|id| self.earlier.get(id).cloned()).collect::<Option<Vec<_>>>();
        Ok(placed.filter(|placed| !placed.is_empty()).map(Ok))
    }

    /// Whether a condition of the caller's decision no longer holds.
    async fn has_changed(
        &self,
        connection: &mut AnyConnection,
        job: &AppendJob,
    ) -> Result<Option<Error>, CatalogFailure> {
        for unless in &job.unless {
            let (since, is_new) = match unless {
                AppendCondition::Subject { since, subject } => {
                    (since, self.lineages.get(subject).is_some_and(|last| last.index >= *since))
                }
                AppendCondition::Kinds { since, kinds } => {
                    // All records of this group are at `since` or later: the caller read before.
                    let is_new = self.adds_kind(kinds)
                        || lookups::has_kind(connection, &self.tenant, *since, kinds).await?;
                    (since, is_new)
                }
            };
            if is_new {
                let error = Error::outdated("append a record", format!("tenant `{}`", self.tenant))
                    .saw(format!("the trail as it was at {since} records"), "a change to it since")
                    .hint("look again and repeat the request");
                return Ok(Some(error));
            }
        }
        Ok(None)
    }

    /// Whether this group has a record of one of these kinds.
    fn adds_kind(&self, kinds: &[RecordKind]) -> bool {
        self.new.records.iter().any(|line| kinds.contains(&line.kind))
    }

    /// Gives an entry its place, whole or not at all.
    fn write(&mut self, job: &AppendJob) -> AppendResult {
        // Everything is worked out on copies first. An entry that fails half-way must leave no
        // trace in the tree, the lineages or the keys.
        let mut signer = Arc::clone(&self.signer);
        let (mut lineages, mut begins) = (BTreeMap::new(), self.begins);
        let mut records = Vec::with_capacity(job.drafts.len());
        for draft in &job.drafts {
            let last = lineages.get(&draft.subject).or_else(|| self.lineages.get(&draft.subject));
            let written = record(draft, last, begins)?;
            let sequence = written.record.envelope().lineage.sequence();
            let index = self.edge.size() + records.len() as u64;
            let at = written.record.envelope().at;
            begins = begins.or(Some(at));
            let last = LineageHead { index, sequence, leaf: written.leaf, at };
            lineages.insert(draft.subject.clone(), last);
            let changes_keys = |row: &EvidenceRow| {
                matches!(row, EvidenceRow::Keys(_) | EvidenceRow::KeyRedatings(_))
            };
            if draft.rows.iter().any(changes_keys) {
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
            self.new.add(index, draft, &written);
            placed.push(PlacedRecord { index, id: draft.id.clone(), leaf });
        }
        self.lineages.extend(lineages);
        self.signer = signer;
        self.begins = begins;
        if let Some(key) = &job.key {
            let IdempotencyKey { key: name, fingerprint } = key;
            let (fingerprint, count) = (*fingerprint, placed.len() as u64);
            let line = RequestLine { key: name.clone(), fingerprint, first, count };
            self.new.requests.push(line.clone());
            self.requests.insert(name.clone(), line);
            self.answered.insert(key.key.clone(), placed.clone());
        }
        for (size, line) in &job.cosignatures {
            self.new.cosignatures.push(CosignatureLine { size: *size, line: line.clone() });
        }
        for (size, line) in &job.timestamps {
            self.new.timestamps.push(TimestampLine { size: *size, line: line.clone() });
        }
        if let Some(new) = &job.new_key {
            let (key_id, sealed) = (new.key_id.clone(), new.sealed.clone());
            self.new.secrets.push(SecretLine { key_id, sealed });
        }
        Ok(placed)
    }

    fn has_news(&self) -> bool {
        !self.new.records.is_empty()
    }

    /// Writes the rows, and a signed checkpoint over them.
    async fn close(
        self,
        engine: DatabaseEngine,
        connection: &mut AnyConnection,
    ) -> Result<TenantState, CatalogFailure> {
        let Self { tenant, follows, edge, signer, completed, new, begins, .. } = self;
        let PendingRows {
            records,
            payloads,
            evidence,
            requests,
            secrets,
            cosignatures,
            timestamps,
            erased,
        } = new;
        insert(engine, connection, &tenant, records).await?;
        insert(engine, connection, &tenant, payloads).await?;
        for (table, rows) in evidence {
            insert_evidence(engine, connection, (&tenant, table), rows).await?;
        }
        insert(engine, connection, &tenant, requests).await?;
        insert(engine, connection, &tenant, secrets).await?;
        insert(engine, connection, &tenant, cosignatures).await?;
        insert(engine, connection, &tenant, timestamps).await?;
        // After the rows of `erasures`: the triggers let nothing go that these do not name.
        erase::erase(connection, &tenant, &erased).await?;
        let tile = |completed: &CompletedTile| {
            let CompletedTile { level, number, tile } = completed;
            TileLine { level: *level as u64, tile: *number, hashes: tile.bytes() }
        };
        insert(engine, connection, &tenant, completed.iter().map(tile).collect()).await?;
        // One checkpoint for the group, signed with the keys that its last record leaves in use.
        let note = signer.sign(edge.head())?;
        let line = CheckpointLine { size: edge.size(), note: note.to_string() };
        insert(engine, connection, &tenant, vec![line]).await?;
        let link = CheckpointLinkLine { size: edge.size(), previous: follows };
        insert(engine, connection, &tenant, vec![link]).await?;
        let trail_head = TrailHead { edge, note: Arc::new(note) };
        Ok(TenantState { trail_head: Some(Arc::new(trail_head)), signer, begins })
    }
}

/// Writes a draft down after the record of its subject that it follows, at a time that is not
/// before that record's, nor before the trail began.
fn record(
    draft: &PreparedRecord,
    last: Option<&LineageHead>,
    begins: Option<Time>,
) -> Result<Arc<HashedRecord>, Error> {
    let RecordTime { at, source } = draft.when;
    let earliest = last.map(|last| last.at).max(begins);
    let at = match (earliest.filter(|earliest| *earliest > at), source) {
        (None, _) => at,
        (Some(earliest), TimeSource::Clock) => earliest,
        (Some(earliest), TimeSource::Stated) => {
            let hint = if last.is_some() {
                "records of one subject are in the order of time"
            } else {
                "nothing of a trail is older than the trail"
            };
            return Err(Error::refused("append a record", format!("subject `{}`", draft.subject))
                .saw(format!("a time not before {earliest}"), at)
                .hint(hint));
        }
    };
    let lineage = match last {
        None if at == draft.when.at => return Ok(Arc::clone(&draft.first)),
        None => Lineage::First,
        Some(last) => Lineage::Next { sequence: last.sequence + 1, previous: last.leaf },
    };
    let envelope = draft.first.record.envelope().clone();
    HashedRecord::new(&RecordEnvelope { lineage, at, ..envelope }).map(Arc::new)
}

impl PendingRows {
    fn add(&mut self, index: u64, draft: &PreparedRecord, record: &HashedRecord) {
        let HashedRecord { record, leaf } = record;
        let envelope = record.envelope();
        self.records.push(RecordLine {
            idx: index,
            id: envelope.id.clone(),
            kind: envelope.kind,
            subject: envelope.subject.clone(),
            sequence: envelope.lineage.sequence(),
            at: envelope.at,
            leaf: *leaf.as_bytes(),
            envelope: record.bytes().to_vec(),
        });
        for PayloadRow { name, salt, content } in &draft.payloads {
            let (bytes, sha256) = match content {
                Some(FieldContent::Bytes(bytes)) => (Some(bytes.clone()), None),
                Some(FieldContent::Lake(digest)) => (None, Some(digest.to_string())),
                None => (None, None),
            };
            let (name, salt) = (name.clone(), salt.to_vec());
            self.payloads.push(PayloadLine { idx: index, name, salt, bytes, sha256 });
        }
        for (ord, row) in draft.rows.iter().enumerate() {
            if let EvidenceRow::Erasures(erasure) = row {
                self.erased.push(erasure.erased);
            }
            let new = NewEvidenceRow { index, ord: ord as u64, row: row.clone() };
            self.evidence.entry(row.table()).or_default().push(new);
        }
    }
}
