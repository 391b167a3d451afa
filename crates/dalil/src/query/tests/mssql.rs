//! SQL Server's protocol, spoken by a server of a few lines: it reports its requests, and answers
//! with bytes that were written down from the protocol's specification. It knows no SQL, so the
//! refusals of a real server are not tried here.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::{LiveQueryFailure, ask, broken_off, capped, query, within};

/// How the server behaves.
#[derive(Clone, Copy)]
enum Manner {
    Answers { can_write: u8, rows: u16 },
    TurnsAway,
    Denies,
    Sleeps,
}

/// Serves one client; returns its address and the requests, in order.
fn server(manner: Manner) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address =
        format!("sqlserver://reader:s3cret@{}/hr?encrypt=false", listener.local_addr().unwrap());
    let (said, heard) = channel();
    thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        while let Some((kind, body)) = packet(&mut client) {
            let (name, answer) = match kind {
                0x12 => ("hello".to_owned(), hello()),
                0x10 => (format!("login, read-only intent {}", body[26] >> 5 & 1), login(manner)),
                0x01 => (batch(&body), plain(manner, &body)),
                0x03 => ("query".to_owned(), result(manner)),
                other => panic!("a packet of kind {other}"),
            };
            said.send(name).unwrap_or_default();
            if client.write_all(&framed(&answer)).is_err() {
                break;
            }
        }
    });
    (address, heard)
}

/// A whole message: its packets up to the one that is marked as the last.
fn packet(client: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut body = Vec::new();
    loop {
        let mut head = [0; 8];
        client.read_exact(&mut head).ok()?;
        let length = usize::from(u16::from_be_bytes([head[2], head[3]])) - 8;
        let mut part = vec![0; length];
        client.read_exact(&mut part).ok()?;
        body.extend(part);
        if head[1] & 1 == 1 {
            return Some((head[0], body));
        }
    }
}

fn framed(body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len() + 8).unwrap().to_be_bytes();
    [&[0x04, 1, length[0], length[1], 0, 0, 1, 0], body].concat()
}

/// No encryption on offer.
fn hello() -> Vec<u8> {
    vec![0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xFF, 16, 0, 0, 0, 0, 0, 2]
}

fn login(manner: Manner) -> Vec<u8> {
    if let Manner::TurnsAway = manner {
        return [error(18456, "Login failed for user 'reader', password s3cret."), done(2)]
            .concat();
    }
    let name = utf16("SQL");
    let body = [&[1, 0x74, 0, 0, 4, 3], name.as_slice(), &[16, 0, 0, 0]].concat();
    [&[0xAD], size(&body).as_slice(), &body, &done(0)].concat()
}

/// The known text that a batch contains.
fn batch(body: &[u8]) -> String {
    let known = ["can_write", "BEGIN TRANSACTION", "ROLLBACK TRANSACTION"];
    let has = |text: &&&str| body.windows(text.len() * 2).any(|part| part == utf16(text));
    (*known.iter().find(has).unwrap()).to_owned()
}

fn plain(manner: Manner, body: &[u8]) -> Vec<u8> {
    match (batch(body).as_str(), manner) {
        ("can_write", Manner::Answers { can_write, .. }) => rights(can_write),
        ("can_write", _) => rights(0),
        _ => done(0),
    }
}

fn rights(can_write: u8) -> Vec<u8> {
    let head = [&[0x81, 1, 0, 0, 0, 0, 0, 9, 0, 0x26, 4], named("can_write").as_slice()].concat();
    [head, vec![0xD1, 4, can_write, 0, 0, 0], done(0)].concat()
}

