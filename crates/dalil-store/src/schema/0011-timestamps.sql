-- Time stamps on signed heads: the signature lines of time-stamping authorities.

CREATE TABLE timestamps (tenant TEXT NOT NULL, size BIGINT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (tenant, size, line));
{forever timestamps: tenant, size, line}
