//! What readers and writers hold, for how long, and how much of it.

use std::future::pending;

use super::listing::ListingSize;
use super::session::{LOCK_CLASS, within};
use super::*;

/// A corpus of one document, and its address.
fn one(name: &str) -> Option<(TestDatabase, TestCorpusFolder, CorpusAddress)> {
    let database = TestDatabase::new(name, "template1")?;
    let folder = TestCorpusFolder::with(name, &[("a.md", b"The notice is 30 days.")]);
    let address = database.address("acme/hr");
    written(&[folder.path("")], &address).unwrap();
    Some((database, folder, address))
}

#[test]
fn a_reader_holds_the_tables_and_no_transaction() {
    let Some((database, _folder, address)) = one("reader") else { return };
    let mut opened = DatabaseCorpus::open(&address, &[]).unwrap();
    opened.select("The notice is 30 days.", None).unwrap();
    let open = "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() \
        AND application_name = 'dalil' AND (xact_start IS NOT NULL OR backend_xmin IS NOT NULL)";
    assert_eq!(database.value(open), "0");
    let held = "SELECT string_agg(objid::text || ' ' || mode, ',') FROM pg_locks \
        WHERE locktype = 'advisory' AND granted \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    assert_eq!(database.value(held), "1 ShareLock");
}

#[test]
fn what_is_taken_away_from_a_reader_is_missed() {
    let Some((database, _folder, address)) = one("taken") else { return };
    let mut opened = DatabaseCorpus::open(&address, &[]).unwrap();
    database.run("DELETE FROM dalil_corpora.document_1");
    let failed = opened.select("The notice is 30 days.", None).unwrap_err().to_string();
    expect!["expected what was indexed, found `a document` that is damaged"].assert_eq(&failed);
}

#[test]
fn a_lock_that_another_has_is_told_with_its_own_time() {
    let Some((database, _folder, address)) = one("locked") else { return };
    let runtime = runtime().unwrap();
    let mut other = runtime.block_on(connect(&database.url));
    let lock = sqlx::query("SELECT pg_advisory_lock($1, 1)").bind(LOCK_CLASS);
    runtime.block_on(lock.execute(&mut other)).unwrap();
    let failed = DatabaseCorpus::open(&address, &[]).unwrap_err();
    expect![[r#"
        expected a lock in the database within 10 s, found that another has it
        wait until nobody else writes, and try again"#]]
    .assert_eq(&format!("{failed}\n{}", failed.hint().unwrap_or_default()));
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for() {
    let never = pending::<Result<(), DatabaseCorpusFailure>>();
    let failed = runtime().unwrap().block_on(within(Duration::ZERO, never)).unwrap_err();
    expect!["expected a reply of the database within 0 s, found none"]
        .assert_eq(&failed.to_string());
}

#[test]
fn a_listing_is_no_larger_than_memory_should_take() {
    let mut size = ListingSize::default();
    size.add(1 << 30).unwrap();
    let failed = size.add(1 << 30).unwrap_err();
    expect![[r#"
        expected at most 2147483648 bytes of names, titles and outlines, found more
        split the documents into several corpora"#]]
    .assert_eq(&format!("{failed}\n{}", failed.hint().unwrap_or_default()));
    let failed = ListingSize::default().add(-1).unwrap_err().to_string();
    expect!["expected what was indexed, found `a size` that is damaged"].assert_eq(&failed);
}

#[test]
fn tables_that_cannot_be_dropped_fail_no_writer() {
    let Some((database, folder, address)) = one("undropped") else { return };
    database.run(
        "CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql \
             AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$; \
         CREATE EVENT TRIGGER refuse ON sql_drop EXECUTE FUNCTION refuse()",
    );
    let undropped = |number: i32| UndroppedCorpus {
        number: Some(number),
        message: "expected the database to do it, found `not today`".to_owned(),
    };
    let totals = written(&[folder.path("")], &address).unwrap();
    assert_eq!(totals.undropped, [undropped(1)]);
    assert_eq!(
        serde_json::to_string(&totals).unwrap(),
        r#"{"documents":1,"chunks":1,"unread":[],"undropped":[{"number":1,"message":"expected the database to do it, found `not today`"}]}"#
    );
    // One that cannot be dropped does not keep the next from being tried.
    assert_eq!(remove(&address).unwrap(), [undropped(1), undropped(2)]);
    assert!(matches!(
        DatabaseCorpus::open(&address, &[]).unwrap_err(),
        DatabaseCorpusFailure::NoCorpus { .. }
    ));
    database.run("DROP EVENT TRIGGER refuse");
    assert_eq!(written(&[folder.path("")], &address).unwrap().undropped, []);
    let tables = "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'dalil_corpora'";
    assert_eq!(database.value(tables), "8");
}
