//! Authorities that misbehave are made here; the one that stamps is `openssl ts`, where
//! `DALIL_TEST_TSA` names it (`suite/servers/tsa` starts it).

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use dalil_proof::trust::Trust;
use expect_test::expect;

use super::*;
use crate::fixture::{context_at, keyed, one as one_tenant};

/// An authority that is trusted, and whose key no test has.
fn authority() -> TimestampAuthority {
    let trust = include_bytes!("../../../../../spec/vectors/timestamp/trust/one.json");
    Trust::parse(trust).unwrap().timestamp_authorities.remove(0)
}

/// A server that gives one reply, as it is, to its first client.
fn replying(reply: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // The headers and a query of 77 bytes come in one or two pieces.
        let (mut asked, mut piece) = (Vec::new(), [0; 4096]);
        let is_whole = |asked: &[u8]| {
            let head = asked.windows(4).position(|bytes| bytes == b"\r\n\r\n");
            head.is_some_and(|head| asked.len() >= head + 4 + 77)
        };
        while !is_whole(&asked) {
            let size = stream.read(&mut piece).unwrap();
            assert_ne!(size, 0, "the client hung up");
            asked.extend_from_slice(&piece[..size]);
        }
        // A client that has read enough hangs up.
        drop(stream.write_all(&reply));
    });
    url
}

/// The authority of the tests and its name, where there is one.
fn stamping() -> Option<TimestampEndpoint> {
    let given = |name| std::env::var_os(name)?.into_string().ok();
    let (url, folder) = (given("DALIL_TEST_TSA")?, given("DALIL_TEST_TSA_FOLDER")?);
    let certificate = std::fs::read(format!("{folder}/rsa.pem")).unwrap();
    let authority = TimestampAuthority::new("rsa.example", certificates(&certificate)).unwrap();
    Some(TimestampEndpoint::new(&format!("{url}/rsa/sha256"), "url", authority).unwrap())
}

/// The clock of this machine, `ahead` seconds later.
fn clock(ahead: i64) -> RequestContext {
    #[expect(clippy::disallowed_methods, reason = "the authority has a real clock")]
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let at = Time::from_millis(i64::try_from(now.as_millis()).unwrap() + ahead * 1000).unwrap();
    RequestContext { at, time_source: TimeSource::Clock, ..context_at(0) }
}