fn result(manner: Manner) -> Vec<u8> {
    let rows = match manner {
        Manner::Answers { rows, .. } => rows,
        Manner::Denies => {
            return [
                error(229, "The INSERT permission was denied on the object 'leave'."),
                done(2),
            ]
            .concat();
        }
        Manner::Sleeps => {
            thread::sleep(Duration::from_secs(20));
            0
        }
        Manner::TurnsAway => 0,
    };
    let types: [(&str, &[u8]); 7] = [
        ("id", &[0x26, 8]),
        ("name", &[0xE7, 100, 0, 9, 4, 0xD0, 0, 0x34]),
        ("days", &[0x6A, 9, 12, 2]),
        ("paid", &[0x68, 1]),
        ("made", &[0x2A, 3]),
        ("photo", &[0xA5, 100, 0]),
        ("rate", &[0x6D, 8]),
    ];
    let columns = types.map(|(name, kind)| [&[0, 0, 0, 0, 9, 0], kind, &named(name)].concat());
    let text = utf16("نورة");
    let row = [
        &[0xD1, 8][..],
        &i64::MAX.to_le_bytes(),
        &size(&text),
        &text,
        &[5, 0, 0xE2, 4, 0, 0],
        &[1, 1],
        // 14:30:00.250 in thousandths, and the day.
        &[7, 0x3A, 0x83, 0x1C, 0x03, 0x22, 0x49, 0x0B],
        &[2, 0, 0, 0xFF],
        &[8],
        &0.1_f64.to_le_bytes(),
    ]
    .concat();
    let nulls = [0xD1, 0, 0xFF, 0xFF, 0, 0, 0, 0xFF, 0xFF, 0].to_vec();
    let mut body = [&[0x81, 7, 0], columns.concat().as_slice()].concat();
    for n in 0..rows {
        body.extend(if n % 2 == 0 { &row } else { &nulls });
    }
    [body, done(0)].concat()
}

fn done(status: u8) -> Vec<u8> {
    [&[0xFD, status, 0, 0, 0], [0; 8].as_slice()].concat()
}

fn error(number: u32, message: &str) -> Vec<u8> {
    let text = utf16(message);
    let length = u16::try_from(message.encode_utf16().count()).unwrap().to_le_bytes();
    let body = [number.to_le_bytes().as_slice(), &[1, 14], &length, &text, &[0, 0], &[1, 0, 0, 0]]
        .concat();
    [&[0xAA], size(&body).as_slice(), &body].concat()
}

fn named(name: &str) -> Vec<u8> {
    [&[u8::try_from(name.len()).unwrap()], utf16(name).as_slice()].concat()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn size(body: &[u8]) -> [u8; 2] {
    u16::try_from(body.len()).unwrap().to_le_bytes()
}

#[test]
fn a_query_is_asked_by_one_who_cannot_write_and_rolled_back() {
    let (address, heard) = server(Manner::Answers { can_write: 0, rows: 2 });
    let text = "SELECT * FROM leave WHERE id > @P1";
    let table = ask(&address, text, &json!([7])).unwrap();
    let artifact = table.artifact(&query(text, &json!([7]), 100)).unwrap();
    let artifact: Value = serde_json::from_str(&artifact).unwrap();
    assert_eq!(
        artifact["rows"],
        json!([
            [i64::MAX, "نورة", "-12.50", true, "2026-01-03T14:30:00.250", "base64:AP8=", 0.1],
            [null, null, null, null, null, null, null],
        ])
    );
    assert_eq!((&artifact["engine"], &artifact["more"]), (&json!("sql_server"), &json!(false)));
    let expected = [
        "hello",
        "login, read-only intent 1",
        "can_write",
        "BEGIN TRANSACTION",
        "query",
        "ROLLBACK TRANSACTION",
    ];
    assert_eq!(heard.iter().collect::<Vec<_>>(), expected);
}

#[test]
fn rows_are_capped() {
    let (address, _heard) = server(Manner::Answers { can_write: 0, rows: 11 });
    assert_eq!(capped(&address, "SELECT 1", 10, within(20_000)), (10, true));
}

#[test]
fn whoever_can_write_is_refused_before_the_query() {
    let (address, heard) = server(Manner::Answers { can_write: 1, rows: 0 });
    let failure = ask(&address, "SELECT 1", &json!([])).unwrap_err();
    assert_eq!(failure.reason(), "account");
    assert!(!heard.iter().any(|asked| asked == "query"));
}

#[test]
fn what_the_server_says_is_told_without_the_password() {
    let (address, _heard) = server(Manner::TurnsAway);
    let failure = ask(&address, "SELECT 1", &json!([])).unwrap_err();
    let told = "`Login failed for user 'reader', password ***.`".to_owned();
    assert_eq!(failure, LiveQueryFailure::Unreachable(told));
    let (address, heard) = server(Manner::Denies);
    let failure = ask(&address, "INSERT INTO leave VALUES (1)", &json!([])).unwrap_err();
    assert_eq!(failure.reason(), "refused");
    assert_eq!(heard.iter().last().unwrap(), "ROLLBACK TRANSACTION");
}

#[test]
fn a_server_that_does_not_answer_is_left() {
    let (address, _heard) = server(Manner::Sleeps);
    let (failure, took) = broken_off(&address, "WAITFOR DELAY '00:01'", 500);
    assert_eq!(failure.reason(), "timed_out", "{failure:?}");
    assert!(took < Duration::from_secs(3), "{took:?}");
}
