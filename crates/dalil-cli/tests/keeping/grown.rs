//! Killed while it brings the store of an older program up to date.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::burst::{End, Request, burst};
use crate::home::{Dice, Home};

/// How often it is killed.
const KILLS: u64 = 20;

/// The tables of the migrations after the first; on a server, leases as well.
const TABLES: [&str; 8] = [
    "members",
    "api_keys",
    "jobs",
    "erased_packs",
    "matters",
    "checkpoint_links",
    "key_redatings",
    "timestamps",
];

/// The indexes that they made on tables of the first.
const INDEXES: [&str; 4] = [
    "evidence_ledger_by_verdict",
    "evidence_packs_by_status",
    "exports_by_export_id",
    "obligations_by_verification_result",
];

/// Opens the store for writing, and then is refused: there is no such hold.
const WRITES: [&str; 5] = ["hold", "lift", "none", "--reason", "none"];

/// Takes every migration but the first back from a folder's database.
const BACK: &str = "
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
guard = db.execute(\"SELECT sql FROM sqlite_master WHERE name = 'migrations_no_delete'\").fetchone()[0]
db.execute('DROP TRIGGER migrations_no_delete')
db.execute('DELETE FROM migrations WHERE version > 1')
tables, indexes = (names.split(',') for names in sys.argv[2:])
for table in tables:
    db.execute(f'DROP TABLE {table}')
checks = \"SELECT name FROM sqlite_master WHERE name LIKE '%_checked' OR name LIKE '%_typed'\"
for (name,) in db.execute(checks).fetchall():
    db.execute(f'DROP TRIGGER {name}')
for index in indexes:
    db.execute(f'DROP INDEX {index}')
db.execute(guard)
";

/// Turns the store back into one of the first version.
fn back(home: &Home) {
    let done = if home.store.starts_with("file:") {
        let database = home.dir.join("data/catalog.sqlite");
        let names = [TABLES.join(","), INDEXES.join(",")];
        Command::new("python3").args(["-c", BACK]).arg(database).args(names).status()
    } else {
        let tables =
            TABLES.map(|table| format!("DROP TABLE {table};")).concat() + "DROP TABLE leases;";
        let indexes = INDEXES.map(|index| format!("DROP INDEX {index};")).concat();
        let checks = "DO $$ DECLARE one record; BEGIN \
             FOR one IN SELECT conrelid::regclass AS own, conname FROM pg_constraint \
             WHERE conname LIKE '%_checked' OR conname LIKE '%_typed' LOOP \
             EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.own, one.conname); \
             END LOOP; END $$;";
        let sql = format!(
            "ALTER TABLE migrations DISABLE TRIGGER USER; DELETE FROM migrations WHERE version > 1; \
             {tables} {checks} {indexes} ALTER TABLE migrations ENABLE TRIGGER USER;"
        );
        Command::new("psql").args([&home.store, "--quiet", "--command", &sql]).status()
    };
    assert!(done.unwrap().success());
}

/// Everything that the trail has.
fn records(home: &Home) -> Value {
    home.dalil(&["trail", "show", "--limit", "1000"], b"").done()
}

/// Kills it at any moment of its first writing run on an old store; the next run finds all of it.
fn grown(home: &Home, dice: &mut Dice, kills: u64) {
    home.tenant("acme");
    let requests: Vec<_> = (0..20).map(|n| Request::new("g", n)).collect();
    assert_eq!(burst(home, &requests, End::Never).exit, Some(0));
    let before = records(home);
    for _ in 0..kills {
        back(home);
        let old = home.dalil(&["trail", "show"], b"");
        assert!(old.exit == 1 && old.stderr.contains("one of version 1"), "{old:?}");
        let mut child = home.command(&WRITES).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(dice.below(60_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        // A store is of one version or of the other: a run to the end brings it up to date.
        let refused = home.dalil(&WRITES, b"");
        assert_eq!(refused.exit, 1, "{refused:?}");
        assert_eq!(records(home), before);
        home.sound();
    }
    let added = home.dalil(&["member", "add", "noura", "--role", "viewer"], b"");
    assert_eq!(added.exit, 0, "{added:?}");
    home.sound();
}

#[test]
fn a_store_that_was_half_brought_up_to_date_is_brought_to_the_end() {
    let mut dice = Dice(13);
    grown(&Home::folder("grown/folder"), &mut dice, KILLS);
    if let Some(home) = Home::postgres("grown/server") {
        grown(&home, &mut dice, KILLS / 4);
    }
}
