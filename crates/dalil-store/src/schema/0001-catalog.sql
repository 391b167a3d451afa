-- The catalog. {blob} is the engine's type for bytes. {forever TABLE: KEY; KEY} and
-- {erasable TABLE: KEY} are triggers: nothing is updated, and nothing is deleted but
-- the payloads and rows of a record that an erasure names. A statement that starts
-- with {postgres} is for that engine alone.

CREATE TABLE migrations (version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL);
{forever migrations: version}

-- The trail: envelopes, what they commit to, the tree over them, signed heads.

CREATE TABLE records (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
  sequence BIGINT NOT NULL, at TEXT NOT NULL, leaf {blob} NOT NULL, envelope {blob} NOT NULL,
  PRIMARY KEY (tenant, idx)
);
CREATE UNIQUE INDEX records_by_id ON records (tenant, id);
CREATE UNIQUE INDEX records_by_subject ON records (tenant, subject, sequence);
{forever records: tenant, idx; tenant, id; tenant, subject, sequence}

CREATE TABLE payloads (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, name TEXT NOT NULL, salt {blob} NOT NULL, bytes {blob},
  sha256 TEXT,
  PRIMARY KEY (tenant, idx, name)
);
CREATE INDEX payloads_by_sha256 ON payloads (tenant, sha256) WHERE sha256 IS NOT NULL;
{erasable payloads: tenant, idx, name}

CREATE TABLE tiles (
  tenant TEXT NOT NULL, level BIGINT NOT NULL, tile BIGINT NOT NULL, hashes {blob} NOT NULL,
  PRIMARY KEY (tenant, level, tile)
);
{forever tiles: tenant, level, tile}

CREATE TABLE checkpoints (tenant TEXT NOT NULL, size BIGINT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (tenant, size));
{forever checkpoints: tenant, size}

CREATE TABLE cosignatures (tenant TEXT NOT NULL, size BIGINT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (tenant, size, line));
{forever cosignatures: tenant, size, line}

CREATE TABLE requests (
  tenant TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, first BIGINT NOT NULL, count BIGINT
  NOT NULL,
  PRIMARY KEY (tenant, key)
);
{forever requests: tenant, key}

CREATE TABLE secrets (tenant TEXT NOT NULL, key_id TEXT NOT NULL, sealed {blob} NOT NULL, PRIMARY KEY (tenant, key_id));
{forever secrets: tenant, key_id}

