//! Arabic letters and stems: exchanged letters become one, articles and endings come off.

/// Replaces a variant of a letter. Marks are removed before, so that أ is ا.
pub(super) fn letter(ch: char) -> char {
    match ch {
        'ى' | 'ی' => 'ي',
        'ة' => 'ه',
        'ک' => 'ك',
        'ٱ' => 'ا',
        ch => ch,
    }
}

/// Whether a character is an Arabic letter.
pub(super) fn is_letter(ch: char) -> bool {
    matches!(ch, '\u{620}'..='\u{64a}' | '\u{66e}'..='\u{6d3}')
}

/// The stem of a word of folded letters. It need not be a word.
///
/// After the light stemmer of Larkey and others: a conjunction, then one
/// article or preposition, then one ending, each only if a word is left.
pub(super) fn stem(word: &str) -> &str {
    // Four letters must be left, since many roots begin with these letters themselves.
    let word = without_prefix(word, &["و", "ف"], 4);
    let word = without_prefix(word, &["بال", "كال", "ال", "لل"], 2);
    let word = without_prefix(word, &["ب", "ل"], 4);
    without_ending(word)
}

fn without_prefix<'w>(word: &'w str, prefixes: &[&str], least: usize) -> &'w str {
    let bare = |prefix: &&str| word.strip_prefix(*prefix).filter(|rest| has(rest, least));
    prefixes.iter().find_map(bare).unwrap_or(word)
}

fn without_ending(word: &str) -> &str {
    let bare = |(ending, least): &(&str, usize)| {
        word.strip_suffix(*ending).filter(|rest| has(rest, *least))
    };
    SUFFIXES_AR.iter().find_map(bare).unwrap_or(word)
}

/// Whether a word has at least `least` letters.
fn has(word: &str, least: usize) -> bool {
    word.chars().nth(least - 1).is_some()
}

/// Endings, and how many letters must be left without them.
const SUFFIXES_AR: [(&str, usize); 13] = [
    ("تها", 3),
    ("تهم", 3),
    ("ته", 3),
    ("ها", 2),
    ("هم", 3),
    ("ات", 2),
    ("ان", 3),
    ("ون", 2),
    ("ين", 2),
    ("يه", 2),
    ("ه", 2),
    ("ي", 2),
    ("ا", 3),
];

/// Words that stand everywhere and tell nothing, folded and sorted.
pub(super) const STOP_WORDS: [&str; 37] = [
    "الا",
    "التي",
    "الذي",
    "الذين",
    "الي",
    "ان",
    "او",
    "اي",
    "بان",
    "به",
    "بها",
    "تكون",
    "تلك",
    "ثم",
    "ذلك",
    "علي",
    "عليه",
    "عليها",
    "عن",
    "عند",
    "في",
    "فيه",
    "فيها",
    "قد",
    "كان",
    "كانت",
    "كما",
    "له",
    "لها",
    "مع",
    "من",
    "منه",
    "منها",
    "هذا",
    "هذه",
    "هو",
    "هي",
];
