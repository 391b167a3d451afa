//! Bounds: at least, at most, more than, within, before; لا يقل عن، حتى، خلال.

use std::ops::Range;
use std::sync::LazyLock;

use super::number;
use super::quantity::Quantity;
use super::unit::QuantityMeasure;
use super::word::{PhraseTable, WordKind, WordToken};

/// The values that a quantity covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuantityBound {
    Exact,
    AtLeast,
    AtMost,
    Above,
    Below,
    About,
}

impl QuantityBound {
    /// Whether one is a least and the other a most.
    pub(super) fn is_opposed(self, other: Self) -> bool {
        let is_least = |bound| matches!(bound, Self::AtLeast | Self::Above);
        let is_most = |bound| matches!(bound, Self::AtMost | Self::Below);
        is_least(self) && is_most(other) || is_most(self) && is_least(other)
    }

    /// The complement, for a negated bound: `nobody … more than`.
    fn turned(self) -> Self {
        match self {
            Self::Above => Self::AtMost,
            Self::Below => Self::AtLeast,
            other => other,
        }
    }
}

/// Gives each quantity the bound before it, after it, or of its subject.
pub(super) fn attach(words: &[WordToken], quantities: &mut [Quantity]) {
    let [before, dated, after, heads, deadlines] =
        [&BOUNDS_BEFORE, &DATE_BOUNDS, &BOUNDS_AFTER, &BOUND_HEADS, &DEADLINE_HEADS]
            .map(|table| table.all(words));
    // Bounds before a quantity are looked for after the previous one: none is used twice.
    let mut last = 0;
    for quantity in quantities {
        let (start, end) = (quantity.words.start, quantity.words.end);
        let moment = matches!(quantity.measure, QuantityMeasure::Date | QuantityMeasure::Clock);
        let led = |at: usize, length: usize| {
            at >= last && at + length <= start && filled(words, at + length, start)
        };
        let headed = |at: usize, length: usize| {
            at >= last && at + length <= start && start - at <= MAX_HEAD_REACH_WORDS
        };
        let follows = |at: usize| {
            let inside = (start..end).contains(&at);
            inside || ((end..=end + MAX_AFTER_REACH_WORDS).contains(&at) && !broken(words, end, at))
        };
        // "80 hours over two weeks" names the time that the hours are spread over.
        let spans = |at: usize| {
            let over = words.get(at).is_some_and(|word| word.is("over"));
            over && at == last && last > 0 && quantity.measure.is_duration()
        };
        let lead = before
            .iter()
            .rev()
            .find(|&&(at, length, _)| led(at, length) && !spans(at))
            .or_else(|| dated.iter().rev().find(|&&(at, length, _)| moment && led(at, length)));
        // By distance: words right before, then words after, then the head of the clause.
        let said = lead.or_else(|| after.iter().find(|&&(at, ..)| follows(at)));
        let head = heads.iter().rev().find(|&&(at, length, _)| headed(at, length));
        let deadline = deadlines.iter().rev().find(|&&(at, length, _)| headed(at, length));
        // A day is the deadline itself: `the deadline is 31 March`.
        let head = head.or(deadline.filter(|_| quantity.measure.is_duration()));
        let sign = signed(words, start);
        quantity.is_limit = said.is_none() && sign.is_none() && head.is_some();
        if let Some(bound) = sign {
            quantity.bound = bound;
        } else if is_time_to(words, quantity) {
            quantity.bound = QuantityBound::AtMost;
        } else if let Some(&(at, _, bound)) = said.or(head) {
            // The least of a range is its first end.
            let is_end = bound == QuantityBound::AtLeast && quantity.value.is_range();
            let bound = if ruled_out(words, at) { bound.turned() } else { bound };
            quantity.bound = if is_end { QuantityBound::Exact } else { bound };
        }
        if let Some(&(at, ..)) = lead {
            // Its bound is a part of the quantity, and no term of the sentence.
            quantity.words.start = at;
        }
        last = end;
    }
}

/// `has 14 days to pay`, `are given a week to reply`: the time within which something is done.
fn is_time_to(words: &[WordToken], quantity: &Quantity) -> bool {
    let before = quantity.words.start.checked_sub(1).and_then(|at| words.get(at));
    let led = before.is_some_and(|word| TIME_GIVING_WORDS.contains(&word.form.as_str()));
    let to = words.get(quantity.words.end).is_some_and(|word| word.is("to"));
    let act = words.get(quantity.words.end + 1).is_some_and(|word| word.kind == WordKind::Small);
    led && to && act && quantity.measure.is_duration()
}

