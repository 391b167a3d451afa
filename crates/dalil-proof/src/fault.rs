//! Faults of an input: rule, path, expected, found, and a hint.

use std::cell::{Cell, RefCell};
use std::fmt;

use dalil_phrasebook::{Phrase, expected, found, hint};
use serde::Serialize;
use thiserror::Error;

#[cfg(test)]
mod tests;

/// One thing wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The rule that was broken: a short, stable name such as `unknown_field`.
    pub rule: &'static str,
    /// Where, as a path into the request: `decision.evidence[0].excerpt`; `$` is the whole.
    pub path: String,
    /// The sentence a person reads: `expected …, found …`.
    pub message: Phrase,
    /// The next step for the reader, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Phrase>,
}

impl Fault {
    /// States the expectation of a rule at `path`, and the value found instead.
    pub fn new(
        rule: &'static str,
        path: impl fmt::Display,
        expected: impl Into<Phrase>,
        found: impl Into<Phrase>,
    ) -> Self {
        Self::with_message(
            rule,
            path,
            dalil_phrasebook::fault::expected_found(expected.into(), found.into()),
        )
    }

    /// A fault whose whole sentence is the message of an error.
    pub fn with_message(rule: &'static str, path: impl fmt::Display, message: Phrase) -> Self {
        Self { rule, path: path.to_string(), message, hint: None }
    }

    /// Adds the next step for the reader.
    #[must_use]
    pub fn hint(self, hint: Phrase) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// The fault as a person reads it: the place, the fault and the next step.
    pub fn phrase(&self) -> Phrase {
        let Self { rule: _, path, message, hint } = self;
        match hint {
            Some(hint) => dalil_phrasebook::fault::at_with_hint(path, message, hint),
            None => dalil_phrasebook::fault::at(path, message),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phrase().english())
    }
}

/// An input that was refused, with every fault that was found in it.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{}", lines(.refused))]
pub struct Refused {
    /// The faults, in the order of the input. Never empty.
    pub refused: Vec<Fault>,
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self { refused: vec![fault] }
    }
}

/// Gathers faults while an input is read, so that one reply can hold all of them.
///
/// The first [`MAX_FAULTS`] are kept whole and the rest are counted: a hostile
/// input must not make a reply out of all proportion to itself.
#[derive(Debug, Default)]
pub struct FaultCollector {
    kept: RefCell<Vec<Fault>>,
    more: Cell<usize>,
}

/// How many faults one reply lists.
pub const MAX_FAULTS: usize = 1000;

impl FaultCollector {
    /// Adds a fault.
    pub fn push(&self, fault: Fault) {
        self.push_with(|| fault);
    }

    /// Adds a fault that is worded only if it is kept.
    pub fn push_with(&self, fault: impl FnOnce() -> Fault) {
        // The list is borrowed while `fault` runs, so that must not push one itself.
        let mut kept = self.kept.borrow_mut();
        if kept.len() < MAX_FAULTS {
            kept.push(fault());
        } else {
            self.more.set(self.more.get().saturating_add(1));
        }
    }

    /// Gives `value` if nothing was wrong, and everything that was wrong otherwise.
    ///
    /// # Errors
    /// Every fault that was pushed. A missing value without a fault is itself a fault.
    pub fn into_result<T>(self, value: Option<T>) -> Result<T, Refused> {
        let mut refused = self.kept.into_inner();
        let more = self.more.into_inner();
        if more > 0 {
            let fault =
                Fault::new("more", "$", expected::no_faults(), found::more_than_are_listed(more));
            refused.push(fault.hint(hint::correct_those_listed_and_send_the_request_again()));
        }
        // A reader may return a value beside a fault; the fault decides.
        match value {
            Some(value) if refused.is_empty() => Ok(value),
            None if refused.is_empty() => {
                Err(Fault::new("unreadable", "$", expected::a_readable_value(), found::none())
                    .into())
            }
            Some(_) | None => Err(Refused { refused }),
        }
    }
}

/// Quotes untrusted text for a message: in backticks, without control or
/// direction-changing characters, and never longer than a line.
pub fn quote(text: &str) -> String {
    const MAX_QUOTED_CHARS: usize = 60;
    let mut quoted = String::from("`");
    for (n, ch) in text.chars().enumerate() {
        if n == MAX_QUOTED_CHARS {
            quoted.push('…');
            break;
        }
        // Marks of direction are usual in Arabic text, and `steers` lets them pass. At the edge of
        // a quotation they would move the words around it.
        // A backtick of the text would end the quotation early.
        if steers(ch) || matches!(ch, '`' | '\u{61c}' | '\u{200e}' | '\u{200f}') {
            quoted.extend(ch.escape_unicode());
        } else {
            quoted.push(ch);
        }
    }
    quoted.push('`');
    quoted
}

/// Untrusted text, quoted, as a phrase: it is the same in every language.
pub fn quoted(text: &str) -> Phrase {
    Phrase::verbatim(quote(text))
}

/// Whether a terminal obeys a character instead of showing it: a control
/// character, a line end of Unicode's own, or one that reorders the text around
/// it and so could forge a message.
pub fn steers(ch: char) -> bool {
    let ends = matches!(ch, '\u{2028}' | '\u{2029}');
    let turns = matches!(ch, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    ch.is_control() || ends || turns
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
