use super::*;
use crate::deep::tests::sample::{ANSWERS, SampleAdapter, SampleGguf};

mod reference;
mod refusal;
pub(in crate::deep) mod sample;

/// The file that the sample base and its adapter become.
fn file() -> Vec<u8> {
    let base = SampleGguf::new().bytes();
    imported(&base, &SampleAdapter::of(&base))
}

fn imported(base: &[u8], adapter: &SampleAdapter) -> Vec<u8> {
    let adapter = DeepAdapter::parse(&adapter.bytes()).unwrap();
    let mut made = Vec::new();
    import(base, &adapter, &mut made, &|_, _| ()).unwrap();
    made
}

/// The sample model with a calibration of its own.
pub(crate) fn calibrated(calibration: &str) -> DeepModel {
    let base = SampleGguf::new().bytes();
    let adapter = SampleAdapter::of(&base).metadata("calibration", calibration);
    DeepModel::read(aligned(&imported(&base, &adapter))).unwrap()
}

fn aligned(bytes: &[u8]) -> AlignedBytes {
    let mut aligned = AlignedBytes::zeroed(bytes.len()).unwrap();
    aligned.as_mut_slice().copy_from_slice(bytes);
    aligned
}

fn model() -> DeepModel {
    DeepModel::read(aligned(&file())).unwrap()
}

fn claim(claim: &str) -> DeepClaim<'_> {
    DeepClaim { claim, context: None }
}

fn prompt<'t>(passage: &'t str, claims: &'t [DeepClaim<'t>]) -> DeepPrompt<'t> {
    DeepPrompt { passage, passage_tokens: 300, claims }
}

fn bits(scores: &[Vec<Vec<f32>>]) -> Vec<Vec<Vec<u32>>> {
    let claim = |logits: &Vec<f32>| logits.iter().map(|logit| logit.to_bits()).collect();
    scores.iter().map(|claims| claims.iter().map(claim).collect()).collect()
}

const PASSAGE: &str = "Lease > 4. Rent\nThe tenant pays the rent on the first day and the owner \
                       repairs the roof. يدفع المستأجر الإيجار في أول كل شهر.";
const OTHER: &str = "Handbook\nAnnual leave is 21 days.";

fn claims() -> [DeepClaim<'static>; 4] {
    [
        claim("The owner repairs the roof."),
        DeepClaim { claim: "It is due on the first day.", context: Some("About the rent:") },
        claim(""),
        claim("يصلح المالك السقف."),
    ]
}

#[test]
fn logits_do_not_depend_on_threads_or_vector_instructions() {
    let (model, claims) = (model(), claims());
    let prompts = [prompt(PASSAGE, &claims), prompt(OTHER, &claims[..1])];
    let expected = bits(&model.score_on(InstructionSet::PORTABLE, &prompts, 1, &|_| ()));
    assert_eq!(expected.iter().map(Vec::len).collect::<Vec<_>>(), [4, 1]);
    assert!(expected.iter().flatten().all(|logits| logits.len() == ANSWERS));
    for path in InstructionSet::all() {
        for threads in [0, 1, 4] {
            let made = bits(&model.score_on(path, &prompts, threads, &|_| ()));
            assert_eq!(made, expected, "{path:?}, {threads} threads");
        }
    }
}

#[test]
fn logits_do_not_depend_on_what_else_is_scored() {
    let (model, claims) = (model(), claims());
    let together = model.score(&[prompt(OTHER, &claims), prompt(PASSAGE, &claims)], 2, &|_| ());
    for (passage, together) in [OTHER, PASSAGE].into_iter().zip(&together) {
        for (claim, together) in claims.iter().zip(together) {
            let alone = model.score(&[prompt(passage, std::slice::from_ref(claim))], 1, &|_| ());
            assert_eq!(bits(&alone), bits(&[vec![together.clone()]]));
        }
    }
}

