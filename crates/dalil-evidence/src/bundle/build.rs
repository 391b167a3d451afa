//! Building: every reference becomes items or a problem, in the order of the kinds.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::digest::Digest;
use dalil_proof::fault::Fault;
use dalil_proof::id::Uuid;
use dalil_proof::json::Json;
use serde::Serialize;

use crate::anchor::{AnchorIndex, text_digest};
use crate::bundle::document::{BundleDocumentSet, DocumentLoss, MaskedDocument};
use crate::bundle::draft::{BoundedItem, FullContent, ItemDraft, LakeArtifact, MaskingMode};
use crate::bundle::item::{BundleItem, BundleItemHead, ByteOffsets, ItemMetadata};
use crate::bundle::item::{FieldRedaction, SourceRef};
use crate::bundle::lake::ArtifactReadError;
use crate::bundle::lake::{FetchedArtifacts, LakeUri};
use crate::bundle::live::{LiveQuery, UnansweredQuery};
use crate::bundle::name::EvidenceIdAllocator;
use crate::bundle::name::EvidenceKind;
use crate::bundle::policy::BundlePolicy;
use crate::bundle::request::BundleRequest;
use crate::bundle::request::{
    ChunkEvidence, EvidenceRefs, InlineEvidence, LakeTextRef, SqlQueryRef, SqlResultRef,
};
use crate::bundle::{Bundle, BundleCut, BundleProblemSubject};
use crate::bundle::{BundleProblem, BundleSummary};
use crate::bundle::{bound, chunk, http, sql};
use crate::mask;

/// A bundle, and the texts that the lake has to hold before anyone sees it.
#[derive(Clone, Debug)]
pub struct BuiltBundle {
    /// The bundle.
    pub bundle: Bundle,
    /// Whole texts of shortened items that came with the request.
    pub keep: Vec<LakeWrite>,
}

/// A text that the lake has to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LakeWrite {
    /// Where: named by its digest.
    pub lake_uri: LakeUri,
    /// The text; masked, when masking is on.
    pub text: String,
    /// Where in the request it came from.
    pub path: String,
}

/// Builds a bundle.
///
/// `artifacts` holds the lake's result for each of [`BundleRequest::lake_uris`]; a path that is not
/// in it counts as missing. `key` adds keyed digests to the masks.
///
/// # Errors
/// None in practice: every part of a bundle has a canonical form.
pub fn build(
    request: BundleRequest,
    artifacts: &FetchedArtifacts,
    key: Option<&mask::MaskKey>,
) -> Result<BuiltBundle, NotCanonical> {
    let BundleRequest { inline, refs, documents, policy, created_utc } = request;
    let artifacts = artifacts
        .iter()
        .map(|(uri, read)| match read {
            Ok(bytes) => (uri, Ok(LakeArtifact::new(uri, bytes))),
            Err(unread) => (uri, Err(unread)),
        })
        .collect();
    let masking = if policy.enable_redaction {
        MaskingMode::On { rules: &policy.redaction_rules, key }
    } else {
        MaskingMode::Off
    };
    let mut bench = BundleBuilder {
        policy: &policy,
        masking,
        artifacts: &artifacts,
        names: EvidenceIdAllocator::default(),
        offered: Vec::new(),
        problems: Vec::new(),
    };
    bench.take_all(inline, refs, &documents);
    let BundleBuilder { offered, problems, .. } = bench;
    let (items, cuts, keep, summary) = choose(offered, &policy);
    // The time is no part of the digest, and the id is made of the digest: the same request
    // at another time is the same bundle.
    let bundle_sha256 = canon::digest(&BundleDigestInput {
        cuts: &cuts,
        items: items.iter().map(|item| &item.head).collect(),
        policy: &policy,
        problems: &problems,
        summary: &summary,
    })?;
    let bundle = Bundle {
        bundle_id: Uuid::from_digest(&bundle_sha256),
        created_utc,
        build_version: BUILD_VERSION,
        policy,
        items,
        summary,
        bundle_sha256,
        cuts,
        problems,
    };
    Ok(BuiltBundle { bundle, keep })
}

