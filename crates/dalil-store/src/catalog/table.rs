//! The evidence tables: what the rows of a record may say.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Text without U+0000.
    Text,
    /// A whole number that a double holds exactly.
    Int,
    /// A finite double.
    Real,
    /// Bytes.
    Blob,
}

/// A column: its name and what it holds.
pub type ColumnDef = (&'static str, ColumnType);

macro_rules! tables {
    ($($(#[$doc:meta])* $variant:ident = $name:literal [$($column:ident $type:ident),*],)*) => {
        /// An evidence table. Every row of it belongs to a record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EvidenceTable {
            $($(#[$doc])* $variant,)*
        }

        impl EvidenceTable {
            /// Every evidence table.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name in the database.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Its columns, without those that say whose row it is.
            pub const fn columns(self) -> &'static [ColumnDef] {
                match self {
                    $(Self::$variant => &[$((stringify!($column), ColumnType::$type)),*],)*
                }
            }
        }
    };
}

tables! {
    /// Tenants.
    Tenants = "tenants" [origin Text, created_at Text],
    /// Documents that came in.
    Documents = "documents" [id Text, filename Text, media_type Text, sha256 Text, size Int, source_uri Text, retrieved_at Text, document_date Text, pages Int],
    /// Parts of documents.
    Chunks = "chunks" [id Text, document_id Text, chunk_index Int, page_number Int, heading_path Text, start_offset Int, end_offset Int, anchor Text],
    /// Questions asked.
    Sessions = "sessions" [id Text, query Text, mode Text, answer_sha256 Text, created_at Text],
    /// Claims of answers.
    Claims = "claims" [id Text, session_id Text, claim_text Text, claim_type Text, importance Text, requires_citation Int, start_offset Int, end_offset Int, created_at Text],
    /// Closed ledgers.
    Ledgers = "ledgers" [id Text, session_id Text, sha256 Text, supersedes Text, coverage Real, unsupported_rate Real, judge Text, created_at Text],
    /// Verdicts, one for each claim of a ledger.
    EvidenceLedger = "evidence_ledger" [id Text, session_id Text, ledger_id Text, claim_id Text, verdict Text, confidence_score Real, chunk_ids Text, evidence_snippet Text, notes Text, created_at Text],
    /// Bundles given to models.
    EvidenceBundle = "evidence_bundle" [bundle_id Text, bundle_sha256 Text, lake_uri Text, item_count Int, total_bytes Int, policy Text, created_utc Text],
    /// Items of bundles.
    EvidenceItem = "evidence_item" [bundle_id Text, evidence_id Text, evidence_type Text, content_sha256 Text, byte_count Int, source_uri Text],
    /// Runs of models.
    Runs = "runs" [run_id Text, model Text, status Text, created_utc Text],
    /// Which bundles fed which run.
    RunEvidence = "run_evidence" [run_id Text, bundle_id Text, created_utc Text],
    /// Evidence of obligations.
    Obligations = "obligations" [obligation_id Text, event Text, doc_id Text, doc_filename Text, page_number Int, section_reference Text, source_clause Text, extraction_model Text, verification_model Text, verification_result Text, confidence Real, amendment_history Text, recorded_at Text],
    /// Decisions of agents.
    Decisions = "decisions" [decision_id Text, entity_id Text, agent_name Text, action Text, approval_class Text, reversibility_class Text, sensitivity_class Text, confidence Real, requirement Text, sha256 Text, created_at Text],
    /// Uses of tools.
    ToolCalls = "tool_calls" [call_id Text, decision_id Text, tool_name Text, phase Text, outcome Text, sha256 Text, at Text],
    /// Versions of packs.
    EvidencePacks = "evidence_packs" [pack_id Text, decision_id Text, version Int, supersedes Text, sha256 Text, envelope_sha256 Text, status Text, reviewer_id Text, reviewed_at Text, created_at Text, retain_until Text],
    /// Approvals of packs.
    Approvals = "approvals" [approval_id Text, pack_id Text, approver Text, role Text, outcome Text, reason Text, at Text],
    /// What was asked of others, what they approved, and what was done under it.
    Matters = "matters" [approval_id Text, change Text, matter Text, action Text, object Text, said Text, who Text, titles Text, credential Text, expires_at Text, at Text],
    /// What left the system.
    Exports = "exports" [export_id Text, subject Text, format Text, sha256 Text, approved_by Text, reason Text, trail_size Int, at Text],
    /// Changes to signing keys.
    Keys = "keys" [key_id Text, name Text, public_key Text, change Text, at Text],
    /// Changes to who the members of a tenant are.
    Members = "members" [name Text, role Text, titles Text, change Text, at Text],
    /// Changes to the keys of the API; of a key only the MAC.
    ApiKeys = "api_keys" [key_id Text, actor Text, scopes Text, mac Text, expires_at Text, change Text, at Text],
    /// Long work that was accepted, and how it ended.
    Jobs = "jobs" [job_id Text, work Text, subject Text, state Text, result Text, at Text],
    /// Legal holds.
    Holds = "holds" [hold_id Text, scope Text, change Text, reason Text, at Text],
    /// Which records lost their payload.
    Erasures = "erasures" [erased Int, scope Text, legal_basis Text, approver Text, at Text],
    /// Which versions of packs were erased.
    ErasedPacks = "erased_packs" [pack_id Text, decision_id Text, version Int, sealed_at Text],
    /// Which objects of the lake a record needs.
    Artifacts = "artifacts" [sha256 Text, size Int, media_type Text, role Text],
}

impl EvidenceTable {
    /// The table of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|table| table.name() == name)
    }

    /// Whether rows of it may go when their record is erased.
    ///
    /// Tenants, keys, keys of the API, members, holds, erasures and what these leave of packs
    /// are what the rest is judged by.
    pub fn is_erasable(self) -> bool {
        let lasting = matches!(self, Self::Tenants | Self::Keys | Self::ApiKeys | Self::Members);
        !lasting && !matches!(self, Self::Holds | Self::Erasures | Self::ErasedPacks)
    }
}
