use std::fmt::Write as _;
use std::path::Path;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{RuleEffect, compare, effect, verdict};

/// One case of the suite.
struct Case {
    name: String,
    evidence: String,
    claim: String,
    verdict: String,
    lang: String,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/rules");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().flat_map(|file| read(&std::fs::read_to_string(file).unwrap())).collect()
}

fn read(lines: &str) -> Vec<Case> {
    let case = |line: &str| {
        let fields: serde_json::Value = serde_json::from_str(line).expect(line);
        let field = |name: &str| fields[name].as_str().expect(name).to_owned();
        Case {
            name: field("name"),
            evidence: field("evidence"),
            claim: field("claim"),
            verdict: field("verdict"),
            lang: field("lang"),
        }
    };
    lines.lines().filter(|line| !line.trim().is_empty()).map(case).collect()
}

/// Whether an effect leaves room for a verdict: rules alone do not support, but they can forbid.
fn fits(effect: RuleEffect<'_>, verdict: &str) -> bool {
    match verdict {
        "contradicted" => matches!(effect, RuleEffect::Contradicts(_)),
        "supported" => matches!(effect, RuleEffect::Confirms(_) | RuleEffect::Silent),
        "weak" => matches!(effect, RuleEffect::Weakens(_)),
        "not_found" => !matches!(effect, RuleEffect::Contradicts(_)),
        other => panic!("an unknown verdict: {other}"),
    }
}

#[test]
fn the_suite_is_large_bilingual_and_its_names_are_unique() {
    let cases = cases();
    let mut names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    let doubles: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert_eq!(doubles, Vec::<&[&str]>::new());
    let arabic = cases.iter().filter(|case| case.lang == "ar").count();
    assert!(cases.len() >= 320, "{} cases", cases.len());
    assert!(arabic * 10 >= cases.len() * 4, "{arabic} Arabic of {}", cases.len());
}

