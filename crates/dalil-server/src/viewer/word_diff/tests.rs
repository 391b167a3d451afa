use super::beside;

#[track_caller]
fn check(old: &str, new: &str, left: &str, right: &str) {
    let marked = |text: &str| text.replace('[', "<mark class=\"differs\">").replace(']', "</mark>");
    assert_eq!(beside(old, new), (marked(left), marked(right)));
}

#[test]
fn both_texts_are_marked_where_they_differ() {
    check(
        "state: draft\ndays: 30",
        "state: posted\ndays: 30",
        "state: [draft]\ndays: 30",
        "state: [posted]\ndays: 30",
    );
    check("a b c", "a  b\nc", "a b c", "a  b\nc");
    check("", "new", "", "[new]");
    check("a x b y c", "a b c z", "a [x] b [y] c", "a b c [z]");
    check("<b>", "&", "[&lt;b&gt;]", "[&amp;]");
    check(
        "السداد خلال ٣٠ يوماً",
        "السداد خلال ٤٥ يوماً",
        "السداد خلال [٣٠] يوماً",
        "السداد خلال [٤٥] يوماً",
    );
}

/// The table over all pairs of words has an end.
#[test]
fn long_texts_are_one_change() {
    let many = |word: &str| (0..3_000).map(|n| format!("{word}{n} ")).collect::<String>();
    let (left, right) = beside(&many("a"), &many("b"));
    assert_eq!((left.matches("<mark").count(), right.matches("<mark").count()), (1, 1));
}