/// The bound of the sign right before a number: `>50%`, `≤ 3`, `>= 5`.
fn signed(words: &[WordToken], start: usize) -> Option<QuantityBound> {
    let form = |back: usize| {
        start.checked_sub(back).and_then(|at| words.get(at)).map_or("", |word| word.form.as_str())
    };
    match (form(2), form(1)) {
        (_, "≥") | (">", "=") => Some(QuantityBound::AtLeast),
        (_, "≤") | ("<", "=") => Some(QuantityBound::AtMost),
        (_, ">") => Some(QuantityBound::Above),
        (_, "<") => Some(QuantityBound::Below),
        _ => None,
    }
}

/// How many words after a number leave it open, before its unit: `15 or more days`.
pub(super) fn open_end(words: &[WordToken], at: usize) -> Option<usize> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    match (form(at), form(at + 1)) {
        ("or" | "او", "more" | "fewer" | "less" | "longer" | "اكثر" | "اقل") => Some(2),
        ("فاكثر" | "فاقل", _) => Some(1),
        _ => None,
    }
}

/// `No account can have more than 16`, `may not rise by more than 8 %`: nothing is beyond the bound.
fn ruled_out(words: &[WordToken], at: usize) -> bool {
    let before = words.get(at.saturating_sub(MAX_NEGATOR_REACH_WORDS)..at).unwrap_or_default();
    let clause = before.iter().rev().take_while(|word| !word.breaks());
    clause.into_iter().any(|word| NEGATION_WORDS.contains(&word.form.as_str()))
}

/// The words of every bound before a quantity, whether or not one follows, and those of
/// a head of several words that has one: `لا تزيد مدة الإعارة على أربع سنوات`.
pub(super) fn places(words: &[WordToken]) -> Vec<Range<usize>> {
    let numbered = |at: usize, reach: usize| {
        let clause = words.iter().skip(at).take(reach).take_while(|word| !word.breaks()).count();
        (at..at + clause).any(|place| number::number(words, place).is_some())
    };
    // `دون` is also *without*.
    let is_bound = |&(at, length, _): &(usize, usize, QuantityBound)| {
        let is_below = words.get(at).is_some_and(|word| word.form.ends_with("دون"));
        !is_below || numbered(at + length, MAX_BELOW_REACH_WORDS)
    };
    let is_head = |&(at, length, _): &(usize, usize, QuantityBound)| {
        length > 1 && numbered(at + length, MAX_HEAD_REACH_WORDS)
    };
    let before = BOUNDS_BEFORE.all(words).into_iter().filter(is_bound);
    let heads = BOUND_HEADS.all(words).into_iter().filter(is_head);
    before.chain(heads).map(|(at, length, _)| at..at + length).collect()
}

/// The start of the bound directly before a number, or else of the number.
pub(super) fn start(words: &[WordToken], at: usize) -> usize {
    let ends_here = |place: &usize| {
        BOUNDS_BEFORE.at(words, *place).is_some_and(|(length, _)| place + length == at)
    };
    (at.saturating_sub(MAX_BOUND_WORDS)..at).find(ends_here).unwrap_or(at)
}

/// The far end of a range of two bounds: `no fewer than three and no more than
/// seven`. `start` is its first number, and `at` the position after that.
pub(super) fn far_end(words: &[WordToken], start: usize, at: usize) -> Option<usize> {
    let is_least = |(length, bound): (usize, QuantityBound), place: usize, reach: usize| {
        let end = place + length;
        let near = end <= start && start - end <= reach && !broken(words, end, start);
        bound == QuantityBound::AtLeast && near
    };
    let from = start.saturating_sub(MAX_HEAD_REACH_WORDS);
    let least = (from..start).any(|place| {
        let lead = BOUNDS_BEFORE.at(words, place).is_some_and(|found| is_least(found, place, 0));
        let head = BOUND_HEADS.at(words, place);
        lead || head.is_some_and(|found| is_least(found, place, MAX_HEAD_REACH_WORDS))
    });
    let is_link = |word: &WordToken| RANGE_LINKS.contains(&word.form.as_str());
    let links = words.iter().skip(at).take(2).take_while(|word| is_link(word)).count();
    let most = (at..=at + links).rev().find_map(|place| {
        let (length, bound) = BOUNDS_BEFORE.at(words, place)?;
        let is_turned = bound == QuantityBound::Above && words.get(at)?.is("nor");
        (bound == QuantityBound::AtMost || is_turned).then_some(place + length)
    });
    most.filter(|_| least)
}

