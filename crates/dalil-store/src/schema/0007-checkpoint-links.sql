-- Which signed head each one follows, so that one that is missing from the middle is seen.

CREATE TABLE checkpoint_links (tenant TEXT NOT NULL, size BIGINT NOT NULL, previous BIGINT NOT NULL, PRIMARY KEY (tenant, size));
INSERT INTO checkpoint_links (tenant, size, previous) SELECT c.tenant, c.size, COALESCE((SELECT MAX(p.size) FROM checkpoints p WHERE p.tenant = c.tenant AND p.size < c.size), 0) FROM checkpoints c;
{forever checkpoint_links: tenant, size}
