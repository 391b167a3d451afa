use std::future::pending;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use expect_test::{Expect, expect};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::super::connection_table::ConnectionTable;
use super::{ConnectionEnd, HttpConnection, last_answer};
use crate::peer::PeerAddress;

/// A reply of which a pipe holds little: hyper has the rest in its buffer.
const LARGE_REPLY_BYTES: usize = 4 << 20;
const PIPE_BYTES: usize = 64 << 10;
const SOON: Duration = Duration::from_millis(50);
const REQUEST: &[u8] = b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n";

/// A table of one place, the client of the connection that has it, and how that ends.
async fn connected() -> (Arc<ConnectionTable>, DuplexStream, JoinHandle<ConnectionEnd>) {
    let table = ConnectionTable::new(1, 1);
    let place = table.place(address("192.0.2.1")).await.unwrap();
    let (client, server) = duplex(PIPE_BYTES);
    let served = tokio::spawn(async move {
        let router = Router::new()
            .route("/large", get(async || vec![b'x'; LARGE_REPLY_BYTES]))
            .route("/small", get(async || "small"));
        let (said, stop) = watch::channel(false);
        let peer = PeerAddress(address("192.0.2.1"));
        let connection = HttpConnection { router, peer, place: &place, stop };
        let end = connection.serve(server).await;
        drop(said);
        end
    });
    (table, client, served)
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// Reads a reply, slowly; gives its head without the date.
async fn read_reply(client: &mut DuplexStream, expected: &[u8]) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.unwrap());
    }
    let mut body = vec![0; expected.len()];
    for part in body.chunks_mut(PIPE_BYTES) {
        tokio::task::yield_now().await;
        client.read_exact(part).await.unwrap();
    }
    assert!(body == expected, "a body with other bytes");
    let head = String::from_utf8(head).unwrap();
    head.lines().filter(|line| !line.starts_with("date:")).collect::<Vec<_>>().join("\n")
}

async fn check_last_reply(client: &mut DuplexStream, head: Expect) {
    head.assert_eq(&read_reply(client, &vec![b'x'; LARGE_REPLY_BYTES]).await);
    let mut rest = Vec::new();
    client.read_to_end(&mut rest).await.unwrap();
    assert_eq!(rest, b"");
}

#[tokio::test]
async fn whoever_reads_a_large_reply_slowly_does_not_make_way() {
    let (table, mut client, served) = connected().await;
    client.write_all(REQUEST).await.unwrap();
    assert_eq!(client.read_u8().await.unwrap(), b'H');
    // hyper has taken the whole body by now.
    let mut other = Box::pin(table.place(address("192.0.2.2")));
    assert!(timeout(SOON, &mut other).await.is_err(), "a place was free");
    let head = expect![[r#"
        TTP/1.1 200 OK
        content-type: application/octet-stream
        content-length: 4194304
    "#]];
    let (other, ()) = tokio::join!(other, check_last_reply(&mut client, head));
    assert!(other.is_some());
    assert_eq!(served.await.unwrap(), ConnectionEnd::Evicted);
}

#[tokio::test]
async fn a_request_that_comes_while_its_connection_makes_way_is_answered_to_the_end() {
    let (table, mut client, served) = connected().await;
    client.write_all(b"GET /small HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    read_reply(&mut client, b"small").await;
    // Nothing is awaited in between that would let the connection read it.
    client.write_all(REQUEST).await.unwrap();
    let other = table.place(address("192.0.2.2")).await;
    assert!(other.is_some());
    let head = expect![[r#"
        HTTP/1.1 200 OK
        content-type: application/octet-stream
        content-length: 4194304
    "#]];
    check_last_reply(&mut client, head).await;
    assert_eq!(served.await.unwrap(), ConnectionEnd::Evicted);
}

/// A request that is worked at for long is not cut short; a reply that never ends is.
#[tokio::test]
async fn the_time_for_a_last_answer_begins_with_the_answer() {
    let (begun, replying) = watch::channel(false);
    let slow = async {
        sleep(3 * SOON).await;
        begun.send_replace(true);
        "sent"
    };
    assert_eq!(last_answer(slow, replying.clone(), SOON).await, Some("sent"));
    assert_eq!(last_answer(pending::<&str>(), replying, SOON).await, None);
}

#[tokio::test]
async fn half_a_request_is_not_waited_for() {
    let (table, mut client, served) = connected().await;
    client.write_all(b"GET /large HTTP/1.1\r\nhost:").await.unwrap();
    tokio::task::yield_now().await;
    assert!(table.place(address("192.0.2.2")).await.is_some());
    let mut told = Vec::new();
    timeout(SOON, client.read_to_end(&mut told)).await.unwrap().unwrap();
    assert_eq!((told, served.await.unwrap()), (Vec::new(), ConnectionEnd::Evicted));
}
