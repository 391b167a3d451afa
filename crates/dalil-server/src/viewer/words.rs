//! The words of the viewer, in English and Arabic, side by side.
//!
//! A word that lacks one of its languages does not compile. What a reply of the
//! API says in one word (a verdict, a kind of record) is said by [`ViewerTexts::of`].

use dalil_phrasebook::Language;

mod catalogue;
mod term;

#[cfg(test)]
mod tests;

pub(crate) use catalogue::ViewerTexts;

impl ViewerTexts {
    /// The words of a language.
    pub(crate) const fn of_language(language: Language) -> &'static Self {
        match language {
            Language::English => &catalogue::ENGLISH,
            Language::Arabic => &catalogue::ARABIC,
        }
    }

    /// What a word of the published formats is called; one that is not known stands for itself.
    pub(crate) fn of<'w>(&self, word: &'w str) -> &'w str {
        let found = term::TERMS.iter().find(|(known, _, _)| *known == word);
        found.map_or(word, |(_, english, arabic)| match self.lang {
            "ar" => arabic,
            _ => english,
        })
    }
}
