use std::str::FromStr as _;
use std::time::Duration;

use serde_json::json;
use sqlx::mysql::MySqlConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, MySqlConnection};

use super::{all_held_back, artifact, ask, broken_off, capped, dropped, wait, within};

/// The address of the server that the tests were given, by its master.
fn server() -> Option<String> {
    std::env::var_os("DALIL_TEST_MARIADB")?.into_string().ok()
}

async fn master(server: &str) -> MySqlConnection {
    MySqlConnectOptions::from_str(server).unwrap().connect().await.unwrap()
}

/// A database of its own, and the address of an account that may do everything in it, and write files.
fn database(name: &str) -> Option<String> {
    let server = server()?;
    let own = format!("dalil_live_{name}");
    wait(async {
        let mut connection = master(&server).await;
        for sql in [
            format!("DROP DATABASE IF EXISTS {own}"),
            format!("CREATE DATABASE {own} CHARACTER SET utf8mb4"),
            format!("CREATE USER IF NOT EXISTS '{own}'@'%' IDENTIFIED BY 's3cret'"),
            format!("GRANT ALL ON {own}.* TO '{own}'@'%'"),
            format!("GRANT FILE ON *.* TO '{own}'@'%'"),
            format!("USE {own}"),
            "CREATE TABLE leaves (id BIGINT UNSIGNED, name TEXT, days DECIMAL(12,2), paid TINYINT(1), photo BLOB, \
             born DATE, at TIMESTAMP NULL, made DATETIME(3), rate DOUBLE, bits BIT(9), code BINARY(2), \
             small TINYINT, took TIME, since YEAR, kind ENUM('a', 'b'), more JSON, \
             bare VARCHAR(9) COLLATE utf8mb4_bin)".to_owned(),
            "SET time_zone = '+00:00'".to_owned(),
            "INSERT INTO leaves VALUES (18446744073709551615, 'نورة', 12.50, 1, x'00ff', '2026-01-03', \
             '2026-01-03 14:30:00', '2026-01-03 14:30:00.250', 0.1, b'100000001', x'ff00', -5, '-01:02:03', \
             2026, 'b', '{\"a\": 1}', 'é'), (2, NULL, NULL, 0, NULL, '0000-00-00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)".to_owned(),
            "CREATE TABLE plain (n INT) ENGINE = MyISAM".to_owned(),
            "CREATE FUNCTION writes() RETURNS INT MODIFIES SQL DATA \
             BEGIN INSERT INTO leaves (id) VALUES (7); RETURN 1; END".to_owned(),
            "CREATE FUNCTION writes_plain() RETURNS INT MODIFIES SQL DATA \
             BEGIN INSERT INTO plain VALUES (7); RETURN 1; END".to_owned(),
            "CREATE PROCEDURE ends() BEGIN COMMIT; INSERT INTO leaves (id) VALUES (7); COMMIT; SELECT 1; END".to_owned(),
        ] {
            let done = sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(&mut connection).await;
            assert!(done.is_ok(), "{sql}: {done:?}");
        }
        connection.close().await.unwrap();
    });
    let at = server.split_once('@')?.1.rsplit_once('/')?.0.to_owned();
    Some(format!("mysql://{own}:s3cret@{at}/{own}"))
}

/// The result of a query by the server's administrator.
fn seen(sql: &'static str) -> i64 {
    let server = server().unwrap();
    wait(async {
        let mut connection = master(&server).await;
        let count = sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        count
    })
}

#[test]
fn values_are_kept_as_they_are() {
    let Some(address) = database("values") else { return };
    let found =
        artifact(&address, "SELECT * FROM leaves WHERE id > ? ORDER BY id DESC;", &json!([0]));
    let full = json!([
        u64::MAX,
        "نورة",
        "12.50",
        1,
        "base64:AP8=",
        "2026-01-03",
        "2026-01-03T14:30:00Z",
        "2026-01-03T14:30:00.250",
        0.1,
        257,
        "base64:/wA=",
        -5,
        "-01:02:03",
        2026,
        "b",
        "{\"a\": 1}",
        "é"
    ]);
    let bare = json!([
        2,
        null,
        null,
        0,
        null,
        "0000-00-00",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null
    ]);
    assert_eq!(found["rows"], json!([full, bare]));
    let kinds = json!([
        "bigint unsigned",
        "text",
        "decimal",
        "boolean",
        "blob",
        "date",
        "timestamp",
        "datetime",
        "double",
        "bit",
        "binary",
        "tinyint",
        "time",
        "year",
        "enum",
        "text",
        "varchar"
    ]);
    assert_eq!((&found["types"], &found["engine"]), (&kinds, &json!("mysql")));
    let params = json!([null, true, 0.5, "x'; DROP TABLE leaves; --", 9_007_199_254_740_991_i64]);
    let found = artifact(&address, "SELECT ? AS a, ? AS a, ? AS c, ? AS d, ? AS e", &params);
    assert_eq!(
        found["rows"],
        json!([[null, 1, 0.5, "x'; DROP TABLE leaves; --", 9_007_199_254_740_991_i64]])
    );
    let none = artifact(&address, "SELECT id FROM leaves WHERE 0", &json!([]));
    assert_eq!((&none["columns"], &none["rows"]), (&json!(["id"]), &json!([])));
}

