-- What is left of a version of a pack that was erased: which one of which decision it was.

CREATE TABLE erased_packs (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  pack_id TEXT, decision_id TEXT, version BIGINT, sealed_at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX erased_packs_by_decision_id ON erased_packs (tenant, decision_id);
{forever erased_packs: tenant, idx, ord}