/// Whether a value beyond which nothing may be follows soon in the clause: `… more than 16`.
pub(super) fn limits(words: &[WordToken], at: usize, reach: usize) -> bool {
    let clause = words.iter().skip(at).take(reach).take_while(|word| !word.breaks()).count();
    (at..at + clause).any(|place| {
        let found = BOUNDS_BEFORE.at(words, place);
        found.is_some_and(|(length, bound)| {
            let number = words.get(place + length).is_some_and(|word| {
                word.kind == WordKind::Digits || number::number(words, place + length).is_some()
            });
            matches!(bound, QuantityBound::Above | QuantityBound::Below) && number
        })
    })
}

/// Whether only small words are between a bound and its quantity.
fn filled(words: &[WordToken], from: usize, to: usize) -> bool {
    let between = words.get(from..to).unwrap_or_default();
    between.len() <= 3
        && between.iter().all(|word| is_demonstrative(word) || is_filler(word))
        && !between.windows(2).any(is_subject)
}

/// `the rate above that is 20 %`: the bound is of what `that` stands for, not of the quantity.
fn is_subject(pair: &[WordToken]) -> bool {
    let [word, verb] = pair else { return false };
    is_demonstrative(word) && ["is", "هو", "هي"].contains(&verb.form.as_str())
}

fn is_demonstrative(word: &WordToken) -> bool {
    DEMONSTRATIVE_WORDS.contains(&word.form.as_str())
}

fn is_filler(word: &WordToken) -> bool {
    FILLER_WORDS.contains(&word.form.as_str())
}

fn broken(words: &[WordToken], from: usize, to: usize) -> bool {
    words.get(from..to).unwrap_or_default().iter().any(WordToken::breaks)
}

/// The distance in words from a negator to the bound that it negates.
const MAX_NEGATOR_REACH_WORDS: usize = 8;

const NEGATION_WORDS: &[&str] = &[
    "no",
    "nobody",
    "none",
    "not",
    "never",
    "cannot",
    "can't",
    "won't",
    "neither",
    "لا",
    "لن",
    "الا",
    "ولا",
    "ليس",
    "يحظر",
    "تحظر",
    "يمنع",
    "ممنوع",
    "محظور",
    "prohibited",
    "forbidden",
    "barred",
];

/// A head such as `at most` may have the whole subject between itself and its number. By hand.
const MAX_HEAD_REACH_WORDS: usize = 10;

/// How many words after `دون` a number makes it a bound.
const MAX_BELOW_REACH_WORDS: usize = 3;

/// The most words of a bound.
const MAX_BOUND_WORDS: usize = 5;

/// Folded words between the two bounds of a range.
const RANGE_LINKS: &[&str] = &[",", "and", "but", "nor", "or", "و"];

/// A bound after its number is next to it: `30 days or more`. By hand.
const MAX_AFTER_REACH_WORDS: usize = 3;

const TIME_GIVING_WORDS: &[&str] = &["have", "has", "had", "get", "gets", "given", "allowed"];

/// Folded words that may come between a bound and its quantity.
const FILLER_WORDS: &[&str] = &[
    "a",
    "an",
    "the",
    "its",
    "their",
    "of",
    "period",
    "total",
    "amount",
    "value",
    "مده",
    "فتره",
    "مبلغ",
    "نسبه",
    "قيمه",
    "تاريخ",
    "يوم",
    "شهر",
    "نهايه",
    "الساعه",
    "end",
    "on",
    "ب",
    "عن",
    "is",
    "هو",
    "هي",
    "$",
    "us",
    "ما",
];

/// Folded words that point at something; before a noun they may come there as well.
const DEMONSTRATIVE_WORDS: &[&str] = &["this", "that", "these", "those", "هذه", "تلك", "هذا"];

