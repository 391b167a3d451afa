//! Numbers in words: `twenty-one` and «واحد وعشرون» are the term 21.

/// A number that is being read, word by word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SpelledNumber(Option<u32>);

/// The part that one folded word adds to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberWord {
    value: u32,
    /// Whether it is tied to the word before it: `و` in Arabic.
    is_tied: bool,
    is_arabic: bool,
}

impl SpelledNumber {
    /// Takes a word in; gives the number before it where the word begins another.
    pub(super) fn take(&mut self, part: NumberWord) -> Option<u32> {
        let joined = self.0.and_then(|before| joined(before, part));
        let done = if joined.is_some() { None } else { self.0 };
        self.0 = Some(joined.unwrap_or(part.value));
        done
    }

    /// The number that was read, if any; nothing is left of it.
    pub(super) fn finish(&mut self) -> Option<u32> {
        self.0.take()
    }
}

/// Two parts as one number: 20 and 1, خمسة and عشر, مائة and وثمانين.
fn joined(before: u32, part: NumberWord) -> Option<u32> {
    let NumberWord { value, is_tied, is_arabic } = part;
    // Arabic writes the unit before the ten (واحد وعشرون), English the ten before the unit.
    let adds = if is_arabic {
        let teen = !is_tied && value == 10 && before < 10;
        let tens = is_tied && before < 10 && (20..100).contains(&value);
        teen || tens
            || is_tied && before >= 100 && before.is_multiple_of(100) && value < 100
            || is_tied && before > 100 && before % 100 < 10 && (20..100).contains(&value)
    } else {
        value < 10 && (20..100).contains(&before) && before.is_multiple_of(10)
            || value < 100 && before >= 100 && before.is_multiple_of(100)
            || value < 10 && before > 100 && before % 100 >= 20 && before.is_multiple_of(10)
    };
    // `two hundred` multiplies; in Arabic such numbers are one word of the table.
    if !is_arabic && value == 100 && before < 10 {
        return Some(before * 100);
    }
    adds.then_some(before + value)
}

/// The part that a folded word adds to a number, if it is a number.
pub(super) fn part(folded: &str) -> Option<NumberWord> {
    if folded.is_ascii() {
        let value = NUMERALS_EN.binary_search_by_key(&folded, |(word, _)| word).ok()?;
        let value = NUMERALS_EN.get(value)?.1;
        return Some(NumberWord { value, is_tied: false, is_arabic: false });
    }
    // The empty prefix is tried first: the و of واحد is its own.
    NUMERAL_PREFIXES_AR.iter().find_map(|prefix| {
        let rest = folded.strip_prefix(prefix)?;
        let value = arabic(rest).or_else(|| arabic(rest.strip_suffix('ا')?))?;
        Some(NumberWord { value, is_tied: prefix.starts_with('و'), is_arabic: true })
    })
}

fn arabic(word: &str) -> Option<u32> {
    NUMERALS_AR.iter().find(|(_, words)| words.contains(&word)).map(|(value, _)| *value)
}

/// The unit of which a folded Arabic word counts two: `شهرين`.
pub(super) fn dual(folded: &str) -> Option<&'static str> {
    let bare = folded.strip_prefix(['و', 'ب', 'ل']).unwrap_or(folded);
    UNIT_DUALS_AR
        .iter()
        .find(|(_, words)| words.contains(&folded) || words.contains(&bare))
        .map(|(unit, _)| *unit)
}

/// By spelling.
const NUMERALS_EN: [(&str, u32); 28] = [
    ("eight", 8),
    ("eighteen", 18),
    ("eighty", 80),
    ("eleven", 11),
    ("fifteen", 15),
    ("fifty", 50),
    ("five", 5),
    ("forty", 40),
    ("four", 4),
    ("fourteen", 14),
    ("hundred", 100),
    ("nine", 9),
    ("nineteen", 19),
    ("ninety", 90),
    ("one", 1),
    ("seven", 7),
    ("seventeen", 17),
    ("seventy", 70),
    ("six", 6),
    ("sixteen", 16),
    ("sixty", 60),
    ("ten", 10),
    ("thirteen", 13),
    ("thirty", 30),
    ("three", 3),
    ("twelve", 12),
    ("twenty", 20),
    ("two", 2),
];

/// Prefixes that may be joined to an Arabic number.
const NUMERAL_PREFIXES_AR: [&str; 9] = ["", "و", "ب", "ل", "ال", "وال", "بال", "لل", "ف"];

const NUMERALS_AR: [(u32, &[&str]); 23] = [
    (1, &["واحد", "واحده"]),
    (2, &["اثنان", "اثنين", "اثنتان", "اثنتين", "اثنا", "اثني", "اثنتا", "اثنتي"]),
    (3, &["ثلاثه", "ثلاث"]),
    (4, &["اربعه", "اربع"]),
    (5, &["خمسه", "خمس"]),
    (6, &["سته", "ست"]),
    (7, &["سبعه", "سبع"]),
    (8, &["ثمانيه", "ثماني", "ثمان"]),
    (9, &["تسعه", "تسع"]),
    (10, &["عشره", "عشر"]),
    (20, &["عشرون", "عشرين"]),
    (30, &["ثلاثون", "ثلاثين"]),
    (40, &["اربعون", "اربعين"]),
    (50, &["خمسون", "خمسين"]),
    (60, &["ستون", "ستين"]),
    (70, &["سبعون", "سبعين"]),
    (80, &["ثمانون", "ثمانين"]),
    (90, &["تسعون", "تسعين"]),
    (100, &["مايه", "ميه"]),
    (200, &["مايتان", "مايتين", "ميتان", "ميتين"]),
    (300, &["ثلاثمايه", "ثلاثميه"]),
    (400, &["اربعمايه", "اربعميه"]),
    (500, &["خمسمايه", "خمسميه"]),
];

const UNIT_DUALS_AR: [(&str, &[&str]); 7] = [
    ("يوم", &["يومين", "يومان"]),
    ("اسبوع", &["اسبوعين", "اسبوعان"]),
    ("شهر", &["شهرين", "شهران"]),
    ("سنه", &["سنتين", "سنتان"]),
    ("عام", &["عامين", "عامان"]),
    ("ساعه", &["ساعتين", "ساعتان"]),
    ("مره", &["مرتين", "مرتان"]),
];
