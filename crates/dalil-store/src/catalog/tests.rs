use super::*;
use crate::fixture::{Home, acme, at, draft, erasure};
use crate::{AppendEntry, ErrorKind};

/// Writes a row of every table and gives it back as it is read.
#[tokio::test]
async fn a_row_of_every_table_is_read_as_it_was_written() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let mut record = draft("a", 1);
        // Keys and erasures act on the store when they are appended.
        let acts =
            |table: &EvidenceTable| matches!(table, EvidenceTable::Keys | EvidenceTable::Erasures);
        record.rows = EvidenceTable::ALL
            .iter()
            .filter(|table| !acts(table))
            .map(|table| crate::fixture::row(*table))
            .collect();
        let rows = record.rows.clone();
        acme.append(AppendEntry { drafts: vec![record], key: None }).await.unwrap();
        assert_eq!(acme.rows(2..3).await.unwrap(), [(2, rows)]);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_cell_that_is_not_what_its_column_says_is_named() {
    for (sql, place, expected, found) in [
        (
            "UPDATE runs SET created_utc = '2026-01-03T00:26:41Z' WHERE idx = 2",
            "`runs.created_utc`, record 2",
            "an RFC 3339 time such as `2026-01-03T14:30:00Z`",
            "`2026-01-03T00:26:41Z`",
        ),
        ("UPDATE runs SET model = NULL WHERE idx = 2", "`runs.model`, record 2", "text", "null"),
        (
            "UPDATE runs SET model = x'00' WHERE idx = 2",
            "`runs.model`, record 2",
            "text",
            "a value of the type BLOB",
        ),
        (
            "UPDATE runs SET ord = -1 WHERE idx = 2",
            "`runs.ord`, record 2",
            "a whole number of at least 0",
            "-1",
        ),
    ] {
        let home = Home::folder();
        let store = home.open().await;
        let acme = acme(&store).await;
        acme.append(crate::fixture::entry("a", 1)).await.unwrap();
        let mut stranger = home.stranger().await;
        run(&mut stranger, "DROP TRIGGER runs_no_update").await.unwrap();
        run(&mut stranger, sql).await.unwrap();
        let error = acme.select(&RunRow::query()).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Damaged);
        assert!(error.place.ends_with(place), "{error}");
        assert_eq!((&*error.expected, &*error.found), (expected, found));
        store.close().await.unwrap();
    }
}

#[test]
fn tables_are_found_by_their_names() {
    for table in EvidenceTable::ALL {
        assert_eq!(EvidenceTable::of(table.name()), Some(*table));
        assert_eq!(table.sample().table(), *table);
    }
}

#[test]
fn rows_are_committed_to_as_canonical_json() {
    let erasure = ErasureRow { approver: "a\"b".to_owned(), ..erasure(7) };
    let artifact = EvidenceTable::Artifacts.sample();
    let ledger = LedgerRow {
        id: "led-1".to_owned(),
        session_id: "s".to_owned(),
        sha256: dalil_proof::digest::Digest::of(b""),
        supersedes: None,
        coverage: None,
        unsupported_rate: 1.0,
        judge: Some("{}".to_owned()),
        created_at: at(0),
    };
    let bytes = committed(&[erasure.into(), artifact, ledger.into()]).unwrap();
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        concat!(
            r#"[["erasures",7,"all","court_order","a\"b","2026-01-03T00:26:40.000Z"],"#,
            r#"["artifacts","sha256:af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf","#,
            r#"7,"sample","sample"],"#,
            r#"["ledgers","led-1","s","#,
            r#""sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","#,
            r#"null,null,1,"{}","2026-01-03T00:26:40.000Z"]]"#,
        )
    );
}

#[test]
fn a_row_that_could_not_be_read_back_is_refused() {
    let EvidenceRow::Ledgers(sound) = EvidenceTable::Ledgers.sample() else { panic!("a ledger") };
    let check = |row: LedgerRow| EvidenceRow::from(row).check().map_err(|error| error.to_string());
    assert_eq!(check(sound.clone()), Ok(()));
    let said = |text: &str| Err(format!("cannot append a record: {text}"));
    assert_eq!(
        check(LedgerRow { id: "a\0".to_owned(), ..sound.clone() }),
        said("`ledgers.id`: expected text without U+0000, found text with it")
    );
    assert_eq!(
        check(LedgerRow { coverage: Some(f64::NAN), ..sound }),
        said("`ledgers.coverage`: expected a finite number, found another")
    );
    let too_many = EvidenceRow::from(ErasureRow { erased: 1 << 60, ..erasure(1) });
    assert_eq!(
        too_many.check().map_err(|error| error.to_string()),
        said("`erasures.erased`: expected a whole number that a double holds, found a larger one")
    );
}

#[test]
fn rows_are_read_from_either_end() {
    let part = || HoldRow::query().starting_at(7).at_most(3);
    let columns =
        "SELECT idx, ord, hold_id, scope, change, reason, at FROM holds WHERE tenant = $1";
    let (oldest, bound) = (part().statement("acme").0, part().statement("acme").1.len());
    assert_eq!(oldest, format!("{columns} AND idx >= $2 ORDER BY idx, ord LIMIT $3"));
    assert_eq!(bound, 3);
    let newest = part().hold_id("h").newest_first();
    assert_eq!(
        newest.statement("acme").0,
        format!("{columns} AND idx <= $2 AND hold_id = $3 ORDER BY idx DESC, ord DESC LIMIT $4")
    );
}

#[test]
fn the_packs_of_many_decisions_are_one_question() {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let two = PackRow::query().of_decisions(&names(&["dec-1", "dec-\0", "dec-2"]));
    let (sql, bound) = two.statement("acme");
    let end = " AND idx >= $2 AND decision_id IN ($3, $4) ORDER BY idx, ord LIMIT $5";
    assert!(sql.ends_with(end), "{sql}");
    assert_eq!((bound.len(), two.is_void()), (5, false));
    assert!(PackApprovalRow::query().about_packs(&[]).is_void());
}
