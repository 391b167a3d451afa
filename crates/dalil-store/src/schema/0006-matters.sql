-- What needs the approval of others: asked, given, used.

CREATE TABLE matters (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  approval_id TEXT, change TEXT, matter TEXT, action TEXT, object TEXT, said TEXT, who TEXT, titles TEXT,
  credential TEXT, expires_at TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX matters_by_matter ON matters (tenant, matter);
CREATE INDEX matters_by_change ON matters (tenant, change);
CREATE INDEX matters_by_object ON matters (tenant, object);
{erasable matters: tenant, idx, ord}
