use std::sync::{Arc, Mutex};

use super::TurnQueue;

/// Lets each party ask in this order, and gives the order in which they had a turn.
async fn order(asked: &[&'static str]) -> Vec<&'static str> {
    let (queue, had) = (TurnQueue::new(1), Arc::new(Mutex::new(Vec::new())));
    let first = queue.take("first").await;
    let tasks: Vec<_> = asked
        .iter()
        .map(|party| {
            let (party, queue, had) = (*party, queue.clone(), Arc::clone(&had));
            tokio::spawn(async move {
                let _turn = queue.take(party).await;
                had.lock().unwrap().push(party);
            })
        })
        .collect();
    // Each is polled once, in its order, before the first turn ends.
    tokio::task::yield_now().await;
    drop(first);
    for task in tasks {
        task.await.unwrap();
    }
    assert!(queue.is_free());
    Arc::into_inner(had).unwrap().into_inner().unwrap()
}

#[tokio::test]
async fn parties_take_turns() {
    let asked = ["ali", "ali", "ali", "mona", "mona", "noura"];
    assert_eq!(order(&asked).await, ["ali", "mona", "noura", "ali", "mona", "ali"]);
}

#[tokio::test]
async fn whoever_stops_waiting_is_passed_over() {
    let queue = TurnQueue::new(1);
    let turn = queue.take("ali").await;
    let mut gone = Box::pin(queue.take("mona"));
    assert!(futures_util::poll!(gone.as_mut()).is_pending());
    assert_eq!(queue.waiting("mona"), 1);
    drop(gone);
    assert_eq!(queue.waiting("mona"), 0);
    let mut next = Box::pin(queue.take("noura"));
    assert!(futures_util::poll!(next.as_mut()).is_pending());
    drop(turn);
    drop(next.await);
    assert!(queue.is_free());
}

#[tokio::test]
async fn a_turn_that_was_given_to_nobody_goes_on() {
    let queue = TurnQueue::new(1);
    let turn = queue.take("ali").await;
    let mut given = Box::pin(queue.take("mona"));
    assert!(futures_util::poll!(given.as_mut()).is_pending());
    drop(turn);
    assert!(!queue.is_free());
    drop(given);
    assert!(queue.is_free());
}