/// The input of a bundle's digest: everything but the time, and of each item its head, which has
/// the digest of the content.
#[derive(Serialize)]
struct BundleDigestInput<'b> {
    cuts: &'b [BundleCut],
    items: Vec<&'b BundleItemHead>,
    policy: &'b BundlePolicy,
    problems: &'b [BundleProblem],
    summary: &'b BundleSummary,
}

/// Keeps the items that fit and digests them; the others become cuts.
fn choose(
    offered: Vec<BoundedItem<'_>>,
    policy: &BundlePolicy,
) -> (Vec<BundleItem>, Vec<BundleCut>, Vec<LakeWrite>, BundleSummary) {
    let sizes: Vec<usize> = offered.iter().map(BoundedItem::size).collect();
    let (fates, bundle_bounding) = bound::choose(&sizes, policy.max_items, policy.max_total_bytes);
    let (mut kept, mut cuts, mut keep) = (Vec::with_capacity(sizes.len()), Vec::new(), Vec::new());
    let mut type_counts = BTreeMap::new();
    for (bounded, fate) in offered.into_iter().zip(fates) {
        if let Err(reason) = fate {
            // A cut item is never digested, and its whole text is not kept in the lake.
            let byte_count = bounded.size();
            cuts.push(BundleCut { evidence_id: bounded.draft.evidence_id, byte_count, reason });
            continue;
        }
        *type_counts.entry(bounded.draft.kind).or_insert(0) += 1;
        let path = bounded.draft.path.clone();
        let (head, content, whole) = bounded.finish();
        kept.push((head, content));
        keep.extend(whole.map(|(lake_uri, text)| LakeWrite { lake_uri, text, path }));
    }
    let items = anchored(kept);
    let total_bytes = bundle_bounding.total_bytes;
    let summary = BundleSummary {
        item_count: items.len(),
        type_counts,
        total_bytes,
        approx_tokens: total_bytes / 4,
        bundle_bounding,
    };
    (items, cuts, keep, summary)
}

/// Gives each item the anchor that an answer cites it by.
fn anchored(kept: Vec<(BundleItemHead, String)>) -> Vec<BundleItem> {
    let digests: Vec<Digest> = kept.iter().map(|(_, content)| text_digest(content)).collect();
    let known = AnchorIndex::new(digests.iter().copied());
    let item = |((head, content), digest): ((BundleItemHead, String), &Digest)| BundleItem {
        anchor: known.shortest(digest),
        head,
        content,
    };
    kept.into_iter().zip(&digests).map(item).collect()
}

/// Everything that the making of items needs and gathers.
struct BundleBuilder<'a> {
    policy: &'a BundlePolicy,
    masking: MaskingMode<'a>,
    artifacts: &'a BTreeMap<&'a LakeUri, Result<LakeArtifact<'a>, &'a ArtifactReadError>>,
    names: EvidenceIdAllocator,
    offered: Vec<BoundedItem<'a>>,
    problems: Vec<BundleProblem>,
}

impl<'a> BundleBuilder<'a> {
    fn take_all(
        &mut self,
        inline: Vec<InlineEvidence>,
        refs: EvidenceRefs,
        documents: &BundleDocumentSet,
    ) {
        // This order is published (spec/bundle.md, Order). Ids depend on it as well: of two items
        // that want one id, the first gets it.
        for (n, evidence) in inline.into_iter().enumerate() {
            self.inline(n, evidence);
        }
        for (n, text) in refs.lake_text.into_iter().enumerate() {
            self.lake_text(&format!("evidence_refs.lake_text[{n}]"), text);
        }
        for (n, uri) in refs.lake_http.into_iter().enumerate() {
            self.lake_http(&format!("evidence_refs.lake_http[{n}]"), uri);
        }
        for (n, result) in refs.sql_results.into_iter().enumerate() {
            self.sql_result(&format!("evidence_refs.sql_results[{n}]"), n, result);
        }
        for (n, query) in refs.sql_live.into_iter().enumerate() {
            self.live_query(n, query);
        }
        for (n, query) in refs.sql_queries.into_iter().enumerate() {
            self.sql_query(&format!("evidence_refs.sql_queries[{n}].query"), query);
        }
        for (n, part) in refs.doc_chunks.into_iter().enumerate() {
            let path = format!("evidence_refs.doc_chunks[{n}].text");
            self.part(EvidenceKind::DocChunk, &path, part);
        }
        self.documents(documents);
        for (n, part) in refs.transcript_chunks.into_iter().enumerate() {
            let path = format!("evidence_refs.transcript_chunks[{n}].text");
            self.part(EvidenceKind::TranscriptChunk, &path, part);
        }
    }

