-- What a server keeps: the keys of its API, and long work.

CREATE TABLE api_keys (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  key_id TEXT, actor TEXT, scopes TEXT, mac TEXT, expires_at TEXT, change TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX api_keys_by_key_id ON api_keys (tenant, key_id);
{forever api_keys: tenant, idx, ord}

CREATE TABLE jobs (
  tenant TEXT NOT NULL, idx BIGINT NOT NULL, ord BIGINT NOT NULL,
  job_id TEXT, work TEXT, subject TEXT, state TEXT, result TEXT, at TEXT,
  PRIMARY KEY (tenant, idx, ord)
);
CREATE INDEX jobs_by_job_id ON jobs (tenant, job_id);
CREATE INDEX jobs_by_state ON jobs (tenant, state);
{erasable jobs: tenant, idx, ord}
