//! The text that an external judge may see: documents and the answer, masked whole.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use dalil_evidence::mask::{self, MaskRule, MaskedText};

use crate::corpus::Corpus;

/// Documents and an answer, each masked as a whole before a part of it is taken.
pub(super) struct MaskedCorpus<'c> {
    custom: &'c [MaskRule],
    /// The text of each document, and the same masked when it was first asked for.
    documents: Vec<(&'c str, OnceCell<MaskedText<'c>>)>,
    /// The values that the rules find in the answer, and their replacements; the longest first.
    values: Vec<(&'c str, String)>,
}

impl<'c> MaskedCorpus<'c> {
    pub(super) fn of(corpus: &'c Corpus, answer: &'c str, custom: &'c [MaskRule]) -> Self {
        let texts = corpus.held().iter().map(|held| held.document.text.as_str());
        let mut values: Vec<(&str, String)> = Vec::new();
        for mask in mask::apply(answer, custom, None).masks {
            let value = answer.get(mask.start..mask.end).unwrap_or_default();
            // A claim is one line of the answer, so a value over several lines is in it in part.
            let lines = value.lines().map(str::trim).filter(|line| line.len() >= MIN_VALUE_BYTES);
            values.extend(lines.map(|line| (line, mask.replacement.clone())));
        }
        values.sort_by(|one, other| other.0.len().cmp(&one.0.len()).then_with(|| one.cmp(other)));
        values.dedup();
        Self { custom, documents: texts.map(|text| (text, OnceCell::new())).collect(), values }
    }

    /// A part of a document as it may be shown.
    pub(super) fn passage(&self, source: usize, range: Range<usize>) -> Option<MaskedText<'c>> {
        let (text, masked) = self.documents.get(source)?;
        let masked = masked.get_or_init(|| mask::apply(text, self.custom, None));
        Some(masked.part(text, range))
    }

    /// The statement of a claim of the answer, as it may be shown.
    pub(super) fn statement<'t>(&self, statement: &'t str) -> Cow<'t, str> {
        let mut shown = mask::apply(statement, self.custom, None).text;
        for (value, replacement) in &self.values {
            if shown.contains(value) {
                shown = Cow::Owned(shown.replace(value, replacement));
            }
        }
        shown
    }
}

/// Shorter values are not looked for in claims: a lone `12` is in every answer.
const MIN_VALUE_BYTES: usize = 4;
