use dalil_phrasebook::Language;
use expect_test::{Expect, expect};

use super::*;

fn texts(language: Language) -> &'static ViewerTexts {
    ViewerTexts::in_language(language)
}

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

/// The dots of a chart, and its text.
fn confidences(language: Language) -> String {
    let of = |name: &str, units: u16| {
        let score = Score::from_units(units).unwrap();
        (name.to_owned(), format!("/obligations/{name}"), score)
    };
    let things = [of("a", 9_200), of("b", 9_200), of("c", 6_900), of("d", 7_000), of("e", 0)];
    let chart = ConfidenceChart::of(things, texts(language)).unwrap();
    let dot = |dot: &ConfidenceDot| {
        let side = if dot.is_below { "below" } else { "reached" };
        format!("{} {} {} {} {side}", dot.label, dot.mark.x(), dot.y, dot.mark.value)
    };
    let mut lines: Vec<String> = chart.dots.iter().map(dot).collect();
    lines.push(format!("gate {} {}", chart.gate.x(), chart.gate.value));
    lines.push(format!("{}: {}", chart.said.text(language), chart.below.join("; ")));
    lines.push(format!("line {} of {}", chart.line(), chart.whole()));
    lines.join("\n")
}

#[test]
fn confidences_are_dots_that_stand_above_each_other_beside_the_gate() {
    check(
        &confidences(Language::English),
        &expect![[r#"
            a 86.96% 36 92% reached
            b 86.96% 22 92% reached
            c 66.72% 36 69% below
            d 67.60% 36 70% reached
            e 6.00% 36 0% below
            gate 67.60% 70%
            3 of 5 reach 70%, which a decision with high stakes must have: c 69%; e 0%
            line 43 of 65
        "#]],
    );
    let arabic = confidences(Language::Arabic);
    assert!(arabic.starts_with("a 13.04% 36 92% reached\n"), "from right to left: {arabic}");
    assert!(ConfidenceChart::of([], texts(Language::English)).is_none());
}

/// The points of a chart, and its text.
fn coverages(language: Language, shares: &[Option<f64>]) -> Option<String> {
    let checks = shares
        .iter()
        .zip(1..)
        .map(|(share, day)| (format!("2026-03-{day:02}T09:30:00.000Z"), *share, day));
    let chart = CoverageChart::of(checks, texts(language))?;
    let point = |one: &CoveragePoint| {
        let label = if one.has_label { one.mark.value.as_str() } else { "–" };
        format!("{} {} {} {label} {}", one.day(), one.mark.x(), one.y, one.is_below)
    };
    let mut lines: Vec<String> = chart.points.iter().map(point).collect();
    let sides: Vec<&str> = chart.ends().iter().map(|one| one.mark.side()).collect();
    lines.push(sides.join(" to "));
    lines.push(format!("gate {} {}", chart.gate_y, chart.gate));
    lines.push(chart.said.text(language).to_owned());
    Some(lines.join("\n"))
}

#[test]
fn the_coverage_of_a_question_is_a_line_over_its_checks() {
    check(
        &coverages(Language::English, &[Some(0.5), None, Some(0.9), Some(1.0)]).unwrap(),
        &expect![[r#"
            2026-03-01 6.00% 72 50% true
            2026-03-03 50.00% 32 90% false
            2026-03-04 94.00% 22 100% false
            left to right
            gate 37 85%
            3 checks: 50% at first, 100% now; the gate asks for 85%
        "#]],
    );
    let arabic = coverages(Language::Arabic, &[Some(0.5), Some(0.9)]).unwrap();
    assert!(arabic.starts_with("2026-03-01 94.00% 72 50% true\n"), "from right to left: {arabic}");
    for nothing in [&[][..], &[Some(0.5)], &[Some(0.5), None]] {
        assert_eq!(coverages(Language::English, nothing), None);
    }
    // Where there is no room for all values, the first and the last are shown.
    let many = coverages(Language::English, &[Some(0.5); 7]).unwrap();
    assert_eq!(many.matches("50% true").count(), 2, "{many}");
}
