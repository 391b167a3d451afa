//! `dalil eval`: the figures of a small set, and inputs that are not a set.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::run::{dalil, dalil_in, folder, put};

const TINY: &str = "suite/eval/tiny.jsonl";

fn keys(value: &Value) -> String {
    value.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// How many words each line has; the figures themselves change with the model.
fn shape(table: &str) -> String {
    let lines = table.lines().map(|line| line.split_whitespace().count());
    lines.map(|cells| cells.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn figures_are_json_for_programs() {
    let output = dalil(&["eval", TINY, "--json", "--threads", "2"], b"");
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    let told = [&reply, &reply["sets"][0], &reply["means"][0]].map(keys).join("\n");
    expect![[r#"
        means model_sha256 peak_memory_bytes sets
        auc balanced_accuracy calibration_error contradiction_balanced_accuracy contradiction_f1 f1 is_arabic pairs pairs_per_second set
        auc balanced_accuracy f1 over pairs pooled_calibration_error sets"#]].assert_eq(&told);
    let set = &reply["sets"][0];
    assert_eq!((set["set"].as_str(), set["pairs"].as_u64()), (Some("tiny"), Some(12)));
    assert_eq!(set["is_arabic"], true);
    for figure in ["balanced_accuracy", "f1", "auc", "contradiction_f1"] {
        let value = set[figure].as_f64().unwrap();
        assert!((0.0..=100.0).contains(&value), "{figure} {value}");
    }
}

#[test]
fn figures_are_a_table_for_people() {
    let output = dalil(&["eval", TINY, TINY, "--limit", "4"], b"");
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert!(lines[0].starts_with("model sha256:"), "{}", output.stdout);
    expect![
        "set                       pairs bal.acc     F1    AUC   contra contraF1    ECE  pairs/s"
    ]
    .assert_eq(lines[1]);
    assert!(lines[2].starts_with("tiny ") && lines[3].starts_with("tiny "), "{}", output.stdout);
    assert!(lines[4].starts_with("mean, all (2) "), "{}", output.stdout);
    expect!["2 9 9 9 8 4"].assert_eq(&shape(&output.stdout));
}

#[test]
fn figures_do_not_depend_on_threads() {
    let figures = |threads: &str| {
        let output = dalil(&["eval", TINY, "--json", "--threads", threads], b"");
        let mut reply: Value = serde_json::from_str(&output.stdout).unwrap();
        let reply = reply.as_object_mut().unwrap();
        reply.remove("peak_memory_bytes");
        reply["sets"][0].as_object_mut().unwrap().remove("pairs_per_second");
        Value::Object(reply.clone())
    };
    assert_eq!(figures("1"), figures("8"));
}

#[test]
fn pairs_are_written_one_a_line() {
    let folder = folder("eval-pairs");
    let path = folder.join("pairs.jsonl");
    let output = dalil(&["eval", TINY, "--limit", "4", "--pairs", path.to_str().unwrap()], b"");
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    expect!["contradiction is_contradicted is_supported label line set support"]
        .assert_eq(&keys(&lines[0]));
    assert_eq!((lines[3]["set"].as_str(), lines[3]["line"].as_u64()), (Some("tiny"), Some(12)));
}

#[test]
fn what_is_no_set_is_named() {
    let folder = folder("eval");
    put(
        &folder.join("bad.jsonl"),
        b"{\"premise\":\"a\",\"claim\":\"b\",\"label\":\"neutral\"}\nno\n",
    );
    put(&folder.join("empty/readme.md"), b"no set");
    put(&folder.join("none.jsonl"), b"");
    let check = |path: &str, expected: &Expect| {
        let output = dalil_in(&folder, &[], &["eval", path], b"");
        assert_eq!((output.exit, output.stdout.as_str()), (2, ""), "{path}");
        expected.assert_eq(&output.stderr);
    };
    check(
        "missing.jsonl",
        &expect![[r#"
        error: expected a set of labelled pairs, found `missing.jsonl`: No such file or directory (os error 2)
        hint: a set is a file of JSON lines, plain or gzipped
    "#]],
    );
    check(
        "bad.jsonl",
        &expect![[r#"
        error: expected `{"premise", "claim", "label"}` with a label of supported, contradicted, neutral or unsupported, found line 2 of `bad.jsonl`: expected ident at line 1 column 2
        hint: a set is a file of JSON lines, plain or gzipped
    "#]],
    );
    check(
        "empty",
        &expect![[r#"
        error: expected sets of labelled pairs, found none under `empty`
        hint: a set is a file of JSON lines, plain or gzipped
    "#]],
    );
    check(
        "none.jsonl",
        &expect![[r#"
        error: expected labelled pairs, found none in `none.jsonl`
        hint: a set is a file of JSON lines, plain or gzipped
    "#]],
    );
    let output = dalil(&["eval", TINY, "--limit", "0"], b"");
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
    expect![[r#"
        error: invalid value '0' for '--limit <N>': number would be zero for non-zero type

        For more information, try '--help'.
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn a_figure_that_a_set_cannot_have_is_none() {
    let folder = folder("eval-none");
    let pair = r#"{"premise":"Leave is 15 days.","claim":"Leave is 15 days.","label":"supported"}"#;
    put(&folder.join("one.jsonl"), format!("\u{feff}{pair}\n").as_bytes());
    let output = dalil_in(&folder, &[], &["eval", "one.jsonl", "--json"], b"");
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    assert_eq!((&reply["sets"][0]["auc"], &reply["means"][0]["auc"]), (&Value::Null, &Value::Null));
    let table = dalil_in(&folder, &[], &["eval", "one.jsonl"], b"").stdout;
    let mean = table.lines().find(|line| line.starts_with("mean")).unwrap();
    assert_eq!(mean.split_whitespace().nth(6), Some("-"), "{table}");
}
