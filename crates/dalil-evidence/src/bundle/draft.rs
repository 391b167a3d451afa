//! An item on its way into a bundle: masked, then bounded, not yet digested.

use std::borrow::Cow;
use std::cell::OnceCell;

use dalil_proof::digest::Digest;
use dalil_proof::json::Json;

use crate::bundle::bound::{ItemBounding, prefix};
use crate::bundle::item::{BundleItemHead, ByteOffsets, FullRef, ItemMetadata, SourceRef};
use crate::bundle::item::{FieldRedaction, RedactionSummary};
use crate::bundle::lake::LakeUri;
use crate::bundle::name::EvidenceKind;
use crate::bundle::policy::BundlePolicy;
use crate::mask::{self, Mask};

/// An item before masking.
pub(super) struct ItemDraft<'a> {
    pub(super) kind: EvidenceKind,
    /// Where in the request it is asked for.
    pub(super) path: String,
    pub(super) evidence_id: String,
    pub(super) source_ref: SourceRef,
    pub(super) text: Cow<'a, str>,
    pub(super) metadata: ItemMetadata,
    pub(super) offsets: Option<ByteOffsets>,
    pub(super) whole: FullContent<'a>,
    /// The parts that the making of the text has left out already.
    pub(super) shortened: Option<String>,
}

/// The whole of a shortened item.
#[derive(Clone, Copy)]
pub(super) enum FullContent<'a> {
    /// The text itself, which no lake holds yet.
    Text,
    /// An artifact in the lake.
    Artifact(&'a LakeArtifact<'a>),
    /// A result in the lake, with its rows and columns.
    Table { artifact: &'a LakeArtifact<'a>, rows: u64, columns: usize },
}

/// An artifact of the lake, digested on demand.
pub(super) struct LakeArtifact<'a> {
    pub(super) lake_uri: &'a LakeUri,
    pub(super) bytes: &'a [u8],
    digest: OnceCell<Digest>,
}

impl<'a> LakeArtifact<'a> {
    pub(super) fn new(lake_uri: &'a LakeUri, bytes: &'a [u8]) -> Self {
        Self { lake_uri, bytes, digest: OnceCell::new() }
    }

    /// Names the artifact, whose item is all of it.
    fn named(&self) -> FullRef {
        FullRef {
            lake_uri: self.lake_uri.clone(),
            full_size: None,
            full_sha256: None,
            row_count: None,
            col_count: None,
        }
    }

    /// Names the artifact, whose item is shorter than it.
    fn whole(&self) -> FullRef {
        let digest = *self.digest.get_or_init(|| Digest::of(self.bytes));
        FullRef { full_size: Some(self.bytes.len()), full_sha256: Some(digest), ..self.named() }
    }
}

/// An item within its limit.
pub(super) struct BoundedItem<'a> {
    pub(super) draft: ItemDraft<'a>,
    /// The whole text, when the content is only its beginning.
    whole: Option<String>,
}

impl<'a> ItemDraft<'a> {
    /// Masks everything that the item will show, if the policy requires it.
    pub(super) fn mask(&mut self, masking: &MaskingMode<'_>) {
        let MaskingMode::On { .. } = masking else { return };
        let mut redactions = Vec::new();
        if let Some(masked) = masking.text(&self.text, None, &mut redactions) {
            self.text = Cow::Owned(masked);
        }
        self.mask_around(masking, &mut redactions);
        self.note(redactions);
    }

    /// Masks the text around the content.
    pub(super) fn mask_around(
        &mut self,
        masking: &MaskingMode<'_>,
        redactions: &mut Vec<FieldRedaction>,
    ) {
        let mut field = |name: &str, text: &mut String| {
            if let Some(masked) = masking.text(text, Some(name), redactions) {
                *text = masked;
            }
        };
        match &mut self.source_ref {
            SourceRef::Inline { source_uri, .. } => field("source_ref.source_uri", source_uri),
            SourceRef::Http { url, .. } => field("source_ref.url", url),
            SourceRef::Query { description, .. } => field("source_ref.description", description),
            SourceRef::Result { query, .. } => {
                query.iter_mut().for_each(|query| field("source_ref.query", query));
            }
            SourceRef::Part { source_uri, .. } => {
                source_uri.iter_mut().for_each(|uri| field("source_ref.source_uri", uri));
            }
            // Lake URIs, query keys and document ids name things, and stay (spec/bundle.md).
            SourceRef::Text { .. } => {}
        }
        if let Some(meta) = &mut self.metadata.http_meta {
            meta.url.iter_mut().for_each(|url| field("metadata.http_meta.url", url));
            if let Some(code) = &mut meta.status_code {
                masking.json(code, "metadata.http_meta.status_code", redactions);
            }
        }
        for (key, value) in &mut self.metadata.given {
            masking.json(value, &format!("metadata.{key}"), redactions);
        }
    }

