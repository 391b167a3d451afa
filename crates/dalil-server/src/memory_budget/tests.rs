use super::{BUDGET_UNIT_BYTES, MemoryBudget};
use crate::problem::ProblemKind;

const PIECE: [u8; BUDGET_UNIT_BYTES] = [7; BUDGET_UNIT_BYTES];
const ALL: u64 = 3 * BUDGET_UNIT_BYTES as u64;

#[test]
fn bodies_have_room_until_their_bytes_are_gone() {
    let room = MemoryBudget::new(ALL);
    let bytes = room.hold().and(&PIECE).and_then(|held| held.and(b"more")).ok().unwrap().done();
    let copy = bytes.clone();
    assert_eq!(bytes.len(), PIECE.len() + 4);
    let other = || room.hold().and(&PIECE).and_then(|held| held.and(b"more"));
    let problem = other().err().unwrap();
    assert_eq!((problem.kind, problem.retry_after), (ProblemKind::Busy, Some(1)));
    drop(bytes);
    assert!(other().is_err());
    drop(copy);
    assert!(other().is_ok());
}

#[tokio::test]
async fn something_larger_than_all_room_has_all_of_it() {
    let room = MemoryBudget::new(ALL);
    let held = room.wait(u64::MAX).await.ok().unwrap();
    assert!(room.hold().and(b"a").is_err());
    drop(held);
    assert!(room.hold().and(b"a").is_ok());
}