    fn inline(&mut self, index: usize, evidence: InlineEvidence) {
        let InlineEvidence { text, source_uri, metadata } = evidence;
        let draft = ItemDraft {
            kind: EvidenceKind::InlineText,
            path: format!("job_input.extra_params.evidence[{index}].text"),
            evidence_id: self.names.give(EvidenceKind::InlineText, "", index as u64),
            source_ref: SourceRef::Inline { source_uri, index },
            text: Cow::Owned(text),
            metadata: ItemMetadata { given: metadata, ..ItemMetadata::default() },
            offsets: None,
            whole: FullContent::Text,
            shortened: None,
        };
        self.offer(draft);
    }

    fn lake_text(&mut self, path: &str, text: LakeTextRef) {
        let LakeTextRef { lake_uri, chunk, metadata } = text;
        let Some((artifact, text)) = self.open(path, &lake_uri, as_text) else { return };
        let given = ItemMetadata { given: metadata, ..ItemMetadata::default() };
        if chunk {
            return self.chunks(path, artifact, text, &given);
        }
        let draft = ItemDraft {
            kind: EvidenceKind::LakeText,
            path: path.to_owned(),
            evidence_id: self.names.give(EvidenceKind::LakeText, lake_uri.as_str(), 0),
            source_ref: SourceRef::Text { lake_uri },
            text: Cow::Borrowed(text),
            metadata: given,
            offsets: None,
            whole: FullContent::Artifact(artifact),
            shortened: None,
        };
        self.offer(draft);
    }

    /// A text as several items. The whole is masked first, so that nothing
    /// escapes across the edge of a chunk.
    fn chunks(
        &mut self,
        path: &str,
        artifact: &'a LakeArtifact<'a>,
        text: &'a str,
        given: &ItemMetadata,
    ) {
        // Offsets and chunk limits are those of the masked text, which the items show.
        let shown = MaskedDocument::of(text, &self.masking);
        let spans = chunk::split(&shown.text, &chunk::ChunkSizes::of(self.policy));
        for (n, span) in spans.iter().enumerate() {
            let lake_uri = artifact.lake_uri.clone();
            let part = format!("Chunk {n} of {}", spans.len());
            let draft = ItemDraft {
                kind: EvidenceKind::LakeText,
                path: path.to_owned(),
                evidence_id: self.names.give(EvidenceKind::LakeText, lake_uri.as_str(), n as u64),
                source_ref: SourceRef::Text { lake_uri },
                text: shown.words(span),
                metadata: given.clone(),
                offsets: Some(ByteOffsets::from(*span)),
                whole: FullContent::Artifact(artifact),
                shortened: (spans.len() > 1).then_some(part),
            };
            self.offer_masked(draft, shown.redactions(span));
        }
    }

    fn lake_http(&mut self, path: &str, lake_uri: LakeUri) {
        let opened = self.open(path, &lake_uri, |bytes| {
            http::text(&parse(bytes)?).map_err(ArtifactReadError::Malformed)
        });
        let Some((artifact, (text, meta))) = opened else { return };
        let url = meta.url.clone().unwrap_or_else(|| "unknown".to_owned());
        let draft = ItemDraft {
            kind: EvidenceKind::LakeHttp,
            path: path.to_owned(),
            evidence_id: self.names.give(EvidenceKind::LakeHttp, lake_uri.as_str(), 0),
            source_ref: SourceRef::Http { lake_uri, url },
            text: Cow::Owned(text),
            metadata: ItemMetadata { http_meta: Some(meta), ..ItemMetadata::default() },
            offsets: None,
            whole: FullContent::Artifact(artifact),
            shortened: None,
        };
        self.offer(draft);
    }

