use dalil_judge::deep::{DeepAdapter, import};

use self::sample::{SampleAdapter, SampleGguf};
use super::*;
use crate::scratch::TestCorpusFolder;

#[path = "../../../dalil-judge/src/deep/tests/sample.rs"]
#[expect(dead_code, reason = "the engine's tests use all of it")]
mod sample;

/// A deep model with random weights, in a folder.
pub(crate) fn deep_file(scratch: &TestCorpusFolder) -> PathBuf {
    let base = SampleGguf::new().bytes();
    let calibration = r#"{"temperature":1,"bias":[0,0,0,0]}"#;
    let adapter = SampleAdapter::of(&base).metadata("calibration", calibration);
    let adapter = DeepAdapter::parse(&adapter.bytes()).unwrap();
    let mut made = Vec::new();
    import(&base, &adapter, &mut made, &|_, _| ()).unwrap();
    scratch.put("judge-deep.model", &made);
    scratch.path("judge-deep.model")
}

fn name(panel: &JudgeBackend<'_>) -> &'static str {
    match panel {
        JudgeBackend::Fast(..) => "fast",
        JudgeBackend::Deep(..) => "deep",
        JudgeBackend::Auto { .. } => "auto",
        JudgeBackend::External(_) => "external",
    }
}

#[test]
fn a_mode_asks_for_its_models() {
    let scratch = TestCorpusFolder::with("judges-mode", &[]);
    let file = deep_file(&scratch);
    let external = || ExternalJudge::new("http://127.0.0.1:1", "m", None, PathBuf::from("replies"));
    let named = |mode, file: Option<&Path>| {
        let judges = Judges { models: JudgeModels::open(file).unwrap(), mode };
        judges.panel(1).map(|panel| name(&panel)).map_err(|error| error.to_string())
    };
    assert_eq!(named(JudgeMode::Auto, Some(&file)), Ok("auto"));
    assert_eq!(named(JudgeMode::Auto, None), Ok("fast"));
    assert_eq!(named(JudgeMode::Fast, Some(&file)), Ok("fast"));
    assert_eq!(named(JudgeMode::Deep, Some(&file)), Ok("deep"));
    assert_eq!(named(JudgeMode::Deep, None), Err("deep: expected a model, found none".to_owned()));
    assert_eq!(named(JudgeMode::External(Box::new(external())), Some(&file)), Ok("external"));
}

#[test]
fn a_digest_names_one_model_or_both() {
    let scratch = TestCorpusFolder::with("judges-digest", &[]);
    let models = JudgeModels::when_needed(Some(deep_file(&scratch)));
    let (fast, deep) = (models.fast().unwrap(), models.deep().unwrap());
    let named = |models: &JudgeModels, digest| models.named(digest, 1).map(|panel| name(&panel));
    assert_eq!(named(&models, fast.digest()), Some("fast"));
    assert_eq!(named(&models, deep.digest()), Some("deep"));
    assert_eq!(named(&models, both(fast, deep)), Some("auto"));
    assert_eq!(named(&models, Digest::of(b"another")), None);
    let alone = JudgeModels::when_needed(None);
    assert_eq!(named(&alone, fast.digest()), Some("fast"));
    assert_eq!(named(&alone, both(fast, deep)), None);
}

#[test]
fn a_file_that_is_no_model_is_not_there_for_a_verifier_and_an_error_for_a_judge() {
    let scratch = TestCorpusFolder::with("judges-bad", &[("bad.model", b"no model")]);
    let bad = scratch.path("bad.model");
    assert!(JudgeModels::open(Some(&bad)).unwrap_err().to_string().contains("bad.model"));
    assert!(JudgeModels::when_needed(Some(bad)).deep().is_none());
}
