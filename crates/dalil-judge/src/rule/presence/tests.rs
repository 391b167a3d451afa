use super::*;

#[track_caller]
fn check(claim: &str, passage: &str, expected: bool) {
    assert_eq!(holds_figures(claim, passage), expected, "{claim} | {passage}");
}

#[test]
fn a_figure_that_no_line_holds_is_not_confirmed() {
    let benefits = "Benefits > 401(k)\nThe company matches up to 6% of your salary.";
    check("A match of up to 5% of your salary", benefits, false);
    check("A match of up to 6% of your salary", benefits, true);
    check("Laptops are replaced every four years.", "Mobile phones change after 2 years.", false);
    check("يستحق العامل 30 يوماً.", "مدة الإجازة واحد وعشرون يوماً.", false);
    check("يستحق العامل 21 يوماً.", "مدة الإجازة واحد وعشرون يوماً.", true);
}

#[test]
fn figures_are_found_in_words_other_units_and_scales() {
    check("Logs are kept for one year.", "Client logs | 12 months", true);
    check("Equity was $45.0 million.", "Shareholders' equity | 45,048", true);
    check("The notice is two weeks.", "with 14 days of notice", true);
    check("It covers 75% of the premium.", "three quarters (75%) of the premium", true);
    check("About 62% of revenue", "approximately 62.0% of revenue", true);
}

#[test]
fn a_figure_of_another_kind_is_another_figure() {
    let cover = "Up to 60% of salary, at most $12,000 a month, after 90 days of disability.";
    check("At most $12,000 a month after 60 days", cover, false);
    check("At most $12,000 a month after 90 days", cover, true);
    check("It pays 90% of the salary.", cover, false);
    check("The notice is 60 days.", "Notice period (days) | 60", true);
    check("The notice is 60 days.", "Employees: 60", true);
}

#[test]
fn a_claim_without_figures_is_held_by_everything() {
    check("The tenant repairs the roof.", "", true);
    check("It was signed on 3 May 2024.", "nothing", true);
    check("The second meeting was cancelled.", "nothing", true);
}

#[test]
fn a_figure_that_the_claim_rounds_is_the_one_of_the_passage() {
    let harbour = "Containers: 38,412.7";
    check("About 38,000 containers were moved.", harbour, true);
    check("About 40,000 containers were moved.", harbour, true);
    check("About 39,000 containers were moved.", harbour, false);
    check("About 38,500 containers were moved.", harbour, false);
    check("38,000 containers were moved.", harbour, false);
    check("About 0 containers were moved.", harbour, false);
    check("Nearly 1.5 million euros", "Income: 1,482,003", true);
    check("حوالي ٣٨٠٠٠ حاوية", harbour, true);
}

#[test]
fn figures_of_any_size_are_compared() {
    check("It stores 999999999999999999 TB.", "Kept at -40 °F and 12 °F.", false);
}

#[test]
fn a_figure_scales_only_as_its_kind_does() {
    check("The fee is $24.", "The fee is $2 a card.", false);
    check("The fee is $24.", "The fee is $1,440.", false);
    check("The fee is $24 thousand.", "Fees | 24", true);
    check("The notice is 14 days.", "The notice is 2 weeks.", true);
    check("The notice is 30,000 days.", "The notice is 30 days.", false);
    check("There are 120 berths.", "There are 10 berths.", false);
    check("The share is 0.5.", "The share is 50%.", true);
    check("The share is 5%.", "The share is 60%.", false);
    check("The share is 50%.", "The share is 0.05%.", false);
}

#[test]
fn arabic_figures_are_found_in_words_digits_and_brackets() {
    let held = [
        (
            "للموظف أربعة أيام عند وفاة قريب له",
            "و(أربعة) أيام في حالة وفاة أحد أقاربه خلال (ثمانية) أيام",
        ),
        ("إجازته في سنته الأولى ثمانية عشر يوماً", "١- ثمانية عشر يوما فى السنة الأولى ."),
        ("تصبح إجازته أربعة وعشرين يوماً", "٢- أربعة وعشرون يوما اعتبارا من السنة الثالثة ."),
        ("إجازة لا تقل عن ٢٦ يوماً", "إجازة لا تقل مدتها عن ستة وعشرين يوماً"),
        ("يضاف إليه ٤٠٪ من الأجر", "مضافاً إليه (40%) من أجره"),
        ("كل أربع سنوات على الأكثر", "كل أربع سنوات على الأكثر"),
    ];
    for (claim, passage) in held {
        assert!(holds_figures(claim, passage), "{claim} / {passage}");
    }
}

#[test]
fn a_line_with_another_figure_of_the_kind_is_told_apart() {
    #[track_caller]
    fn check(claim: &str, line: &str, expected: bool) {
        assert_eq!(states_other_figures(claim, line), expected, "{claim} | {line}");
    }
    let cover = "Up to 60% of salary, at most $12,000 a month, after 90 days of disability.";
    check("Laptops are replaced every four years.", "Mobile phones change after 2 years.", true);
    check("Laptops are replaced every four years.", "Laptops change after 4 years.", false);
    check("الحسم لا يتجاوز ٢٥٪ من الأجر", "بشرط ألا يزيد ما يحسم على 10% من أجره", true);
    check("الحسم لا يتجاوز ١٠٪ من الأجر", "بشرط ألا يزيد ما يحسم على 10% من أجره", false);
    // One figure of several is enough, as are other units, a bare number, and none at all.
    check("At most $12,000 a month after 60 days", cover, true);
    check("60% of salary after a while, and 75% later", cover, false);
    check("The notice is two weeks.", "with 14 days of notice", false);
    check("The notice is 60 days.", "Notice within 2 weeks | 60", false);
    check("The notice is 60 days.", "Notice is given in writing.", false);
    check("Notice is given in writing.", cover, false);
}
