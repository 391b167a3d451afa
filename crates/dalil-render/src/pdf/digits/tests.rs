use super::DigitStyle;

#[test]
fn a_document_has_the_digits_of_its_texts() {
    for (texts, style) in [
        (["الخصم 24,000 دولار", "خلال 30 يوماً"], DigitStyle::Latin),
        (["الخصم ٢٤٬٠٠٠ دولار", "المادة 4"], DigitStyle::ArabicIndic),
        (["بلا أرقام", ""], DigitStyle::ArabicIndic),
    ] {
        assert_eq!(DigitStyle::of(texts), style, "{texts:?}");
    }
    let words = || "صفحة ١ من ١٢، ٩٣٪".to_owned();
    assert_eq!(DigitStyle::Latin.apply(words()), "صفحة 1 من 12، 93%");
    assert_eq!(DigitStyle::ArabicIndic.apply(words()), words());
}
