use sqlx::Row as _;

use super::*;
use crate::catalog::{ApiKeyRow, ErasedPackRow, EvidenceTable, JobRow, MatterRow, MemberRow};
use crate::fixture::{Home, acme, at, entry};
use crate::fsck::{FsckOptions, FsckStatus};
use crate::{Store, StoreOptions, Vault};

#[test]
fn every_table_is_guarded() {
    let text = MIGRATIONS.iter().map(|migration| migration.text).collect::<String>();
    let tables: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split(' ').next())
        .collect();
    assert_eq!(tables.len(), 37);
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
    let sqlite = guard::expand(DatabaseEngine::Sqlite, text);
    assert_eq!(
        sqlite,
        "CREATE TABLE t (a BLOB);\n\
         CREATE TRIGGER t_no_update BEFORE UPDATE ON t  BEGIN SELECT RAISE(ABORT, 'evidence is only added: update of t'); END;\n\
         CREATE TRIGGER t_no_delete BEFORE DELETE ON t WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE tenant = OLD.tenant AND erased = OLD.idx) BEGIN SELECT RAISE(ABORT, 'evidence is only added: delete of t'); END;\n\
         CREATE TRIGGER t_no_insert BEFORE INSERT ON t WHEN EXISTS (SELECT 1 FROM t WHERE a = NEW.a AND b = NEW.b) BEGIN SELECT RAISE(ABORT, 'evidence is only added: insert of t'); END;\n\
         \n\n"
    );
    let postgres = guard::expand(DatabaseEngine::Postgres, text);
    assert!(postgres.contains("CREATE TABLE t (a BYTEA);\n"));
    assert!(postgres.ends_with("\nCREATE SCHEMA s;\n"));
}

#[tokio::test]
async fn the_contracts_names_of_three_tables_are_there() {
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
        [
            "sha256:c8382d9b95c64483fe73b264f0abd9cac5fa51fdbfed4c9372fdbbdd8053367a",
            "sha256:a455a15cfdf0d37b1e3fb63b7ccd6146866937b5e7e0be05740c1714fc595930",
            "sha256:b28901d5ea571f10a66a38085bc69bcc0861aadf034bad77a3d7cb06d98dfb2b",
            "sha256:c200addc84734f8170fbc521a31eec1afed4e2a0620d3e992a2937fed2ea3bb5",
            "sha256:b2c037aa7616d4a0e4c1e72c1f5ee3b6b7be62f89ec4c101b293a5ac6e056e36",
            "sha256:4773071ca056d9a6592d79582bf61d81e05e061dcc3ece485bd6c13c3127da05",
            "sha256:f4d079dad2a7194ea0b86c1849b2d4fc564b8d5afe0d4557f4ed3052d4b113f8",
            "sha256:f39a1e039b21e2d9950bb86affeaaf5add7a0a90c5958d9537d4fc823a1fb896",
            "sha256:724f9a7a2bf9f1cb94ac8f97ea41901f4bd029147842465bdbd13362dbf1883a",
            "sha256:e46326cf2fd3f8a4fe3823f73938ac62a5608a443e4fbe977ecc1c90f44066f9",
            "sha256:012365d97074c6f05e66fc1ac1487c72ca3c029c6176c0d1e795e8eef501ff25",
        ]
    );
}

