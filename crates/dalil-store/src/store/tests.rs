use std::io::Write as _;
use std::path::PathBuf;

use sqlx::Connection as _;

use super::*;
use crate::catalog::{EvidenceTable, fetch};
use crate::fixture::{Home, acme, at, entry};
use crate::{ErrorKind, LakePlace};

async fn refused(home: &Home, options: StoreOptions) -> Error {
    Store::open(&home.place, Vault::of([7; 32]), options).await.unwrap_err()
}

#[tokio::test]
async fn nothing_is_updated_or_deleted_in_any_table() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let key = crate::IdempotencyKey::new("k", b"r").unwrap();
        let mut entry = entry("a", 1);
        entry.key = Some(key);
        let free = |table: &&EvidenceTable| {
            !matches!(table, EvidenceTable::Keys | EvidenceTable::Runs | EvidenceTable::Erasures)
        };
        let rows = EvidenceTable::ALL.iter().filter(free).map(|table| crate::fixture::row(*table));
        entry.drafts[0].rows.extend(rows);
        entry.drafts[0].rows.push(crate::fixture::erasure(77).into());
        acme.append(entry).await.unwrap();

        let mut stranger = home.stranger().await;
        let own = [
            "migrations",
            "records",
            "payloads",
            "checkpoints",
            "checkpoint_links",
            "requests",
            "secrets",
        ];
        let tables = own.into_iter().chain(EvidenceTable::ALL.iter().map(|table| table.name()));
        for table in tables {
            let column = if table == "migrations" { "name" } else { "tenant" };
            let mut tries =
                vec![format!("UPDATE {table} SET {column} = 'x'"), format!("DELETE FROM {table}")];
            if home.is_folder() {
                tries.push(format!("INSERT OR REPLACE INTO {table} SELECT * FROM {table}"));
            } else {
                tries.push(format!("TRUNCATE {table}"));
            }
            for sql in tries {
                let error = run(&mut stranger, &sql).await.expect_err(&sql).to_string();
                assert!(error.contains("evidence is only added"), "{sql}: {error}");
            }
        }
        stranger.close().await.unwrap();
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn only_what_an_erasure_names_may_be_deleted() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        acme.append(entry("a", 1)).await.unwrap();
        acme.append(entry("b", 1)).await.unwrap();
        let mut erasure = entry("a", 2);
        erasure.drafts[0].kind = RecordKind::PayloadErased;
        erasure.drafts[0].rows = vec![crate::fixture::erasure(2).into()];
        acme.append(erasure).await.unwrap();
        let mut stranger = home.stranger().await;
        for table in ["payloads", "runs"] {
            run(&mut stranger, &format!("DELETE FROM {table} WHERE idx = 3")).await.unwrap_err();
        }
        run(&mut stranger, "DELETE FROM records WHERE idx = 2").await.unwrap_err();
        assert_eq!(acme.rows(2..3).await.unwrap(), []);
        if home.is_folder() {
            for (text, is_there) in [("a at 1", false), ("b at 1", true)] {
                let files = ["catalog.sqlite", "catalog.sqlite-wal"];
                let bytes =
                    files.map(|file| std::fs::read(home.dir().join(file)).unwrap()).concat();
                let found = bytes.windows(text.len()).any(|window| window == text.as_bytes());
                assert_eq!(found, is_there, "{text}");
            }
        }
        stranger.close().await.unwrap();
        let fields = acme.record(2).await.unwrap().unwrap().fields;
        let states: Vec<_> = fields.into_iter().map(|field| field.state).collect();
        assert_eq!(
            states,
            [
                crate::trail::StoredFieldState::Erased { by: 4 },
                crate::trail::StoredFieldState::Erased { by: 4 }
            ]
        );
        acme.receipt(2).await.unwrap();
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn one_process_writes_to_a_folder_and_others_may_read() {
    let home = Home::folder();
    let error = refused(&home, StoreOptions::reading(at(0))).await;
    assert_eq!((error.kind, error.found.as_ref()), (ErrorKind::Unavailable, "none"));
    assert!(!home.dir().exists());

    let store = home.open().await;
    let writer = acme(&store).await;
    let error = refused(&home, StoreOptions::writing(at(0))).await;
    let text = format!(
        "cannot open the store: `file:{}`: expected a folder that no other process writes to, \
         found one that does\nhint: end the other process, or open the store for reading only",
        home.dir().display()
    );
    assert_eq!((error.kind, error.to_string()), (ErrorKind::Refused, text));

    let reader =
        Store::open(&home.place, Vault::of([7; 32]), StoreOptions::reading(at(0))).await.unwrap();
    let read = reader.tenant("acme").await.unwrap();
    assert_eq!(read.head().await.unwrap(), writer.head().await.unwrap());
    writer.append(entry("a", 1)).await.unwrap();
    assert_eq!(read.head().await.unwrap(), writer.head().await.unwrap());
    read.receipt(2).await.unwrap();
    let error = read.append(entry("a", 1)).await.unwrap_err();
    assert_eq!(
        (error.kind, error.found.as_ref()),
        (ErrorKind::Refused, "one that is open for reading")
    );
    reader.close().await.unwrap();
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_writer_waits_a_moment_for_the_one_before_it() {
    let home = Home::folder();
    let first = home.open().await;
    let closing = async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        first.close().await.unwrap();
    };
    let (second, ()) = futures_util::future::join(home.open(), closing).await;
    second.close().await.unwrap();
}

#[tokio::test]
async fn the_lock_goes_with_the_last_who_can_write() {
    let home = Home::folder();
    let store = home.open().await;
    let acme = acme(&store).await;
    store.close().await.unwrap();
    drop(acme);
    let store = home.open().await;
    drop(store);
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        if Store::open(&home.place, Vault::of([7; 32]), StoreOptions::writing(at(0))).await.is_ok()
        {
            return;
        }
    }
    panic!("the lock stayed");
}