#[test]
fn rows_and_bytes_are_capped() {
    let Some(address) = database("caps") else { return };
    let all = "SELECT seq FROM seq_1_to_1000";
    assert_eq!(capped(&address, all, 1000, within(20_000)), (1000, false));
    assert_eq!(capped(&address, all, 999, within(20_000)), (999, true));
    let limited = "SELECT seq FROM seq_1_to_1000 LIMIT 500";
    assert_eq!(capped(&address, limited, 100, within(20_000)), (100, true));
    let narrow = super::LiveQueryLimits { bytes: 800, ..within(20_000) };
    assert_eq!(capped(&address, all, 1000, narrow), (100, true));
}

#[test]
fn nothing_is_written() {
    let Some(address) = database("writes") else { return };
    let count = || {
        seen(
            "SELECT (SELECT count(*) FROM dalil_live_writes.leaves) + (SELECT count(*) FROM dalil_live_writes.plain) \
              + (SELECT count(*) FROM information_schema.tables WHERE table_schema = 'dalil_live_writes')",
        )
    };
    let before = count();
    let file = std::env::temp_dir().join(format!("dalil-live-{}", std::process::id()));
    let outfile = format!("SELECT 1 INTO OUTFILE '{}'", file.display());
    let dumpfile = format!("SELECT 1 FROM leaves LIMIT 1 INTO DUMPFILE '{}'", file.display());
    let broken_out =
        format!("SELECT 1) UNION SELECT 2 INTO OUTFILE '{}' FROM (SELECT 1", file.display());
    let commented = format!("{outfile} -- x");
    let unclosed = format!("SELECT 1) INTO OUTFILE '{}' /*", file.display());
    all_held_back(
        &address,
        &[
            ("refused", "INSERT INTO leaves (id) VALUES (7)"),
            ("refused", "INSERT INTO leaves (id) VALUES (7) RETURNING id"),
            ("refused", "UPDATE leaves SET days = 0"),
            ("refused", "DELETE FROM leaves"),
            ("refused", "REPLACE INTO leaves (id) VALUES (7)"),
            ("refused", "CREATE TABLE x (a INT)"),
            ("refused", "CREATE TEMPORARY TABLE x (a INT)"),
            ("refused", "CREATE TABLE x AS SELECT * FROM leaves"),
            ("refused", "DROP TABLE leaves"),
            ("refused", "TRUNCATE leaves"),
            ("refused", "CALL ends()"),
            ("refused", "COMMIT"),
            ("refused", "SET SESSION TRANSACTION READ WRITE"),
            ("refused", "SET @a = 1"),
            ("refused", "SELECT 1 INTO @a"),
            ("refused", &outfile),
            ("refused", &dumpfile),
            ("refused", &commented),
            ("refused", "SHOW TABLES"),
            ("refused", "SELECT writes()"),
            ("refused", "SELECT writes_plain()"),
            ("refused", "LOAD DATA INFILE '/etc/passwd' INTO TABLE leaves"),
            ("failed", &broken_out),
            ("failed", &unclosed),
            ("failed", "SELECT 1; SELECT 2"),
            ("failed", "SELECT 1; COMMIT; DROP TABLE leaves"),
            ("failed", "SELEC 1"),
            ("failed", "SELECT * FROM nothing"),
        ],
    );
    assert_eq!(count(), before);
    assert!(!file.exists());
}

#[test]
fn a_query_that_takes_too_long_is_gone_from_the_server() {
    let Some(address) = database("time") else { return };
    let sleeps = || {
        seen(
            "SELECT count(*) FROM information_schema.processlist WHERE user = 'dalil_live_time' AND info IS NOT NULL",
        )
    };
    let (failure, took) = broken_off(&address, "SELECT SLEEP(60)", 1000);
    assert_eq!(failure.reason(), "timed_out", "{failure:?}");
    assert!(took < Duration::from_secs(3), "{took:?}");
    // The server ends it in its own time, which is not ours.
    let is_gone = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        sleeps() == 0
    });
    assert!(is_gone, "it still runs");
    dropped(&address, "SELECT SLEEP(61)", 700);
}

#[test]
fn a_wrong_password_is_not_shown() {
    let Some(address) = database("password") else { return };
    let wrong = address.replace("s3cret", "wr0ng");
    let failure = ask(&wrong, "SELECT 1", &json!([])).unwrap_err();
    assert_eq!(failure.reason(), "unreachable");
    assert!(!format!("{failure:?}").contains("wr0ng"), "{failure:?}");
}
