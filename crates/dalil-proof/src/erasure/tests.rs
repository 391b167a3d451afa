use expect_test::{Expect, expect};

use super::*;
use crate::hold::Hold;

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

/// Asks on the basis that retention is over, in 2030, with one hold in place.
#[track_caller]
fn check(targets: &[ErasureTarget], expected: &Expect) {
    let mut holds = HoldSet::default();
    let scope = RecordScope::Subject("pack-2".to_owned());
    holds
        .place(Hold { hold_id: "hold-1".to_owned(), reason: "dispute".to_owned(), scope })
        .unwrap();
    let request = ErasureRequest {
        scope: RecordScope::Kind(RecordKind::PackSealed),
        legal_basis: LegalBasis::RetentionExpired,
        approver: "person-9".to_owned(),
    };
    let actual = match decide(&request, targets, &holds, time("2030-01-01T00:00:00Z")) {
        Ok(erasure) => {
            assert_eq!(Erasure::parse(&erasure.bytes()), Ok(erasure.clone()));
            String::from_utf8(erasure.bytes()).unwrap()
        }
        Err(refused) => refused.to_string(),
    };
    expected.assert_eq(&actual);
}

fn target(index: u64) -> ErasureTarget {
    let (kind, subject) = (RecordKind::PackSealed, "pack-1".to_owned());
    ErasureTarget { index, kind, subject, at: time("2020-01-01T00:00:00Z"), erased_by: None }
}

#[test]
fn what_nothing_blocks_is_named_once_and_in_order() {
    check(
        &[target(9), target(2), target(9)],
        &expect![[
            r#"{"approver":"person-9","erased":[2,9],"legal_basis":"retention_expired","scope":"kind:pack.sealed"}"#
        ]],
    );
}

#[test]
fn a_refusal_names_every_record_that_is_in_the_way_and_its_hold() {
    let held = ErasureTarget { subject: "pack-2".to_owned(), ..target(3) };
    let young = ErasureTarget { at: time("2024-02-29T00:00:00Z"), ..target(4) };
    let key = ErasureTarget { kind: RecordKind::KeyAdded, ..target(5) };
    let gone = ErasureTarget { erased_by: Some(8), ..target(6) };
    let last = ErasureTarget { at: time("9999-01-01T00:00:00Z"), ..target(7) };
    check(
        &[target(2), held, young, key, gone, last],
        &expect![[r#"
            `record 3`: expected no hold, found the hold `hold-1`: `dispute`
            `record 4`: expected the retention time to be over at 2030-01-01T00:00:00.000Z, found that it runs until 2031-03-01T00:00:00.000Z
            hint: a data subject's request or a court order can come before
            `record 5`: expected a kind that may be erased, found `key.added`
            `record 5`: expected a record in the scope `kind:pack.sealed`, found `key.added` of `pack-1`
            `record 6`: expected a payload that is there, found one that record 8 erased
            `record 7`: expected the retention time to be over at 2030-01-01T00:00:00.000Z, found that it runs for ever
            hint: a data subject's request or a court order can come before"#]],
    );
}

#[test]
fn an_erasure_of_nothing_is_refused() {
    check(
        &[],
        &expect!["`erased`: expected one or more indices in ascending order, found an array"],
    );
}

#[test]
fn an_erasure_has_one_spelling() {
    let good = r#"{"approver":"a","erased":[1,2],"legal_basis":"court_order","scope":"all"}"#;
    assert!(Erasure::parse(good.as_bytes()).is_ok());
    let wrong = [
        good.replace("[1,2]", "[1, 2]"),
        good.replace("[1,2]", "[2,1]"),
        good.replace("[1,2]", "[1,1]"),
        good.replace("[1,2]", "[]"),
        good.replace("court_order", "whim"),
        good.replace("\"a\"", "\"\""),
        good.replace("all", "some"),
        good.replace("{", "{\"a\":1,"),
    ];
    for text in wrong {
        assert!(Erasure::parse(text.as_bytes()).is_err(), "{text}");
    }
}
