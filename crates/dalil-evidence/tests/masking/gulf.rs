//! How much of `suite/masking/gulf.jsonl` is found, and which of its decoys.
//!
//! Each line has a text and the spans in it that must be masked, in bytes; a line
//! without spans is a decoy. A span counts as found when one mask of its type
//! covers it, and a mask as right when it touches a span of its type.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dalil_evidence::mask;
use expect_test::expect;
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    text: String,
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    r#type: String,
    start: usize,
    end: usize,
}

#[derive(Default)]
struct DetectionScore {
    spans: usize,
    found: usize,
    masks: usize,
    right: usize,
}

#[test]
fn the_gulf_set_is_masked_but_for_what_is_listed() {
    let lines = lines();
    let mut scores: BTreeMap<&str, DetectionScore> = BTreeMap::new();
    let mut problems = Vec::new();
    for line in &lines {
        let masks = mask::find(&line.text, &[]);
        let touches = |span: &Span, mask: &mask::SensitiveSpan<'_>| {
            span.r#type == kind(mask.rule) && mask.start < span.end && span.start < mask.end
        };
        for span in &line.spans {
            let covers =
                |mask: &mask::SensitiveSpan<'_>| mask.start <= span.start && span.end <= mask.end;
            let found = masks.iter().any(|mask| touches(span, mask) && covers(mask));
            let score = scores.entry(&span.r#type).or_default();
            score.spans += 1;
            score.found += usize::from(found);
            if !found {
                problems.push(format!("missed {} in: {}", span.r#type, line.text));
            }
        }
        for mask in &masks {
            let right = line.spans.iter().any(|span| touches(span, mask));
            let score = scores.entry(kind(mask.rule)).or_default();
            score.masks += 1;
            score.right += usize::from(right);
            if !right {
                problems.push(format!("wrong {} in: {}", mask.rule, line.text));
            }
        }
    }
    let decoys = lines.iter().filter(|line| line.spans.is_empty()).count();
    let mut said = format!("{} sentences, {decoys} decoys\n", lines.len() - decoys);
    for (kind, score) in &scores {
        let DetectionScore { spans, found, masks, right } = score;
        writeln!(said, "{kind}: found {found} of {spans}, right {right} of {masks}").unwrap();
    }
    said.push_str(&problems.join("\n"));
    expect![[r#"
        314 sentences, 160 decoys
        bahrain_id: found 4 of 4, right 4 of 4
        credit_card: found 14 of 14, right 14 of 14
        email: found 32 of 32, right 32 of 32
        emirates_id: found 9 of 9, right 9 of 9
        iban: found 37 of 37, right 37 of 37
        ip: found 19 of 19, right 19 of 19
        kuwait_id: found 6 of 6, right 6 of 6
        oman_id: found 5 of 5, right 5 of 5
        passport: found 11 of 12, right 11 of 11
        phone: found 124 of 125, right 124 of 124
        qatar_id: found 4 of 4, right 4 of 4
        saudi_cr: found 11 of 11, right 11 of 11
        saudi_id: found 30 of 30, right 30 of 30
        saudi_vat: found 9 of 9, right 9 of 9
        secret: found 43 of 43, right 43 of 43
        ssn: found 2 of 2, right 2 of 2
        uae_trn: found 3 of 3, right 3 of 3
        missed passport in: Crew list: passport no C01X00T47, seaman book 112233.
        missed phone in: للإبلاغ عن المخالفات: whistle@example.com.sa أو 920033344."#]]
    .assert_eq(&said);
}

#[test]
fn no_decoy_is_masked() {
    let decoys: Vec<Line> = lines().into_iter().filter(|line| line.spans.is_empty()).collect();
    assert!(decoys.len() >= 150);
    for decoy in decoys {
        assert_eq!(mask::apply(&decoy.text, &[], None).text, decoy.text);
    }
}

fn lines() -> Vec<Line> {
    let text = include_str!("../../../../suite/masking/gulf.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The set has one type for all secrets.
fn kind(rule: &str) -> &str {
    match rule {
        "private_key" | "jwt" | "api_key" | "secret_marker" => "secret",
        rule => rule,
    }
}
