//! Stored bundles and the runs that used them, found by their content.

use std::collections::BTreeMap;
use std::path::Path;

use dalil::corpus::Corpus;
use dalil_evidence::bundle::{
    BuiltBundle, Bundle, BundleItem, FetchedArtifacts, LakeUri, SourceRef,
};
use dalil_phrasebook::precondition;
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::json::Json;
use dalil_proof::record::RecordKind;
use dalil_store::catalog::{
    ArtifactRow, BundleItemRow, BundleRow, DocumentRow, RunBundleRow, RunRow,
};
use dalil_store::{Error, EvidenceRow, IndexedRow, NewRecord, Tenant};
use serde::Serialize;

use crate::artifact::artifact;
use crate::document::{self, AddedDocument, PreparedDocuments};
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append, bytes, none, object, one,
    retry_on_conflict_of_kinds, text,
};

#[cfg(test)]
mod tests;

/// A bundle, and everything that it was made of.
#[derive(Clone, Copy, Debug)]
pub struct BundleInputs<'b> {
    /// The bundle, and the whole texts of shortened items.
    pub built: &'b BuiltBundle,
    /// The fetched references of the request.
    pub artifacts: &'b FetchedArtifacts,
    /// The documents whose chunks it has.
    pub corpus: Option<&'b Corpus>,
    /// The run that it feeds.
    pub run: Option<&'b ModelRun>,
}

/// A run of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelRun {
    /// What names it.
    pub run_id: String,
    /// The model.
    pub model: String,
    /// Its state, in the words of its operator.
    pub status: String,
}

/// A bundle that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SavedBundle {
    /// The bundle.
    pub bundle_id: String,
    /// Its digest.
    pub bundle_sha256: Digest,
    /// Where it is in the lake.
    pub lake_uri: String,
    /// Whether it was not there before.
    pub is_new: bool,
    /// The record of its creation.
    #[serde(flatten)]
    pub ack: RecordAck,
    /// The documents whose chunks it has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<AddedDocument>,
    /// The run that it feeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RecordAck>,
}

/// Keeps a bundle with everything that it was made of, and the run that it feeds.
///
/// A bundle that is there already is not recorded again; its run is.
///
/// # Errors
/// A run that used another model, a file that changed since it was read, and
/// what keeps the store from appending.
pub async fn save(
    tenant: &Tenant,
    making: BundleInputs<'_>,
    context: &RequestContext,
) -> Result<SavedBundle, OperationFailure> {
    // No kinds: only an object that an erasure removed before the commit makes it start again.
    retry_on_conflict_of_kinds(tenant, &[], async |_| save_once(tenant, making, context).await)
        .await
}

async fn save_once(
    tenant: &Tenant,
    making: BundleInputs<'_>,
    context: &RequestContext,
) -> Result<SavedBundle, OperationFailure> {
    let BundleInputs { built, artifacts: _, corpus, run } = making;
    let bundle = &built.bundle;
    let bundle_id = bundle.bundle_id.to_string();
    // The digest leaves out the time of building, so equal inputs are the same request.
    let key =
        context.idempotency_key("bundle save", &canon::bytes(&(bundle.bundle_sha256, run))?)?;
    let earlier = answered(tenant, key.as_ref()).await?;
    let known = tenant.select(&BundleRow::query().bundle_id(&bundle_id)).await?;
    // The first answer to the same request made the bundle known.
    let is_new = known.first().is_none_or(|line| is_among(line, earlier.as_deref()));
    let mut prepared = match corpus {
        Some(corpus) => document::prepare(tenant, corpus, context).await?,
        None => PreparedDocuments::none(),
    };
    let content = canon::bytes(bundle)?;
    // The bytes have the time of building. Of a known bundle the first ones are in the lake.
    let lake_uri = match known.first() {
        Some(line) => line.row.lake_uri.clone(),
        None => LakeUri::of_digest(&Digest::of(&content)).to_string(),
    };
    let acks = match earlier {
        Some(acks) => acks,
        None => {
            let mut drafts = std::mem::take(&mut prepared.drafts);
            // Documents, bundle, run: `before` below counts on this order.
            if is_new {
                drafts.push(bundled(tenant, &making, content, context).await?);
            }
            if let Some(run) = run {
                let bundles = std::slice::from_ref(&bundle_id);
                drafts.push(ran(tenant, run, bundles, context).await?);
            }
            if drafts.is_empty() { Vec::new() } else { append(tenant, drafts, key).await? }
        }
    };
    document::place(&mut prepared.added, &acks);
    let before = acks.len() - usize::from(run.is_some()).min(acks.len());
    let ack = match (known.first(), is_new) {
        (Some(line), false) => recorded(tenant, line.index).await?,
        (_, _) => {
            one(acks.get(..before).and_then(<[RecordAck]>::last).cloned().into_iter().collect())?
        }
    };
    Ok(SavedBundle {
        bundle_id,
        bundle_sha256: bundle.bundle_sha256,
        lake_uri,
        is_new,
        ack,
        documents: prepared.added,
        run: run.and_then(|_| acks.last().cloned()),
    })
}