static BOUNDS_BEFORE: LazyLock<PhraseTable<QuantityBound>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "at least|no less than|not less than|no fewer than|not fewer than|minimum of|a minimum of|minimum|not under|not below|no lower than|not be less than|not fall below|never less than|not fewer|or more than|as few as|as little as|no earlier than|not earlier than|not before",
            QuantityBound::AtLeast,
        ),
        (
            "لا يقل عن|لا تقل عن|بما لا يقل عن|ما لا يقل عن|حد أدنى|بحد أدنى|لا يقل|لا تقل مدته عن|لا تقل مدتها عن|لا يقل مجموعها عن|لا تقل قيمتها عن|لا تقل قيمته عن|لا يقل عددهم عن|لا يقل عددها عن|ألا يقل عن|ألا تقل عن|ألا تقل مدتها عن|بما لا يقل|على الأقل",
            QuantityBound::AtLeast,
        ),
        (
            "at most|no more than|not more than|up to|maximum of|a maximum of|maximum|not exceeding|not exceed|does not exceed|never exceed|no greater than|not over|within|no later than|not later than|as much as|as many as|as long as|not to exceed|not be more than|not be longer than|not last longer than|not go above|not go over|not go beyond|not rise above|cannot exceed|cap of|a cap of|ceiling of|a ceiling of|restricted to|caps at|a limit of|the limit of|limit of|never more than|never over|to a maximum of|a maximum|maximum period of|not stay longer than|no longer than|not above|in no more than|capped at|limited to|in under|inside|inside of",
            QuantityBound::AtMost,
        ),
        (
            "لا يزيد على|لا يزيد عن|لا تزيد على|لا تزيد عن|بما لا يزيد على|لا يتجاوز|لا تتجاوز|بما لا يتجاوز|حتى|خلال|في غضون|في موعد أقصاه|أقصاه|أقصاها|حد أقصى|بحد أقصى|لا يتعدى|لا تتعدى|لغاية|ألا يتجاوز|ألا تتجاوز|ألا يزيد على|ألا تزيد على|ألا يزيد عن|ألا تزيد عن|لا تزيد مدته على|لا تزيد مدتها على|لا تزيد مدته عن|لا تزيد مدتها عن|لا تتجاوز مدته|لا تتجاوز مدتها|لا تزيد قيمتها على|لا يجاوز|لا تجاوز|ألا يجاوز|ألا تجاوز|تصل إلى|يصل إلى|بما لا يجاوز|بسقف|سقفه|سقفها|بحد أعلى|لا يزيد مجموعها على|على الأكثر",
            QuantityBound::AtMost,
        ),
        (
            "more than|over|above|exceeding|exceeds|exceed|in excess of|greater than|longer than|upwards of|beyond|at more than|أكثر من|يزيد على|تزيد على|يتجاوز|تتجاوز|يفوق|تفوق|ما يزيد على|يزيد عن|تزيد عن|لأكثر من",
            QuantityBound::Above,
        ),
        (
            "less than|fewer than|under|below|lower than|shorter than|أقل من|دون|يقل عن|تقل عن|ما دون",
            QuantityBound::Below,
        ),
        (
            "about|around|approximately|roughly|nearly|almost|some|circa|an estimated|close to|approaching|يقترب من|تقترب من|يقارب|تقارب|حوالي|نحو|قرابة|ما يقارب|زهاء|ما يقرب من",
            QuantityBound::About,
        ),
    ])
});

/// Words that bound a date or a time, and are part of a duration's role.
static DATE_BOUNDS: LazyLock<PhraseTable<QuantityBound>> = LazyLock::new(|| {
    PhraseTable::of(&[
        ("before|prior to|قبل", QuantityBound::Below),
        ("by|until|till|through|up until|until the|بحلول|إلى|الى", QuantityBound::AtMost),
        ("after|following|بعد", QuantityBound::Above),
        (
            "from|since|as of|starting|effective|as from|beginning|commencing|من|منذ|اعتبارا من|ابتداء من|بدءا من",
            QuantityBound::AtLeast,
        ),
    ])
});

static BOUNDS_AFTER: LazyLock<PhraseTable<QuantityBound>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "or more|or longer|or over|and over|and above|or older|and older|at least|or above|minimum|على الأقل|كحد أدنى|فأكثر|أو أكثر|بحد أدنى|فما فوق",
            QuantityBound::AtLeast,
        ),
        (
            "or less|or fewer|or under|and under|and below|or younger|and younger|at most|maximum|or below|على الأكثر|كحد أقصى|فأقل|أو أقل|بحد أقصى|كأقصى حد",
            QuantityBound::AtMost,
        ),
        ("approximately|or so|تقريبا", QuantityBound::About),
    ])
});

/// Words that make the rest of their clause a bound: `the maximum carry-over is 5 days`.
static BOUND_HEADS: LazyLock<PhraseTable<QuantityBound>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "maximum|max|cap|ceiling|limit|الحد الأقصى|أقصى|سقف|الأقصى|القصوى|للحد الأقصى|لا تتعدى|لا يتعدى|لا يجاوز|لا تجاوز|لا تتجاوز|لا يتجاوز|لا يزيد|لا تزيد|ألا يتجاوز|ألا يزيد|ألا تتجاوز|ألا تزيد|not exceed",
            QuantityBound::AtMost,
        ),
        (
            "minimum|min|floor|الحد الأدنى|أدنى|الأدنى|الدنيا|لا يقل|لا تقل|ألا يقل|ألا تقل",
            QuantityBound::AtLeast,
        ),
    ])
});

/// Words that make a time that follows them one within which something is done.
static DEADLINE_HEADS: LazyLock<PhraseTable<QuantityBound>> =
    LazyLock::new(|| PhraseTable::of(&[("deadline|المهلة|مهلة", QuantityBound::AtMost)]));
