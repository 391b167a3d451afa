use super::*;

/// A noun from nought to a thousand.
#[track_caller]
fn check(noun: CountedNoun, case: GrammaticalCase, arabic: &str) {
    let counts = [0, 1, 2, 3, 10, 11, 12, 99, 100, 101, 102, 103, 111, 1000];
    let forms = counts.map(|n| noun.counted(n, case).into_text(Language::Arabic).into_owned());
    assert_eq!(forms.join("، "), arabic);
}

#[test]
fn an_arabic_noun_agrees_with_its_number() {
    check(
        CountedNoun::SOURCES,
        GrammaticalCase::Nominative,
        "٠ مصادر، مصدر واحد، مصدران، ٣ مصادر، ١٠ مصادر، ١١ مصدرًا، ١٢ مصدرًا، ٩٩ مصدرًا، ١٠٠ مصدر، ١٠١ مصدر، ١٠٢ مصدر، ١٠٣ مصادر، ١١١ مصدرًا، ١٠٠٠ مصدر",
    );
    check(
        CountedNoun::SOURCES,
        GrammaticalCase::Genitive,
        "٠ مصادر، مصدر واحد، مصدرين، ٣ مصادر، ١٠ مصادر، ١١ مصدرًا، ١٢ مصدرًا، ٩٩ مصدرًا، ١٠٠ مصدر، ١٠١ مصدر، ١٠٢ مصدر، ١٠٣ مصادر، ١١١ مصدرًا، ١٠٠٠ مصدر",
    );
    check(
        CountedNoun::OF_CALLS,
        GrammaticalCase::Accusative,
        "٠ استدعاءات، استدعاءً واحدًا، استدعاءين، ٣ استدعاءات، ١٠ استدعاءات، ١١ استدعاءً، ١٢ استدعاءً، ٩٩ استدعاءً، ١٠٠ استدعاء، ١٠١ استدعاء، ١٠٢ استدعاء، ١٠٣ استدعاءات، ١١١ استدعاءً، ١٠٠٠ استدعاء",
    );
    check(
        CountedNoun::CLAIMS,
        GrammaticalCase::Accusative,
        "٠ ادعاءات، ادعاءً واحدًا، ادعاءين، ٣ ادعاءات، ١٠ ادعاءات، ١١ ادعاءً، ١٢ ادعاءً، ٩٩ ادعاءً، ١٠٠ ادعاء، ١٠١ ادعاء، ١٠٢ ادعاء، ١٠٣ ادعاءات، ١١١ ادعاءً، ١٠٠٠ ادعاء",
    );
    check(
        CountedNoun::CLAIMS,
        GrammaticalCase::Genitive,
        "٠ ادعاءات، ادعاء واحد، ادعاءين، ٣ ادعاءات، ١٠ ادعاءات، ١١ ادعاءً، ١٢ ادعاءً، ٩٩ ادعاءً، ١٠٠ ادعاء، ١٠١ ادعاء، ١٠٢ ادعاء، ١٠٣ ادعاءات، ١١١ ادعاءً، ١٠٠٠ ادعاء",
    );
}

#[test]
fn an_english_noun_has_a_plural_and_can_be_left_out() {
    let said = |noun: CountedNoun| {
        [0, 1, 2].map(|n| noun.counted(n, GrammaticalCase::Nominative).english().to_owned())
    };
    assert_eq!(said(CountedNoun::SOURCES), ["0 sources", "1 source", "2 sources"]);
    assert_eq!(said(CountedNoun::OF_CALLS), ["0", "1", "2"]);
}