/// Whether a row belongs to one of these records.
fn is_among(line: &IndexedRow<BundleRow>, acks: Option<&[RecordAck]>) -> bool {
    acks.is_some_and(|acks| acks.iter().any(|ack| ack.index == line.index))
}

/// The position of a record of the store.
async fn recorded(tenant: &Tenant, index: u64) -> Result<RecordAck, OperationFailure> {
    let stored = tenant.record(index).await?;
    let stored =
        stored.ok_or_else(|| none(precondition::a_record(), "index", &index.to_string()))?;
    let (id, leaf) = (stored.record.envelope().id.clone(), stored.record.leaf());
    Ok(RecordAck { index, id, leaf })
}

/// Puts a bundle and its artifacts into the lake, and makes its record.
async fn bundled(
    tenant: &Tenant,
    making: &BundleInputs<'_>,
    content: Vec<u8>,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let BundleInputs { built: BuiltBundle { bundle, keep }, artifacts, corpus, run: _ } = making;
    let size = content.len();
    // Objects before the record that names them: a crash must not leave a dangling name.
    let digest = tenant.lake()?.put(content).await?;
    let mut needs = vec![artifact(&digest, size, "application/json", BUNDLE_FIELD)];
    for text in keep {
        let kept = tenant.lake()?.put(text.text.clone().into_bytes()).await?;
        needs.push(artifact(&kept, text.text.len(), "text/plain; charset=utf-8", "whole"));
    }
    for bytes in artifacts.values().filter_map(|read| read.as_ref().ok()) {
        let kept = tenant.lake()?.put(bytes.clone()).await?;
        needs.push(artifact(&kept, bytes.len(), "application/octet-stream", "source"));
    }
    needs.extend(documents(bundle, *corpus)?);
    // Sorted so that equal rows are neighbours for `dedup`, and equal inputs give equal rows.
    needs.sort_by(|one, other| format!("{one:?}").cmp(&format!("{other:?}")));
    needs.dedup();
    let bundle_id = bundle.bundle_id.to_string();
    let row = BundleRow {
        bundle_id: bundle_id.clone(),
        bundle_sha256: bundle.bundle_sha256,
        lake_uri: LakeUri::of_digest(&digest).to_string(),
        item_count: bundle.summary.item_count as u64,
        total_bytes: bundle.summary.total_bytes as u64,
        policy: text(&bundle.policy)?,
        created_utc: bundle.created_utc,
    };
    let mut rows = vec![row.into()];
    rows.extend(bundle.items.iter().map(|item| item_row(&bundle_id, item)));
    rows.extend(needs);
    Ok(context.draft(RecordKind::BundleBuilt, &bundle_id, vec![object(BUNDLE_FIELD, digest)], rows))
}

