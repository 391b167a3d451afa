//! The evidence tables: the possible rows of a record.

use dalil_proof::digest::Digest;
use dalil_proof::time::Time;
use sqlx::any::AnyRow;

use super::bind::RowBinder;
use super::column::{ColumnDef, ColumnType, ColumnValue};
use super::query::TableQuery;
use super::row::{CellFault, TypedRow};
use super::value::SqlValue;

/// A row of an evidence table, which belongs to a record.
pub trait EvidenceTableRow: TypedRow + Into<EvidenceRow> {
    /// The table.
    const EVIDENCE: EvidenceTable;
}

/// Declares a struct for the rows of a table, or for some columns of it.
macro_rules! typed_row {
    ($(#[$doc:meta])* $visibility:vis struct $row:ident of $table:literal {
        $($column:ident: $type:ty),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $row {
            $(
                #[doc = concat!("The column `", stringify!($column), "`.")]
                $visibility $column: $type,
            )*
        }

        impl $crate::catalog::TypedRow for $row {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = &[$(stringify!($column)),*];

            fn read(
                row: &sqlx::any::AnyRow,
                first: usize,
            ) -> Result<Self, $crate::catalog::CellFault> {
                let mut next = first;
                $(
                    let $column =
                        $crate::catalog::read_cell(row, &mut next, ($table, stringify!($column)))?;
                )*
                Ok(Self { $($column),* })
            }

            fn bind(
                self,
                binder: &mut $crate::catalog::RowBinder,
            ) -> Result<(), sqlx::Error> {
                $(binder.push(self.$column)?;)*
                Ok(())
            }
        }
    };
}
pub(crate) use typed_row;

macro_rules! tables {
    ($($(#[$doc:meta])* $variant:ident = $name:literal: $row:ident {
        $($column:ident: $type:ty),* $(,)?
    },)*) => {
        /// An evidence table. Every row of it belongs to a record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EvidenceTable {
            $($(#[$doc])* $variant,)*
        }

        /// A row of an evidence table, without the columns that say whose it is.
        #[derive(Clone, Debug, PartialEq)]
        pub enum EvidenceRow {
            $($(#[$doc])* $variant($row),)*
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
                    $(Self::$variant => {
                        &[$((stringify!($column), <$type as ColumnValue>::TYPE)),*]
                    })*
                }
            }

            /// A row with something in every column.
            #[cfg(test)]
            pub(crate) fn sample(self) -> EvidenceRow {
                match self {
                    $(Self::$variant => {
                        EvidenceRow::$variant($row { $($column: ColumnValue::sample()),* })
                    })*
                }
            }

            /// Reads the columns of a row of the table, which begin at `first`.
            pub(crate) fn read(self, row: &AnyRow, first: usize) -> Result<EvidenceRow, CellFault> {
                match self {
                    $(Self::$variant => {
                        <$row as TypedRow>::read(row, first).map(EvidenceRow::$variant)
                    })*
                }
            }
        }

        impl EvidenceRow {
            /// The table that it is a row of.
            pub const fn table(&self) -> EvidenceTable {
                match self {
                    $(Self::$variant(_) => EvidenceTable::$variant,)*
                }
            }

            /// Visits each column with its value, in order.
            pub(super) fn each<E>(
                &self,
                visit: &mut dyn FnMut((&'static str, ColumnType), SqlValue<'_>) -> Result<(), E>,
            ) -> Result<(), E> {
                match self {
                    $(Self::$variant($row { $($column),* }) => {
                        $(
                            let column = (stringify!($column), <$type as ColumnValue>::TYPE);
                            visit(column, ColumnValue::to_sql($column))?;
                        )*
                    })*
                }
                Ok(())
            }

            /// Binds its columns.
            pub(crate) fn bind(self, binder: &mut RowBinder) -> Result<(), sqlx::Error> {
                match self {
                    $(Self::$variant(row) => row.bind(binder),)*
                }
            }
        }

        $(
            typed_row! {
                $(#[$doc])*
                pub struct $row of $name { $($column: $type),* }
            }

            impl EvidenceTableRow for $row {
                const EVIDENCE: EvidenceTable = EvidenceTable::$variant;
            }

            impl From<$row> for EvidenceRow {
                fn from(row: $row) -> Self {
                    Self::$variant(row)
                }
            }

            impl $row {
                /// Every row of the table.
                pub fn query() -> TableQuery<Self> {
                    TableQuery::all()
                }
            }

            impl TableQuery<$row> {
                $(
                    #[doc = concat!("Only rows with this `", stringify!($column), "`.")]
                    #[must_use]
                    pub fn $column(self, key: &<$type as ColumnValue>::Key) -> Self {
                        self.equal(stringify!($column), <$type as ColumnValue>::key(key))
                    }
                )*
            }
        )*
    };
}

tables! {
    /// Tenants.
    Tenants = "tenants": TenantRow { origin: String, created_at: Time },
    /// Documents that came in.
    Documents = "documents": DocumentRow {
        id: String, filename: String, media_type: String, sha256: Digest, size: u64,
        source_uri: String, retrieved_at: Time, document_date: Option<String>, pages: Option<u64>,
    },
    /// Parts of documents.
    Chunks = "chunks": ChunkRow {
        id: String, document_id: String, chunk_index: u64, page_number: Option<u64>,
        heading_path: Option<String>, start_offset: u64, end_offset: u64, anchor: String,
    },
    /// Questions asked.
    Sessions = "sessions": SessionRow {
        id: String, query: Option<String>, mode: Option<String>, answer_sha256: Option<Digest>,
        created_at: Time,
    },
    /// Claims of answers.
    Claims = "claims": ClaimRow {
        id: String, session_id: String, claim_text: String, claim_type: String, importance: String,
        requires_citation: bool, start_offset: Option<u64>, end_offset: Option<u64>,
        created_at: Time,
    },
    /// Closed ledgers.
    Ledgers = "ledgers": LedgerRow {
        id: String, session_id: String, sha256: Digest, supersedes: Option<String>,
        coverage: Option<f64>, unsupported_rate: f64, judge: Option<String>, created_at: Time,
    },
    /// Verdicts, one for each claim of a ledger.
    EvidenceLedger = "evidence_ledger": VerdictRow {
        id: String, session_id: String, ledger_id: String, claim_id: String, verdict: String,
        confidence_score: f64, chunk_ids: String, evidence_snippet: String, notes: String,
        created_at: Time,
    },
    /// Bundles given to models.
    EvidenceBundle = "evidence_bundle": BundleRow {
        bundle_id: String, bundle_sha256: Digest, lake_uri: String, item_count: u64,
        total_bytes: u64, policy: String, created_utc: Time,
    },
    /// Items of bundles.
    EvidenceItem = "evidence_item": BundleItemRow {
        bundle_id: String, evidence_id: String, evidence_type: String, content_sha256: String,
        byte_count: u64, source_uri: String,
    },
    /// Runs of models.
    Runs = "runs": RunRow { run_id: String, model: String, status: String, created_utc: Time },
    /// Which bundles fed which run.
    RunEvidence = "run_evidence": RunBundleRow {
        run_id: String, bundle_id: String, created_utc: Time,
    },
    /// Evidence of obligations; a skip has none, and leaves the optional columns empty.
    Obligations = "obligations": ObligationRow {
        obligation_id: String, event: String, doc_id: Option<String>, doc_filename: Option<String>,
        page_number: Option<u64>, section_reference: Option<String>, source_clause: Option<String>,
        extraction_model: Option<String>, verification_model: Option<String>,
        verification_result: Option<String>, confidence: Option<f64>,
        amendment_history: Option<String>, recorded_at: Time,
    },
    /// Decisions of agents.
    Decisions = "decisions": DecisionRow {
        decision_id: String, entity_id: Option<String>, agent_name: Option<String>,
        action: Option<String>, approval_class: String, reversibility_class: String,
        sensitivity_class: String, confidence: Option<f64>, requirement: String, sha256: Digest,
        created_at: Time,
    },
    /// Uses of tools; a report repeats the decision and the tool of its intention.
    ToolCalls = "tool_calls": ToolCallRow {
        call_id: String, decision_id: Option<String>, tool_name: Option<String>, phase: String,
        outcome: Option<String>, sha256: Digest, at: Time,
    },
    /// Versions of packs.
    EvidencePacks = "evidence_packs": PackRow {
        pack_id: String, decision_id: String, version: u64, supersedes: Option<String>,
        sha256: Digest, envelope_sha256: Digest, status: String, reviewer_id: Option<String>,
        reviewed_at: Option<Time>, created_at: Time, retain_until: Time,
    },
    /// Approvals of packs.
    Approvals = "approvals": PackApprovalRow {
        approval_id: String, pack_id: String, approver: String, role: String, outcome: String,
        reason: Option<String>, at: Time,
    },
    /// Approval requests, approvals, and the actions done under them. The use of an approval states
    /// neither its subject nor its end: the approval does.
    Matters = "matters": MatterRow {
        approval_id: String, change: String, matter: String, action: String, object: String,
        said: Option<String>, who: String, titles: Option<String>, credential: Option<String>,
        expires_at: Option<Time>, at: Time,
    },
    /// What left the system; the digest of a trail is not known before it has left.
    Exports = "exports": ExportRow {
        export_id: String, subject: String, format: String, sha256: Option<Digest>,
        approved_by: String, reason: String, trail_size: u64, at: Time,
    },
    /// Changes to signing keys.
    Keys = "keys": KeyRow {
        key_id: String, name: String, public_key: String, change: String, at: Time,
    },
    /// Corrected dates of changes to signing keys.
    KeyRedatings = "key_redatings": KeyRedatingRow {
        key_id: String, change: String, redated: Time, reason: String,
    },
    /// Changes to who the members of a tenant are.
    Members = "members": MemberRow {
        name: String, role: String, titles: String, change: String, at: Time,
    },
    /// Changes to the keys of the API; of a key only the MAC.
    ApiKeys = "api_keys": ApiKeyRow {
        key_id: String, actor: String, scopes: String, mac: Digest, expires_at: Option<Time>,
        change: String, at: Time,
    },
    /// Long work that was accepted, and how it ended.
    Jobs = "jobs": JobRow {
        job_id: String, work: String, subject: String, state: String, result: Option<String>,
        at: Time,
    },
    /// Legal holds.
    Holds = "holds": HoldRow {
        hold_id: String, scope: String, change: String, reason: String, at: Time,
    },
    /// Which records lost their payload.
    Erasures = "erasures": ErasureRow {
        erased: u64, scope: String, legal_basis: String, approver: String, at: Time,
    },
    /// Which versions of packs were erased.
    ErasedPacks = "erased_packs": ErasedPackRow {
        pack_id: String, decision_id: String, version: u64, sealed_at: Time,
    },
    /// Which objects of the lake a record needs.
    Artifacts = "artifacts": ArtifactRow {
        sha256: Digest, size: u64, media_type: String, role: String,
    },
}

impl EvidenceTable {
    /// The table of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|table| table.name() == name)
    }

    /// Whether rows of it may go when their record is erased.
    ///
    /// Tenants, keys and their dates, keys of the API, members, holds, erasures and what these
    /// leave of packs are the basis for judging everything else.
    pub fn is_erasable(self) -> bool {
        let keys = matches!(self, Self::Keys | Self::KeyRedatings | Self::ApiKeys);
        let lasting = keys || matches!(self, Self::Tenants | Self::Members);
        !lasting && !matches!(self, Self::Holds | Self::Erasures | Self::ErasedPacks)
    }
}
