-- What every new row must be: {typed TABLE: COLUMN TYPE, …}, a `?` where it may be null. Rows that are
-- there stay. A line is one table; words between `|` are all that a column may say.

{typed tenants: origin name, created_at time}
{typed documents: id name, filename text, media_type text, sha256 digest, size count, source_uri text, retrieved_at time, document_date text?, pages count?}
{typed chunks: id name, document_id name, chunk_index count, page_number count?, heading_path json?, start_offset count, end_offset count, anchor name}
{typed sessions: id name, query text?, mode text?, answer_sha256 digest?, created_at time}
{typed claims: id name, session_id name, claim_text text, claim_type fact|policy|numeric|definition, importance critical|material|minor, requires_citation count, start_offset count?, end_offset count?, created_at time}
{typed ledgers: id name, session_id name, sha256 digest, supersedes name?, coverage share?, unsupported_rate share, judge text?, created_at time}
{typed evidence_ledger: id name, session_id name, ledger_id name, claim_id name, verdict supported|weak|contradicted|not_found, confidence_score share, chunk_ids json, evidence_snippet text, notes text, created_at time}
{typed evidence_bundle: bundle_id name, bundle_sha256 digest, lake_uri name, item_count count, total_bytes count, policy json, created_utc time}
{typed evidence_item: bundle_id name, evidence_id name, evidence_type name, content_sha256 name, byte_count count, source_uri text}
{typed runs: run_id name, model text, status text, created_utc time}
{typed run_evidence: run_id name, bundle_id name, created_utc time}
{typed obligations: obligation_id name, event recorded|skipped|status_changed, doc_id text?, doc_filename text?, page_number count?, section_reference text?, source_clause text?, extraction_model text?, verification_model text?, verification_result CONFIRMED|DISPUTED|UNVERIFIED?, confidence share?, amendment_history json?, recorded_at time}
{typed decisions: decision_id name, entity_id text?, agent_name text?, action text?, approval_class A0|A1|A2|A3, reversibility_class R0|R1|R2|R3, sensitivity_class S0|S1|S2|S3, confidence share?, requirement mandatory|recommended|skip, sha256 digest, created_at time}
{typed tool_calls: call_id name, decision_id text?, tool_name text?, phase intended|reported, outcome succeeded|failed|blocked?, sha256 digest, at time}
{typed evidence_packs: pack_id name, decision_id name, version count, supersedes name?, sha256 digest, envelope_sha256 digest, status unresolved|resolved, reviewer_id text?, reviewed_at time?, created_at time, retain_until time}
{typed approvals: approval_id name, pack_id name, approver name, role text, outcome approved|rejected|escalated, reason text?, at time}
{typed matters: approval_id name, change asked|given|used, matter name, action name, object name, said json?, who text, titles text?, credential text?, expires_at time?, at time}
{typed exports: export_id name, subject name, format name, sha256 digest?, approved_by text, reason text, trail_size count, at time}
{typed keys: key_id name, name name, public_key name, change added|retired|revoked, at time}
{typed members: name name, role viewer|approver|admin, titles json, change added|removed, at time}
{typed api_keys: key_id name, actor name, scopes name, mac digest, expires_at time?, change added|revoked, at time}
{typed jobs: job_id name, work name, subject name, state accepted|done|failed, result json?, at time}
{typed holds: hold_id name, scope name, change placed|lifted, reason name, at time}
{typed erasures: erased count, scope name, legal_basis retention_expired|data_subject_request|court_order, approver name, at time}
{typed erased_packs: pack_id name, decision_id name, version count, sealed_at time}
{typed artifacts: sha256 digest, size count, media_type text, role name}

-- What lists and links are looked up by.
CREATE INDEX exports_by_export_id ON exports (tenant, export_id);
CREATE INDEX evidence_packs_by_status ON evidence_packs (tenant, status);
CREATE INDEX obligations_by_verification_result ON obligations (tenant, verification_result);