#[test]
fn the_rules_have_the_effect_that_each_case_of_the_suite_expects() {
    let mut wrong = String::new();
    for case in cases() {
        let findings = compare(&case.claim, &case.evidence);
        let found = effect(&findings);
        if !fits(found, &case.verdict) {
            writeln!(wrong, "{}: {}, {}", case.name, case.verdict, shown(found)).unwrap();
        }
    }
    expect![[r#"
        three-is-outside-five-to-ten: contradicted, doubts: The claim says 3 days, the evidence 5 and 10 days.
        within-five-is-not-in-three: contradicted, doubts: The claim says 3 working days, the evidence within five working days.
        cap-of-mentees: contradicted, silent
        سقف-عدد-الضيوف: contradicted, silent
        even-with-consent: contradicted, doubts: The claim says “with the consent” where the evidence says “consent”: one denies what the other affirms.
        provided-is-no-condition: weak, silent
        ولو-بموافقة: contradicted, doubts: The claim is said to hold whatever the evidence makes a condition: “إلا بموافقة المدير”.
        signed-and-expires-are-not-swapped: contradicted, confirms: The claim says 3 February 2023, and so does the evidence: 3 February 2023.
        إجازة-الحج-أربعة-عشر-يوما: contradicted, doubts: The claim says ٢١ يوماً, the evidence ١٤ يوماً.
        وكل-سنتين: supported, weakens: The claim leaves out a condition of the evidence: “عند التركيب وكل سنتين”.
        الطرف-الثاني-لا-الأول: contradicted, doubts: The claim says الأول, the evidence الثاني.
        may-carry-over-is-not-must: contradicted, doubts: The claim says “must”, the evidence “may”.
        ترحيل-جوازي-لا-وجوبي: contradicted, doubts: The claim says “ويجب”, the evidence “يجوز”.
        يحظر-ليس-يسمح: contradicted, doubts: The claim says “يُسمح”, the evidence “يُحظر”.
        بدل-السكن-شهري: contradicted, doubts: The claim says ٣٬٠٠٠ ريال, the evidence ٣٬٠٠٠ ريال.
        غرامة-التأخير-ليست-التأمين: contradicted, doubts: The claim says ١٬٠٠٠ دينار, the evidence ٢٥٠ ديناراً كويتياً.
        وقع-العقد-السيد-خالد: contradicted, doubts: The claim says عمر, the evidence خالد.
        denial-of-the-clause-itself: contradicted, doubts: The claim says “water” where the evidence says “pay for water”: one denies what the other affirms.
        accidental-damage-is-not-covered: contradicted, doubts: The claim says “covers” where the evidence says “does not cover”: one denies what the other affirms.
        الأضرار-العرضية-غير-مشمولة: contradicted, doubts: The claim says “يشمل” where the evidence says “ولا يشمل”: one denies what the other affirms.
        third-instalment: contradicted, doubts: The claim says second, the evidence third.
        the-second-day-of-absence: contradicted, doubts: The claim says second, the evidence first.
        اليوم-الثاني-من-الغياب: contradicted, doubts: The claim says الثالث, the evidence الأول.
    "#]].assert_eq(&wrong);
}

fn shown(effect: RuleEffect<'_>) -> String {
    match effect {
        RuleEffect::Contradicts(finding) => {
            format!("contradicts: {}", finding.note().english())
        }
        RuleEffect::Doubts(finding) => format!("doubts: {}", finding.note().english()),
        RuleEffect::Withholds(finding) => format!("withholds: {}", finding.note().english()),
        RuleEffect::Weakens(finding) => format!("weakens: {}", finding.note().english()),
        RuleEffect::Confirms(finding) => format!("confirms: {}", finding.note().english()),
        RuleEffect::Silent => "silent".to_owned(),
    }
}

#[test]
fn most_verdicts_of_the_suite_follow_from_rules_alone() {
    let cases = cases();
    let name = |case: &Case| format!("{:?}", verdict(&case.claim, &case.evidence));
    let wrong: Vec<String> = cases
        .iter()
        .filter(|case| name(case).to_lowercase() != case.verdict.replace('_', ""))
        .map(|case| format!("{}: {}, found {}\n", case.name, case.verdict, name(case)))
        .collect();
    expect![[r#"
        three-is-outside-five-to-ten: contradicted, found Weak
        within-five-is-not-in-three: contradicted, found Weak
        لا-يقل-عن-ثلاثة: supported, found Weak
        cap-of-mentees: contradicted, found Weak
        سقف-عدد-الضيوف: contradicted, found Weak
        المدة-القصوى: supported, found Weak
        deadline-is-a-day: supported, found Weak
        even-with-consent: contradicted, found Weak
        ولو-بموافقة: contradicted, found Weak
        signed-and-expires-are-not-swapped: contradicted, found Supported
        إجازة-الحج-أربعة-عشر-يوما: contradicted, found Weak
        number-of-hours-is: supported, found Weak
        وكل-سنتين: supported, found Weak
        the-age-of: supported, found Weak
        الطرف-الثاني-لا-الأول: contradicted, found Weak
        may-carry-over-is-not-must: contradicted, found Weak
        ترحيل-جوازي-لا-وجوبي: contradicted, found Weak
        يحظر-ليس-يسمح: contradicted, found Weak
        who-must-tell-whom: not_found, found Supported
        بدل-السكن-شهري: contradicted, found Weak
        غرامة-التأخير-ليست-التأمين: contradicted, found Weak
        وقع-العقد-السيد-خالد: contradicted, found Weak
        denial-of-the-clause-itself: contradicted, found Weak
        accidental-damage-is-not-covered: contradicted, found Weak
        الأضرار-العرضية-غير-مشمولة: contradicted, found Weak
        third-instalment: contradicted, found Weak
        the-second-day-of-absence: contradicted, found Weak
        اليوم-الثاني-من-الغياب: contradicted, found Weak
    "#]]
    .assert_eq(&wrong.concat());
}

/// All findings of the rules, with their places.
fn check(claim: &str, evidence: &str, expected: &Expect) {
    let mut found = String::new();
    for finding in compare(claim, evidence) {
        let place = finding.evidence.clone().and_then(|range| evidence.get(range));
        let said = claim.get(finding.claim.clone());
        writeln!(found, "{:?} {:?} {said:?} {place:?}", finding.kind, finding.outcome).unwrap();
    }
    expected.assert_eq(&found);
}

#[test]
fn findings_say_where_they_are() {
    check(
        "Leave requests may be submitted 3 days before the intended start date",
        "Leave applications must be submitted at least 14 calendar days before the intended start date.",
        &expect![[r#"
            Duration Conflicts Some("3 days") Some("at least 14 calendar days")
            Modality Narrower Some("may") Some("must")
        "#]],
    );
    check(
        "يستحق الموظفون ٢٠ يوماً من الإجازة السنوية",
        "يستحق جميع الموظفين الدائمين إجازة سنوية مدفوعة الأجر مدتها ١٥ يوماً عن كل سنة ميلادية.",
        &expect![[r#"
            Duration Conflicts Some("٢٠ يوما\u{64b}") Some("١٥ يوما\u{64b}")
            Modality Agrees Some("يستحق") Some("يستحق")
        "#]],
    );
    check("", "", &expect![[""]]);
}

proptest! {
    #[test]
    fn any_two_texts_can_be_compared(claim in ".{0,200}", evidence in ".{0,400}") {
        for finding in compare(&claim, &evidence) {
            prop_assert!(claim.get(finding.claim.clone()).is_some());
            if let Some(range) = finding.evidence {
                prop_assert!(evidence.get(range).is_some());
            }
        }
    }

    #[test]
    fn words_of_the_tables_in_any_order_can_be_compared(
        claim in "(not |no |15 |days |at least |١٤ |يوما |لا |إلا |1/2/2026 |% |SAR |may |of |half |\\. |،|، |هـ |- |\\(|\\)|ألف |و|million |: |between |and ){0,30}",
        evidence in "(not |no |15 |days |at least |١٤ |يوما |لا |إلا |1/2/2026 |% |SAR |may |of |half |\\. |،|، |هـ |- |\\(|\\)|ألف |و|million |: |between |and ){0,30}",
    ) {
        prop_assert_eq!(compare(&claim, &evidence), compare(&claim, &evidence));
    }
}

#[test]
fn time_grows_with_the_text_and_not_faster() {
    let claim = "Employees receive 15 days of leave and may not take 5 more. ".repeat(200);
    let evidence =
        "يستحق الموظف ١٥ يوماً، No employee may take 5 days unless 3% agree. ".repeat(2_000);
    assert!(!compare(&claim, &evidence).is_empty());
    let words: String = (0..2_000).map(|n| format!("may not w{} ", n % 700)).collect();
    assert!(!compare(&words, &words).is_empty());
    let number = "one hundred five ".repeat(1_000);
    assert_eq!(compare(&number, &number), Vec::new());
}
