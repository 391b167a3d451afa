use super::*;

#[test]
fn each_task_runs_once_on_any_number_of_threads() {
    for threads in [0, 1, 2, 7, 100] {
        let mut made = vec![0; 50];
        let tasks: Vec<_> = made.iter_mut().enumerate().collect();
        share(threads, tasks, || 0, |_, (place, made)| *made += place + 1);
        assert_eq!(made, (1..=50).collect::<Vec<_>>(), "{threads} threads");
    }
}

#[test]
fn a_thread_keeps_its_state() {
    let mut seen = vec![0; 5];
    let tasks: Vec<_> = seen.iter_mut().collect();
    let run = |count: &mut usize, seen: &mut usize| {
        *count += 1;
        *seen = *count;
    };
    share(1, tasks, || 0, run);
    assert_eq!(seen, [1, 2, 3, 4, 5]);
}
