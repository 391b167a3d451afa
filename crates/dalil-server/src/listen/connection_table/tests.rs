use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::{ConnectionPlace, ConnectionTable, network};

const SOON: Duration = Duration::from_millis(50);

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

async fn place(table: &Arc<ConnectionTable>, from: &str) -> Result<ConnectionPlace, &'static str> {
    match timeout(SOON, table.place(address(from))).await {
        Ok(Some(place)) => Ok(place),
        Ok(None) => Err("refused"),
        Err(_) => Err("waits"),
    }
}

async fn is_evicted(place: &ConnectionPlace) -> bool {
    timeout(SOON, place.evicted()).await.is_ok()
}

#[tokio::test]
async fn the_oldest_connection_that_asked_nothing_makes_way() {
    let table = ConnectionTable::new(3, 3);
    let asked = place(&table, "192.0.2.1").await.unwrap();
    asked.activity().asked();
    let (old, young) = (place(&table, "192.0.2.2").await, place(&table, "192.0.2.3").await);
    let (old, young) = (old.unwrap(), young.unwrap());
    let new = place(&table, "192.0.2.4").await.unwrap();
    let evicted = [&asked, &old, &young, &new].map(is_evicted);
    let [asked, old, young, new] = evicted;
    assert_eq!((asked.await, old.await, young.await, new.await), (false, true, false, false));
}

#[tokio::test]
async fn an_address_has_so_many_and_no_more() {
    let table = ConnectionTable::new(10, 2);
    let first = place(&table, "192.0.2.1").await.unwrap();
    let second = place(&table, "192.0.2.1").await.unwrap();
    let third = place(&table, "192.0.2.1").await.unwrap();
    assert!(is_evicted(&first).await);
    second.activity().asked();
    third.activity().asked();
    assert_eq!(place(&table, "192.0.2.1").await.err(), Some("refused"));
    assert!(place(&table, "192.0.2.2").await.is_ok());
    drop(second);
    assert!(place(&table, "192.0.2.1").await.is_ok());
}

#[tokio::test]
async fn where_everybody_has_asked_the_next_waits() {
    let table = ConnectionTable::new(1, 1);
    let only = place(&table, "192.0.2.1").await.unwrap();
    only.activity().asked();
    assert_eq!(place(&table, "192.0.2.2").await.err(), Some("waits"));
    drop(only);
    assert!(place(&table, "192.0.2.2").await.is_ok());
}

#[tokio::test]
async fn whoever_asks_nothing_more_makes_way() {
    let table = ConnectionTable::new(3, 3);
    let places = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|from| place(&table, from));
    let [busy, last, first] = places;
    let (busy, last, first) = (busy.await.unwrap(), last.await.unwrap(), first.await.unwrap());
    for one in [&busy, &last, &first] {
        one.activity().asked();
    }
    assert_eq!(place(&table, "192.0.2.4").await.err(), Some("waits"));
    for one in [&first, &last] {
        one.activity().answered();
        one.activity().flushed();
    }
    let new = place(&table, "192.0.2.4").await.unwrap();
    let evicted = [is_evicted(&busy).await, is_evicted(&last).await, is_evicted(&first).await];
    assert_eq!(evicted, [false, false, true]);

    // A connection that asks again is busy again; one that waits for a place is notified.
    last.activity().asked();
    new.activity().asked();
    drop(first);
    let waiting = table.place(address("192.0.2.5"));
    let ended = async {
        tokio::task::yield_now().await;
        busy.activity().answered();
        busy.activity().flushed();
    };
    let (given, ()) = tokio::join!(waiting, ended);
    assert!(given.is_some() && is_evicted(&busy).await);
}

#[tokio::test]
async fn whoever_was_idle_first_makes_way_whether_it_asked_or_not() {
    let table = ConnectionTable::new(2, 2);
    let asked = place(&table, "192.0.2.1").await.unwrap();
    asked.activity().asked();
    let silent = place(&table, "192.0.2.2").await.unwrap();
    asked.activity().answered();
    asked.activity().flushed();
    // The silent one came before the other was answered, the next one after that.
    let new = place(&table, "192.0.2.3").await.unwrap();
    let evicted = [is_evicted(&silent).await, is_evicted(&asked).await, is_evicted(&new).await];
    assert_eq!(evicted, [true, false, false]);
    let newer = place(&table, "192.0.2.4").await.unwrap();
    let evicted = [is_evicted(&asked).await, is_evicted(&new).await, is_evicted(&newer).await];
    assert_eq!(evicted, [true, false, false]);
}

#[tokio::test]
async fn an_answer_that_is_not_written_yet_keeps_its_place() {
    let table = ConnectionTable::new(1, 1);
    let only = place(&table, "192.0.2.1").await.unwrap();
    // A flush before the answer does not end the request.
    only.activity().asked();
    only.activity().flushed();
    assert_eq!(place(&table, "192.0.2.2").await.err(), Some("waits"));
    only.activity().answered();
    assert_eq!(place(&table, "192.0.2.2").await.err(), Some("waits"));
    // The next request of a client that did not wait.
    only.activity().asked();
    only.activity().flushed();
    assert_eq!(place(&table, "192.0.2.2").await.err(), Some("waits"));
    only.activity().answered();
    only.activity().flushed();
    assert!(!only.is_busy() && place(&table, "192.0.2.2").await.is_ok());
}

#[test]
fn one_subscriber_of_ipv6_is_one_address() {
    for (one, other, is_same) in [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
        ("::ffff:192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.2", false),
    ] {
        assert_eq!(network(address(one)) == network(address(other)), is_same, "{one} {other}");
    }
}
