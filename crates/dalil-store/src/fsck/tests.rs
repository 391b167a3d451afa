//! Stores that were changed behind their back.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use dalil_proof::digest::Digest;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::trust::Trust;
use expect_test::{expect, expect_file};
use sqlx::{Connection as _, Row as _};

use super::{FsckEvent, FsckOptions, FsckStatus};
use crate::catalog::{fetch, run};
use crate::fixture::{Home, acme, at, draft, entry, erasing, needing};
use crate::trail::{RecordedTimestamp, TIMESTAMP_FIELD};
use crate::{
    AppendEntry, FieldContent, IdempotencyKey, NewRecord, NewRecordField, RecordTime, Store,
    StoreOptions, TimeSource, Vault,
};

mod flip;
mod layout;

/// A store of one tenant with eight records: a tenant, a key, five runs and an object.
async fn sample() -> (Home, Digest) {
    let home = Home::folder();
    let store = home.open().await;
    let tenant = acme(&store).await;
    for second in 0..5 {
        tenant.append(entry("run-1", second)).await.unwrap();
    }
    let object = tenant.lake().unwrap().put(b"an object".to_vec()).await.unwrap();
    tenant.append(needing("doc-1", &object, 9)).await.unwrap();
    drop(tenant);
    store.close().await.unwrap();
    (home, object)
}

/// All findings of a check of the store, except passes.
async fn findings(home: &Home, options: FsckOptions) -> String {
    let opening =
        if options.sweep { StoreOptions::writing(at(99)) } else { StoreOptions::reading(at(99)) };
    let store = match Store::open(&home.place, Vault::of([7; 32]), opening).await {
        Ok(store) => store,
        Err(error) => return format!("{:?}: {}\n", error.kind, error.what),
    };
    let mut said = String::new();
    let mut tell = |one| {
        if let FsckEvent::Finding(finding) = one
            && finding.verdict != FsckStatus::Pass
        {
            writeln!(said, "{finding}").unwrap();
        }
    };
    let verdict = store.fsck(options, &mut tell).await;
    store.close().await.unwrap();
    let said = verdict.map_or_else(|error| format!("{:?}: {}\n", error.kind, error.what), |_| said);
    said.lines().map(|line| format!("{}\n", scrubbed(line))).collect()
}

const ALL: FsckOptions = FsckOptions { sweep: false, secrets: true };

