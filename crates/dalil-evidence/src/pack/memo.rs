//! The memo of a pack: the account a person reads, in Arabic and in English.

use std::ops::Range;

use dalil_phrasebook::{Language, bound, expected, found, hint};
use dalil_proof::decode::{self, JsonFields, JsonReader};
use dalil_proof::fault::Fault;
use serde::Serialize;
use unicode_normalization::char::canonical_combining_class;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::anchor;
use crate::mask;

pub(super) mod draft;
#[cfg(test)]
mod tests;

/// The decision and its reasons, in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memo {
    /// The title in Arabic.
    pub title_ar: String,
    /// The title in English.
    pub title_en: String,
    /// The account in Arabic, at most 600 words.
    pub body_ar: String,
    /// The account in English, at most 600 words.
    pub body_en: String,
    /// The summary in Arabic, at most 120 words.
    pub executive_summary_ar: String,
    /// The summary in English, at most 120 words.
    pub executive_summary_en: String,
    /// The language that the other one is a translation of, when it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translated_from: Option<Language>,
}

/// The texts of a memo in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoTexts<'m> {
    /// The title.
    pub title: &'m str,
    /// The summary.
    pub summary: &'m str,
    /// The account.
    pub body: &'m str,
}

impl Memo {
    /// The texts in a language.
    pub fn texts(&self, language: Language) -> MemoTexts<'_> {
        let (title, summary, body) = match language {
            Language::English => (&self.title_en, &self.executive_summary_en, &self.body_en),
            Language::Arabic => (&self.title_ar, &self.executive_summary_ar, &self.body_ar),
        };
        MemoTexts { title, summary, body }
    }

    pub(super) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let mut text = |name, language, part| field(&mut fields, name, language, part);
        let title_ar = text("title_ar", Language::Arabic, MemoPart::Title);
        let title_en = text("title_en", Language::English, MemoPart::Title);
        let body_ar = text("body_ar", Language::Arabic, MemoPart::Body);
        let body_en = text("body_en", Language::English, MemoPart::Body);
        let executive_summary_ar =
            text("executive_summary_ar", Language::Arabic, MemoPart::Summary);
        let executive_summary_en =
            text("executive_summary_en", Language::English, MemoPart::Summary);
        let translated_from = fields.optional("translated_from", |language| {
            language.choice(&[("ar", Language::Arabic), ("en", Language::English)])
        });
        fields.done()?;
        Some(Self {
            title_ar: title_ar?,
            title_en: title_en?,
            body_ar: body_ar?,
            body_en: body_en?,
            executive_summary_ar: executive_summary_ar?,
            executive_summary_en: executive_summary_en?,
            translated_from: translated_from?,
        })
    }
}

/// The purpose of a text of the memo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MemoPart {
    Title,
    Body,
    Summary,
}

impl MemoPart {
    fn most_words(self) -> usize {
        match self {
            Self::Title | Self::Body => 600,
            Self::Summary => 120,
        }
    }

    fn most_characters(self) -> usize {
        match self {
            Self::Title => 300,
            Self::Body => 6000,
            Self::Summary => 1200,
        }
    }
}

/// Reads one text of the memo and pushes everything that is wrong with it.
fn field(
    fields: &mut JsonFields<'_, '_>,
    name: &'static str,
    language: Language,
    part: MemoPart,
) -> Option<String> {
    fields.required(name, |reader| {
        let text = decode::filled(reader)?;
        let citations: Vec<Range<usize>> =
            anchor::citations(&text).iter().map(|citation| citation.start..citation.end).collect();
        // A title may be a number or a name without a letter.
        let spoken = if part == MemoPart::Title && !text.contains(char::is_alphabetic) {
            Some(())
        } else {
            in_language(reader, &text, &citations, language, part)
        };
        // Every check runs, so that an author sees all that is wrong with a text at once.
        let short = within(reader, &text, &citations, part.most_words());
        let bounded = bounded(reader, &text, &citations, part.most_characters());
        let clean = without_personal_data(reader, &text, &citations);
        spoken?;
        short?;
        bounded?;
        clean?;
        Some(text)
    })
}

/// Refuses a text less than half of whose letters are of its language's script, and a
/// title without one. Citations do not count.
fn in_language(
    reader: JsonReader<'_, '_>,
    text: &str,
    citations: &[Range<usize>],
    language: Language,
    part: MemoPart,
) -> Option<()> {
    let (is_letter, expected): (fn(char) -> bool, _) = match language {
        Language::Arabic => (is_arabic, expected::text_in_arabic()),
        Language::English => (is_latin, expected::text_in_english()),
    };
    let (mut own, mut others) = (0_usize, 0_usize);
    for piece in around(text, citations) {
        // Plain English is counted many bytes at a time.
        if piece.is_ascii() {
            let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
            *(if language == Language::English { &mut own } else { &mut others }) += letters;
            continue;
        }
        for ch in piece.chars() {
            let is_own = match ch {
                // In this order, so that plain text needs no look into the tables of Unicode.
                '\u{620}'..='\u{64a}' => language == Language::Arabic,
                'A'..='Z' | 'a'..='z' => language == Language::English,
                '\0'..='\u{7f}' => continue,
                _ if !ch.is_alphabetic() => continue,
                _ => is_letter(ch),
            };
            *(if is_own { &mut own } else { &mut others }) += 1;
        }
    }
    if own > 0 && (part == MemoPart::Title || own >= others) {
        return Some(());
    }
    let found = if own == 0 { found::none() } else { found::mostly_letters_of_another_script() };
    reader.push(
        Fault::new("memo_language", reader.path(), expected, found)
            .hint(hint::a_memo_is_written_in_both_languages()),
    )
}

