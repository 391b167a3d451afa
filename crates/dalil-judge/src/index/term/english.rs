//! English stems: plurals, `-ing`, `-ed` and `-ly` off, so that forms of one word meet.

/// The stem of a word of lower-case ASCII letters. It need not be a word.
///
/// ```text
/// policies, policy → polic      hired, hiring, hires → hir      stopped → stop
/// ```
pub(super) fn stem(word: &str) -> &str {
    let word = singular(word);
    let word = ended(word);
    let word = strip(word, "ly", 4).unwrap_or(word);
    strip(word, "e", 3).or_else(|| strip(word, "y", 3)).unwrap_or(word)
}

fn singular(word: &str) -> &str {
    const KEPT_S_ENDINGS: [&str; 3] = ["ss", "us", "is"];
    const SIBILANT_PLURALS: [&str; 5] = ["sses", "xes", "ches", "shes", "zzes"];
    if KEPT_S_ENDINGS.iter().any(|ending| word.ends_with(ending)) {
        return word;
    }
    if SIBILANT_PLURALS.iter().any(|ending| word.ends_with(ending)) {
        return strip(word, "es", 2).unwrap_or(word);
    }
    strip(word, "ies", 3).or_else(|| strip(word, "s", 3)).unwrap_or(word)
}

/// A word without `-ing` or `-ed`, if a syllable is left.
fn ended(word: &str) -> &str {
    let has_vowel = |stem: &&str| stem.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    let bare = |ending| strip(word, ending, 3).filter(has_vowel);
    // `applied` is `appl`, and so is `apply` once `stem` has taken its `y`.
    if let Some(stem) = strip(word, "ied", 3) {
        return stem;
    }
    bare("ing").or_else(|| bare("ed")).map_or(word, undouble)
}

/// `stopp` is `stop`, but `fill` and `pass` are whole.
fn undouble(stem: &str) -> &str {
    match stem.as_bytes() {
        [.., before, last] if before == last && !b"lsz".contains(last) => {
            stem.get(..stem.len() - 1).unwrap_or(stem)
        }
        _ => stem,
    }
}

/// A word without an ending, if at least `least` letters are left.
fn strip<'w>(word: &'w str, ending: &str, least: usize) -> Option<&'w str> {
    word.strip_suffix(ending).filter(|stem| stem.len() >= least)
}

/// Words that stand everywhere and tell nothing, sorted.
pub(super) const STOP_WORDS: [&str; 53] = [
    "a", "about", "also", "am", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by",
    "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "i", "in",
    "into", "is", "it", "its", "of", "on", "or", "our", "she", "so", "such", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "to", "was", "were", "which",
    "with",
];
