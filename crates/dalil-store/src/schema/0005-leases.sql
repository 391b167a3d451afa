-- Who does which long work just now, and how far it is. This is no evidence: what is lost here
-- is done again. A folder belongs to one process, which knows what it does itself.

{postgres} CREATE UNLOGGED TABLE leases (tenant TEXT NOT NULL, work TEXT NOT NULL, holder TEXT NOT NULL, ends BIGINT NOT NULL, stage TEXT NOT NULL, done BIGINT NOT NULL, total BIGINT NOT NULL, PRIMARY KEY (tenant, work));