    /// The kept result of a query that was run for this bundle, or why there is none.
    fn live_query(&mut self, n: usize, query: LiveQuery) {
        let LiveQuery { query_key, split, metadata, outcome, .. } = query;
        match outcome.unwrap_or_else(|| Err(UnansweredQuery::not_run())) {
            Ok(lake_uri) => {
                let query_key = Some(query_key);
                let result = SqlResultRef { lake_uri, query_key, split, metadata };
                self.sql_result(&LiveQuery::path(n), n, result);
            }
            Err(UnansweredQuery { reason, message }) => self.problems.push(BundleProblem {
                path: LiveQuery::path(n),
                about: BundleProblemSubject::Query { query_key },
                reason,
                // The words of a database may quote the values that it was asked about.
                message: MaskedDocument::of(&message, &self.masking).text.into_owned(),
            }),
        }
    }

    fn sql_result(&mut self, path: &str, n: usize, result: SqlResultRef) {
        let SqlResultRef { lake_uri, query_key, split, metadata } = result;
        let query_key = query_key.unwrap_or_else(|| format!("query_{n}"));
        let policy = self.policy;
        let opened = self.open(path, &lake_uri, |bytes| {
            let json = parse(bytes)?;
            let table = sql::SqlResultSet::read(&json).map_err(ArtifactReadError::Malformed)?;
            let shown = if split { table.split(policy) } else { vec![table.sampled(policy)] };
            let size = (table.row_count, table.columns.len());
            Ok((shown, size, table.query.map(str::to_owned)))
        });
        let Some((artifact, (shown, (rows, columns), query))) = opened else { return };
        for (part, shown) in shown.into_iter().enumerate() {
            let name = self.names.give(EvidenceKind::SqlResult, &query_key, part as u64);
            let evidence_id = match shown.rows {
                Some((first, last)) => format!("{name}:{first}-{last}"),
                None => name,
            };
            let metadata = ItemMetadata {
                given: metadata.clone(),
                sql_meta: Some(shown.meta),
                query_key: Some(query_key.clone()),
                ..ItemMetadata::default()
            };
            self.offer(ItemDraft {
                kind: EvidenceKind::SqlResult,
                path: path.to_owned(),
                evidence_id,
                source_ref: SourceRef::Result {
                    lake_uri: lake_uri.clone(),
                    query_key: query_key.clone(),
                    query: query.clone(),
                },
                text: Cow::Owned(shown.text),
                metadata,
                offsets: None,
                whole: FullContent::Table { artifact, rows, columns },
                shortened: shown.shortened,
            });
        }
    }

    fn sql_query(&mut self, path: &str, query: SqlQueryRef) {
        let SqlQueryRef { query_key, query, description, metadata } = query;
        let about = if description.is_empty() {
            String::new()
        } else {
            format!("Description: {description}\n")
        };
        let draft = ItemDraft {
            kind: EvidenceKind::SqlQueryDef,
            path: path.to_owned(),
            evidence_id: self.names.give(EvidenceKind::SqlQueryDef, &query_key, 0),
            text: Cow::Owned(format!("Query: {query_key}\n{about}\n{query}")),
            source_ref: SourceRef::Query { query_key: query_key.clone(), description },
            metadata: ItemMetadata {
                given: metadata,
                query_key: Some(query_key),
                ..ItemMetadata::default()
            },
            offsets: None,
            whole: FullContent::Text,
            shortened: None,
        };
        self.offer(draft);
    }

    fn part(&mut self, kind: EvidenceKind, path: &str, part: ChunkEvidence) {
        let ChunkEvidence { document_id, chunk_index, text, source_uri, offsets, metadata } = part;
        let draft = ItemDraft {
            kind,
            path: path.to_owned(),
            evidence_id: self.names.give(kind, &document_id, chunk_index),
            source_ref: SourceRef::Part { document_id, chunk_index, source_uri },
            text: Cow::Owned(text),
            metadata: ItemMetadata { given: metadata, ..ItemMetadata::default() },
            offsets,
            whole: FullContent::Text,
            shortened: None,
        };
        self.offer(draft);
    }

