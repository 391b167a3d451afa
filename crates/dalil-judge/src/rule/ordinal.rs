//! Ordinals: the words for a place in a sequence.

use std::sync::LazyLock;

use super::word::{WordTable, WordToken};

/// The place that a word names: 3 for `third`.
pub(super) fn place(form: &str) -> Option<i128> {
    ORDINALS.exact(form)
}

/// A place from the first on in Arabic, and how many words name it: 18 for `الثامنة عشرة`, 59 for
/// `التاسعة والخمسين`.
pub(super) fn compound(words: &[WordToken], at: usize) -> Option<(i128, usize)> {
    let word = words.get(at).filter(|word| word.arabic())?;
    let units = match word.form.as_str() {
        "الحادي" | "الحاديه" => 1,
        form => place(form)?,
    };
    let next = words.get(at + 1).map_or("", |word| word.form.as_str());
    if ["عشر", "عشره"].contains(&next) && units < 10 {
        return Some((units + 10, 2));
    }
    let tens = next.strip_prefix('و').and_then(|tens| TENS_AR.exact(tens));
    Some(tens.filter(|_| units < 10).map_or((units, 1), |tens| (units + tens, 2)))
}

static TENS_AR: LazyLock<WordTable<i128>> = LazyLock::new(|| {
    WordTable::of(&[
        ("العشرون العشرين", 20),
        ("الثلاثون الثلاثين", 30),
        ("الأربعون الأربعين", 40),
        ("الخمسون الخمسين", 50),
        ("الستون الستين", 60),
        ("السبعون السبعين", 70),
        ("الثمانون الثمانين", 80),
        ("التسعون التسعين", 90),
    ])
});

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
