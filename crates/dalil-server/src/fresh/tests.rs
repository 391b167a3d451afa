use super::*;

#[test]
fn what_was_read_stands_until_the_table_is_written_to_or_another_server_may_have() {
    let at = Instant::now();
    let kept = |turn| Kept { turn, at, value: () };
    let stands =
        |kept: Kept<()>, turn, millis| kept.stands(turn, at + Duration::from_millis(millis), HELD);
    let day = 86_400_000;
    assert!(stands(kept(Turn::Sole(1)), Turn::Sole(1), day));
    assert!(!stands(kept(Turn::Sole(1)), Turn::Sole(2), 0));
    assert!(stands(kept(Turn::Shared(1)), Turn::Shared(1), 999));
    assert!(!stands(kept(Turn::Shared(1)), Turn::Shared(1), 1000));
    assert!(!stands(kept(Turn::Shared(1)), Turn::Shared(2), 0));
    let exact = |turn: Turn| kept(turn).stands(turn, at, Duration::ZERO);
    assert_eq!((exact(Turn::Sole(1)), exact(Turn::Shared(1))), (true, false));
}
