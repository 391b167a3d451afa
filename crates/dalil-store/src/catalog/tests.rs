use super::*;
use crate::fixture::{Home, acme};

#[tokio::test]
async fn the_tables_have_the_columns_that_the_schema_gives_them() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        for table in EvidenceTable::ALL {
            assert_eq!(EvidenceTable::of(table.name()), Some(*table));
            acme.select(&TableQuery::all(*table)).await.unwrap();
        }
        store.close().await.unwrap();
    }
}

#[test]
fn rows_are_committed_to_as_canonical_json() {
    let values = vec![SqlValue::Int(7), "scope".into(), SqlValue::Null, "a\"b".into(), "t".into()];
    let rows = [EvidenceRow { table: EvidenceTable::Erasures, values }];
    let bytes = committed(&rows).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), r#"[["erasures",7,"scope",null,"a\"b","t"]]"#);
}

#[test]
fn a_row_that_could_not_be_read_back_is_refused() {
    let row = |values: Vec<SqlValue>| EvidenceRow { table: EvidenceTable::Ledgers, values }.check();
    let with = |n: usize, value: SqlValue| {
        let mut values = vec![SqlValue::Null; 8];
        values[n] = value;
        row(values).map_err(|error| error.to_string())
    };
    assert_eq!(with(0, "id".into()), Ok(()));
    assert_eq!(with(4, 0.5.into()), Ok(()));
    let said = |text: &str| Err(format!("cannot append a record: {text}"));
    assert_eq!(
        with(0, "a\0".into()),
        said("`ledgers.id`: expected text without U+0000, found text with it")
    );
    assert_eq!(
        with(4, f64::NAN.into()),
        said("`ledgers.coverage`: expected a finite number, found another")
    );
    assert_eq!(
        with(4, SqlValue::Int(1)),
        said("`ledgers.coverage`: expected a value of the column's type, found another type")
    );
}

#[test]
fn rows_are_read_from_either_end() {
    let said = |newest| {
        let select =
            TableQuery { from: 7, limit: 3, newest, ..TableQuery::all(EvidenceTable::Holds) };
        select.statement("acme").unwrap().0
    };
    let columns =
        "SELECT idx, ord, hold_id, scope, change, reason, at FROM holds WHERE tenant = $1";
    assert_eq!(said(false), format!("{columns} AND idx >= $2 ORDER BY idx, ord LIMIT $3"));
    assert_eq!(said(true), format!("{columns} AND idx <= $2 ORDER BY idx DESC, ord DESC LIMIT $3"));
}
