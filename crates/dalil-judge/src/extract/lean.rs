//! Leaning: whether a claim needs words before it to be understood.

use dalil_documents::sentence::is_arabic;

use super::plain::words;
use super::verb;

/// Whether a folded claim needs the words before it to be understood: a pronoun among its
/// first words, a subject or a verb that is not there, an Arabic verb or pronoun whose noun
/// is elsewhere.
pub(super) fn leans(claim: &str) -> bool {
    let first: Vec<&str> = words(claim).take(MAX_EARLY_WORDS).collect();
    let Some(start) = first.first() else { return false };
    if start.starts_with(is_arabic) {
        return arabic(&first)
            || !verb::states(claim)
                && !claim.contains([':', '|'])
                && !first.iter().any(|word| is_definite(word));
    }
    // `It is forbidden to`: a pronoun that replaces no noun.
    let expletive = matches!(first.as_slice(), ["it", "is" | "was", ..]) && claim.contains(" to ");
    let early = |word: &&str| PRONOUNS_EN.contains(word);
    // `Employers … their workers` has its noun, `under its terms` has not.
    let owned = first.iter().take(2).any(|word| POSSESSIVES_EN.contains(word));
    // A colon or a bar replaces the verb in `Term: two years` and in rows.
    !expletive && (owned || first.iter().any(early))
        || CONTINUATION_STARTS.contains(start)
        || !verb::may_have_verb(claim) && !claim.contains([':', '|'])
        || verb::AUXILIARIES.contains(start)
}

/// `وهو`, `ويدفعها`, `ولا تزيد عن`: no noun that the words are about.
fn arabic(first: &[&str]) -> bool {
    let words: Vec<&str> = first.iter().map(|word| untied(word)).collect();
    let points = |word: &&str| PRONOUNS_AR.contains(word) || has_attached(word);
    // A pronoun behind a definite noun may stand for it; one before it points elsewhere.
    let noun = words.iter().position(|word| is_definite(word)).unwrap_or(words.len());
    if words.iter().take(noun).any(points) {
        return true;
    }
    let first_verb = words.iter().take(2).position(|word| *word != "لا" && verb::is_finite(word));
    first_verb.is_some_and(|at| {
        let mut next = words.iter().skip(at + 1).take(3);
        let named = |word: &&str| {
            is_definite(word)
                || SUBJECT_WORDS_AR.contains(word)
                || word.starts_with(|ch: char| ch.is_ascii_alphanumeric())
        };
        !next.any(named)
    })
}

/// A word without the conjunction that is written with it.
fn untied(word: &str) -> &str {
    let rest = word.strip_prefix(['و', 'ف']).filter(|rest| rest.chars().nth(1).is_some());
    rest.unwrap_or(word)
}

fn is_definite(word: &str) -> bool {
    let bare = untied(word);
    ["ال", "لل", "بال"].iter().any(|start| bare.starts_with(start)) && !PRONOUNS_AR.contains(&bare)
}

/// Whether a word ends in a pronoun: `مقرها`, `إجازته`, `عليهم`.
fn has_attached(word: &str) -> bool {
    let long = |rest: &str| rest.chars().nth(2).is_some();
    ["ها", "هم", "هما", "هن"].iter().any(|end| word.strip_suffix(end).is_some_and(long))
        || word.strip_suffix("ته").is_some_and(long)
        || ["له", "به", "عليه", "فيه", "منه", "عنه", "لها", "بها", "لهم"].contains(&word)
}

/// The number of first words among which a claim has the pronoun that it leans on.
const MAX_EARLY_WORDS: usize = 6;

const PRONOUNS_EN: &[&str] = &[
    "it",
    "they",
    "theirs",
    "them",
    "this",
    "these",
    "those",
    "he",
    "she",
    "him",
    "such",
    "themselves",
    "latter",
    "former",
    "same",
    "thereof",
    "therein",
    "it's",
    "they're",
    "he's",
    "she's",
];

const POSSESSIVES_EN: &[&str] = &["its", "their", "his", "her"];

/// First words of a claim that continues another.
const CONTINUATION_STARTS: &[&str] = &[
    "that",
    "also",
    "otherwise",
    "another",
    "others",
    "neither",
    "however",
    "instead",
    "then",
    "thereafter",
    "afterwards",
    "beyond",
    "likewise",
    "similarly",
    "conversely",
    "but",
    "and",
    "or",
    "additionally",
    "moreover",
    "furthermore",
    "therefore",
    "thus",
    "hence",
];

const PRONOUNS_AR: &[&str] = &[
    "هو",
    "هي",
    "هم",
    "هما",
    "هذا",
    "هذه",
    "ذلك",
    "تلك",
    "هولاء",
    "كما",
    "كذلك",
    "ايضا",
    "لها",
    "له",
    "لهم",
    "لكن",
    "لكنه",
    "لكنها",
    "انه",
    "انها",
    "فيها",
    "فيه",
    "عليها",
];

/// Words that stand for a subject of their own.
const SUBJECT_WORDS_AR: &[&str] = &["كل", "جميع", "اي", "لكل", "لاي", "من", "علي", "في"];
