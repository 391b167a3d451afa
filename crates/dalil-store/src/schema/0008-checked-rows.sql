-- What the rows of claims and verdicts must be, and an index by verdict. Rows that are there stay.

CREATE INDEX evidence_ledger_by_verdict ON evidence_ledger (tenant, verdict);
{checked claims: id IS NOT NULL AND session_id IS NOT NULL AND claim_text IS NOT NULL AND claim_type IS NOT NULL AND claim_type IN ('fact', 'policy', 'numeric', 'definition') AND importance IS NOT NULL AND importance IN ('critical', 'material', 'minor') AND requires_citation IS NOT NULL AND requires_citation IN (0, 1) AND created_at IS NOT NULL}
{checked evidence_ledger: id IS NOT NULL AND session_id IS NOT NULL AND ledger_id IS NOT NULL AND claim_id IS NOT NULL AND verdict IS NOT NULL AND verdict IN ('supported', 'weak', 'contradicted', 'not_found') AND confidence_score IS NOT NULL AND confidence_score >= 0 AND confidence_score <= 1 AND chunk_ids IS NOT NULL AND created_at IS NOT NULL}
{checked sessions: id IS NOT NULL AND created_at IS NOT NULL}
{checked ledgers: id IS NOT NULL AND session_id IS NOT NULL AND sha256 IS NOT NULL AND created_at IS NOT NULL}
