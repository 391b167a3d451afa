//! Names: capitalised words, codes, quoted words, and places, in the claim and the evidence.

use std::sync::LazyLock;

use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::stem;
use super::text::{AlignmentFit, AnalyzedText, RoleAlignment};
use super::word::{PhraseTable, WordKind, WordToken};

#[cfg(test)]
mod tests;

/// Which names of the claim the evidence has, has not, or has another for.
pub(super) fn findings(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    roles: &RoleAlignment<'_>,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    // The rules do not transliterate: across scripts a name is never missing.
    if claim.arabic() != evidence.arabic() {
        return Vec::new();
    }
    let found = names(evidence);
    let said = names(claim);
    let absent: Vec<&NamedEntity> = found
        .iter()
        .filter(|name| !said.iter().any(|other| other.same(name)) && !has(claim, name))
        .collect();
    let find = |name: &NamedEntity| {
        let base = RuleFinding::new(
            RuleKind::Name,
            RuleOutcome::Missing,
            claim,
            claim.span(name.at..name.at + name.length),
        );
        if let Some(other) = found.iter().find(|other| other.same(name)) {
            let place = evidence.span(other.at..other.at + other.length);
            return Some(base.met(RuleOutcome::Agrees, evidence, place));
        }
        // A part of a name may stand for it; places are known by the table and need no such guess.
        let place = matches!(name.sort, NamedEntityKind::Place(..));
        if (!place && has_part(evidence, name)) || !near(fit, name) {
            return None;
        }
        let rival = absent
            .iter()
            .filter(|other| rivals([claim, evidence], name, other))
            .max_by_key(|other| (roles.fit(name.at, other.at).weight, std::cmp::Reverse(other.at)));
        // The evidence may call the claim's subject "it".
        let Some(rival) = rival else { return (name.at > 1).then_some(base) };
        let place = evidence.span(rival.at..rival.at + rival.length);
        // The two names differ anyway: all other words have to be the same.
        let rest = AlignmentFit {
            total: fit.total.saturating_sub(name.length).max(1),
            around: fit.around.saturating_sub(rival.length),
            ..fit
        };
        let met = base.met(RuleOutcome::Conflicts, evidence, place);
        Some(RuleFinding { is_tight: rest.mirrors(), ..met })
    };
    said.iter().filter_map(find).collect()
}