/// The documents that the items of a bundle are parts of; their own records keep them.
fn documents(bundle: &Bundle, corpus: Option<&Corpus>) -> Result<Vec<EvidenceRow>, Error> {
    let named = bundle.items.iter().filter_map(|item| {
        match item.head.metadata.given.get("document_sha256") {
            Some(Json::Text(digest)) => digest.parse::<Digest>().ok(),
            _ => None,
        }
    });
    let named: std::collections::BTreeSet<Digest> = named.collect();
    let held = corpus.map_or(&[][..], Corpus::held).iter();
    let size = |name: &str| {
        let path = corpus.and_then(|corpus| corpus.path(name)).unwrap_or(Path::new(name));
        let size = path.metadata().and_then(|file| {
            usize::try_from(file.len()).map_err(|_| std::io::ErrorKind::FileTooLarge.into())
        });
        size.map_err(|error| {
            Error::unavailable("keep a bundle", quote(name)).saw("a readable file", error)
        })
    };
    // A retrieved chunk is a part of a set, which is no document of a bundle.
    held.filter(|held| held.retrieved.is_none() && named.contains(&held.document.digest))
        .map(|held| {
            let (digest, size) = (&held.document.digest, size(&held.name)?);
            Ok(artifact(digest, size, "application/octet-stream", "document"))
        })
        .collect()
}

fn item_row(bundle_id: &str, item: &BundleItem) -> EvidenceRow {
    let head = &item.head;
    let source = match &head.source_ref {
        SourceRef::Inline { source_uri, .. } => source_uri.as_str(),
        SourceRef::Text { lake_uri }
        | SourceRef::Http { lake_uri, .. }
        | SourceRef::Result { lake_uri, .. } => lake_uri.as_str(),
        SourceRef::Query { query_key, .. } => query_key,
        SourceRef::Part { document_id, source_uri, .. } => {
            source_uri.as_deref().unwrap_or(document_id)
        }
    };
    let row = BundleItemRow {
        bundle_id: bundle_id.to_owned(),
        evidence_id: head.evidence_id.as_str().to_owned(),
        evidence_type: head.evidence_type.as_str().to_owned(),
        content_sha256: head.content_sha256.hex(),
        byte_count: head.byte_count as u64,
        source_uri: source.to_owned(),
    };
    row.into()
}

/// Records a run and the bundles that fed it.
///
/// # Errors
/// A bundle that the store does not have, a run that used another model.
pub async fn run(
    tenant: &Tenant,
    run: &ModelRun,
    bundles: &[String],
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let key = context.idempotency_key("run record", &canon::bytes(&(run, bundles))?)?;
    if let Some(acks) = answered(tenant, key.as_ref()).await? {
        return one(acks);
    }
    for bundle in bundles {
        if tenant.select(&BundleRow::query().bundle_id(bundle)).await?.is_empty() {
            return Err(none(precondition::a_bundle_of_this_tenant(), "bundle", bundle));
        }
    }
    let draft = ran(tenant, run, bundles, context).await?;
    one(append(tenant, vec![draft], key).await?)
}

async fn ran(
    tenant: &Tenant,
    run: &ModelRun,
    bundles: &[String],
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let ModelRun { run_id, model, status } = run;
    // A run keeps its model: two models under one name would make its evidence ambiguous.
    let before = tenant.select(&RunRow::query().run_id(run_id)).await?;
    if let Some(other) = before.first().map(|found| &found.row.model).filter(|it| *it != model) {
        let expected = precondition::model_of_run(quote(other), quote(run_id));
        return Err(Fault::new("other_model", "model", expected, quoted(model)).into());
    }
    let row = RunRow {
        run_id: run_id.clone(),
        model: model.clone(),
        status: status.clone(),
        created_utc: context.at,
    };
    let mut rows = vec![row.into()];
    for bundle in bundles {
        let (run_id, bundle_id) = (run_id.clone(), bundle.clone());
        rows.push(RunBundleRow { run_id, bundle_id, created_utc: context.at }.into());
    }
    let fields = vec![bytes("run", canon::bytes(&(run, bundles))?)];
    Ok(context.draft(RecordKind::RunRecorded, run_id, fields, rows))
}

/// A run and the bundles that fed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunDetails {
    /// The run, as it was last recorded.
    #[serde(flatten)]
    pub run: ModelRun,
    /// When it was first recorded.
    pub created_utc: String,
    /// Its bundles, in the order in which they were given.
    pub bundles: Vec<RunBundle>,
}

/// A bundle that fed a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunBundle {
    /// The bundle.
    pub bundle_id: String,
    /// Its digest.
    pub bundle_sha256: String,
    /// Where it is in the lake.
    pub lake_uri: String,
    /// How many items it has.
    pub item_count: u64,
    /// How many bytes they have.
    pub total_bytes: u64,
    /// When it was built.
    pub created_utc: String,
    /// The record of it.
    pub index: u64,
}

