use super::{Room, UNIT};
use crate::problem::Kind;

const PIECE: [u8; UNIT] = [7; UNIT];
const ALL: u64 = 3 * UNIT as u64;

#[test]
fn bodies_have_room_until_their_bytes_are_gone() {
    let room = Room::new(ALL);
    let bytes = room.hold().and(&PIECE).and_then(|held| held.and(b"more")).ok().unwrap().done();
    let copy = bytes.clone();
    assert_eq!(bytes.len(), PIECE.len() + 4);
    let other = || room.hold().and(&PIECE).and_then(|held| held.and(b"more"));
    let problem = other().err().unwrap();
    assert_eq!((problem.kind, problem.retry_after), (Kind::Busy, Some(1)));
    drop(bytes);
    assert!(other().is_err());
    drop(copy);
    assert!(other().is_ok());
}

#[tokio::test]
async fn something_larger_than_all_room_has_all_of_it() {
    let room = Room::new(ALL);
    let held = room.wait(u64::MAX).await.ok().unwrap();
    assert!(room.hold().and(b"a").is_err());
    drop(held);
    assert!(room.hold().and(b"a").is_ok());
}
