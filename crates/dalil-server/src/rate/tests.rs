use super::*;

fn at(millis: i64) -> Time {
    Time::from_millis(1_773_500_000_000 + millis).unwrap()
}

#[test]
fn a_bucket_is_emptied_and_fills_again() {
    let rates = RateLimiter::new(2, 1);
    assert_eq!(
        (0..4).map(|_| rates.take("a", at(0))).collect::<Vec<_>>(),
        [Ok(()), Ok(()), Ok(()), Err(1),]
    );
    assert_eq!(rates.take("b", at(0)), Ok(()));
    assert_eq!(rates.take("a", at(499)), Err(1));
    assert_eq!(rates.take("a", at(500)), Ok(()));
    assert_eq!(rates.take("a", at(500)), Err(1));
    // A clock that goes back gives nothing.
    assert_eq!(rates.take("a", at(-9_000)), Err(1));
    assert_eq!(
        (0..4).map(|_| rates.take("a", at(60_000)).is_ok()).collect::<Vec<_>>(),
        [true, true, true, false,]
    );
}

#[test]
fn who_is_not_heard_of_any_more_is_forgotten() {
    let rates = RateLimiter::new(10, 1);
    for n in 0..2 * MAX_BUCKETS {
        let at = at(i64::try_from(n).unwrap() * 10);
        rates.take(&n.to_string(), at).unwrap();
    }
    assert!(rates.buckets.lock().unwrap().len() <= MAX_BUCKETS);
}