/// Which bundles fed a run.
///
/// # Errors
/// There is no such run.
pub async fn show(tenant: &Tenant, run_id: &str) -> Result<RunDetails, OperationFailure> {
    let found = tenant.select(&RunRow::query().run_id(run_id)).await?;
    let (Some(first), Some(last)) = (found.first(), found.last()) else {
        return Err(none(precondition::a_run_of_this_tenant(), "run", run_id));
    };
    let mut bundles: Vec<RunBundle> = Vec::new();
    for link in tenant.select(&RunBundleRow::query().run_id(run_id)).await? {
        let id = link.row.bundle_id;
        if bundles.iter().any(|fed| fed.bundle_id == id) {
            continue;
        }
        let kept = tenant.select(&BundleRow::query().bundle_id(&id)).await?;
        bundles.extend(kept.into_iter().next().map(fed));
    }
    let run = ModelRun {
        run_id: run_id.to_owned(),
        model: last.row.model.clone(),
        status: last.row.status.clone(),
    };
    Ok(RunDetails { run, created_utc: first.row.created_utc.to_string(), bundles })
}

fn fed(IndexedRow { index, row }: IndexedRow<BundleRow>) -> RunBundle {
    RunBundle {
        bundle_id: row.bundle_id,
        bundle_sha256: row.bundle_sha256.to_string(),
        lake_uri: row.lake_uri,
        item_count: row.item_count,
        total_bytes: row.total_bytes,
        created_utc: row.created_utc.to_string(),
        index,
    }
}

/// Where something was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArtifactUses {
    /// The artifact in question.
    pub artifact: String,
    /// The bundles that have it, in the order in which they were built.
    pub bundles: Vec<BundleUse>,
    /// The runs that those bundles fed.
    pub runs: Vec<RunUse>,
}

/// A bundle that has something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleUse {
    /// The bundle.
    pub bundle_id: String,
    /// The items that contain it or a part of it; none when it is behind the bundle as a whole.
    pub evidence_ids: Vec<String>,
}

/// A run that used something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunUse {
    /// The run.
    pub run_id: String,
    /// The model.
    pub model: String,
    /// The bundle through which it was used.
    pub bundle_id: String,
    /// When the run was given it.
    pub created_utc: String,
}

/// Which runs used an artifact: by its digest, its place in a lake, or an evidence id.
///
/// # Errors
/// The store cannot be read.
pub async fn uses(tenant: &Tenant, artifact: &str) -> Result<ArtifactUses, OperationFailure> {
    let mut found: BTreeMap<(u64, String), Vec<String>> = BTreeMap::new();
    let digest = digest(artifact);
    if let Some(digest) = digest {
        for (_, IndexedRow { index, row }) in bundles_of(tenant, &digest).await? {
            found.entry((index, row.bundle_id)).or_default();
        }
    }
    let by_digest = digest.map(|digest| BundleItemRow::query().content_sha256(&digest.hex()));
    let by_name =
        [BundleItemRow::query().source_uri(artifact), BundleItemRow::query().evidence_id(artifact)];
    for query in by_digest.into_iter().chain(by_name) {
        for IndexedRow { index, row } in tenant.select(&query).await? {
            found.entry((index, row.bundle_id)).or_default().push(row.evidence_id);
        }
    }
    let runs = runs_fed_by(tenant, found.keys().map(|(_, bundle_id)| bundle_id)).await?;
    let bundles = found.into_iter().map(|((_, bundle_id), mut evidence_ids)| {
        evidence_ids.sort_unstable();
        evidence_ids.dedup();
        BundleUse { bundle_id, evidence_ids }
    });
    Ok(ArtifactUses { artifact: artifact.to_owned(), bundles: bundles.collect(), runs })
}

/// The bundles that need an object of the lake, with their use of it.
async fn bundles_of(
    tenant: &Tenant,
    digest: &Digest,
) -> Result<Vec<(ArtifactRow, IndexedRow<BundleRow>)>, OperationFailure> {
    let mut found = Vec::new();
    for need in tenant.select(&ArtifactRow::query().sha256(digest)).await? {
        let own = BundleRow::query().starting_at(need.index).at_most(1);
        // The same object may be needed by records of other kinds, which are not bundles.
        let built = tenant.select(&own).await?.into_iter();
        let built = built.filter(|built| built.index == need.index);
        found.extend(built.map(|built| (need.row.clone(), built)));
    }
    Ok(found)
}

