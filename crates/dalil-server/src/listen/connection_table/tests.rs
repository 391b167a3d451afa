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
    asked.asked()();
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
    second.asked()();
    third.asked()();
    assert_eq!(place(&table, "192.0.2.1").await.err(), Some("refused"));
    assert!(place(&table, "192.0.2.2").await.is_ok());
    drop(second);
    assert!(place(&table, "192.0.2.1").await.is_ok());
}

#[tokio::test]
async fn where_everybody_has_asked_the_next_waits() {
    let table = ConnectionTable::new(1, 1);
    let only = place(&table, "192.0.2.1").await.unwrap();
    only.asked()();
    assert_eq!(place(&table, "192.0.2.2").await.err(), Some("waits"));
    drop(only);
    assert!(place(&table, "192.0.2.2").await.is_ok());
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