#[tokio::test]
async fn rows_of_claims_and_verdicts_are_checked_and_old_ones_stay() {
    for home in Home::each().await {
        home.open().await.close().await.unwrap();
        back_to_the_first(&home).await;
        let old =
            "INSERT INTO evidence_ledger (tenant, idx, ord, verdict) VALUES ('acme', 0, 0, 'odd')";
        let mut stranger = home.stranger().await;
        run(&mut stranger, old).await.unwrap();
        home.open().await.close().await.unwrap();
        let kept = fetch(&mut stranger, "SELECT verdict FROM evidence_ledger", &[]).await.unwrap();
        assert_eq!(kept[0].try_get::<String, _>(0).unwrap(), "odd");

        let verdict = |verdict: &str, score: &str| {
            format!(
                "INSERT INTO evidence_ledger (tenant, idx, ord, id, session_id, ledger_id, \
                 claim_id, verdict, confidence_score, chunk_ids, evidence_snippet, notes, \
                 created_at) VALUES ('acme', 1, 0, 'a', 's', 'l', 'c', {verdict}, {score}, '[]', \
                 '', '', '2026-01-03T00:26:40.000Z')"
            )
        };
        let claim = |kind: &str, importance: &str, citation: &str| {
            format!(
                "INSERT INTO claims (tenant, idx, ord, id, session_id, claim_text, claim_type, \
                 importance, requires_citation, created_at) VALUES \
                 ('acme', 1, 0, 'a', 's', 'words', {kind}, {importance}, {citation}, \
                 '2026-01-03T00:26:40.000Z')"
            )
        };
        for refused in [
            verdict("'true'", "0.5"),
            verdict("NULL", "0.5"),
            verdict("'weak'", "1.5"),
            verdict("'weak'", "-0.1"),
            verdict("'weak'", "NULL"),
            claim("'opinion'", "'minor'", "1"),
            claim("NULL", "'minor'", "1"),
            claim("'fact'", "'small'", "1"),
            claim("'fact'", "NULL", "1"),
            claim("'fact'", "'minor'", "2"),
            "INSERT INTO sessions (tenant, idx, ord, created_at) VALUES ('acme', 1, 0, 'now')"
                .to_owned(),
            "INSERT INTO ledgers (tenant, idx, ord, id) VALUES ('acme', 1, 0, 'l')".to_owned(),
        ] {
            assert!(run(&mut stranger, &refused).await.is_err(), "{refused}");
        }
        for taken in [verdict("'weak'", "1"), claim("'policy'", "'critical'", "0")] {
            run(&mut stranger, &taken).await.expect(&taken);
        }
        sqlx::Connection::close(stranger).await.unwrap();
    }
}

fn typed_tables() -> Vec<&'static str> {
    let lines = MIGRATIONS.iter().flat_map(|migration| migration.text.lines());
    lines.filter_map(|line| line.strip_prefix("{typed ")?.split(':').next()).collect()
}

/// The types of the columns of a table, as the migration names them.
fn types(table: EvidenceTable) -> Vec<(&'static str, &'static str)> {
    let start = format!("{{typed {}: ", table.name());
    let lines = [include_str!("0009-typed-rows.sql"), include_str!("0010-key-redatings.sql")];
    let lines = lines.into_iter().flat_map(str::lines);
    let line = lines.filter_map(|line| line.strip_prefix(&start)?.strip_suffix('}')).next();
    let line = line.unwrap_or_default();
    line.split(", ").filter_map(|column| column.split_once(' ')).collect()
}

#[test]
fn every_column_of_evidence_has_a_type() {
    for table in EvidenceTable::ALL {
        let typed: Vec<&str> = types(*table).iter().map(|(name, _)| *name).collect();
        let columns: Vec<&str> = table.columns().iter().map(|(name, _)| *name).collect();
        assert_eq!(typed, columns, "{}", table.name());
    }
}

#[tokio::test]
async fn rows_of_every_table_are_checked_by_the_database() {
    for home in Home::each().await {
        home.open().await.close().await.unwrap();
        let mut stranger = home.stranger().await;
        let mut idx = 0;
        for table in EvidenceTable::ALL {
            let row = serde_json::to_value(crate::fixture::row(*table)).unwrap();
            let values: Vec<String> = row.as_array().unwrap()[1..]
                .iter()
                .map(|value| match value {
                    serde_json::Value::Null => "NULL".to_owned(),
                    serde_json::Value::String(text) => format!("'{text}'"),
                    other => other.to_string(),
                })
                .collect();
            let names: Vec<&str> = types(*table).iter().map(|(name, _)| *name).collect();
            let mut insert = |values: &[String]| {
                idx += 1;
                let (name, names, values) = (table.name(), names.join(", "), values.join(", "));
                format!(
                    "INSERT INTO {name} (tenant, idx, ord, {names}) VALUES ('acme', {idx}, 0, {values})"
                )
            };
            let sound = insert(&values);
            run(&mut stranger, &sound).await.expect(&sound);
            for (n, (_, kind)) in types(*table).iter().enumerate() {
                let wrong = match kind.trim_end_matches('?') {
                    "text" if kind.ends_with('?') => continue,
                    "text" => "NULL",
                    "name" => "''",
                    "count" => "-1",
                    "share" => "1.5",
                    "time" => "'2026-01-03'",
                    "digest" => "'sha256:00'",
                    "json" => "'{'",
                    _ => "'another word'",
                };
                let mut spoilt = values.clone();
                spoilt[n] = wrong.to_owned();
                let refused = insert(&spoilt);
                assert!(run(&mut stranger, &refused).await.is_err(), "{refused}");
            }
        }
        sqlx::Connection::close(stranger).await.unwrap();
    }
}