#[test]
fn many_claims_of_one_passage_go_through_several_batches() {
    let model = model();
    let texts: Vec<String> =
        (0..60).map(|n| format!("The tenant pays {n} and the owner.")).collect();
    let claims: Vec<_> = texts.iter().map(|text| claim(text)).collect();
    let prompts = [prompt(PASSAGE, &claims)];
    assert!(prompt::batches(&model.pieces, &prompts).count() > 1);
    let done = std::cell::RefCell::new(Vec::new());
    let made = model.score(&prompts, 2, &|count| done.borrow_mut().push(count));
    assert_eq!(done.borrow().last(), Some(&60));
    assert!(done.borrow().is_sorted());
    for place in [0, 31, 59] {
        let alone = model.score(&[prompt(PASSAGE, &claims[place..=place])], 1, &|_| ());
        assert_eq!(bits(&alone), bits(&[vec![made[0][place].clone()]]));
    }
}

#[test]
fn nothing_to_score_gives_nothing() {
    let model = model();
    assert_eq!(model.score(&[], 2, &|_| ()), Vec::<Vec<Vec<f32>>>::new());
    assert_eq!(model.score(&[prompt(PASSAGE, &[])], 2, &|_| ()), vec![Vec::<Vec<f32>>::new()]);
}

#[test]
fn a_long_passage_loses_its_end_and_context_counts() {
    let (model, claims) = (model(), claims());
    let long = format!("{PASSAGE} {}", "more and the more ".repeat(200));
    let score = |passage: &str, passage_tokens, claim: usize| {
        let claims = &claims[claim..=claim];
        bits(&model.score(&[DeepPrompt { passage, passage_tokens, claims }], 1, &|_| ()))
    };
    let tokens = model.pieces.tokens(PASSAGE).len();
    assert_eq!(score(&long, tokens, 0), score(PASSAGE, tokens, 0));
    assert_ne!(score(&long, tokens + 9, 0), score(PASSAGE, tokens, 0));
    assert_eq!(score(&long, usize::MAX, 0), score(&long, MAX_PASSAGE_TOKENS, 0));
    let bare = [DeepClaim { context: None, ..claims[1] }];
    assert_ne!(bits(&model.score(&[prompt(PASSAGE, &bare)], 1, &|_| ())), score(PASSAGE, 300, 1));
}

#[test]
fn the_file_says_what_it_was_made_of() {
    let (base, file) = (SampleGguf::new().bytes(), file());
    let model = DeepModel::read(aligned(&file)).unwrap();
    assert_eq!(model.metadata("base"), Some(Digest::of(&base).to_string().as_str()));
    let adapter = Digest::of(&SampleAdapter::of(&base).bytes()).to_string();
    assert_eq!(model.metadata("adapter"), Some(adapter.as_str()));
    assert_eq!(model.metadata("template"), Some("2"));
    assert_eq!(model.metadata("labels"), Some("yes,partly,no,unknown"));
    assert_eq!(model.metadata("calibration"), Some(r#"{"bias":[0,"é"]}"#));
    assert_eq!(model.metadata("nothing"), None);
    assert_eq!(model.answers(), ANSWERS);
    assert_eq!(model.digest(), Digest::of(&file[..file.len() - 32]));
}

/// Pinned: if a byte moves, files that people have are refused or mean something else.
#[test]
fn the_file_and_its_logits_are_stable_across_releases() {
    let (model, claims) = (model(), claims());
    expect_test::expect!["sha256:4ed6aaec316ad8a441cb65b0ffbd0b658a3af8d45197c2924dd030abcf62a37d"]
        .assert_eq(&model.digest().to_string());
    let made = model.score(&[prompt(PASSAGE, &claims)], 1, &|_| ());
    let lines: Vec<_> = bits(&made)[0].iter().map(|logits| format!("{logits:08x?}")).collect();
    expect_test::expect![[r#"
        [3efc6474, bcd557f8, bf099c50, 3f1c6c83]
        [3f2c2b51, 3f455723, be99f2ce, 3ea4152b]
        [3f3dc7ce, 3ebf472c, be529689, 3e35597e]
        [3f41a466, be75665f, bd854af6, 3f76ff92]"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn the_adapter_in_the_program_is_sound() {
    assert_eq!(DeepAdapter::shipped().unwrap().answers, 4);
}
