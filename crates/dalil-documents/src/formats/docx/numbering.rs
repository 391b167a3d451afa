//! Numbers of paragraphs, counted as Word counts them.

use std::collections::{BTreeMap, BTreeSet};

use super::look::RunProperties;
use super::theme::ThemeColours;
use crate::formats::css::StyleColour;
use crate::formats::xml::{XmlNode, XmlNodes};

/// The list and level that a paragraph or style names.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct NumberingRef {
    pub(super) list: Option<String>,
    pub(super) level: Option<u32>,
}

/// The lists of a text, and the count of each.
#[derive(Debug, Default)]
pub(super) struct DocxNumbering {
    shapes: BTreeMap<String, AbstractNumbering>,
    lists: BTreeMap<String, NumberingInstance>,
    counts: BTreeMap<String, [Option<u32>; MAX_LIST_LEVELS]>,
    begun: BTreeSet<String>,
}

type AbstractNumbering = BTreeMap<usize, NumberingLevel>;

#[derive(Clone, Debug)]
struct NumberingLevel {
    start: u32,
    format: String,
    text: String,
    look: RunProperties,
}

#[derive(Debug, Default)]
struct NumberingInstance {
    shape: String,
    starts: BTreeMap<usize, u32>,
}

impl DocxNumbering {
    pub(super) fn parse(xml: &str, theme: &ThemeColours) -> Self {
        let mut numbering = Self::default();
        let (mut shape, mut list, mut level) = (None::<String>, None::<String>, 0);
        let mut in_look = false;
        for node in XmlNodes::of(xml) {
            let tag = match node {
                XmlNode::Open(tag) => tag,
                XmlNode::Close(end) => {
                    in_look &= end.name() != "rPr";
                    continue;
                }
                XmlNode::Text(_) => continue,
            };
            if let Some(shape) = shape.as_ref().filter(|_| in_look) {
                numbering.level(shape, level).look.take(&tag, theme);
            }
            let value = tag.get("val");
            let start = value.as_ref().and_then(|value| value.parse().ok()).unwrap_or(1);
            // An element outside of a list definition has no numbering.
            match tag.name() {
                "abstractNum" => (shape, list) = (tag.get("abstractNumId"), None),
                "num" => (shape, list) = (None, tag.get("numId")),
                "rPr" => in_look = true,
                "lvl" | "lvlOverride" => level = tag.number("ilvl").unwrap_or(0) as usize,
                "abstractNumId" => {
                    if let (Some(list), Some(shape)) = (&list, value) {
                        numbering.list(list).shape = shape;
                    }
                }
                "startOverride" => {
                    if let Some(list) = &list {
                        numbering.list(list).starts.insert(level, start);
                    }
                }
                "start" => {
                    if let Some(shape) = &shape {
                        numbering.level(shape, level).start = start;
                    }
                }
                "numFmt" => {
                    if let (Some(shape), Some(format)) = (&shape, value) {
                        numbering.level(shape, level).format = format;
                    }
                }
                "lvlText" => {
                    if let (Some(shape), Some(text)) = (&shape, value) {
                        numbering.level(shape, level).text = text;
                    }
                }
                _ => {}
            }
        }
        numbering
    }

    /// The number of the next paragraph of a list on a ground of this colour, and nothing for a
    /// bullet.
    pub(super) fn next(&mut self, list: &str, level: usize, ground: StyleColour) -> Option<String> {
        let NumberingInstance { shape: name, starts } = self.lists.get(list)?;
        let shape = self.shapes.get(name)?;
        // Lists of one abstract definition count on together, until one has a start of its own.
        let counts = self.counts.entry(name.clone()).or_default();
        if !starts.is_empty() && self.begun.insert(list.to_owned()) {
            *counts = [None; MAX_LIST_LEVELS];
        }
        let start = |level| {
            let own = || shape.get(&level).map_or(1, |level| level.start);
            starts.get(&level).copied().unwrap_or_else(own)
        };
        // A paragraph restarts the levels below its own, and starts those above that have no count.
        for (at, count) in counts.iter_mut().enumerate() {
            *count = match (*count, at.cmp(&level)) {
                (Some(count), std::cmp::Ordering::Equal) => Some(count.saturating_add(1)),
                (None, std::cmp::Ordering::Equal | std::cmp::Ordering::Less) => Some(start(at)),
                (count, std::cmp::Ordering::Less) => count,
                (_, std::cmp::Ordering::Greater) => None,
            };
        }
        let here = shape.get(&level)?;
        // A number that a reader does not see is counted, and is no text.
        let is_unseen = here.look.vanishes() || here.look.unseen(ground).is_some();
        (here.format != "bullet" && !is_unseen)
            .then(|| label(here, shape, counts))
            .filter(|text| !text.is_empty())
    }

