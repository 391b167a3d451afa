//! What a finding says, in every language that reports are read in.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::language::Language;

/// One sentence in English and in Arabic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BilingualMessage {
    en: String,
    ar: String,
}

impl BilingualMessage {
    /// The same sentence in both languages.
    pub fn new(en: impl Into<String>, ar: impl Into<String>) -> Self {
        Self { en: en.into(), ar: ar.into() }
    }

    /// The sentence in a language.
    pub fn pick(&self, language: Language) -> &str {
        language.pick(&self.en, &self.ar)
    }

    /// The sentence after what it is about.
    #[must_use]
    pub fn about(self, en: &str, ar: &str) -> Self {
        Self { en: format!("{en}: {}", self.en), ar: format!("{ar}: {}", self.ar) }
    }
}

/// Says a sentence in English and in Arabic, with the names in scope put into both.
#[macro_export]
macro_rules! say {
    ($en:literal, $ar:literal $(,)?) => {
        $crate::report::BilingualMessage::new(::std::format!($en), ::std::format!($ar))
    };
}

impl fmt::Display for BilingualMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}

impl Serialize for BilingualMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.en)
    }
}