#[tokio::test]
async fn a_store_of_a_newer_version_is_left_alone() {
    for home in Home::each().await {
        home.open().await.close().await.unwrap();
        let mut stranger = home.stranger().await;
        run(&mut stranger, "INSERT INTO migrations VALUES (12, 'later', 'sha256:00', 'now')")
            .await
            .unwrap();
        for options in [StoreOptions::writing(at(0)), StoreOptions::reading(at(0))] {
            let error = refused(&home, options).await;
            assert_eq!(error.kind, ErrorKind::Refused);
            assert_eq!(
                (error.expected.as_ref(), error.found.as_ref()),
                ("a store of version 11", "one of version 12")
            );
            assert_eq!(error.hint.as_deref(), Some("use a newer dalil; nothing was written"));
        }
        let rows = fetch(&mut stranger, "SELECT version FROM migrations", &[]).await.unwrap();
        assert_eq!(rows.len(), 12);
        stranger.close().await.unwrap();
    }
}

#[tokio::test]
async fn another_database_and_another_schema_are_refused() {
    for home in Home::each().await {
        if home.is_folder() {
            std::fs::create_dir_all(home.dir()).unwrap();
            File::create(home.dir().join("catalog.sqlite")).unwrap();
        }
        let mut stranger = home.stranger().await;
        run(&mut stranger, "CREATE TABLE cats (name TEXT)").await.unwrap();
        let error = refused(&home, StoreOptions::writing(at(0))).await;
        assert_eq!(
            (error.kind, error.found.as_ref()),
            (ErrorKind::Refused, "a database with a table `cats`")
        );
        stranger.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_file_that_was_cut_off_or_is_something_else_is_damaged() {
    let home = Home::folder();
    let store = home.open().await;
    let acme = acme(&store).await;
    acme.append(entry("a", 1)).await.unwrap();
    store.close().await.unwrap();
    let path = home.dir().join("catalog.sqlite");
    let whole = std::fs::read(&path).unwrap();
    for length in [1, 50, 100, 4096, whole.len() / 2, whole.len() - 1] {
        File::create(&path).unwrap().write_all(&whole[..length]).unwrap();
        for options in [StoreOptions::writing(at(0)), StoreOptions::reading(at(0))] {
            let error = refused(&home, options).await;
            assert_eq!(error.kind, ErrorKind::Damaged, "{length}: {error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), &whole[..length]);
    }
    File::create(&path).unwrap().write_all(&[7; 9000]).unwrap();
    assert_eq!(refused(&home, StoreOptions::writing(at(0))).await.kind, ErrorKind::Damaged);
    File::create(&path).unwrap().write_all(&whole).unwrap();
    let store = home.open().await;
    assert_eq!(store.tenants().await.unwrap(), ["acme"]);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_place_that_cannot_be_used_is_named() {
    // Nobody, not even root, can make a folder there.
    let place = StorePlace::File { dir: PathBuf::from("/proc/dalil") };
    let error =
        Store::open(&place, Vault::of([7; 32]), StoreOptions::writing(at(0))).await.unwrap_err();
    assert_eq!((error.kind, error.place.as_ref()), (ErrorKind::Unavailable, "`file:/proc/dalil`"));

    let url = "postgres://user:secret@127.0.0.1:1/none?sslmode=disable".to_owned();
    let place = StorePlace::Postgres { url, lake: LakePlace::Folder(PathBuf::new()) };
    let error =
        Store::open(&place, Vault::of([7; 32]), StoreOptions::writing(at(0))).await.unwrap_err();
    assert_eq!(
        (error.kind, error.place.as_ref(), error.expected.as_ref()),
        (
            ErrorKind::Unavailable,
            "`postgres://127.0.0.1:1/none`",
            "a database that answers within 10 s"
        )
    );
    assert!(!error.to_string().contains("secret"));
}

#[tokio::test]
async fn a_probe_writes_to_the_catalog_and_the_lake_and_leaves_no_evidence() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let head = acme.head().await.unwrap();
        store.probe().await.unwrap();
        store.probe().await.unwrap();
        assert_eq!(acme.head().await.unwrap(), head);
        if home.is_folder() {
            let log = || std::fs::metadata(home.dir().join("catalog.sqlite-wal")).unwrap().len();
            let before = log();
            store.probe().await.unwrap();
            assert!(log() > before, "a page of the catalog was written");
            let parts = std::fs::read_dir(home.dir().join("lake/.part")).unwrap();
            assert_eq!(parts.count(), 0);
            // Nobody, not even root, can make a file below a file.
            std::fs::remove_dir(home.dir().join("lake/.part")).unwrap();
            File::create(home.dir().join("lake/.part")).unwrap();
            let error = store.probe().await.unwrap_err();
            assert_eq!(
                (error.kind, error.what.as_ref()),
                (ErrorKind::Unavailable, "keep an object")
            );
            std::fs::remove_file(home.dir().join("lake/.part")).unwrap();
            // Another connection locks the catalog, so that nothing can be written to it.
            let mut stranger = home.stranger().await;
            run(&mut stranger, "BEGIN IMMEDIATE").await.unwrap();
            let error = store.probe().await.unwrap_err();
            assert_eq!(
                (error.what.as_ref(), error.found.contains("database is locked")),
                ("write to the catalog", true),
                "{error}"
            );
            run(&mut stranger, "ROLLBACK").await.unwrap();
            store.probe().await.unwrap();
            stranger.close().await.unwrap();
        }
        store.close().await.unwrap();
    }
}
