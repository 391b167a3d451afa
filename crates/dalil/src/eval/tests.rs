//! Labelled sets: what is accepted, what is refused, which pairs a limit keeps.

use std::io::Write as _;

use dalil_judge::model::FastModel;
use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{EvalSet, EvalSetFailure, PairLabel};
use crate::scratch::TestCorpusFolder;

const LEAVE: &str = r#"{"id":"1","premise":"Leave is 15 days.","claim":"Leave is 15 days.","label":"supported","more":1}"#;
const ARABIC: &str = r#"{"premise":"الإجازة 15 يوماً.","claim":"الإجازة 20 يوماً.","label":"contradicted","lang":"ar-en"}"#;

fn packed(text: &str) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap()
}

fn lines(count: usize) -> String {
    (0..count).map(|n| LEAVE.replace("is 15", &format!("is {n}")) + "\n").collect()
}

/// The name of a set, its language and its labels; or why there is none.
#[track_caller]
fn check(name: &str, bytes: &[u8], expected: &Expect) {
    let scratch = TestCorpusFolder::with(&format!("eval-{name}"), &[(name, bytes)]);
    let said = match EvalSet::open(&scratch.path(name)) {
        Ok(set) => {
            let labels: Vec<PairLabel> = set.pairs.iter().map(|pair| pair.label).collect();
            format!("{} arabic: {} {labels:?}", set.name, set.is_arabic)
        }
        Err(failure) => scratch.hidden(&failure.to_string()),
    };
    expected.assert_eq(&said);
}

#[test]
fn a_set_is_lines_of_json_plain_or_packed() {
    let text = format!("{LEAVE}\n\n{ARABIC}\n");
    check("tiny.jsonl", text.as_bytes(), &expect!["tiny arabic: true [Supported, Contradicted]"]);
    check(
        "tiny.dev.jsonl.gz",
        &packed(&text),
        &expect!["tiny arabic: true [Supported, Contradicted]"],
    );
    let two = [packed(LEAVE), packed(&format!("\n{LEAVE}"))].concat();
    check("members.jsonl.gz", &two, &expect!["members arabic: false [Supported, Supported]"]);
    let marked = format!("\u{feff}{LEAVE}\n");
    check("marked.jsonl", marked.as_bytes(), &expect!["marked arabic: false [Supported]"]);
}

#[test]
fn a_set_without_pairs_is_none() {
    check("empty.jsonl", b"", &expect!["expected labelled pairs, found none in `$/empty.jsonl`"]);
    check(
        "blank.jsonl",
        "\u{feff}\n \n".as_bytes(),
        &expect!["expected labelled pairs, found none in `$/blank.jsonl`"],
    );
}

#[test]
fn a_line_that_is_no_pair_is_named() {
    let second = |line: &str| format!("{LEAVE}\n{line}\n").into_bytes();
    check(
        "json.jsonl",
        &second("{"),
        &expect![[
            r#"expected `{"premise", "claim", "label"}` with a label of supported, contradicted, neutral or unsupported, found line 2 of `$/json.jsonl`: EOF while parsing an object at line 1 column 1"#
        ]],
    );
    check(
        "field.jsonl",
        &second(r#"{"premise":"a","claim":"b"}"#),
        &expect![[
            r#"expected `{"premise", "claim", "label"}` with a label of supported, contradicted, neutral or unsupported, found line 2 of `$/field.jsonl`: missing field `label` at line 1 column 27"#
        ]],
    );
    let other = r#"{"premise":"a","claim":"b","label":"entailed"}"#;
    check(
        "label.jsonl",
        &second(other),
        &expect![[
            r#"expected `{"premise", "claim", "label"}` with a label of supported, contradicted, neutral or unsupported, found line 2 of `$/label.jsonl`: the label `entailed`"#
        ]],
    );
    check(
        "bytes.jsonl",
        b"\xff\xfe",
        &expect![
            "expected a set of labelled pairs, found `$/bytes.jsonl`: stream did not contain valid UTF-8"
        ],
    );
    check(
        "cut.jsonl.gz",
        &packed(&lines(400))[..60],
        &expect![
            "expected a set of labelled pairs, found `$/cut.jsonl.gz`: incomplete deflate stream"
        ],
    );
    check(
        "plain.jsonl.gz",
        LEAVE.as_bytes(),
        &expect!["expected a set of labelled pairs, found `$/plain.jsonl.gz`: invalid gzip header"],
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let scratch = TestCorpusFolder::with("eval-none", &[]);
    let failure = EvalSet::open(&scratch.path("none.jsonl")).unwrap_err();
    assert!(matches!(&failure, EvalSetFailure::Read { .. }), "{failure:?}");
    expect!["expected a set of labelled pairs, found `$/none.jsonl`: No such file or directory (os error 2)"].assert_eq(&scratch.hidden(&failure.to_string()));
}

#[test]
fn a_limit_spreads_evenly_over_a_set() {
    let scratch = TestCorpusFolder::with("eval-limit", &[("set.jsonl", lines(10).as_bytes())]);
    let kept = |most: usize| {
        let mut set = EvalSet::open(&scratch.path("set.jsonl")).unwrap();
        set.limit(most);
        let kept = set.pairs.iter().map(|pair| pair.premise.as_bytes()[9]);
        String::from_utf8(kept.collect()).unwrap()
    };
    assert_eq!(kept(0), "");
    assert_eq!(kept(1), "9");
    assert_eq!(kept(2), "49");
    assert_eq!(kept(3), "369");
    assert_eq!(kept(7), "1245789");
    assert_eq!(kept(10), "0123456789");
    assert_eq!(kept(usize::MAX), "0123456789");
}

#[test]
fn pairs_are_judged_in_their_order_on_any_number_of_threads() {
    let text = format!("{}{ARABIC}\n", lines(3));
    let scratch = TestCorpusFolder::with("eval-judge", &[("set.jsonl", text.as_bytes())]);
    let set = EvalSet::open(&scratch.path("set.jsonl")).unwrap();
    let model = FastModel::shipped().unwrap();
    let alone = set.judge(&model, 1, &|| {}).unwrap();
    assert_eq!(alone, set.judge(&model, 3, &|| {}).unwrap());
    assert_eq!(alone, set.judge(&model, 0, &|| {}).unwrap());
    assert_eq!(alone.iter().map(|one| one.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let labels: Vec<PairLabel> = alone.iter().map(|one| one.label).collect();
    assert_eq!(
        labels,
        [PairLabel::Supported, PairLabel::Supported, PairLabel::Supported, PairLabel::Contradicted]
    );
}
