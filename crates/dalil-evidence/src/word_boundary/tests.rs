use super::{cuts_a_word, find_whole, is_inside_word};

/// Where `|` is.
#[track_caller]
fn inside(marked: &str) -> bool {
    let at = marked.find('|').unwrap();
    is_inside_word(&marked.replacen('|', "", 1), at)
}

#[test]
fn words_and_numbers_go_on_across_their_own_letters_and_signs() {
    for cut in [
        "1|60 days",
        "il|legal",
        "1,|500 riyals",
        "1|,500",
        "99.|5 %",
        "can'|t",
        "غير ال|قانوني",
        "١|٬٥٠٠ ريال",
        "٩٩٫|٥",
        "A|4",
        "e|\u{301}t",
    ] {
        assert!(inside(cut), "{cut}");
    }
    for whole in [
        "|60 days",
        "1 |60",
        "days|",
        "days| off",
        "sixty-|day",
        "(|60)",
        "60| %",
        "60|%",
        "SAR|, 500",
        "«|نص»",
        "日|本",
        "10:|30",
        "a.| b",
        "12/|05/2026",
        "|",
        "\u{200f}|60",
        "_|60 days_",
        "60 days|_",
    ] {
        assert!(!inside(whole), "{whole}");
    }
}

#[test]
fn a_part_begins_with_a_whole_word_and_ends_with_a_whole_number() {
    let text = "Staff receive 160 days, or 1,500 riyals unlawfully taken.";
    let cut = |part: &str| {
        let at = text.find(part).unwrap();
        cuts_a_word(text, &(at..at + part.len()))
    };
    for part in ["60 days", "500 riyals", "lawfully taken", "Staff receive 16", "or 1", "or 1,"] {
        assert!(cut(part), "{part}");
    }
    for part in ["160 days", "1,500 riyals", "taken.", "Staff receive 160", "unlawfully ta", text] {
        assert!(!cut(part), "{part}");
    }
}

#[test]
fn a_part_may_leave_out_the_conjunction_that_arabic_joins_to_its_first_word() {
    let text = "ويستحق العامل أجره، فلا يجوز تأخيره، وغير القانوني باطل.";
    let cut = |part: &str| {
        let at = text.find(part).unwrap();
        cuts_a_word(text, &(at..at + part.len()))
    };
    for part in ["يستحق العامل أجره", "لا يجوز تأخيره", "غير القانوني"]
    {
        assert!(!cut(part), "{part}");
    }
    for part in ["ستحق العامل", "قانوني باطل", "امل أجره"] {
        assert!(cut(part), "{part}");
    }
}

#[test]
fn whole_words_are_found_behind_those_that_are_cut() {
    assert_eq!(find_whole("160 days, then 60 days", "60 days"), Some(15));
    assert_eq!(find_whole("160 days", "60 days"), None);
}
