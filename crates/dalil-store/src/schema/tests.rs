use super::*;
use crate::catalog::fetch;
use crate::fixture::Home;

#[test]
fn every_table_is_guarded() {
    let text = MIGRATIONS.iter().map(|migration| migration.text).collect::<String>();
    let tables: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split(' ').next())
        .collect();
    assert_eq!(tables.len(), 29);
    for table in tables {
        let guards = [format!("{{forever {table}: "), format!("{{erasable {table}: ")];
        assert_eq!(
            guards.iter().filter(|guard| text.contains(guard.as_str())).count(),
            1,
            "{table}"
        );
    }
}

#[test]
fn a_migration_is_written_out_for_each_engine() {
    let text =
        "-- A note.\nCREATE TABLE t (a {blob});\n{erasable t: a, b}\n{postgres} CREATE SCHEMA s;\n";
    let sqlite = guard::expand(Engine::Sqlite, text);
    assert_eq!(
        sqlite,
        "CREATE TABLE t (a BLOB);\n\
         CREATE TRIGGER t_no_update BEFORE UPDATE ON t  BEGIN SELECT RAISE(ABORT, 'evidence is only added: update of t'); END;\n\
         CREATE TRIGGER t_no_delete BEFORE DELETE ON t WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE tenant = OLD.tenant AND erased = OLD.idx) BEGIN SELECT RAISE(ABORT, 'evidence is only added: delete of t'); END;\n\
         CREATE TRIGGER t_no_insert BEFORE INSERT ON t WHEN EXISTS (SELECT 1 FROM t WHERE a = NEW.a AND b = NEW.b) BEGIN SELECT RAISE(ABORT, 'evidence is only added: insert of t'); END;\n\
         \n\n"
    );
    let postgres = guard::expand(Engine::Postgres, text);
    assert!(postgres.contains("CREATE TABLE t (a BYTEA);\n"));
    assert!(postgres.ends_with("\nCREATE SCHEMA s;\n"));
}

#[tokio::test]
async fn the_founding_names_of_three_tables_are_there() {
    let Some(home) = Home::postgres().await else { return };
    home.open().await.close().await.unwrap();
    let mut stranger = home.stranger().await;
    for view in ["llm.evidence_bundle", "llm.run_evidence", "llm.evidence_item"] {
        let rows = fetch(&mut stranger, &format!("SELECT bundle_id FROM {view}"), &[]).await;
        assert_eq!(rows.unwrap().len(), 0);
    }
}

/// A published migration never changes: stores hold its digest.
#[test]
fn migrations_are_pinned() {
    let digests: Vec<String> =
        MIGRATIONS.iter().map(|migration| digest(migration).to_string()).collect();
    assert_eq!(
        digests,
        ["sha256:c8382d9b95c64483fe73b264f0abd9cac5fa51fdbfed4c9372fdbbdd8053367a"]
    );
}
