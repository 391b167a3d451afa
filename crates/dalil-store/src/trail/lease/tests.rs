use std::time::Duration;

use super::LeaseProgress;
use crate::catalog::run;
use crate::fixture::{Home, acme, tenant};

fn far(stage: &str, done: u64) -> LeaseProgress {
    LeaseProgress { stage: stage.to_owned(), done, all: 9 }
}

#[tokio::test]
async fn one_holder_has_work_until_its_time_is_over() {
    let Some(home) = Home::postgres().await else { return };
    let (first, second) = (home.open().await, home.open().await);
    let own = acme(&first).await;
    let same = second.tenant("acme").await.unwrap();
    assert_eq!(own.leased("job-1").await.unwrap(), None);
    assert!(own.lease("job-1", "a", &far("reading", 1), TTL).await.unwrap());
    assert!(!same.lease("job-1", "b", &far("reading", 0), TTL).await.unwrap());
    assert_eq!(same.leased("job-1").await.unwrap(), Some(far("reading", 1)));
    assert!(own.lease("job-1", "a", &far("judging", 2), TTL).await.unwrap());
    assert_eq!(same.leased("job-1").await.unwrap(), Some(far("judging", 2)));
    // Letting go of what another has does nothing.
    same.let_go("job-1", "b").await.unwrap();
    assert!(!same.lease("job-1", "b", &far("reading", 0), TTL).await.unwrap());

    // Other work and another tenant's are other leases.
    let zenith = tenant(&second, "zenith").await;
    assert!(same.lease("job-2", "b", &far("reading", 0), TTL).await.unwrap());
    assert!(zenith.lease("job-1", "b", &far("reading", 0), TTL).await.unwrap());

    let mut stranger = home.stranger().await;
    run(&mut stranger, "UPDATE leases SET ends = ends - 10001").await.unwrap();
    assert_eq!(same.leased("job-1").await.unwrap(), None);
    assert!(same.lease("job-1", "b", &far("reading", 3), TTL).await.unwrap());
    assert!(!own.lease("job-1", "a", &far("judging", 4), TTL).await.unwrap());
    same.let_go("job-1", "b").await.unwrap();
    assert!(own.lease("job-1", "a", &far("judging", 4), TTL).await.unwrap());
}

#[tokio::test]
async fn a_lease_is_taken_over_a_new_connection_when_the_old_one_is_lost() {
    let Some(home) = Home::postgres().await else { return };
    let store = home.open().await;
    let own = acme(&store).await;
    assert!(own.lease("job-1", "a", &far("reading", 1), TTL).await.unwrap());
    let mut stranger = home.stranger().await;
    let ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE datname = current_database() AND pid <> pg_backend_pid()";
    run(&mut stranger, ends).await.unwrap();
    assert!(own.lease("job-1", "a", &far("judging", 2), TTL).await.unwrap());
    assert_eq!(own.leased("job-1").await.unwrap(), Some(far("judging", 2)));
}

#[tokio::test]
async fn whoever_has_a_folder_has_every_lease() {
    let home = Home::folder();
    let store = home.open().await;
    let own = acme(&store).await;
    assert!(own.lease("job-1", "a", &far("reading", 1), TTL).await.unwrap());
    assert!(own.lease("job-1", "a", &far("judging", 1), TTL).await.unwrap());
    assert_eq!(own.leased("job-1").await.unwrap(), None);
    own.let_go("job-1", "a").await.unwrap();
}

#[tokio::test]
async fn a_lease_lasts_as_long_as_it_was_taken_for() {
    let Some(home) = Home::postgres().await else { return };
    let store = home.open().await;
    let own = acme(&store).await;
    assert!(own.lease("long", "a", &far("stamping", 0), 3 * TTL).await.unwrap());
    assert!(own.lease("short", "a", &far("reading", 0), TTL).await.unwrap());
    let mut stranger = home.stranger().await;
    run(&mut stranger, "UPDATE leases SET ends = ends - 15000").await.unwrap();
    assert!(!own.lease("long", "b", &far("stamping", 0), 3 * TTL).await.unwrap());
    assert!(own.lease("short", "b", &far("reading", 0), TTL).await.unwrap());
}

const TTL: Duration = Duration::from_secs(10);
