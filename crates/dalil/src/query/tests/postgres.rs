use std::time::Duration;

use serde_json::json;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection};
use std::str::FromStr as _;

use super::{all_held_back, artifact, ask, broken_off, capped, dropped, wait, within};

/// The address of the server that the tests were given, by its master.
fn server() -> Option<String> {
    std::env::var_os("DALIL_TEST_POSTGRES")?.into_string().ok()
}

async fn master(server: &str) -> PgConnection {
    PgConnectOptions::from_str(server).unwrap().connect().await.unwrap()
}

async fn batch(connection: &mut PgConnection, sql: String) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.unwrap();
}

/// A role that may even write its own table, a schema of its own, and its address.
fn database(name: &str) -> Option<String> {
    let server = server()?;
    let role = format!("dalil_live_{name}");
    wait(async {
        let mut connection = master(&server).await;
        batch(
            &mut connection,
            format!(
                "DROP SCHEMA IF EXISTS {role} CASCADE;
                 DO $$ BEGIN CREATE ROLE {role} LOGIN PASSWORD 's3cret'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
                 CREATE SCHEMA {role} AUTHORIZATION {role};
                 ALTER ROLE {role} SET search_path = {role};
                 SET search_path = {role};
                 CREATE TABLE leave (id bigint, name text, days numeric(12,2), paid boolean, photo bytea,
                   born date, at timestamptz, made timestamp, rate double precision, half real, tags text[],
                   more jsonb, span interval, id2 uuid);
                 INSERT INTO leave VALUES
                   (9223372036854775807, 'نورة', 12.50, true, '\\x00ff', '2026-01-03', '2026-01-03 17:30:00.25+03',
                    '2026-01-03 14:30:00', 0.1, 0.1, '{{a,b}}', '{{\"a\": 1}}', '1 day 2 hours',
                    '00000000-0000-4000-8000-000000000001'),
                   (2, NULL, 'NaN', false, NULL, '0044-03-15 BC', 'infinity', NULL, 'Infinity', NULL, NULL, NULL, NULL, NULL);
                 CREATE SEQUENCE ticket;
                 CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS
                   'BEGIN INSERT INTO {role}.leave (id) VALUES (7); RETURN 1; END';
                 CREATE FUNCTION undoes() RETURNS text LANGUAGE plpgsql AS
                   'BEGIN PERFORM set_config(''transaction_read_only'', ''off'', true);
                    INSERT INTO {role}.leave (id) VALUES (7); RETURN ''done''; END';
                 GRANT ALL ON ALL TABLES IN SCHEMA {role} TO {role};
                 GRANT ALL ON ALL SEQUENCES IN SCHEMA {role} TO {role};"
            ),
        )
        .await;
        connection.close().await.unwrap();
    });
    let at = server.split_once('@')?.1.to_owned();
    Some(format!("postgres://{role}:s3cret@{at}"))
}

/// The result of a query by the server's administrator.
fn seen(sql: String) -> i64 {
    let server = server().unwrap();
    wait(async {
        let mut connection = master(&server).await;
        let count =
            sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        count
    })
}

#[test]
fn values_are_kept_as_they_are() {
    let Some(address) = database("values") else { return };
    let found =
        artifact(&address, "SELECT * FROM leave WHERE id > $1 ORDER BY id DESC;", &json!([0]));
    assert_eq!(
        found["rows"],
        json!([
            [
                i64::MAX,
                "نورة",
                "12.50",
                true,
                "base64:AP8=",
                "2026-01-03",
                "2026-01-03T14:30:00.25Z",
                "2026-01-03T14:30:00",
                0.1,
                0.1,
                "{a,b}",
                "{\"a\": 1}",
                "P1DT2H",
                "00000000-0000-4000-8000-000000000001"
            ],
            [
                2,
                null,
                "NaN",
                false,
                null,
                "0044-03-15 BC",
                "infinity",
                null,
                "Infinity",
                null,
                null,
                null,
                null,
                null
            ],
        ])
    );
    let kinds = json!([
        "int8",
        "text",
        "numeric",
        "bool",
        "bytea",
        "date",
        "timestamptz",
        "timestamp",
        "float8",
        "float4",
        "text[]",
        "jsonb",
        "interval",
        "uuid"
    ]);
    assert_eq!((&found["types"], &found["engine"]), (&kinds, &json!("postgres")));
    let params = json!([null, true, 0.5, "x'; DROP TABLE leave; --", 9_007_199_254_740_991_i64]);
    let found = artifact(&address, "SELECT $1 AS a, $2 AS a, $3, $4, $5", &params);
    assert_eq!(
        found["rows"],
        json!([[null, true, 0.5, "x'; DROP TABLE leave; --", 9_007_199_254_740_991_i64]])
    );
    let none = artifact(&address, "SELECT id FROM leave WHERE false", &json!([]));
    assert_eq!((&none["columns"], &none["rows"]), (&json!(["id"]), &json!([])));
}

