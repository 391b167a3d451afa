use super::*;

fn mixed(tokens: usize, heads: usize) -> Vec<f32> {
    (0..tokens * heads * HEAD_WIDTH * 3).map(|n| (n as f32 * 0.613).sin() * 2.0).collect()
}

fn attended(path: InstructionSet, tokens: usize, heads: usize) -> Vec<f32> {
    let mut made = vec![0.0; tokens * heads * HEAD_WIDTH];
    attend(path, &mixed(tokens, heads), heads, &mut AttentionScratch::default(), &mut made);
    made
}

#[test]
fn every_path_gives_the_same_bits_for_any_number_of_tokens() {
    for tokens in [0, 1, 7, 8, 9, 15, 16, 17, 33, 160] {
        let bits =
            |path| attended(path, tokens, 2).into_iter().map(f32::to_bits).collect::<Vec<_>>();
        for path in InstructionSet::all() {
            assert_eq!(bits(path), bits(InstructionSet::PORTABLE), "{path:?}, {tokens} tokens");
        }
    }
}

#[test]
fn values_are_mixed_by_the_likeness_of_queries_and_keys() {
    let (tokens, heads, width) = (37, 3, 3 * HEAD_WIDTH);
    let mixed = mixed(tokens, heads);
    let made = attended(InstructionSet::best(), tokens, heads);
    let number = |token: usize, part: usize, place: usize| {
        f64::from(mixed[token * width * 3 + part * width + place])
    };
    for token in 0..tokens {
        for head in 0..heads {
            let places = head * HEAD_WIDTH..(head + 1) * HEAD_WIDTH;
            let like = |other| {
                let products = places.clone().map(|at| number(token, 0, at) * number(other, 1, at));
                (products.sum::<f64>() / (HEAD_WIDTH as f64).sqrt()).exp()
            };
            let total: f64 = (0..tokens).map(like).sum();
            for place in places.clone() {
                let expected: f64 =
                    (0..tokens).map(|other| like(other) / total * number(other, 2, place)).sum();
                let difference = f64::from(made[token * width + place]) - expected;
                assert!(difference.abs() < 1e-5, "token {token}, place {place}: {difference}");
            }
        }
    }
}

#[test]
fn a_used_room_makes_no_difference() {
    let mut room = AttentionScratch::default();
    let mut long = vec![0.0; 100 * HEAD_WIDTH];
    attend(InstructionSet::best(), &mixed(100, 1), 1, &mut room, &mut long);
    let mut made = vec![0.0; 9 * HEAD_WIDTH];
    attend(InstructionSet::best(), &mixed(9, 1), 1, &mut room, &mut made);
    assert_eq!(made, attended(InstructionSet::best(), 9, 1));
}

#[test]
fn lengths_that_do_not_fit_change_nothing() {
    for (mixed, heads, made) in [(96, 0, 32), (95, 1, 32), (96, 1, 31), (96, 2, 32)] {
        let mut made = vec![7.0; made];
        attend(
            InstructionSet::best(),
            &vec![1.0; mixed],
            heads,
            &mut AttentionScratch::default(),
            &mut made,
        );
        assert!(made.iter().all(|value| value.to_bits() == 7.0_f32.to_bits()));
    }
}
