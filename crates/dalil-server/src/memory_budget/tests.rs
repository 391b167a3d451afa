use super::{BUDGET_UNIT_BYTES, MemoryBudget};
use crate::config::{ServeConfig, ServerLimits};
use crate::problem::ProblemKind;
use crate::request_owner::RequestOwner;

const UNIT: u64 = BUDGET_UNIT_BYTES as u64;
const PIECE: [u8; BUDGET_UNIT_BYTES] = [7; BUDGET_UNIT_BYTES];

/// Three units for members, two for strangers; files of this many.
fn budget(upload: u64) -> MemoryBudget {
    let limits = ServerLimits {
        memory: 3 * UNIT,
        upload: upload * UNIT,
        anonymous_memory: 2 * UNIT,
        anonymous_upload: UNIT,
        ..ServeConfig::usual().limits
    };
    MemoryBudget::new(&limits)
}

fn member(name: &str) -> RequestOwner {
    RequestOwner::Member(name.to_owned())
}

fn stranger(address: &str) -> RequestOwner {
    RequestOwner::Stranger(address.to_owned())
}

#[test]
fn bodies_have_room_until_their_bytes_are_gone() {
    let (room, amal) = (budget(3), member("amal"));
    let held = room.hold(&amal).and(&PIECE).and_then(|held| held.and(b"more"));
    let bytes = held.ok().unwrap().done();
    let copy = bytes.clone();
    assert_eq!(bytes.len(), PIECE.len() + 4);
    let other = || room.hold(&amal).and(&PIECE).and_then(|held| held.and(b"more"));
    let problem = other().err().unwrap();
    assert_eq!((problem.kind, problem.retry_after), (ProblemKind::Busy, Some(1)));
    drop(bytes);
    assert!(other().is_err());
    drop(copy);
    assert!(other().is_ok());
}

#[test]
fn nobody_has_more_than_a_share() {
    let room = budget(1);
    let held = room.hold(&member("amal")).and(&PIECE).ok().unwrap();
    assert!(room.hold(&member("amal")).and(b"a").is_err());
    assert!(room.hold(&member("noura")).and(b"a").is_ok());
    drop(held);
    assert!(room.hold(&member("amal")).and(b"a").is_ok());
}

#[test]
fn strangers_leave_the_room_of_members_and_the_way_in_alone() {
    let room = budget(3);
    let full = ["192.0.2.1", "192.0.2.2"].map(|at| room.hold(&stranger(at)).and(&PIECE).ok());
    assert!(full.iter().all(Option::is_some));
    assert!(room.hold(&stranger("192.0.2.3")).and(b"a").is_err());
    assert!(room.hold(&member("amal")).and(&PIECE).is_ok());
    assert!(room.hold_form(&stranger("192.0.2.3")).and(b"csrf=").is_ok());
}

#[test]
fn room_that_is_given_back_is_free() {
    let (room, amal) = (budget(1), member("amal"));
    let mut lease = room.lease(&amal);
    assert!(lease.grow(BUDGET_UNIT_BYTES).is_ok());
    lease.shrink(BUDGET_UNIT_BYTES);
    assert!(room.hold(&amal).and(&PIECE).is_ok());
    assert!(lease.grow(1).is_ok());
}

#[tokio::test]
async fn something_larger_than_all_room_has_all_of_it() {
    let (room, amal) = (budget(3), member("amal"));
    let held = room.wait(u64::MAX).await.ok().unwrap();
    assert!(room.hold(&amal).and(b"a").is_err());
    drop(held);
    assert!(room.hold(&amal).and(b"a").is_ok());
}
