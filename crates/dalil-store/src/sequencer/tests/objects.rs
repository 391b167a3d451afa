//! Objects that are put while an erasure takes them away, by one program or by two.

use dalil_proof::digest::Digest;

use crate::fixture::{Home, acme, erasing, needing};
use crate::fsck::{FsckEvent, FsckOptions, FsckStatus};
use crate::lake::ErasureAuthorization;
use crate::{Error, Store, Tenant};

/// Two programs on one store; a folder has one, which does both.
async fn both(home: &Home) -> (Store, Option<Store>, [Tenant; 2]) {
    let store = home.open().await;
    let one = acme(&store).await;
    if home.is_folder() {
        let other = one.clone();
        return (store, None, [one, other]);
    }
    let beside = home.open().await;
    let other = beside.tenant("acme").await.unwrap();
    (store, Some(beside), [one, other])
}

async fn put(tenant: &Tenant) -> Digest {
    tenant.lake().unwrap().put(b"an object".to_vec()).await.unwrap()
}

/// Erases a record and lets its object go; gives what went.
async fn erase(tenant: &Tenant, record: u64, object: &Digest) -> Vec<Digest> {
    let placed = tenant.append(erasing(&[record])).await.unwrap();
    let erasure = ErasureAuthorization::recorded("acme", placed[0].index);
    tenant.release(std::slice::from_ref(object), &erasure).await.unwrap()
}

/// Puts an object and appends the record that needs it, again when it was taken away.
async fn add(tenant: &Tenant) -> u64 {
    loop {
        let object = put(tenant).await;
        tokio::task::yield_now().await;
        match tenant.append(needing("doc-1", &object, 9)).await {
            Ok(placed) => return placed[0].index,
            Err(error) => assert!(error.is_outdated(), "{error}"),
        }
    }
}

async fn close(store: Store, beside: Option<Store>, tenants: [Tenant; 2]) {
    let mut said = Vec::new();
    let mut tell = |one| {
        if let FsckEvent::Finding(finding) = one {
            said.push(finding.to_string());
        }
    };
    let verdict = store.fsck(FsckOptions { sweep: false, secrets: true }, &mut tell).await.unwrap();
    assert!(verdict == FsckStatus::Pass, "{said:#?}");
    drop(tenants);
    for store in [Some(store), beside].into_iter().flatten() {
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn an_object_that_went_after_it_was_put_is_put_again() {
    for home in Home::each().await {
        let (store, beside, [one, other]) = both(&home).await;
        let object = put(&one).await;
        let first = one.append(needing("doc-1", &object, 9)).await.unwrap()[0].index;
        // The other finds the object there, and then it goes.
        put(&other).await;
        assert_eq!(erase(&one, first, &object).await, [object]);
        let refused = other.append(needing("doc-1", &object, 9)).await.unwrap_err();
        let hint = "put the object again and repeat the request";
        let expected =
            Error::outdated("append a record", format!("tenant `acme`, object `{object}`"))
                .saw("the lake as it was when the object was put", "a change to it since")
                .hint(hint);
        assert_eq!(refused, expected);
        assert_eq!(add(&other).await, first + 2);
        close(store, beside, [one, other]).await;
    }
}

#[tokio::test]
async fn an_object_that_a_new_record_needs_stays() {
    for home in Home::each().await {
        let (store, beside, [one, other]) = both(&home).await;
        let object = put(&one).await;
        let first = one.append(needing("doc-1", &object, 9)).await.unwrap()[0].index;
        put(&other).await;
        // The record that needs it comes between the erasure and the lake.
        one.append(erasing(&[first])).await.unwrap();
        other.append(needing("doc-1", &object, 9)).await.unwrap();
        let erasure = ErasureAuthorization::recorded("acme", first + 1);
        assert_eq!(one.release(&[object], &erasure).await.unwrap(), []);
        close(store, beside, [one, other]).await;
    }
}

/// Adds the same bytes and erases them again; they are there for as long as the record is.
async fn side(tenant: Tenant) {
    for _ in 0..ROUNDS {
        let index = add(&tenant).await;
        let object = Digest::of(b"an object");
        assert!(tenant.lake().unwrap().has(&object).await.unwrap(), "record {index} needs it");
        erase(&tenant, index, &object).await;
    }
    add(&tenant).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn additions_and_erasures_of_the_same_bytes_lose_nothing() {
    for home in Home::each().await {
        let (store, beside, [one, other]) = both(&home).await;
        let sides = [one.clone(), other.clone()].map(|tenant| tokio::spawn(side(tenant)));
        for side in sides {
            side.await.unwrap();
        }
        close(store, beside, [one, other]).await;
    }
}

/// How often each side does its work.
const ROUNDS: usize = 40;
