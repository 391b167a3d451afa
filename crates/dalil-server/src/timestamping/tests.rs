use std::path::PathBuf;

use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use dalil_store::{NewTenant, Store, StoreOptions, StorePlace, Vault};
use expect_test::expect;

use super::*;

/// A failure of one tenant's store is no failure of the authority, which others still need.
#[test]
fn only_a_call_that_failed_silences_an_authority() {
    let away = || Error::unavailable("append records", "`acme`").saw("a database", "none");
    assert!(silences(&TimestampFailure::Unanswered(away())));
    assert!(!silences(&TimestampFailure::from(away())));
}

/// A tenant in a folder, and its folder.
async fn tenant(name: &str) -> (Store, Tenant, PathBuf) {
    let dir = std::env::temp_dir().join(format!("dalil-stamping-{}-{name}", std::process::id()));
    std::fs::remove_dir_all(&dir).unwrap_or_default();
    let (place, at) = (StorePlace::File { dir: dir.clone() }, now().unwrap());
    let options = StoreOptions::writing(at);
    let store = Store::open(&place, Vault::of([7; 32]), options).await.unwrap();
    let origin = "dalil.example/acme";
    let new = NewTenant { name: "acme", origin, at, actor: Actor::System };
    let tenant = store.create_tenant(new).await.unwrap();
    (store, tenant, dir)
}

fn now() -> Option<Time> {
    Time::from_millis(1_773_500_000_000)
}

#[tokio::test]
async fn without_a_clock_nobody_is_asked_and_the_log_says_why() {
    let (store, tenant, dir) = tenant("clock").await;
    let trust = include_bytes!("../../../../spec/vectors/timestamp/trust/one.json");
    let authority = Trust::parse(trust).unwrap().timestamp_authorities.remove(0);
    let endpoint = TimestampEndpoint::new("http://127.0.0.1:1", "url", authority).unwrap();
    let size = tenant.head().await.unwrap().size;
    let none = ("holder", ServerClock(|| None));
    let LeasedStamp { stamped, released } = stamp_under_lease(&tenant, &endpoint, size, none).await;
    let failure = stamped.unwrap_err();
    assert!(!silences(&failure) && released.is_ok());
    expect!["`$`: expected a clock that says a time, found none"].assert_eq(&failure.to_string());
    // With a clock, the call itself fails.
    let some = ("holder", ServerClock(now));
    let LeasedStamp { stamped, released } = stamp_under_lease(&tenant, &endpoint, size, some).await;
    let failure = stamped.unwrap_err();
    assert!(silences(&failure) && released.is_ok(), "{failure}");
    store.close().await.unwrap();
    std::fs::remove_dir_all(dir).unwrap();
}
