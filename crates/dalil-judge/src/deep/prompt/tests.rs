use super::*;
use crate::deep::gguf::GgufFile;
use crate::deep::tests::sample::SampleGguf;

fn pieces() -> PieceTable {
    let base = SampleGguf::new().bytes();
    let (bytes, merges) = PieceTable::gather(&GgufFile::parse(&base).unwrap()).unwrap();
    PieceTable::parse(&bytes, &merges, 1000).unwrap()
}

/// The text of a batch's tokens; those of the sample are bytes and a few words.
fn shown(tokens: &[u32]) -> String {
    let names = SampleGguf::new().tokens();
    let text: String = tokens.iter().map(|token| names[*token as usize].as_str()).collect();
    text.replace('Ġ', " ").replace('Ċ', "\n")
}

#[test]
fn the_prompt_is_the_one_that_training_saw() {
    let pieces = pieces();
    let claims = [
        DeepClaim { claim: "C one", context: None },
        DeepClaim { claim: "C two", context: Some("before") },
    ];
    let prompts =
        [DeepPrompt { passage: "title > head\ntext", passage_tokens: 99, claims: &claims }];
    let batches: Vec<_> = batches(&pieces, &prompts).collect();
    let [batch] = batches.as_slice() else { panic!("{} batches", batches.len()) };
    let texts: Vec<_> = batch
        .segments
        .iter()
        .map(|segment| (segment.asked, shown(&batch.tokens[segment.rows.clone()])))
        .collect();
    let question = "\nSupported, partly supported, contradicted or not mentioned? Answer:";
    let expected = [
        (None, "Document: title > head\ntext".to_owned()),
        (Some((0, 0)), format!("\n\nClaim: C one{question}")),
        (Some((0, 1)), format!("\n\nContext: before\n\nClaim: C two{question}")),
    ];
    assert_eq!(texts, expected);
    let passage = batch.segments[0].rows.clone();
    assert!(batch.segments[1..].iter().all(|segment| segment.before == passage));
}

#[test]
fn batches_are_bounded_and_ask_each_claim_once() {
    let pieces = pieces();
    let claims = [DeepClaim { claim: "a claim that is read and the rest", context: None }; 25];
    let passage = "x ".repeat(150);
    let prompt = |claims| DeepPrompt { passage: &passage, passage_tokens: 250, claims };
    let prompts =
        [prompt(&claims[..3]), prompt(&claims[..0]), prompt(&claims), prompt(&claims[..1])];
    let mut asked = Vec::new();
    for batch in batches(&pieces, &prompts) {
        assert!(batch.tokens.len() <= MAX_BATCH_TOKENS);
        let ends: Vec<_> = batch.segments.iter().map(|segment| segment.rows.end).collect();
        assert_eq!(ends.last(), Some(&batch.tokens.len()));
        asked.extend(batch.segments.iter().filter_map(|segment| segment.asked));
    }
    let expected: Vec<_> = [(0, 3), (2, 25), (3, 1)]
        .into_iter()
        .flat_map(|(prompt, claims)| (0..claims).map(move |claim| (prompt, claim)))
        .collect();
    assert_eq!(asked, expected);
}

#[test]
fn the_longest_prompt_has_positions() {
    let around = 8 + 10 + 10 + 70;
    assert!(MAX_PASSAGE_TOKENS + 2 * MAX_CLAIM_TOKENS + around <= MAX_POSITIONS);
}