/// Refuses a text of more than `limit` words. Citations are not words.
fn within(
    reader: JsonReader<'_, '_>,
    text: &str,
    citations: &[Range<usize>],
    limit: usize,
) -> Option<()> {
    // Finding word boundaries is slow; a bound that costs nothing settles most texts.
    if most_words(text) <= limit {
        return Some(());
    }
    let words: usize = around(text, citations).map(|piece| piece.unicode_words().count()).sum();
    if words <= limit {
        return Some(());
    }
    let expected = bound::at_most_words(limit);
    reader.push(Fault::new("memo_length", reader.path(), expected, found::words(words)))
}

/// Refuses a text of more than `limit` characters, marks and citations not counted, or
/// of more than three times as many with the marks: words can be joined into one.
fn bounded(
    reader: JsonReader<'_, '_>,
    text: &str,
    citations: &[Range<usize>],
    limit: usize,
) -> Option<()> {
    // A character has at least one byte, so a text this short cannot have too many.
    if text.len() <= limit {
        return Some(());
    }
    let chars = || around(text, citations).flat_map(str::chars);
    let plain = chars().filter(|ch| canonical_combining_class(*ch) == 0).count();
    let all = chars().count();
    // Marks are not counted, so that vowelled Arabic is as long as plain.
    // They are still bounded, or one letter could carry thousands.
    if plain <= limit && all <= 3 * limit {
        return Some(());
    }
    let expected = bound::at_most_characters(limit);
    let found = if plain > limit { plain } else { all };
    let fault = Fault::new("memo_size", reader.path(), expected, found::characters(found));
    reader.push(fault)
}

/// Refuses every piece of personal data, by its rule and place, never by its value.
fn without_personal_data(
    reader: JsonReader<'_, '_>,
    text: &str,
    citations: &[Range<usize>],
) -> Option<()> {
    let mut clean = Some(());
    for found in outside(text, citations) {
        let expected = expected::no_personal_data_or_secrets();
        let found = found::personal_data_at(found.rule, found.start);
        clean = reader.push(
            Fault::new("personal_data", reader.path(), expected, found)
                .hint(hint::point_to_the_source_and_give_its_digest_instead()),
        );
    }
    clean
}

/// The finds of the masking rules in a text, citations left out.
fn personal_data(text: &str) -> Vec<mask::SensitiveSpan<'static>> {
    let citations =
        anchor::citations(text).iter().map(|cite| cite.start..cite.end).collect::<Vec<_>>();
    outside(text, &citations)
}

/// The finds of the masking rules outside citations: the digits of an anchor can look like a number
/// that means something.
fn outside(text: &str, citations: &[Range<usize>]) -> Vec<mask::SensitiveSpan<'static>> {
    let is_outside = |found: &mask::SensitiveSpan<'_>| {
        // Citations are in order and apart, so only the
        // last one that starts before can cover the find.
        let before = citations.partition_point(|cite| cite.start <= found.start);
        let (before, _) = citations.split_at(before);
        before.last().is_none_or(|cite| found.end > cite.end)
    };
    mask::find(text, &[]).into_iter().filter(is_outside).collect()
}

/// The pieces of a text between its citations.
fn around<'t>(text: &'t str, citations: &'t [Range<usize>]) -> impl Iterator<Item = &'t str> {
    let starts = std::iter::once(0).chain(citations.iter().map(|cite| cite.end));
    let ends = citations.iter().map(|cite| cite.start).chain(std::iter::once(text.len()));
    starts.zip(ends).filter_map(|(start, end)| text.get(start..end))
}

/// A number of words that a text cannot exceed.
///
/// A word holds at least one letter or digit, and a run of plain Latin or Arabic
/// ones is never broken; any other could be a word by itself.
fn most_words(text: &str) -> usize {
    let mut inside = false;
    let mut words = 0;
    for ch in text.chars() {
        // In this order, so that plain text needs no look into the tables of Unicode.
        let runs =
            if ch.is_ascii() { ch.is_ascii_alphanumeric() } else { is_plain(ch) || is_latin(ch) };
        let alone = !runs && !ch.is_ascii() && ch.is_alphanumeric();
        words += usize::from(alone || runs && !inside);
        inside = runs;
    }
    words
}

/// An Arabic letter without marks, or an Arabic digit.
fn is_plain(ch: char) -> bool {
    matches!(
        ch,
        '\u{620}'..='\u{64a}'
            | '\u{660}'..='\u{669}'
            | '\u{671}'..='\u{6d3}'
            | '\u{6f0}'..='\u{6f9}'
    )
}

fn is_arabic(ch: char) -> bool {
    let block = matches!(
        ch,
        '\u{600}'..='\u{6ff}'
            | '\u{750}'..='\u{77f}'
            | '\u{8a0}'..='\u{8ff}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{feff}'
    );
    block && ch.is_alphabetic()
}

fn is_latin(ch: char) -> bool {
    ch.is_ascii_alphabetic() || matches!(ch, '\u{c0}'..='\u{24f}') && ch.is_alphabetic()
}