/// Takes the later migrations back, as a program of the first version left its store.
async fn back_to_the_first(home: &Home) {
    let mut stranger = home.stranger().await;
    let guard = if home.is_folder() {
        let sql = "SELECT sql FROM sqlite_master WHERE name = 'migrations_no_delete'";
        let rows = fetch(&mut stranger, sql, &[]).await.unwrap();
        run(&mut stranger, "DROP TRIGGER migrations_no_delete").await.unwrap();
        rows[0].try_get::<String, _>(0).unwrap()
    } else {
        run(&mut stranger, "ALTER TABLE migrations DISABLE TRIGGER USER").await.unwrap();
        "ALTER TABLE migrations ENABLE TRIGGER USER".to_owned()
    };
    run(&mut stranger, "DELETE FROM migrations WHERE version > 1").await.unwrap();
    for index in [
        "evidence_ledger_by_verdict",
        "evidence_packs_by_status",
        "exports_by_export_id",
        "obligations_by_verification_result",
    ] {
        run(&mut stranger, &format!("DROP INDEX {index}")).await.unwrap();
    }
    let checked =
        ["claims", "evidence_ledger", "sessions", "ledgers"].map(|table| (table, "checked"));
    let typed = typed_tables().into_iter().map(|table| (table, "typed"));
    for (table, guard) in checked.into_iter().chain(typed) {
        let drop = if home.is_folder() {
            format!("DROP TRIGGER {table}_{guard}")
        } else {
            format!("ALTER TABLE {table} DROP CONSTRAINT {table}_{guard}")
        };
        run(&mut stranger, &drop).await.unwrap();
    }
    let later = [
        "api_keys",
        "checkpoint_links",
        "erased_packs",
        "jobs",
        "key_redatings",
        "timestamps",
        "matters",
        "members",
    ];
    for table in later {
        run(&mut stranger, &format!("DROP TABLE {table}")).await.unwrap();
    }
    if !home.is_folder() {
        run(&mut stranger, "DROP TABLE leases").await.unwrap();
    }
    run(&mut stranger, &guard).await.unwrap();
    sqlx::Connection::close(stranger).await.unwrap();
}

#[tokio::test]
async fn a_store_of_the_first_version_is_brought_up_to_date_with_all_that_it_has() {
    for home in Home::each().await {
        let store = home.open().await;
        let tenant = acme(&store).await;
        tenant.append(entry("run-1", 1)).await.unwrap();
        let head = tenant.head().await.unwrap();
        store.close().await.unwrap();
        back_to_the_first(&home).await;

        let newest = format!("a store of version {}", MIGRATIONS.len());
        let reading = StoreOptions::reading(at(2));
        let error = Store::open(&home.place, Vault::of([7; 32]), reading).await.unwrap_err();
        assert_eq!(
            (error.expected.as_ref(), error.found.as_ref(), error.hint.as_deref()),
            (
                newest.as_str(),
                "one of version 1",
                Some("open it once for writing, which brings it up to date")
            )
        );

        let store = home.open().await;
        let tenant = store.tenant("acme").await.unwrap();
        assert_eq!(tenant.head().await.unwrap(), head);
        assert_eq!(tenant.select(&MemberRow::query()).await.unwrap(), []);
        assert_eq!(tenant.select(&ApiKeyRow::query()).await.unwrap(), []);
        assert_eq!(tenant.select(&JobRow::query()).await.unwrap(), []);
        assert_eq!(tenant.select(&ErasedPackRow::query()).await.unwrap(), []);
        assert_eq!(tenant.select(&MatterRow::query()).await.unwrap(), []);
        let mut said = Vec::new();
        let mut tell = |one| said.push(one);
        let verdict =
            store.fsck(FsckOptions { sweep: false, secrets: true }, &mut tell).await.unwrap();
        assert_eq!(verdict, FsckStatus::Pass, "{said:?}");
        store.close().await.unwrap();
    }
}
