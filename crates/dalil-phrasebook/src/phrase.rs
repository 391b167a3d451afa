//! A text in every language, and how one is declared.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::language::Language;

#[cfg(test)]
mod tests;

/// A text in English and in Arabic.
///
/// Only this crate words one. Elsewhere a phrase is called for by name, or holds a text
/// that is the same in every language ([`Phrase::verbatim`]). It has no `Display`: the
/// code that shows a phrase names the language.
#[derive(Clone, Debug)]
pub struct Phrase(PhraseTexts);

/// The texts of a phrase. Those with arguments are in a box: a fault, which has two phrases, is the
/// error of most functions and should be small.
#[derive(Clone, Debug)]
enum PhraseTexts {
    Fixed { english: &'static str, arabic: &'static str },
    Filled(Box<[String; 2]>),
}

impl Phrase {
    /// A text without arguments.
    pub(crate) const fn fixed(english: &'static str, arabic: &'static str) -> Self {
        Self(PhraseTexts::Fixed { english, arabic })
    }

    /// A text whose arguments were put in.
    pub(crate) fn filled(english: String, arabic: String) -> Self {
        Self(PhraseTexts::Filled(Box::new([english, arabic])))
    }

    /// A text that is the same in every language: a name, an id, a number, words in backticks.
    pub fn verbatim(text: impl fmt::Display) -> Self {
        let text = text.to_string();
        Self::filled(text.clone(), text)
    }

    /// The phrase after its subject.
    #[must_use]
    pub fn about(&self, subject: impl PhraseArgument) -> Self {
        crate::proof_check::about(subject, self)
    }

    /// The text in a language.
    pub fn text(&self, language: Language) -> &str {
        let (english, arabic) = match &self.0 {
            PhraseTexts::Fixed { english, arabic } => (*english, *arabic),
            PhraseTexts::Filled(texts) => {
                let [english, arabic] = texts.as_ref();
                (english.as_str(), arabic.as_str())
            }
        };
        language.pick(english, arabic)
    }

    /// The text in a language, without the other.
    pub fn into_text(self, language: Language) -> Cow<'static, str> {
        match self.0 {
            PhraseTexts::Fixed { english, arabic } => Cow::Borrowed(language.pick(english, arabic)),
            PhraseTexts::Filled(texts) => {
                let [english, arabic] = *texts;
                Cow::Owned(language.pick(english, arabic))
            }
        }
    }

    /// The text in English, the default of JSON, logs and the terminal.
    pub fn english(&self) -> &str {
        self.text(Language::English)
    }

    /// Several phrases as one: the first two are put together by `link`, then the third to those, and
    /// so on. Without any it is empty.
    #[must_use]
    pub fn fold(all: impl IntoIterator<Item = Self>, link: fn(Self, Self) -> Self) -> Self {
        all.into_iter().reduce(link).unwrap_or(Self::fixed("", ""))
    }
}

/// Two phrases are one if a reader of either language reads the same.
impl PartialEq for Phrase {
    fn eq(&self, other: &Self) -> bool {
        let same = |language| self.text(language) == other.text(language);
        same(Language::English) && same(Language::Arabic)
    }
}

impl Eq for Phrase {}

impl From<u64> for Phrase {
    fn from(number: u64) -> Self {
        Self::verbatim(number)
    }
}

impl From<usize> for Phrase {
    fn from(number: usize) -> Self {
        Self::verbatim(number)
    }
}

/// JSON has the English; a reply in another language is written where the reader's language is
/// known.
impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.english())
    }
}

/// An argument of a phrase: another phrase, in its language, or a value that every language
/// writes the same way.
pub trait PhraseArgument {
    /// Writes the argument in the form for a text of that language.
    ///
    /// # Errors
    /// Those of the formatter.
    fn write(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: fmt::Display + ?Sized> PhraseArgument for T {
    fn write(&self, _: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

impl PhraseArgument for Phrase {
    fn write(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(language))
    }
}

impl PhraseArgument for &Phrase {
    fn write(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(language))
    }
}

/// An argument in a language, for `format!`.
pub(crate) struct SpokenArgument<'a, T>(pub(crate) &'a T, pub(crate) Language);

impl<T: PhraseArgument> fmt::Display for SpokenArgument<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(self.1, f)
    }
}