    /// Chunks of documents, each with its place; an unreadable part is a problem.
    fn documents(&mut self, documents: &BundleDocumentSet) {
        let texts = &documents.texts;
        let mut shown: BTreeMap<usize, MaskedDocument<'_>> = BTreeMap::new();
        for part in &documents.chunks {
            let Some(document) = texts.get(part.document) else { continue };
            // Masked once for each document, however many of its chunks are offered.
            let shown = shown
                .entry(part.document)
                .or_insert_with(|| MaskedDocument::of(&document.text, &self.masking));
            let spans = shown.split(part.start, part.end, self.policy);
            for (n, span) in spans.iter().enumerate() {
                let said = format!("Part {n} of {} of the chunk", spans.len());
                let given = part.given(document);
                let draft = ItemDraft {
                    kind: EvidenceKind::DocChunk,
                    path: format!("documents[{}].chunks[{}]", part.document, part.index),
                    evidence_id: self.names.give(EvidenceKind::DocChunk, &document.id, part.index),
                    source_ref: SourceRef::Part {
                        document_id: document.id.clone(),
                        chunk_index: part.index,
                        source_uri: None,
                    },
                    text: shown.words(span),
                    metadata: ItemMetadata { given, ..ItemMetadata::default() },
                    offsets: Some(ByteOffsets::from(*span)),
                    whole: FullContent::Text,
                    shortened: (spans.len() > 1).then_some(said),
                };
                self.offer_masked(draft, shown.redactions(span));
            }
        }
        for DocumentLoss { document, id, extent, message } in &documents.losses {
            self.problems.push(BundleProblem {
                path: format!("documents[{document}]"),
                about: BundleProblemSubject::Document { document_id: id.clone() },
                reason: extent.reason(),
                message: MaskedDocument::of(message, &self.masking).text.into_owned(),
            });
        }
    }

    fn offer(&mut self, mut draft: ItemDraft<'a>) {
        // Masked before it is bounded: a cut through a number leaves digits that no rule finds.
        draft.mask(&self.masking);
        self.offered.push(draft.bound(self.policy));
    }

    /// Offers an item whose content is masked already.
    fn offer_masked(&mut self, mut draft: ItemDraft<'a>, mut redactions: Vec<FieldRedaction>) {
        if let MaskingMode::On { .. } = self.masking {
            draft.mask_around(&self.masking, &mut redactions);
            draft.note(redactions);
        }
        self.offered.push(draft.bound(self.policy));
    }

    /// The artifact at a path and what `read` makes of it; otherwise a problem.
    fn open<T>(
        &mut self,
        path: &str,
        lake_uri: &LakeUri,
        read: impl FnOnce(&'a [u8]) -> Result<T, ArtifactReadError>,
    ) -> Option<(&'a LakeArtifact<'a>, T)> {
        // An artifact that cannot be used costs its own items only; the rest is built.
        let opened = match self.artifacts.get(lake_uri) {
            Some(Ok(artifact)) => read(artifact.bytes).map(|value| (artifact, value)),
            Some(Err(unread)) => Err((*unread).clone()),
            None => Err(ArtifactReadError::Missing),
        };
        let note = |unread: ArtifactReadError| {
            self.problems.push(BundleProblem {
                path: path.to_owned(),
                about: BundleProblemSubject::Artifact { lake_uri: lake_uri.clone() },
                reason: unread.reason(),
                // It quotes keys of the artifact.
                message: MaskedDocument::of(&unread.to_string(), &self.masking).text.into_owned(),
            });
        };
        opened.map_err(note).ok()
    }
}

fn as_text(bytes: &[u8]) -> Result<&str, ArtifactReadError> {
    std::str::from_utf8(bytes).map_err(|error| ArtifactReadError::NotUtf8(error.valid_up_to()))
}

fn parse(bytes: &[u8]) -> Result<Json<'_>, ArtifactReadError> {
    // The JSON parser checks this too, but would say `malformed` where the reason is `not_utf8`.
    as_text(bytes)?;
    Json::parse_foreign(bytes).map_err(|refused| {
        let said = |fault: &Fault| format!("`{}`: {}", fault.path, fault.message.english());
        let message = refused.refused.first().map_or_else(|| refused.to_string(), said);
        ArtifactReadError::Malformed(message)
    })
}

/// The digest of one bundle changes when the rules do; this names the rules.
const BUILD_VERSION: &str = "2.0";
