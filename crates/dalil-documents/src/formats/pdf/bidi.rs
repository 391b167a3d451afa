//! Order: letters as they stand from left to right to letters as they are read.

use super::fold;

/// One letter, digit, sign or space of a line, in the order of the page.
pub(super) struct BidiUnit<'t> {
    pub(super) text: &'t str,
    pub(super) marks: &'t str,
}

impl BidiUnit<'_> {
    fn is_ascii(&self) -> bool {
        self.text.is_ascii() && self.marks.is_ascii()
    }
}

/// Which way a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextDirection {
    Right,
    Left,
}

impl TextDirection {
    /// The direction of a text with these counts of letters of either kind.
    pub(super) fn of(count: DirectionCount) -> Self {
        // More than a third is enough: Latin names in an Arabic line may outnumber its letters.
        if count.left * 2 > count.right { Self::Left } else { Self::Right }
    }
}

/// How many letters are read to the right, and to the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DirectionCount {
    pub(super) right: usize,
    pub(super) left: usize,
}

impl std::ops::AddAssign for DirectionCount {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.left += other.left;
    }
}

impl DirectionCount {
    pub(super) fn add(&mut self, text: &str) {
        if text.is_ascii() {
            self.right += text.bytes().filter(u8::is_ascii_alphabetic).count();
            return;
        }
        for ch in text.chars() {
            match class(ch) {
                BidiClass::Right => self.right += 1,
                BidiClass::Left => self.left += 1,
                _ => {}
            }
        }
    }
}

