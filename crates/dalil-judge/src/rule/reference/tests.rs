use crate::rule::text::AnalyzedText;

/// The values of a text, as they are written.
fn check(text: &str, expected: &[&str]) {
    let read = AnalyzedText::of(text);
    let values: Vec<&str> =
        read.quantities.iter().map(|one| text.get(read.span(one.words.clone())).unwrap()).collect();
    assert_eq!(values, expected, "{text}");
}

#[test]
fn numbers_that_name_something_are_no_values() {
    check("Under section 7 and clause 3.2 the fee is 40 riyals.", &["40 riyals"]);
    check("Decree-Law No. 33 of 2021 grants 30 days.", &["30 days"]);
    check("The Harbours Act 1964 allows 12 berths.", &["12"]);
    check("(3) The Lessee pays 40 riyals.", &["40 riyals"]);
    check("2. The Lessee pays 40 riyals.", &["40 riyals"]);
    check("9.1 The Lessee pays 40 riyals.", &["40 riyals"]);
    check("The fee is due.3 The Lessee pays 40 riyals.", &["40 riyals"]);
    check("The fee[12] is 40 riyals.", &["40 riyals"]);
    check("المادة الخامسة: الرسم ٤٠ ريالاً.", &["٤٠ ريالاً"]);
    check("القرار رقم (١٤) لسنة ٢٠٢٥ يحدد ٣٠ يوماً.", &["٣٠ يوماً"]);
    check(".١ يستحق العامل ٣٠ يوماً.", &["٣٠ يوماً"]);
}

#[test]
fn numbers_that_count_stay_values() {
    check("12 berths are free.", &["12"]);
    check("The fee may be [three] times the rent.", &["[three]"]);
    check("The part of 40 riyals is paid.", &["40 riyals"]);
}