/// Changes the catalog like an attacker that no trigger holds back.
async fn tamper(home: &Home, sql: &str) {
    let mut stranger = home.stranger().await;
    run(&mut stranger, "PRAGMA synchronous = OFF; BEGIN").await.unwrap();
    let triggers =
        fetch(&mut stranger, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'", &[]);
    let triggers = triggers.await.unwrap();
    for trigger in &triggers {
        run(&mut stranger, &format!("DROP TRIGGER {}", trigger.get::<String, _>(0))).await.unwrap();
    }
    run(&mut stranger, sql).await.unwrap();
    for trigger in &triggers {
        run(&mut stranger, &trigger.get::<String, _>(1)).await.unwrap();
    }
    run(&mut stranger, "COMMIT").await.unwrap();
    stranger.close().await.unwrap();
}

#[tokio::test]
async fn a_sound_store_passes_whole() {
    let (home, _) = sample().await;
    let store = home.open().await;
    let mut said = String::new();
    let mut tell = |one| {
        if let FsckEvent::Finding(finding) = one {
            writeln!(said, "{finding}").unwrap();
        }
    };
    assert_eq!(store.fsck(ALL, &mut tell).await.unwrap(), FsckStatus::Pass);
    store.close().await.unwrap();
    expect![[r#"
        PASS       database: SQLite finds its pages sound
        PASS       schema: 262 tables, indices and triggers as the migrations make them
        PASS       acme: records: 8 in order, each in its own bytes
        PASS       acme: lineage: 4 subjects, each record after the one before
        PASS       acme: payloads: 16 fields PRESENT, 0 ERASED
        PASS       acme: rows: 9 as the records commit to them
        PASS       acme: erasures: 0 fields went, each by a record
        PASS       acme: leaves: each is the hash of its envelope
        PASS       acme: columns: each repeats its envelope
        PASS       acme: tiles: 0 as the records make them
        PASS       acme: checkpoints: 7 signed, each over the root of its records
        PASS       acme: requests: 0 answered, by records that are there
        PASS       acme: cosignatures: 0, each in a record
        PASS       acme: timestamps: 0, each in a record
        PASS       acme: keys: 1 recorded, as their records say
        PASS       acme: secrets: each opens with the identity, and is its key's own
        PASS       acme: lake: 1 objects of 9 bytes, each with its digest
    "#]]
    .assert_eq(&said);
}

#[tokio::test]
async fn every_change_has_its_own_finding() {
    let (home, _) = sample().await;
    let file = home.dir().join("catalog.sqlite");
    let sound = fs::read(&file).unwrap();
    let mut report = String::new();
    for sql in TAMPERING {
        tamper(&home, sql).await;
        let found = findings(&home, ALL).await;
        writeln!(report, "{sql}\n{}", indented(&found)).unwrap();
        put(&file, &sound);
    }
    expect_file!["tests/tampering.txt"].assert_eq(&report);
}

/// A record that contradicts its token, and rows that contradict the record.
#[tokio::test]
async fn a_time_stamp_is_its_authoritys_and_in_the_table_as_in_its_record() {
    let (home, _) = sample().await;
    let store = home.open().await;
    let acme = store.tenant("acme").await.unwrap();
    let head = acme.head().await.unwrap();
    let trust = include_bytes!("../../../../spec/vectors/timestamp/trust/one.json");
    let authority = Trust::parse(trust).unwrap().timestamp_authorities.remove(0);
    let line = authority.line(b"no token").to_string();
    let (root, size) = (head.root, head.size);
    let recorded = RecordedTimestamp { authority, line: line.clone(), root, size };
    let content = FieldContent::Bytes(recorded.bytes().unwrap());
    let fields = vec![NewRecordField { name: TIMESTAMP_FIELD.to_owned(), content }];
    let kind = RecordKind::CheckpointTimestamped;
    let record = NewRecord { kind, fields, rows: Vec::new(), ..draft("dalil.example/acme", 20) };
    let entry = AppendEntry { drafts: vec![record], key: None };
    acme.timestamped(entry, (size, &line), Vec::new()).await.unwrap();
    drop(acme);
    store.close().await.unwrap();
    let file = home.dir().join("catalog.sqlite");
    let sound = fs::read(&file).unwrap();
    let mut report = String::new();
    for sql in [
        "SELECT 1",
        "DELETE FROM timestamps",
        "UPDATE timestamps SET size = 7",
        "UPDATE timestamps SET line = 'another line'",
        "UPDATE timestamps SET size = 99",
    ] {
        tamper(&home, sql).await;
        let found = findings(&home, ALL).await;
        writeln!(report, "{sql}\n{}", indented(&found)).unwrap();
        put(&file, &sound);
    }
    expect![[r#"
        SELECT 1
          FAIL       acme: timestamps of record 8: the line is not the authority's own on that head

        DELETE FROM timestamps
          FAIL       acme: timestamps of record 8: the line is not the authority's own on that head
          FAIL       acme: timestamps: the one on the checkpoint of size 8 is missing

        UPDATE timestamps SET size = 7
          FAIL       acme: timestamps of record 8: the line is not the authority's own on that head
          FAIL       acme: timestamps: the one on the checkpoint of size 8 is missing
          FAIL       acme: timestamps: one on the checkpoint of size 7 is in no record

        UPDATE timestamps SET line = 'another line'
          FAIL       acme: timestamps of record 8: the line is not the authority's own on that head
          FAIL       acme: timestamps: the one on the checkpoint of size 8 is missing
          FAIL       acme: timestamps: one on the checkpoint of size 8 is in no record

        UPDATE timestamps SET size = 99
          FAIL       acme: timestamps of record 8: the line is not the authority's own on that head
          FAIL       acme: timestamps: the one on the checkpoint of size 8 is missing
          FAIL       acme: timestamps: one on the checkpoint of size 99 is in no record
          FAIL       acme: timestamps: there is no checkpoint of size 99 to sign

    "#]]
    .assert_eq(&report);
}

/// With several keys, a line that was changed looks like a stranger's.
#[tokio::test]
async fn a_checkpoint_has_a_line_of_each_key_in_use_and_no_other() {
    let (home, _) = sample().await;
    let store = home.open().await;
    let acme = store.tenant("acme").await.unwrap();
    let when = RecordTime { at: at(50), source: TimeSource::Stated };
    acme.add_key("dalil.example/second", when, Actor::System).await.unwrap();
    drop(acme);
    store.close().await.unwrap();
    let file = home.dir().join("catalog.sqlite");
    let sound = fs::read(&file).unwrap();
    assert_eq!(findings(&home, ALL).await, "");
    let mut report = String::new();
    for changed in [
        "replace(note, '— dalil.example/second ', '— dalil.example/secund ')",
        "note || '— stranger.example/x AAAAAAAA' || char(10)",
        "replace(note, substr(note, instr(note, '— dalil.example/second '), instr(substr(note, \
         instr(note, '— dalil.example/second ')), char(10))), '')",
    ] {
        let newest = "size = (SELECT MAX(size) FROM checkpoints)";
        tamper(&home, &format!("UPDATE checkpoints SET note = {changed} WHERE {newest}")).await;
        report.push_str(&findings(&home, ALL).await);
        put(&file, &sound);
    }
    expect![[r#"
        FAIL       acme: checkpoints: the one of size 9: expected a line of each of the 2 keys in use and no other, found 2 lines, of which not all are theirs
        FAIL       acme: checkpoints: the one of size 9: expected a line of each of the 2 keys in use and no other, found 3 lines, of which not all are theirs
        FAIL       acme: checkpoints: the one of size 9: expected a line of each of the 2 keys in use and no other, found 1 lines, of which not all are theirs
    "#]].assert_eq(&report);
}

#[tokio::test]
async fn the_lake_is_read_whole() {
    let (home, object) = sample().await;
    let path = object_file(&home, &object);
    let mut report = String::new();
    for n in 0..b"an object".len() {
        let mut bytes = b"an object".to_vec();
        bytes[n] ^= 1;
        put(&path, &bytes);
        let found = findings(&home, ALL).await;
        assert!(found.contains("is ALTERED"), "byte {n}: {found}");
    }
    fs::remove_file(&path).unwrap();
    report.push_str(&findings(&home, ALL).await);
    put(&path, b"an object");
    put(&home.dir().join("lake/acme/notes.txt"), b"a file of somebody");
    let orphan = Digest::of(b"nobody needs this");
    put(&object_file(&home, &orphan), b"nobody needs this");
    report.push_str(&findings(&home, ALL).await);
    expect![[r#"
        FAIL       acme: lake of record 7: object sha256:c44b27339f507e2e4c80dd9aa9d42ef740bc8b619e717f3aa45862de27874289 is MISSING
        NOTE       acme: lake: no record needs object sha256:52c04b39d6f9f5cd63dab302da317bf95cfeebac79d43a993d00c059aecdd315 of 17 bytes
        NOTE       acme: lake: a file that no put makes: acme/notes.txt
    "#]].assert_eq(&report);
}

#[tokio::test]
async fn tiles_are_those_of_the_records() {
    let home = Home::folder();
    let store = home.open().await;
    let tenant = acme(&store).await;
    let drafts = (0..300).map(|second| draft("run-1", second)).collect();
    tenant.append(AppendEntry { drafts, key: None }).await.unwrap();
    drop(tenant);
    store.close().await.unwrap();
    let file = home.dir().join("catalog.sqlite");
    let sound = fs::read(&file).unwrap();
    let mut report = findings(&home, ALL).await;
    for sql in [
        "UPDATE tiles SET hashes = zeroblob(8704)",
        "DELETE FROM tiles",
        "INSERT INTO tiles SELECT tenant, level, 7, hashes FROM tiles",
        "INSERT INTO tiles SELECT tenant, 1, 0, hashes FROM tiles",
        "UPDATE records SET leaf = zeroblob(32) WHERE idx = 77",
    ] {
        tamper(&home, sql).await;
        writeln!(report, "{sql}\n{}", indented(&findings(&home, ALL).await)).unwrap();
        put(&file, &sound);
    }
    expect![[r#"
        UPDATE tiles SET hashes = zeroblob(8704)
          FAIL       acme: tiles: tile 0 of level 0 is not that of the records

        DELETE FROM tiles
          FAIL       acme: tiles: tile 0 of level 0 is missing

        INSERT INTO tiles SELECT tenant, level, 7, hashes FROM tiles
          FAIL       acme: tiles: tile 7 of level 0 is over records that are not there

        INSERT INTO tiles SELECT tenant, 1, 0, hashes FROM tiles
          FAIL       acme: tiles: tile 0 of level 1 is over records that are not there

        UPDATE records SET leaf = zeroblob(32) WHERE idx = 77
          FAIL       acme: leaves of record 77: the leaf hash is not that of the envelope

    "#]]
    .assert_eq(&report);
}

#[tokio::test]
async fn a_dropped_guard_and_a_strange_table_are_found() {
    let (home, _) = sample().await;
    let mut stranger = home.stranger().await;
    run(&mut stranger, "DROP TRIGGER records_no_update; CREATE TABLE mine (x)").await.unwrap();
    stranger.close().await.unwrap();
    expect![[r#"
        FAIL       schema: trigger `records_no_update` is missing
        FAIL       schema: table `mine` was made by no migration
    "#]]
    .assert_eq(&findings(&home, ALL).await);
}

#[tokio::test]
async fn keys_open_with_their_own_identity_only() {
    let (home, _) = sample().await;
    let report = findings(&home, FsckOptions { secrets: false, ..ALL }).await;
    expect![[r#"
        INCOMPLETE acme: secrets: no identity was given to open them with
    "#]]
    .assert_eq(&report);
}

#[tokio::test]
async fn requests_name_records_that_are_there() {
    let (home, _) = sample().await;
    let store = home.open().await;
    let tenant = store.tenant("acme").await.unwrap();
    let key = Some(IdempotencyKey::new("request-1", b"a request").unwrap());
    tenant.append(AppendEntry { key, ..entry("run-1", 20) }).await.unwrap();
    drop(tenant);
    store.close().await.unwrap();
    let mut report = findings(&home, ALL).await;
    tamper(&home, "UPDATE requests SET first = 77").await;
    report.push_str(&findings(&home, ALL).await);
    expect![[r#"
        FAIL       acme: requests: request `request-1` names no records that are there
    "#]]
    .assert_eq(&report);
}

#[tokio::test]
async fn erased_payloads_are_gone_and_said_to_be() {
    let (home, _) = sample().await;
    let store = home.open().await;
    let tenant = store.tenant("acme").await.unwrap();
    tenant.append(erasing(&[3, 7])).await.unwrap();
    drop(tenant);
    store.close().await.unwrap();
    let mut report = findings(&home, ALL).await;
    writeln!(report, "swept:\n{}", findings(&home, FsckOptions { sweep: true, ..ALL }).await)
        .unwrap();
    writeln!(report, "again:\n{}", findings(&home, FsckOptions { sweep: true, ..ALL }).await)
        .unwrap();
    let back = "INSERT INTO payloads SELECT tenant, 3, name, salt, bytes, sha256 FROM payloads WHERE idx = 4 AND name = 'run'";
    tamper(&home, back).await;
    writeln!(report, "put back:\n{}", findings(&home, ALL).await).unwrap();
    expect![[r#"
        NOTE       acme: lake: no record needs object sha256:c44b27339f507e2e4c80dd9aa9d42ef740bc8b619e717f3aa45862de27874289 of 9 bytes
        swept:
        NOTE       acme: sweep: object sha256:c44b27339f507e2e4c80dd9aa9d42ef740bc8b619e717f3aa45862de27874289, which no record needs, was removed
        NOTE       sweep: 0 leftovers of writers were removed

        again:
        NOTE       sweep: 0 leftovers of writers were removed

        put back:
        FAIL       acme: erasures of record 3: record 8 erased it, but field `run` is there

    "#]].assert_eq(&report);
}

/// Where the folder of a lake has an object.
fn object_file(home: &Home, object: &Digest) -> PathBuf {
    let hex = object.to_string().replace("sha256:", "");
    let (first, rest) = hex.split_at(2);
    let (second, _) = rest.split_at(2);
    home.dir().join(format!("lake/acme/sha256/{first}/{second}/{hex}"))
}

/// The same line with the id of a key, which is drawn at random, as `KEY`.
fn scrubbed(line: &str) -> String {
    let is_id = |word: &&str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    match line.split('`').find(is_id).filter(|id| *id != "00000000") {
        Some(id) => line.replace(id, "KEY"),
        None => line.to_owned(),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

fn put(path: &PathBuf, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // A log that is left beside it would be played into it.
    for end in ["-wal", "-shm"] {
        drop(fs::remove_file(format!("{}{end}", path.display())));
    }
    fs::File::create(path)
        .and_then(|mut file| std::io::Write::write_all(&mut file, bytes))
        .unwrap();
}

const TAMPERING: &[&str] = &[
    "UPDATE records SET kind = 'document.added' WHERE idx = 3",
    "UPDATE records SET subject = 'run-2' WHERE idx = 3",
    "UPDATE records SET at = '2026-01-03T00:00:00.000Z' WHERE idx = 3",
    "UPDATE records SET id = 'rec_0000000000000000' WHERE idx = 3",
    "UPDATE records SET sequence = 77 WHERE idx = 3",
    "UPDATE records SET leaf = zeroblob(32) WHERE idx = 3",
    "UPDATE records SET envelope = CAST(replace(CAST(envelope AS TEXT), 'agent-7', 'agent-8') AS BLOB) WHERE idx = 3",
    "UPDATE records SET envelope = zeroblob(9) WHERE idx = 3",
    "DELETE FROM records WHERE idx = 3",
    "UPDATE records SET idx = 99 WHERE idx = 3; UPDATE records SET idx = 3 WHERE idx = 4; UPDATE records SET idx = 4 WHERE idx = 99",
    "INSERT INTO records SELECT tenant, 8, 'rec_0000000000000000', kind, subject, 99, at, leaf, envelope FROM records WHERE idx = 3",
    "DELETE FROM records WHERE idx = 7",
    "DELETE FROM records WHERE idx = 7; DELETE FROM payloads WHERE idx = 7; DELETE FROM runs WHERE idx = 7; DELETE FROM artifacts WHERE idx = 7",
    "DELETE FROM checkpoints WHERE size = 8",
    "DELETE FROM checkpoints WHERE size = 5",
    "DELETE FROM checkpoint_links WHERE size = 5",
    "UPDATE checkpoint_links SET previous = 3 WHERE size = 5",
    "DELETE FROM checkpoints WHERE size = 5; DELETE FROM checkpoint_links WHERE size = 5",
    "DELETE FROM checkpoints",
    "UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE size = 4) WHERE size = 5",
    "UPDATE checkpoints SET size = 99 WHERE size = 8",
    "UPDATE checkpoints SET note = replace(note, 'acme', 'acne') WHERE size = 8",
    "UPDATE payloads SET bytes = CAST('other' AS BLOB) WHERE idx = 3 AND name = 'run'",
    "UPDATE payloads SET salt = zeroblob(32) WHERE idx = 3 AND name = 'run'",
    "UPDATE payloads SET bytes = 5 WHERE idx = 3 AND name = 'run'",
    "DELETE FROM payloads WHERE idx = 3 AND name = 'run'",
    "DELETE FROM payloads WHERE idx = 3 AND name = 'rows'",
    "UPDATE payloads SET bytes = CAST((SELECT '[[\"runs\",\"' || run_id || '\",\"' || model || '\",\"' || status || '\",\"' || created_utc || '\"]]' FROM runs WHERE idx = 3) AS BLOB) WHERE idx = 3 AND name = 'rows'; UPDATE runs SET model = 'model-2' WHERE idx = 3",
    "UPDATE runs SET ord = 9223372036854775807 WHERE idx = 3",
    "INSERT INTO payloads SELECT tenant, idx, 'more', salt, bytes, sha256 FROM payloads WHERE idx = 3 AND name = 'run'",
    "INSERT INTO payloads SELECT tenant, 55, name, salt, bytes, sha256 FROM payloads WHERE idx = 3 AND name = 'run'",
    "UPDATE payloads SET idx = 99 WHERE idx = 3; UPDATE payloads SET idx = 3 WHERE idx = 4; UPDATE payloads SET idx = 4 WHERE idx = 99",
    "UPDATE payloads SET sha256 = replace(sha256, 'a', 'b') WHERE idx = 7 AND name = 'object'",
    "UPDATE runs SET model = 'model-2' WHERE idx = 3",
    "UPDATE runs SET model = 7 WHERE idx = 3",
    "DELETE FROM runs WHERE idx = 3",
    "DELETE FROM artifacts WHERE idx = 7",
    "DELETE FROM runs WHERE idx = 7",
    "INSERT INTO runs SELECT tenant, idx, 1, run_id, model, status, created_utc FROM runs WHERE idx = 3",
    "INSERT INTO runs SELECT tenant, 1, 1, run_id, model, status, created_utc FROM runs WHERE idx = 3",
    "INSERT INTO runs SELECT tenant, 55, 0, run_id, model, status, created_utc FROM runs WHERE idx = 3",
    "UPDATE runs SET idx = 99 WHERE idx = 3; UPDATE runs SET idx = 3 WHERE idx = 4; UPDATE runs SET idx = 4 WHERE idx = 99",
    "UPDATE runs SET tenant = 'other' WHERE idx = 3",
    "UPDATE tenants SET origin = 'dalil.example/other'",
    "UPDATE keys SET change = 'revoked'",
    "DELETE FROM keys",
    "UPDATE secrets SET sealed = zeroblob(61)",
    "DELETE FROM secrets",
    "INSERT INTO secrets SELECT tenant, '00000000', sealed FROM secrets",
    "INSERT INTO cosignatures VALUES ('acme', 8, 'a line')",
    "INSERT INTO timestamps VALUES ('acme', 8, 'a line')",
    "INSERT INTO holds VALUES ('acme', 3, 5, 'hold-1', 'all', 'placed', 'why', '2026-01-03T00:00:00.000Z')",
    "INSERT INTO erasures VALUES ('acme', 4, 1, 3, 'all', 'court_order', 'dpo-1', '2026-01-03T00:00:00.000Z'); DELETE FROM payloads WHERE idx = 3; DELETE FROM runs WHERE idx = 3",
    "INSERT INTO requests VALUES ('acme', 'request-1', 'no digest', 0, 1)",
    "UPDATE migrations SET digest = 'sha256:00'",
    "DELETE FROM migrations",
    "INSERT INTO migrations VALUES (90, 'later', 'sha256:00', '2027')",
];