    /// Records the redactions.
    pub(super) fn note(&mut self, redactions: Vec<FieldRedaction>) {
        let redaction_count = redactions.len();
        self.metadata.redactions =
            Some(RedactionSummary { enabled: true, redaction_count, redactions });
    }

    /// Bounds the text.
    pub(super) fn bound(mut self, policy: &BundlePolicy) -> BoundedItem<'a> {
        let limit = policy.max_item_bytes;
        let original_size = self.text.len();
        let bounded_size = prefix(&self.text, limit).len();
        let shortened = self.shortened.take();
        self.metadata.bounding = ItemBounding::of(original_size, bounded_size, limit, shortened);
        if let Some(http) = &mut self.metadata.http_meta {
            http.body_truncated = bounded_size < original_size;
        }
        let mut whole = None;
        if bounded_size < original_size {
            let content = prefix(&self.text, limit).to_owned();
            let text = std::mem::replace(&mut self.text, Cow::Owned(content));
            // An artifact is in the lake already; text of the request would be lost.
            whole = matches!(self.whole, FullContent::Text).then(|| text.into_owned());
        }
        BoundedItem { draft: self, whole }
    }
}

impl BoundedItem<'_> {
    /// How long the content is.
    pub(super) fn size(&self) -> usize {
        self.draft.text.len()
    }

    /// Digests the content; also gives the text that the lake has to keep.
    pub(super) fn finish(self) -> (BundleItemHead, String, Option<(LakeUri, String)>) {
        let ItemDraft { kind, evidence_id, source_ref, text, metadata, offsets, whole, .. } =
            self.draft;
        let content = text.into_owned();
        let mut keep = None;
        let shortened = metadata.bounding.applied;
        // The digest costs a pass over the artifact; only a shortened item must have it.
        let named = |artifact: &LakeArtifact<'_>| {
            if shortened { artifact.whole() } else { artifact.named() }
        };
        let full_ref = match (whole, self.whole) {
            (FullContent::Artifact(artifact), _) => match &metadata.http_meta {
                Some(http) => {
                    // Of HTTP the body was shortened; the artifact is JSON around it.
                    let full_size = Some(http.body_original_size);
                    Some(FullRef { full_size, ..named(artifact) })
                }
                None => shortened.then(|| artifact.whole()),
            },
            (FullContent::Table { artifact, rows, columns }, _) => {
                Some(FullRef { row_count: Some(rows), col_count: Some(columns), ..named(artifact) })
            }
            (FullContent::Text, Some(text)) => {
                // With masking on, this text is masked: the lake does not get the values either.
                let digest = Digest::of(text.as_bytes());
                let lake_uri = LakeUri::of_digest(&digest);
                let full_ref = FullRef {
                    lake_uri: lake_uri.clone(),
                    full_size: Some(text.len()),
                    full_sha256: Some(digest),
                    row_count: None,
                    col_count: None,
                };
                keep = Some((lake_uri, text));
                Some(full_ref)
            }
            (FullContent::Text, None) => None,
        };
        let head = BundleItemHead {
            evidence_id,
            evidence_type: kind,
            source_ref,
            content_sha256: Digest::of(content.as_bytes()),
            byte_count: content.len(),
            metadata,
            offsets,
            full_ref,
        };
        (head, content, keep)
    }
}

/// Whether and how a bundle is masked.
#[derive(Clone, Copy)]
pub(super) enum MaskingMode<'m> {
    Off,
    On { rules: &'m [mask::MaskRule], key: Option<&'m mask::MaskKey> },
}

impl MaskingMode<'_> {
    /// The masked text and its masks; `None` when there is nothing to mask.
    pub(super) fn masks(&self, text: &str) -> Option<(String, Vec<Mask>)> {
        let Self::On { rules, key } = self else { return None };
        let masked = mask::apply(text, rules, *key);
        (!masked.masks.is_empty()).then(|| (masked.text.into_owned(), masked.masks))
    }

    fn text(
        &self,
        text: &str,
        field: Option<&str>,
        redactions: &mut Vec<FieldRedaction>,
    ) -> Option<String> {
        let (masked, masks) = self.masks(text)?;
        let record = |mask| FieldRedaction { field: field.map(str::to_owned), mask };
        redactions.extend(masks.into_iter().map(record));
        Some(masked)
    }

    /// Masks every text in a value.
    fn json(&self, value: &mut Json<'static>, field: &str, redactions: &mut Vec<FieldRedaction>) {
        match value {
            Json::Text(text) => {
                if let Some(masked) = self.text(text, Some(field), redactions) {
                    *text = Cow::Owned(masked);
                }
            }
            Json::List(items) => {
                for (n, item) in items.iter_mut().enumerate() {
                    self.json(item, &format!("{field}[{n}]"), redactions);
                }
            }
            Json::Object(members) => {
                for (key, member) in members {
                    self.json(member, &format!("{field}.{key}"), redactions);
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
}
