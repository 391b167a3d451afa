//! Ordinals: the words for a place in a sequence.

use std::sync::LazyLock;

use super::word::WordTable;

/// The place that a word names: 3 for `third`.
pub(super) fn place(form: &str) -> Option<i128> {
    ORDINALS.exact(form)
}

static ORDINALS: LazyLock<WordTable<i128>> = LazyLock::new(|| {
    WordTable::of(&[
        ("first الأول الأولى", 1),
        ("second الثاني الثانية", 2),
        ("third الثالث الثالثة", 3),
        ("fourth الرابع الرابعة", 4),
        ("fifth الخامس الخامسة", 5),
        ("sixth السادس السادسة", 6),
        ("seventh السابع السابعة", 7),
        ("eighth الثامن الثامنة", 8),
        ("ninth التاسع التاسعة", 9),
        ("tenth العاشر العاشرة", 10),
        ("thirtieth", 30),
    ])
});