-- Evidence: every row belongs to a record, which commits to it.
CREATE TABLE tenants (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  origin TEXT, created_at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
{forever tenants: tenant, idx, ord}

CREATE TABLE documents (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  id TEXT, filename TEXT, media_type TEXT, sha256 TEXT, size BIGINT, source_uri TEXT, retrieved_at TEXT,
  document_date TEXT, pages BIGINT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX documents_by_id ON documents (tenant, id);
CREATE INDEX documents_by_sha256 ON documents (tenant, sha256);
{erasable documents: tenant, idx, ord}

CREATE TABLE chunks (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  id TEXT, document_id TEXT, chunk_index BIGINT, page_number BIGINT, heading_path TEXT, start_offset
  BIGINT, end_offset BIGINT, anchor TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX chunks_by_id ON chunks (tenant, id);
CREATE INDEX chunks_by_document_id ON chunks (tenant, document_id);
{erasable chunks: tenant, idx, ord}

CREATE TABLE sessions (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  id TEXT, query TEXT, mode TEXT, answer_sha256 TEXT, created_at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX sessions_by_id ON sessions (tenant, id);
{erasable sessions: tenant, idx, ord}

CREATE TABLE claims (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  id TEXT, session_id TEXT, claim_text TEXT, claim_type TEXT, importance TEXT, requires_citation BIGINT,
  start_offset BIGINT, end_offset BIGINT, created_at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX claims_by_id ON claims (tenant, id);
CREATE INDEX claims_by_session_id ON claims (tenant, session_id);
{erasable claims: tenant, idx, ord}

CREATE TABLE ledgers (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  id TEXT, session_id TEXT, sha256 TEXT, supersedes TEXT, coverage DOUBLE PRECISION, unsupported_rate
  DOUBLE PRECISION, judge TEXT, created_at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX ledgers_by_id ON ledgers (tenant, id);
CREATE INDEX ledgers_by_session_id ON ledgers (tenant, session_id);
{erasable ledgers: tenant, idx, ord}

CREATE TABLE evidence_ledger (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  id TEXT, session_id TEXT, ledger_id TEXT, claim_id TEXT, verdict TEXT, confidence_score DOUBLE
  PRECISION, chunk_ids TEXT, evidence_snippet TEXT, notes TEXT, created_at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX evidence_ledger_by_session_id ON evidence_ledger (tenant, session_id);
CREATE INDEX evidence_ledger_by_ledger_id ON evidence_ledger (tenant, ledger_id);
{erasable evidence_ledger: tenant, idx, ord}

CREATE TABLE evidence_bundle (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  bundle_id TEXT, bundle_sha256 TEXT, lake_uri TEXT, item_count BIGINT, total_bytes BIGINT, policy TEXT,
  created_utc TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX evidence_bundle_by_bundle_id ON evidence_bundle (tenant, bundle_id);
CREATE INDEX evidence_bundle_by_bundle_sha256 ON evidence_bundle (tenant, bundle_sha256);
{erasable evidence_bundle: tenant, idx, ord}

CREATE TABLE evidence_item (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  bundle_id TEXT, evidence_id TEXT, evidence_type TEXT, content_sha256 TEXT, byte_count BIGINT,
  source_uri TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX evidence_item_by_bundle_id ON evidence_item (tenant, bundle_id);
CREATE INDEX evidence_item_by_content_sha256 ON evidence_item (tenant, content_sha256);
{erasable evidence_item: tenant, idx, ord}

CREATE TABLE runs (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  run_id TEXT, model TEXT, status TEXT, created_utc TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX runs_by_run_id ON runs (tenant, run_id);
{erasable runs: tenant, idx, ord}

CREATE TABLE run_evidence (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  run_id TEXT, bundle_id TEXT, created_utc TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX run_evidence_by_run_id ON run_evidence (tenant, run_id);
CREATE INDEX run_evidence_by_bundle_id ON run_evidence (tenant, bundle_id);
{erasable run_evidence: tenant, idx, ord}

CREATE TABLE obligations (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  obligation_id TEXT, event TEXT, doc_id TEXT, doc_filename TEXT, page_number BIGINT, section_reference
  TEXT, source_clause TEXT, extraction_model TEXT, verification_model TEXT, verification_result TEXT,
  confidence DOUBLE PRECISION, amendment_history TEXT, recorded_at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX obligations_by_obligation_id ON obligations (tenant, obligation_id);
{erasable obligations: tenant, idx, ord}

CREATE TABLE decisions (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  decision_id TEXT, entity_id TEXT, agent_name TEXT, action TEXT, approval_class TEXT,
  reversibility_class TEXT, sensitivity_class TEXT, confidence DOUBLE PRECISION, requirement TEXT, sha256
  TEXT, created_at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX decisions_by_decision_id ON decisions (tenant, decision_id);
{erasable decisions: tenant, idx, ord}

CREATE TABLE tool_calls (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  call_id TEXT, decision_id TEXT, tool_name TEXT, phase TEXT, outcome TEXT, sha256 TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX tool_calls_by_call_id ON tool_calls (tenant, call_id);
CREATE INDEX tool_calls_by_decision_id ON tool_calls (tenant, decision_id);
{erasable tool_calls: tenant, idx, ord}

CREATE TABLE evidence_packs (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  pack_id TEXT, decision_id TEXT, version BIGINT, supersedes TEXT, sha256 TEXT, envelope_sha256 TEXT,
  status TEXT, reviewer_id TEXT, reviewed_at TEXT, created_at TEXT, retain_until TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX evidence_packs_by_pack_id ON evidence_packs (tenant, pack_id);
CREATE INDEX evidence_packs_by_decision_id ON evidence_packs (tenant, decision_id);
{erasable evidence_packs: tenant, idx, ord}

CREATE TABLE approvals (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  approval_id TEXT, pack_id TEXT, approver TEXT, role TEXT, outcome TEXT, reason TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX approvals_by_pack_id ON approvals (tenant, pack_id);
{erasable approvals: tenant, idx, ord}

CREATE TABLE exports (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  export_id TEXT, subject TEXT, format TEXT, sha256 TEXT, approved_by TEXT, reason TEXT, trail_size
  BIGINT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX exports_by_subject ON exports (tenant, subject);
{erasable exports: tenant, idx, ord}

CREATE TABLE keys (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  key_id TEXT, name TEXT, public_key TEXT, change TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX keys_by_key_id ON keys (tenant, key_id);
{forever keys: tenant, idx, ord}

CREATE TABLE holds (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  hold_id TEXT, scope TEXT, change TEXT, reason TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX holds_by_hold_id ON holds (tenant, hold_id);
{forever holds: tenant, idx, ord}

CREATE TABLE erasures (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  erased BIGINT, scope TEXT, legal_basis TEXT, approver TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX erasures_by_erased ON erasures (tenant, erased);
{forever erasures: tenant, idx, ord}

CREATE TABLE artifacts (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  sha256 TEXT, size BIGINT, media_type TEXT, role TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX artifacts_by_sha256 ON artifacts (tenant, sha256);
{erasable artifacts: tenant, idx, ord}

-- The founding documents' names for three of these.

{postgres} CREATE SCHEMA IF NOT EXISTS llm;
{postgres} CREATE VIEW llm.evidence_bundle AS SELECT * FROM evidence_bundle;
{postgres} CREATE VIEW llm.run_evidence AS SELECT * FROM run_evidence;
{postgres} CREATE VIEW llm.evidence_item AS SELECT * FROM evidence_item;