/// A whole text or result that a bundle was made of, in the lake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleArtifact {
    /// Its digest.
    pub sha256: Digest,
    /// How many bytes it has.
    pub size: u64,
    /// Its media type.
    pub media_type: String,
}

/// Finds the object of a bundle's `full_ref`. Other objects of the lake leave by exports.
///
/// # Errors
/// No bundle of the tenant was made of it.
pub async fn whole_artifact(
    tenant: &Tenant,
    name: &str,
) -> Result<BundleArtifact, OperationFailure> {
    let unknown = || none(precondition::an_artifact_of_this_tenant(), "artifact", name);
    let digest = digest(name).ok_or_else(unknown)?;
    let found = bundles_of(tenant, &digest).await?.into_iter().next();
    let (ArtifactRow { sha256, size, media_type, .. }, _) = found.ok_or_else(unknown)?;
    Ok(BundleArtifact { sha256, size, media_type })
}

/// A run, as it was last recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// The run.
    #[serde(flatten)]
    pub run: ModelRun,
    /// When it was first recorded.
    pub created_utc: String,
}

/// The runs of a tenant, in the order in which they were first recorded.
///
/// # Errors
/// The store cannot be read.
pub async fn runs(tenant: &Tenant) -> Result<Vec<RunSummary>, OperationFailure> {
    let mut runs: Vec<RunSummary> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for IndexedRow { row: RunRow { run_id, model, status, created_utc }, .. } in
        tenant.select(&RunRow::query()).await?
    {
        let known = places.get(&run_id).and_then(|n| runs.get_mut(*n));
        if let Some(known) = known {
            known.run.status = status;
            continue;
        }
        places.insert(run_id.clone(), runs.len());
        let run = ModelRun { run_id, model, status };
        runs.push(RunSummary { run, created_utc: created_utc.to_string() });
    }
    Ok(runs)
}

/// The runs that bundles fed, each once for a bundle.
async fn runs_fed_by(
    tenant: &Tenant,
    bundles: impl Iterator<Item = &String>,
) -> Result<Vec<RunUse>, OperationFailure> {
    let mut runs: Vec<RunUse> = Vec::new();
    for bundle_id in bundles {
        for link in tenant.select(&RunBundleRow::query().bundle_id(bundle_id)).await? {
            let RunBundleRow { run_id, bundle_id, created_utc } = link.row;
            // A run that was saved twice was given the bundle the first time.
            if runs.iter().any(|run| run.run_id == run_id && run.bundle_id == bundle_id) {
                continue;
            }
            let run = tenant.select(&RunRow::query().run_id(&run_id)).await?;
            // The rows of a run and of its bundles are erased together.
            let lost = || {
                let place = format!("tenant `{}`, run {}", tenant.name(), quote(&run_id));
                Error::damaged("find the runs of a bundle", place).saw("its row", "none")
            };
            let model = run.into_iter().next_back().ok_or_else(lost)?.row.model;
            runs.push(RunUse { run_id, model, bundle_id, created_utc: created_utc.to_string() });
        }
    }
    Ok(runs)
}

/// Whether anything of the tenant has this digest or place, used or not.
///
/// # Errors
/// The store cannot be read.
pub async fn is_known(tenant: &Tenant, artifact: &str) -> Result<bool, OperationFailure> {
    if let Some(digest) = digest(artifact)
        && (!tenant.select(&ArtifactRow::query().sha256(&digest)).await?.is_empty()
            || !tenant.select(&DocumentRow::query().sha256(&digest)).await?.is_empty())
    {
        return Ok(true);
    }
    Ok(!tenant.select(&DocumentRow::query().source_uri(artifact)).await?.is_empty())
}

/// A digest as people write one: with its prefix, bare, or as a place in the lake.
fn digest(text: &str) -> Option<Digest> {
    let bare = text.strip_prefix("sha256:").or(text.strip_prefix("sha256/")).unwrap_or(text);
    Digest::from_hex(bare).ok()
}

const BUNDLE_FIELD: &str = "bundle";