#[test]
fn rows_and_bytes_are_capped() {
    let Some(address) = database("caps") else { return };
    let all = "SELECT n FROM generate_series(1, 1000) AS n";
    assert_eq!(capped(&address, all, 1000, within(20_000)), (1000, false));
    assert_eq!(capped(&address, all, 999, within(20_000)), (999, true));
    let narrow = super::LiveQueryLimits { bytes: 800, ..within(20_000) };
    assert_eq!(capped(&address, all, 1000, narrow), (100, true));
    let endless = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT n FROM n";
    assert_eq!(capped(&address, endless, 10, within(20_000)), (10, true));
}

#[test]
fn nothing_is_written() {
    let Some(address) = database("writes") else { return };
    let count = || seen("SELECT count(*) FROM dalil_live_writes.leave".to_owned());
    let before = count();
    all_held_back(
        &address,
        &[
            ("refused", "INSERT INTO leave (id) VALUES (7)"),
            ("refused", "INSERT INTO leave (id) VALUES (7) RETURNING id"),
            (
                "refused",
                "WITH x AS (INSERT INTO leave (id) VALUES (7) RETURNING id) SELECT * FROM x",
            ),
            ("refused", "UPDATE leave SET days = 0"),
            ("refused", "DELETE FROM leave"),
            (
                "refused",
                "MERGE INTO leave USING (SELECT 1 AS id) AS x ON x.id = leave.id WHEN NOT MATCHED THEN INSERT (id) VALUES (1)",
            ),
            ("refused", "CREATE TABLE x (a int)"),
            ("refused", "CREATE TABLE x AS SELECT * FROM leave"),
            ("refused", "SELECT * INTO x FROM leave"),
            ("refused", "DROP TABLE leave"),
            ("refused", "TRUNCATE leave"),
            ("refused", "COPY leave TO STDOUT"),
            ("refused", "COPY leave TO PROGRAM 'cat'"),
            ("refused", "SET transaction_read_only = off"),
            ("refused", "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE"),
            ("refused", "COMMIT"),
            ("refused", "DO $$ BEGIN INSERT INTO leave (id) VALUES (7); END $$"),
            ("failed", "CALL writes()"),
            ("refused", "EXPLAIN ANALYZE DELETE FROM leave"),
            ("refused", "LISTEN x"),
            ("refused", "SELECT writes()"),
            ("failed", "SELECT undoes()"),
            ("failed", "SELECT set_config('transaction_read_only', 'off', true)"),
            ("refused", "SELECT nextval('ticket')"),
            ("refused", "SELECT * FROM leave FOR UPDATE"),
            ("refused", "SELECT pg_read_file('/etc/passwd')"),
            ("failed", "SELECT 1; SELECT 2"),
            ("failed", "SELECT 1; COMMIT; DROP TABLE leave"),
            ("failed", "SELEC 1"),
            ("failed", "SELECT * FROM nothing"),
        ],
    );
    assert_eq!(count(), before);
}

#[test]
fn whoever_rules_the_server_is_refused() {
    let Some(server) = server() else { return };
    let failure = ask(&server, "SELECT 1", &json!([])).unwrap_err();
    assert_eq!(failure.reason(), "account");
}

#[test]
fn a_query_that_takes_too_long_is_gone_from_the_server() {
    let Some(address) = database("time") else { return };
    let sleeps = || {
        seen("SELECT count(*) FROM pg_stat_activity WHERE usename = 'dalil_live_time' AND state = 'active'".to_owned())
    };
    let (failure, took) = broken_off(&address, "SELECT pg_sleep(60)", 1000);
    assert_eq!(failure.reason(), "timed_out", "{failure:?}");
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert_eq!(sleeps(), 0);
    dropped(&address, "SELECT pg_sleep(61)", 700);
    // The server checks twice a second whether its client is still there.
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(sleeps(), 0);
}

#[test]
fn a_wrong_password_is_not_shown() {
    let Some(address) = database("password") else { return };
    // This server trusts every local connection; a role that does not exist is refused all the
    // same.
    let wrong = address.replace("dalil_live_password:s3cret", "dalil_nobody:s3cret");
    let failure = ask(&wrong, "SELECT 1", &json!([])).unwrap_err();
    assert_eq!(failure.reason(), "unreachable");
    assert!(!format!("{failure:?}").contains("s3cret"), "{failure:?}");
}
