-- Dates of changes of keys that were wrong, and what each change is taken as of.

CREATE TABLE key_redatings (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  key_id TEXT NOT NULL, change TEXT NOT NULL, redated TEXT NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX key_redatings_by_key_id ON key_redatings (tenant, key_id);
{forever key_redatings: tenant, idx, ord}
{typed key_redatings: key_id name, change added|retired|revoked, redated time, reason name}
