use super::*;

const SHAPE: CausalShape = CausalShape { queries: 6, keys: 2, head: 32 };
const MADE: usize = 6 * 32;

fn rows(tokens: usize) -> Vec<f32> {
    (0..tokens * SHAPE.width()).map(|n| (n as f32 * 0.613).sin() * 2.0).collect()
}

/// The last tokens of a text, attending to all of it.
fn attended(path: InstructionSet, tokens: usize, before: usize, threads: usize) -> Vec<f32> {
    let rows = rows(tokens);
    let (before, rows) = rows.split_at(before * SHAPE.width());
    let mut made = vec![0.0; rows.len() / SHAPE.width() * MADE];
    let texts = vec![CausalText { before, rows, made: &mut made }];
    attend_causally(path, SHAPE, texts, threads);
    made
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn every_path_and_number_of_threads_gives_the_same_bits() {
    for tokens in [0, 1, 7, 8, 9, 16, 17, 63, 65, 130] {
        let expected = bits(&attended(InstructionSet::PORTABLE, tokens, 0, 1));
        for path in InstructionSet::all() {
            for threads in [1, 3] {
                let made = bits(&attended(path, tokens, 0, threads));
                assert_eq!(made, expected, "{path:?}, {tokens} tokens, {threads} threads");
            }
        }
    }
}

#[test]
fn a_token_sees_itself_and_those_before() {
    let tokens = 37;
    let (rows, made) = (rows(tokens), attended(InstructionSet::best(), tokens, 0, 2));
    let head = |token: usize, head: usize| {
        rows[token * SHAPE.width() + head * 32..][..32].iter().map(|number| f64::from(*number))
    };
    for token in 0..tokens {
        for query in 0..6 {
            let like = |other| {
                let pairs = head(token, query).zip(head(other, 6 + query / 3));
                (pairs.map(|(one, other)| one * other).sum::<f64>() / 32_f64.sqrt()).exp()
            };
            let total: f64 = (0..=token).map(like).sum();
            for place in 0..32 {
                let value = |other| head(other, 8 + query / 3).nth(place).unwrap();
                let expected: f64 =
                    (0..=token).map(|other| like(other) / total * value(other)).sum();
                let difference = f64::from(made[token * MADE + query * 32 + place]) - expected;
                assert!(difference.abs() < 1e-5, "token {token}, query {query}: {difference}");
            }
        }
    }
}

#[test]
fn what_was_read_before_can_be_shared() {
    let whole = attended(InstructionSet::best(), 100, 0, 1);
    for before in [1, 15, 16, 50, 64, 99] {
        assert_eq!(
            bits(&attended(InstructionSet::best(), 100, before, 2)),
            bits(&whole[before * MADE..])
        );
    }
}

#[test]
fn later_tokens_change_nothing() {
    let whole = attended(InstructionSet::best(), 90, 0, 1);
    for tokens in [1, 8, 12, 70] {
        assert_eq!(
            bits(&attended(InstructionSet::best(), tokens, 0, 1)),
            bits(&whole[..tokens * MADE])
        );
    }
}

#[test]
fn what_does_not_fit_is_left() {
    for (shape, made) in [
        (CausalShape { head: 20, ..SHAPE }, MADE),
        (CausalShape { keys: 0, ..SHAPE }, MADE),
        (CausalShape { keys: 4, ..SHAPE }, MADE),
        (SHAPE, MADE * 2),
        (SHAPE, 7),
    ] {
        let (rows, mut made) = (rows(1), vec![5.0; made]);
        let texts = vec![CausalText { before: &[], rows: &rows, made: &mut made }];
        attend_causally(InstructionSet::best(), shape, texts, 1);
        assert!(made.iter().all(|value| value.to_bits() == 5.0_f32.to_bits()), "{shape:?}");
    }
}