/// Declares phrases: a name, its arguments, and the text in every language.
///
/// ```text
/// phrases! {
///     at_most_bytes(most)
///         en "at most {most} bytes"
///         ar "ما لا يزيد على {most} بايت"
/// }
/// ```
///
/// Each becomes a function that returns a [`Phrase`]. A language that is left out does not
/// compile, nor does a text that names an unknown argument. An argument that a translation does
/// not use is a warning, which is an error in `./test`, unless the translation has
/// `, omits argument`.
macro_rules! phrases {
    ($(
        $name:ident($($argument:ident),*)
        en $en:literal $(, omits $($omitted_en:ident),+)?
        ar $ar:literal $(, omits $($omitted_ar:ident),+)?
    )*) => {
        $($crate::phrase::phrase! {
            $name($($argument),*) $en, [$($($omitted_en)+)?], $ar, [$($($omitted_ar)+)?]
        })*
    };
}

/// One of [`phrases`]: without arguments it is a constant function.
macro_rules! phrase {
    ($name:ident() $en:literal, [], $ar:literal, []) => {
        #[doc = concat!("“", $en, "”.")]
        pub const fn $name() -> $crate::Phrase {
            $crate::Phrase::fixed($en, $ar)
        }
    };
    (
        $name:ident($($argument:ident),+)
        $en:literal, [$($omitted_en:ident)*], $ar:literal, [$($omitted_ar:ident)*]
    ) => {
        #[doc = concat!("“", $en, "”.")]
        pub fn $name($($argument: impl $crate::PhraseArgument),+) -> $crate::Phrase {
            let english = {
                $(let $argument =
                    $crate::phrase::SpokenArgument(&$argument, $crate::Language::English);)+
                $(let _ = &$omitted_en;)*
                ::std::format!($en)
            };
            let arabic = {
                $(let $argument =
                    $crate::phrase::SpokenArgument(&$argument, $crate::Language::Arabic);)+
                $(let _ = &$omitted_ar;)*
                ::std::format!($ar)
            };
            $crate::Phrase::filled(english, arabic)
        }
    };
}

/// [`phrases`] that can be recognised from their English text: `TEMPLATES` has the texts of all of
/// them, in English and in Arabic, with the names of their arguments in braces.
macro_rules! known_phrases {
    ($($name:ident($($argument:ident),*) en $en:literal ar $ar:literal)*) => {
        $crate::phrase::phrases! { $($name($($argument),*) en $en ar $ar)* }

        pub(crate) const TEMPLATES: &[(&str, &str)] = &[$(($en, $ar)),*];
    };
}

/// Declares the names of words of published formats: a function that takes the word.
///
/// ```text
/// terms! { part
///     "archive" en "archive" ar "الأرشيف"
/// }
/// ```
macro_rules! terms {
    ($(#[$doc:meta])* $name:ident $($word:literal en $en:literal ar $ar:literal)*) => {
        $(#[$doc])*
        pub fn $name(word: &str) -> Option<$crate::Phrase> {
            match word {
                $($word => Some($crate::Phrase::fixed($en, $ar)),)*
                _ => None,
            }
        }

        #[cfg(test)]
        pub(crate) mod $name {
            /// Every word, with its texts.
            pub(crate) const PAIRS: &[(&str, &str, &str)] = &[$(($word, $en, $ar),)*];
        }
    };
}

/// Declares the texts that a template names as fields: a struct, and its value in every language.
///
/// ```text
/// catalogue! { PageTexts
///     claims en "Claims" ar "الادعاءات"
/// }
/// ```
macro_rules! catalogue {
    ($(#[$doc:meta])* $texts:ident $($name:ident en $en:literal ar $ar:literal)*) => {
        $(#[$doc])*
        #[derive(Debug, ::serde::Serialize)]
        pub struct $texts {
            $(#[doc = concat!("“", $en, "”.")] pub $name: &'static str,)*
        }

        impl $texts {
            /// The texts of a language.
            pub const fn in_language(language: $crate::Language) -> &'static Self {
                match language {
                    $crate::Language::English => &Self { $($name: $en,)* },
                    $crate::Language::Arabic => &Self { $($name: $ar,)* },
                }
            }

            /// Every text, with its name.
            #[cfg(test)]
            pub(crate) const PAIRS: &[(&'static str, &'static str, &'static str)] =
                &[$((stringify!($name), $en, $ar),)*];
        }
    };
}

/// Makes an error say itself: it has a function `phrase`, and displays the English of it.
#[macro_export]
macro_rules! spoken_error {
    ($error:ty) => {
        impl ::std::fmt::Display for $error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.phrase().english())
            }
        }

        impl ::std::error::Error for $error {}

        impl From<&$error> for $crate::Phrase {
            fn from(error: &$error) -> Self {
                error.phrase()
            }
        }
    };
}

pub(crate) use {catalogue, known_phrases, phrase, phrases, terms};