#[test]
fn an_address_with_a_password_is_refused_and_not_shown() {
    let told = |url: &str| match TimestampEndpoint::new(url, "--url", authority()) {
        Ok(endpoint) => format!("asks {}", endpoint.url),
        Err(fault) => fault.to_string(),
    };
    let urls =
        ["https://tsa.example/tsr/", "https://ada:s3cret@tsa.example", "file:///etc/passwd", ""];
    expect![[r#"
        asks https://tsa.example/tsr/
        `--url`: expected an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment, found something else
        `--url`: expected an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment, found `file:///etc/passwd`
        `--url`: expected an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment, found ``"#]]
    .assert_eq(&urls.map(told).join("\n"));
}

#[tokio::test]
async fn a_reply_is_bounded_and_of_its_type_in_either_case() {
    let (_home, acme) = one_tenant("timestamp-replies").await;
    let refusal = b"\x30\x0f\x30\x0d\x02\x01\x02\x30\x08\x0c\x06denied";
    let reply = |start: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 {start}\r\ncontent-length: {}\r\n\r\n", body.len());
        [head.as_bytes(), body].concat()
    };
    let replies = [
        reply("200 OK\r\ncontent-type: Application/Timestamp-Reply; a=b", refusal),
        reply("200 OK\r\ncontent-type: application/timestamp-query", refusal),
        reply("200 OK", refusal),
        reply("307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/", b""),
        reply("500 Internal Server Error", refusal),
        reply("200 OK\r\ncontent-type: application/timestamp-reply", &[0; 1 << 17]),
    ];
    let mut told = String::new();
    for reply in replies {
        let url = replying(reply);
        let endpoint = TimestampEndpoint::new(&url, "url", authority()).unwrap();
        let failure = timestamp(&acme, &endpoint, None, &context_at(1)).await.unwrap_err();
        let kind = match failure {
            TimestampFailure::Unanswered(_) => "unanswered",
            TimestampFailure::AlreadyStamped(_) => "stamped",
            TimestampFailure::Operation(_) => "answered",
        };
        writeln!(told, "{kind}: {}", failure.to_string().replace(&url, "URL")).unwrap();
    }
    assert_eq!(acme.newest_timestamped("tsa.example").await.unwrap(), 0);
    expect![[r#"
        answered: `reply`: expected a time stamp, found a refusal with status 2, `denied`
        unanswered: cannot ask for a time stamp: `URL`: expected the reply of a time-stamping authority, found a reply of the type `application/timestamp-query`
        unanswered: cannot ask for a time stamp: `URL`: expected the reply of a time-stamping authority, found a reply of the type ``
        unanswered: cannot ask for a time stamp: `URL`: expected the reply of a time-stamping authority, found status 307
        unanswered: cannot ask for a time stamp: `URL`: expected the reply of a time-stamping authority, found status 500
        unanswered: cannot ask for a time stamp: `URL`: expected the reply of a time-stamping authority, found the response body is larger than request limit: 65536
    "#]].assert_eq(&told);
}

#[tokio::test]
async fn of_two_that_ask_at_once_one_keeps_its_stamp() {
    let Some(endpoint) = stamping() else { return };
    let (_home, acme) = one_tenant("timestamp-twice").await;
    let size = acme.head().await.unwrap().size;
    let now = clock(0);
    let (one, two) = tokio::join!(
        timestamp(&acme, &endpoint, Some(size), &now),
        timestamp(&acme, &endpoint, Some(size), &now)
    );
    let mut told = [one, two].map(|stamped| match stamped {
        Ok(_) => "kept".to_owned(),
        Err(TimestampFailure::AlreadyStamped(refused)) => refused.to_string(),
        Err(failure) => panic!("{failure}"),
    });
    told.sort();
    expect!["`size`: expected a checkpoint that `rsa.example` has not stamped, found one that is kept already\nkept"]
        .assert_eq(&told.join("\n"));
    assert_eq!(acme.timestamps(size).await.unwrap().len(), 1);
    // Two requests of one name have one answer, whichever comes first.
    let (_home, acme) = one_tenant("timestamp-twice-named").await;
    let named = RequestContext { key: keyed(0, "stamp-1").key, ..now };
    let (one, two) = tokio::join!(
        timestamp(&acme, &endpoint, None, &named),
        timestamp(&acme, &endpoint, None, &named)
    );
    assert_eq!(one.unwrap(), two.unwrap());
}

#[tokio::test]
async fn a_stamp_from_after_now_is_not_kept() {
    let Some(endpoint) = stamping() else { return };
    let (_home, acme) = one_tenant("timestamp-future").await;
    let size = acme.head().await.unwrap().size;
    let asked = clock(-90);
    let failure = timestamp(&acme, &endpoint, Some(size), &asked).await.unwrap_err().to_string();
    let start = format!(
        "`clock`: expected a time stamp that is not after {}, when it was asked for, found ",
        asked.at
    );
    assert!(failure.starts_with(&start), "{failure}");
    assert_eq!(acme.timestamps(size).await.unwrap().len(), 0);
    // Clocks of two machines differ by up to a minute.
    timestamp(&acme, &endpoint, Some(size), &clock(-50)).await.unwrap();
}

#[tokio::test]
async fn a_checkpoint_takes_no_more_lines_than_a_note_can_have() {
    let Some(endpoint) = stamping() else { return };
    let (_home, acme) = one_tenant("timestamp-lines").await;
    let size = acme.head().await.unwrap().size;
    for line in 1..100 {
        let line = format!("\u{2014} w{line}.example AAAAAAAA");
        let kind = RecordKind::ObligationStatusChanged;
        let drafts = vec![context_at(1).draft(kind, "ob-1", Vec::new(), Vec::new())];
        let entry = AppendEntry { drafts, key: None };
        acme.timestamped(entry, (size, &line), Vec::new()).await.unwrap();
    }
    let failure = timestamp(&acme, &endpoint, Some(size), &clock(0)).await.unwrap_err();
    expect!["`size`: expected at most 100 signatures, found more"].assert_eq(&failure.to_string());
    let note = signed_head::checkpoint(&acme, Some(size)).await.unwrap();
    assert_eq!(note.signatures().len(), 100);
}