/// A name of the claim that the evidence has not, and the name of the same sort in its place.
pub(super) fn rival(
    texts: [&AnalyzedText<'_>; 2],
    roles: &RoleAlignment<'_>,
) -> Option<[std::ops::Range<usize>; 2]> {
    let [claim, evidence] = texts;
    if claim.arabic() != evidence.arabic() {
        return None;
    }
    let (said, found) = (names(claim), names(evidence));
    let own = said.iter().filter(|name| !has_part(evidence, name));
    let others: Vec<&NamedEntity> = found.iter().filter(|name| !has_part(claim, name)).collect();
    let sort = |name: &NamedEntity| match name.sort {
        NamedEntityKind::Code => 0,
        NamedEntityKind::Place(..) | NamedEntityKind::Proper => 1,
    };
    let best = |name: &NamedEntity| {
        let rivals = others.iter().filter(|other| sort(other) == sort(name));
        let rival = rivals.max_by_key(|other| roles.fit(name.at, other.at).weight)?;
        Some([name.at..name.at + name.length, rival.at..rival.at + rival.length])
    };
    own.into_iter().find_map(best)
}

/// A name, and the words it takes up.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedEntity {
    at: usize,
    length: usize,
    sort: NamedEntityKind,
    form: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedEntityKind {
    Code,
    /// A place of the table, by its number there.
    Place(PlaceKind, u8),
    /// Capitalised, quoted, or after a title.
    Proper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceKind {
    Country,
    City,
}

impl NamedEntity {
    fn same(&self, other: &Self) -> bool {
        match (self.sort, other.sort) {
            (NamedEntityKind::Place(..), NamedEntityKind::Place(..)) => self.sort == other.sort,
            _ => self.form == other.form,
        }
    }
}

/// Whether the evidence has nearly the same words, the name left out.
fn near(fit: AlignmentFit, name: &NamedEntity) -> bool {
    AlignmentFit { total: fit.total.saturating_sub(name.length).max(1), ..fit }.tight()
}

/// Whether a text has a word of a name, which may be the whole by another form.
fn has_part(text: &AnalyzedText<'_>, name: &NamedEntity) -> bool {
    let mut words = name.form.split(' ').filter(|word| word.chars().count() > 2);
    words.any(|word| {
        text.words.iter().any(|other| other.form == word || stems_meet(&other.form, word))
    })
}

/// Whether a text has every word of a name somewhere.
fn has(text: &AnalyzedText<'_>, name: &NamedEntity) -> bool {
    let mut words = name.form.split(' ');
    words.all(|word| {
        text.words.iter().any(|other| other.form == word || stems_meet(&other.form, word))
    })
}

fn stems_meet(a: &str, b: &str) -> bool {
    a.len() > 3
        && b.len() > 3
        && (a.strip_suffix('s') == Some(b)
            || b.strip_suffix('s') == Some(a)
            || a.strip_prefix('و') == Some(b)
            || a.strip_prefix('ل') == Some(b)
            || a.strip_prefix('ب') == Some(b))
}

/// Whether two names stand for each other's place: codes of one series, places of one sort, names after one word.
fn rivals(texts: [&AnalyzedText<'_>; 2], said: &NamedEntity, found: &NamedEntity) -> bool {
    let [claim, evidence] = texts;
    match (said.sort, found.sort) {
        (NamedEntityKind::Code, NamedEntityKind::Code) => series(&said.form) == series(&found.form),
        (NamedEntityKind::Place(a, _), NamedEntityKind::Place(b, _)) => a == b,
        // One capitalised word may be a defined term: the Owner is a Disclosing Party.
        (NamedEntityKind::Proper, NamedEntityKind::Proper)
            if said.length > 1 && found.length > 1 || claim.arabic() =>
        {
            let lead = |text: &AnalyzedText<'_>, name: &NamedEntity| {
                let before = text
                    .terms
                    .iter()
                    .rev()
                    .find(|term| term.at < name.at && term.at + 3 >= name.at);
                before.map(|term| term.key.clone())
            };
            let next = |text: &AnalyzedText<'_>, name: &NamedEntity| {
                let end = name.at + name.length;
                text.terms
                    .iter()
                    .find(|term| term.at >= end && term.at <= end + 3)
                    .map(|term| term.key.clone())
            };
            let led = lead(claim, said).is_some_and(|key| lead(evidence, found) == Some(key));
            led || next(claim, said).is_some_and(|key| {
                next(evidence, found) == Some(key)
                    && lead(evidence, found).is_none()
                    && lead(claim, said).is_none()
            })
        }
        _ => false,
    }
}

/// A code without its digits: `hr-b-` of `hr-b-04`.
fn series(code: &str) -> String {
    code.chars().filter(|c| !c.is_ascii_digit()).collect()
}

fn names(text: &AnalyzedText<'_>) -> Vec<NamedEntity> {
    let mut names = Vec::new();
    let mut at = 0;
    while at < text.words.len() && names.len() < MAX_NAMES {
        match name(text, at) {
            Some(name) => {
                at += name.length;
                names.push(name);
            }
            None => at += 1,
        }
    }
    names
}

fn name(text: &AnalyzedText<'_>, at: usize) -> Option<NamedEntity> {
    let word = text.words.get(at)?;
    if word.kind == WordKind::Code {
        return Some(NamedEntity {
            at,
            length: 1,
            sort: NamedEntityKind::Code,
            form: word.form.clone(),
        });
    }
    if let Some((length, (land, number))) = place(&text.words, at) {
        let form = joined(&text.words, at, length);
        return Some(NamedEntity { at, length, sort: NamedEntityKind::Place(land, number), form });
    }
    let length = capitals(text, at).or_else(|| titled(&text.words, at))?;
    let skip = usize::from(word.arabic());
    Some(NamedEntity {
        at: at + skip,
        length: length - skip,
        sort: NamedEntityKind::Proper,
        form: joined(&text.words, at + skip, length - skip),
    })
}

fn place(words: &[WordToken], at: usize) -> Option<(usize, (PlaceKind, u8))> {
    PLACE_NAMES.at(words, at).or_else(|| {
        let word = words.get(at).filter(|word| word.arabic())?;
        // Arabic writes the preposition onto the name: `بدبي`.
        let bare = word.form.strip_prefix(['ب', 'ل'])?;
        let bare = WordToken { form: bare.to_owned(), ..word.clone() };
        PLACE_NAMES.at(&[bare], 0)
    })
}

/// A run of capitalised words; the first word of a sentence only with another after it.
fn capitals(text: &AnalyzedText<'_>, at: usize) -> Option<usize> {
    let capital = |at: usize| {
        let word = text.words.get(at)?;
        let term = text.terms.iter().any(|term| term.at == at);
        (word.kind == WordKind::Capital && term).then_some(())
    };
    capital(at)?;
    let run = (at..).map_while(capital).count().min(6);
    // At the head of a sentence any word has a capital.
    let first = at.checked_sub(1).is_none_or(|before| {
        text.words.get(before).is_some_and(|word| word.breaks() || !word.letters())
    });
    (run > 1 || !first).then_some(run)
}

/// An Arabic title and the name after it: `السيد خالد`, `شركة برزمار`.
fn titled(words: &[WordToken], at: usize) -> Option<usize> {
    NAME_TITLES_AR.at(words, at)?;
    let next = words.get(at + 1).filter(|word| word.letters() && stem::key(word).is_some())?;
    (!next.form.starts_with("ال")).then_some(2)
}

fn joined(words: &[WordToken], at: usize, length: usize) -> String {
    let forms: Vec<&str> =
        words.iter().skip(at).take(length).map(|word| word.form.as_str()).collect();
    forms.join(" ")
}

/// As many as quantities: names of two texts are compared in pairs. No sentence has that many.
const MAX_NAMES: usize = 64;

static NAME_TITLES_AR: LazyLock<PhraseTable<()>> = LazyLock::new(|| {
    PhraseTable::of(&[(
        "السيد|السيدة|الدكتور|الدكتورة|المهندس|المهندسة|الأستاذ|الأستاذة|الشيخ|شركة|بنك|مصرف",
        (),
    )])
});

static PLACE_NAMES: LazyLock<PhraseTable<(PlaceKind, u8)>> = LazyLock::new(|| {
    use PlaceKind::{City, Country};
    PhraseTable::of(&[
        (
            "saudi arabia|ksa|kingdom of saudi arabia|السعودية|المملكة العربية السعودية",
            (Country, 1),
        ),
        ("uae|united arab emirates|الإمارات|دولة الإمارات|الإمارات العربية المتحدة", (Country, 2)),
        ("kuwait|الكويت|دولة الكويت|للكويت", (Country, 3)),
        ("qatar|قطر|دولة قطر", (Country, 4)),
        ("bahrain|البحرين|مملكة البحرين|للبحرين", (Country, 5)),
        ("oman|عمان|سلطنة عمان|sultanate of oman", (Country, 6)),
        ("egypt|مصر|جمهورية مصر العربية", (Country, 7)),
        ("jordan|الأردن", (Country, 8)),
        ("england|england and wales|إنجلترا|united kingdom|uk|المملكة المتحدة", (Country, 9)),
        ("france|فرنسا", (Country, 10)),
        ("india|الهند", (Country, 11)),
        ("germany|ألمانيا", (Country, 12)),
        ("iraq|العراق", (Country, 13)),
        ("lebanon|لبنان", (Country, 14)),
        ("riyadh|الرياض", (City, 1)),
        ("jeddah|جدة", (City, 2)),
        ("dammam|الدمام", (City, 3)),
        ("dubai|دبي", (City, 4)),
        ("abu dhabi|أبوظبي|أبو ظبي", (City, 5)),
        ("sharjah|الشارقة", (City, 6)),
        ("doha|الدوحة", (City, 7)),
        ("manama|المنامة", (City, 8)),
        ("muscat|مسقط", (City, 9)),
        ("cairo|القاهرة", (City, 10)),
        ("amman", (City, 11)),
        ("london|لندن", (City, 12)),
        ("geneva|جنيف", (City, 13)),
        ("paris|باريس", (City, 14)),
        ("mecca|makkah|مكة", (City, 15)),
        ("medina|المدينة المنورة", (City, 16)),
        ("singapore|سنغافورة", (City, 17)),
    ])
});
