use dalil_proof::record::Actor;
use dalil_store::{RecordTime, TimeSource};
use expect_test::expect;
use tokio::sync::mpsc;

use super::{BulkLine, BulkLineReply, BulkOptions, BulkTally, append};
use crate::fixture::{at, one, said, size, two};
use crate::obligation::history;

/// Appends lines, and gives the answers in the order of the lines.
async fn answers(tenant: &dalil_store::Tenant, lines: &[String]) -> (BulkTally, Vec<String>) {
    let (sender, mut receiver) = mpsc::channel(8);
    let lines: Vec<BulkLine> = (1..)
        .zip(lines)
        .map(|(number, line)| BulkLine { number, bytes: line.clone().into_bytes() })
        .collect();
    tokio::spawn(async move {
        for line in lines {
            sender.send(line).await.unwrap();
        }
    });
    let setup = BulkOptions {
        actor: Actor::Agent("import".to_owned()),
        now: &|| RecordTime { at: at(1), source: TimeSource::Stated },
        in_flight: 64,
    };
    let mut told: Vec<(u64, String)> = Vec::new();
    let mut tell = |answer: &BulkLineReply| -> Result<(), ()> {
        told.push((answer.line, said(answer)));
        Ok(())
    };
    let tally = append(tenant, &mut receiver, &setup, &mut tell).await.unwrap();
    told.sort();
    (tally, told.into_iter().map(|(_, answer)| answer).collect())
}

fn change(n: usize) -> String {
    format!(
        r#"{{"kind":"status","key":"k-{n}","request":{{"obligation_id":"ob-{}","old_status":"{n}","new_status":"{}","reason":"r"}}}}"#,
        n % 7,
        n + 1
    )
}

#[tokio::test]
async fn lines_are_appended_in_their_order_and_all_answered() {
    let (_home, acme, zenith) = two("lines").await;
    let lines: Vec<String> = (0..300).map(change).collect();
    let (tally, answers) = answers(&acme, &lines).await;
    assert_eq!(tally, BulkTally { appended: 300, refused: 0, failed: 0 });
    for (n, answer) in answers.iter().enumerate() {
        let index = format!("\"index\":{},\"key\":\"k-{n}\"", n + 2);
        assert!(answer.contains(&index), "{answer}");
    }
    let statuses: Vec<String> = history(&acme, "ob-3", None)
        .await
        .unwrap()
        .records
        .iter()
        .map(|record| record.index.to_string())
        .collect();
    let expected: Vec<String> = (3..300).step_by(7).map(|n: usize| (n + 2).to_string()).collect();
    assert_eq!((statuses, size(&zenith).await), (expected, 2));
}

#[tokio::test]
async fn a_line_that_is_refused_leaves_the_others_alone() {
    let (_home, acme) = one("refused").await;
    let package = r#"{"kind":"package","at":"2026-03-14T16:00:00Z","request":{"obligations":[{"obligation_id":"ob-1","doc_id":"d","source_clause":"c","extraction_model":"m"}],"documents":{},"verifications":{}}}"#;
    let other = change(0).replace("\"reason\":\"r\"", "\"reason\":\"s\"");
    let lines = [
        change(0),
        "{".to_owned(),
        package.to_owned(),
        r#"{"kind":"note","request":3,"extra":1}"#.to_owned(),
        change(0),
        other,
    ];
    let (tally, answers) = answers(&acme, &lines).await;
    assert_eq!(tally, BulkTally { appended: 3, refused: 3, failed: 0 });
    expect![[r#"
        {"id":"rec_…","index":2,"key":"k-0","leaf":"sha256:…","line":1,"obligation_id":"ob-0"}
        {"line":2,"refused":[{"hint":"check it with a JSON linter","message":"expected one JSON value, found the end of the text at line 1 column 1","path":"$","rule":"json"}]}
        {"findings":[],"line":3,"records":[],"skipped":[{"id":"rec_…","index":3,"leaf":"sha256:…","obligation_id":"ob-1","reason":"missing document d"}]}
        {"line":4,"refused":[{"message":"expected one of `package`, `status`, found `note`","path":"kind","rule":"choice"},{"message":"expected an object, found `3`","path":"request","rule":"type"},{"hint":"remove the field or correct its name","message":"expected only kind, key, at, request, found a field it does not know","path":"extra","rule":"unknown_field"}]}
        {"id":"rec_…","index":2,"key":"k-0","leaf":"sha256:…","line":5,"obligation_id":"ob-0"}
        {"error":"cannot append a record: idempotency key `k-0`: expected the request that the key stands for, found another one\nhint: a new request needs a new key","key":"k-0","kind":"refused","line":6}
    "#]].assert_eq(&(answers.join("\n") + "\n"));
    assert_eq!(size(&acme).await, 4);
}

#[tokio::test]
async fn no_lines_are_no_records() {
    let (_home, acme) = one("no-lines").await;
    assert_eq!(answers(&acme, &[]).await, (BulkTally::default(), Vec::new()));
    assert_eq!(size(&acme).await, 2);
}