    fn list(&mut self, id: &str) -> &mut NumberingInstance {
        self.lists.entry(id.to_owned()).or_default()
    }

    fn level(&mut self, shape: &str, level: usize) -> &mut NumberingLevel {
        let shape = self.shapes.entry(shape.to_owned()).or_default();
        let plain = NumberingLevel {
            start: 1,
            format: "decimal".to_owned(),
            text: String::new(),
            look: RunProperties::default(),
        };
        // All levels beyond the nine that exist share one entry: a file cannot make many.
        shape.entry(level.min(MAX_LIST_LEVELS)).or_insert(plain)
    }
}

/// A level's text, with `%1` to `%9` in it replaced by the counts of the levels.
fn label(
    level: &NumberingLevel,
    shape: &AbstractNumbering,
    counts: &[Option<u32>; MAX_LIST_LEVELS],
) -> String {
    let mut label = String::new();
    let mut chars = level.text.chars();
    while let Some(ch) = chars.next() {
        if ch != '%' {
            label.push(ch);
            continue;
        }
        let at = chars.next().and_then(|ch| ch.to_digit(10)).unwrap_or(0) as usize;
        // `%0` and a lone `%` wrap to a level that does not exist.
        let at = at.wrapping_sub(1);
        if let Some(Some(count)) = counts.get(at) {
            let format = shape.get(&at).map_or("decimal", |level| level.format.as_str());
            label.push_str(&written(*count, format));
        }
    }
    label.trim().to_owned()
}

/// A number as a list writes it.
fn written(number: u32, format: &str) -> String {
    let latin = |first: u8| {
        let index = number.saturating_sub(1);
        // Behind z come aa and bb: the letter is repeated (ECMA-376-1, 17.18.59).
        let letter = char::from(first + u8::try_from(index % 26).unwrap_or(0));
        letter.to_string().repeat((index / 26 + 1).min(MAX_LETTER_REPEATS) as usize)
    };
    match format {
        "none" => String::new(),
        "lowerLetter" => latin(b'a'),
        "upperLetter" => latin(b'A'),
        "lowerRoman" => roman(number).to_lowercase(),
        "upperRoman" => roman(number),
        "decimalZero" => format!("{number:02}"),
        "arabicAlpha" => letter(number, ARABIC_ALPHABET),
        "arabicAbjad" => letter(number, ABJAD),
        "hindiNumbers" => number.to_string().chars().map(arabic_indic).collect(),
        _ => number.to_string(),
    }
}

fn letter(number: u32, letters: &str) -> String {
    let found = letters.chars().nth(number.saturating_sub(1) as usize);
    found.map_or_else(|| number.to_string(), |letter| letter.to_string())
}

fn arabic_indic(digit: char) -> char {
    digit.to_digit(10).and_then(|digit| char::from_u32(0x660 + digit)).unwrap_or(digit)
}

fn roman(number: u32) -> String {
    if number == 0 || number >= 4000 {
        return number.to_string();
    }
    let mut left = number;
    let mut text = String::new();
    for (value, letters) in ROMAN_NUMERALS {
        while left >= value {
            text.push_str(letters);
            left -= value;
        }
    }
    text
}

const MAX_LIST_LEVELS: usize = 9;
const MAX_LETTER_REPEATS: u32 = 10;
const ARABIC_ALPHABET: &str = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي";
const ABJAD: &str = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ";
const ROMAN_NUMERALS: [(u32, &str); 13] = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
];