/// The letters of a line in reading order.
pub(super) fn logical(units: &[BidiUnit<'_>], way: TextDirection) -> String {
    let mut text = String::with_capacity(units.len());
    // Most lines are read in the order of the page.
    if way == TextDirection::Right && units.iter().all(BidiUnit::is_ascii) {
        for unit in units {
            text.push_str(unit.text);
            text.push_str(unit.marks);
        }
        return text;
    }
    for unit in order(units, way).into_iter().filter_map(|at| units.get(at)) {
        text.push_str(unit.text);
        text.push_str(unit.marks);
    }
    text
}

/// The places of the letters of a line, in reading order.
pub(super) fn order(units: &[BidiUnit<'_>], way: TextDirection) -> Vec<usize> {
    // The inverse of rule L2 of UAX #9: runs that it turns around for display are turned back.
    let kinds = kinds(units);
    let mut order = Vec::with_capacity(units.len());
    match way {
        TextDirection::Right => {
            let mut at = 0;
            while at < kinds.len() {
                let end = reach(&kinds, at, BidiClass::Left);
                if end > at {
                    turn_around(&kinds, at..end, &mut order);
                } else {
                    order.push(at);
                }
                at = end.max(at + 1);
            }
        }
        TextDirection::Left => {
            let mut at = 0;
            // Runs change places; Latin words and numbers keep their inner order.
            let mut spans = Vec::new();
            while at < kinds.len() {
                let (run, number) = (reach(&kinds, at, BidiClass::Right), number(&kinds, at));
                let end = run.max(number).max(at + 1);
                let whole: Vec<usize> = (at..end).collect();
                spans.push(if number > run { figure(units, whole) } else { whole });
                at = end;
            }
            order.extend(spans.into_iter().rev().flatten());
        }
    }
    order
}

/// Puts brackets right that were drawn as their mirror images.
///
/// Some producers give the letter that was meant, others the shape that was
/// drawn; the reading in which more brackets close is taken. In a text that is read to
/// the right that is rare, and all of them must be wrong.
pub(super) fn brackets(text: String, way: TextDirection) -> String {
    // The last bytes of `«` and `»` are those of other characters too, which changes nothing.
    let has_brackets = text
        .bytes()
        .any(|byte| matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | 0xAB | 0xBB));
    if !has_brackets {
        return text;
    }
    let as_drawn = closed(&text);
    if way == TextDirection::Right && as_drawn > 0 {
        return text;
    }
    let turned: String = text.chars().map(mirror).collect();
    if closed(&turned) > as_drawn { turned } else { text }
}

fn closed(text: &str) -> usize {
    let mut open = Vec::new();
    let mut closed = 0;
    for ch in text.chars() {
        if matches!(ch, '(' | '[' | '«' | '{') {
            open.push(ch);
        } else if mirror(ch) != ch && open.last() == Some(&mirror(ch)) {
            open.pop();
            closed += 1;
        }
    }
    closed
}

fn mirror(ch: char) -> char {
    match ch {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '«' => '»',
        '»' => '«',
        ch => ch,
    }
}

/// Turns a run that is read to the left around, numbers within it excepted.
fn turn_around(kinds: &[BidiClass], span: std::ops::Range<usize>, order: &mut Vec<usize>) {
    let mut parts = Vec::new();
    let mut at = span.start;
    while at < span.end {
        let end = number(kinds, at).min(span.end).max(at + 1);
        parts.push(at..end);
        at = end;
    }
    order.extend(parts.into_iter().rev().flatten());
}

/// A number among Arabic letters, where a percent sign is drawn to the left of the
/// number it follows, and the two ends of a range may change places.
fn figure(units: &[BidiUnit<'_>], mut span: Vec<usize>) -> Vec<usize> {
    let text = |at: &usize| units.get(*at).map_or("", |unit| unit.text);
    if span.first().is_some_and(|at| matches!(text(at), "%" | "\u{66A}" | "‰")) {
        span.rotate_left(1);
    }
    let mut signs =
        span.iter().enumerate().filter(|(_, at)| text(at) == "-").map(|(place, _)| place);
    let (Some(sign), None) = (signs.next(), signs.next()) else { return span };
    let (low, high) = span.split_at(sign);
    let high = high.get(1..).unwrap_or_default();
    let value = |part: &[usize]| part.iter().map(text).collect::<String>().parse::<u64>().ok();
    match (value(low), value(high)) {
        (Some(first), Some(second)) if first > second => {
            let sign = span.get(sign).copied();
            high.iter().copied().chain(sign).chain(low.iter().copied()).collect()
        }
        _ => span,
    }
}

/// Where a run of one strong class that begins here ends; here, if none begins.
fn reach(kinds: &[BidiClass], at: usize, strong: BidiClass) -> usize {
    let other = if strong == BidiClass::Left { BidiClass::Right } else { BidiClass::Left };
    let begins = match kinds.get(at) {
        Some(&kind) if kind == strong => true,
        // A number can be the first word of the text after it.
        Some(BidiClass::Digit) => strong == BidiClass::Right,
        Some(BidiClass::ArabicDigit) => strong == BidiClass::Left,
        _ => false,
    };
    // Bounded: from each digit of a long line of digits the search would go to its end.
    let mut near = kinds.iter().skip(at).take(MAX_RUN_LOOKAHEAD_UNITS);
    let next = near.find(|kind| matches!(kind, BidiClass::Right | BidiClass::Left));
    if !begins || next != Some(&strong) {
        return at;
    }
    let mut end = at;
    for (place, &kind) in kinds.iter().enumerate().skip(at) {
        if kind == other || (kind == BidiClass::ArabicDigit && strong == BidiClass::Right) {
            break;
        }
        let holds = kind == strong
            || (kind == BidiClass::Digit && strong == BidiClass::Right)
            || kind == BidiClass::ArabicDigit;
        if holds {
            end = place + 1;
        }
    }
    end
}

/// Where a number that begins here ends; here, if none begins.
fn number(kinds: &[BidiClass], at: usize) -> usize {
    let mut end = at;
    let mut digit = None;
    let mut place = at;
    while let Some(&kind) = kinds.get(place) {
        let next = kinds.get(place + 1).copied();
        match kind {
            BidiClass::Digit | BidiClass::ArabicDigit => {
                digit = Some(kind);
                end = place + 1;
            }
            // Separators join the digits beside them (UAX #9, W4), units go with a number (W5).
            BidiClass::Separator if digit.is_some() && next == digit => {}
            BidiClass::Sign if digit == Some(BidiClass::Digit) && next == digit => {}
            BidiClass::Sign if digit.is_none() && next == Some(BidiClass::Digit) => {}
            BidiClass::Unit => {
                if digit.is_some() {
                    end = place + 1;
                }
            }
            _ => break,
        }
        place += 1;
    }
    end
}

fn kinds(units: &[BidiUnit<'_>]) -> Vec<BidiClass> {
    let kind = |unit: &BidiUnit<'_>| {
        let mut classes = unit.text.chars().filter(|&ch| !fold::is_mark(ch)).map(class);
        let first = classes.clone().next().unwrap_or(BidiClass::Neutral);
        classes.find(|kind| matches!(kind, BidiClass::Right | BidiClass::Left)).unwrap_or(first)
    };
    units.iter().map(kind).collect()
}

/// The effect of a character on the order around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BidiClass {
    Right,
    Left,
    Digit,
    ArabicDigit,
    /// Joins the digits on either side of it: `1,000`.
    Separator,
    /// Joins Western digits alone: `5-10`.
    Sign,
    /// Goes with a number: `%`.
    Unit,
    Neutral,
}

fn class(ch: char) -> BidiClass {
    match ch {
        '0'..='9' | '\u{6F0}'..='\u{6F9}' => BidiClass::Digit,
        '\u{660}'..='\u{669}' | '\u{66B}' | '\u{66C}' => BidiClass::ArabicDigit,
        ',' | '.' | '/' | ':' | '\u{60C}' => BidiClass::Separator,
        '+' | '-' | '\u{2212}' => BidiClass::Sign,
        '%' | '$' | '€' | '£' | '°' | '#' | '‰' | '\u{66A}' => BidiClass::Unit,
        '\u{590}'..='\u{8FF}'
        | '\u{FB1D}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}'
        | '\u{10800}'..='\u{10FFF}'
        | '\u{1E800}'..='\u{1EFFF}' => arabic(ch),
        ch if ch.is_alphabetic() => BidiClass::Right,
        _ => BidiClass::Neutral,
    }
}

/// Arabic signs that are not letters take the direction of the text around them.
fn arabic(ch: char) -> BidiClass {
    if matches!(ch, '\u{600}'..='\u{60F}' | '\u{66D}' | '\u{6DD}' | '\u{6DE}' | '\u{6E9}') {
        BidiClass::Neutral
    } else {
        BidiClass::Left
    }
}

/// The distance at which the first letter of a run is looked for.
const MAX_RUN_LOOKAHEAD_UNITS: usize = 64;
