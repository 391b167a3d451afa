-- Members: who of a tenant may view, review, export and administer.

CREATE TABLE members (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  name TEXT, role TEXT, titles TEXT, change TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX members_by_name ON members (tenant, name);
{forever members: tenant, idx, ord}
