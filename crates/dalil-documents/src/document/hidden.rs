//! Text that a reader of the document does not see.

use std::fmt;

use dalil_phrasebook::{Phrase, document_note};

/// Why a reader of the document does not see a text that the file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HiddenText {
    /// The file marks it as hidden: a hidden row, a hidden layer, hidden letters.
    MarkedHidden,
    /// It has the colour of its background.
    BackgroundColour,
    /// It is too small to be read.
    TinySize,
    /// It is outside the page, or outside the part of it that is shown.
    OutsidePage,
    /// Something is drawn over it.
    CoveredByShape,
    /// It lets everything through that is behind it.
    FullTransparency,
    /// The shapes on the page are those of other letters.
    OtherLetters,
    /// It was inserted under review and is not accepted.
    UnacceptedInsertion,
    /// It is shown only after a reader opens a part of the page.
    ClosedSection,
    /// A program that shows the document shows another version of it.
    UnshownAlternative,
    /// Characters without a shape stand between its letters.
    InvisibleCharacters,
}

impl HiddenText {
    /// Every reason, in the order of their codes.
    pub const ALL: [Self; 11] = [
        Self::MarkedHidden,
        Self::BackgroundColour,
        Self::TinySize,
        Self::OutsidePage,
        Self::CoveredByShape,
        Self::FullTransparency,
        Self::OtherLetters,
        Self::UnacceptedInsertion,
        Self::ClosedSection,
        Self::UnshownAlternative,
        Self::InvisibleCharacters,
    ];

    /// In a clause.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::MarkedHidden => document_note::hidden_marked(),
            Self::BackgroundColour => document_note::hidden_background_colour(),
            Self::TinySize => document_note::hidden_tiny(),
            Self::OutsidePage => document_note::hidden_outside_page(),
            Self::CoveredByShape => document_note::hidden_covered(),
            Self::FullTransparency => document_note::hidden_transparent(),
            Self::OtherLetters => document_note::hidden_other_letters(),
            Self::UnacceptedInsertion => document_note::hidden_insertion(),
            Self::ClosedSection => document_note::hidden_closed_section(),
            Self::UnshownAlternative => document_note::hidden_unshown_version(),
            Self::InvisibleCharacters => document_note::hidden_invisible_characters(),
        }
    }

    /// One word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::MarkedHidden => "marked_hidden",
            Self::BackgroundColour => "background_colour",
            Self::TinySize => "tiny_size",
            Self::OutsidePage => "outside_page",
            Self::CoveredByShape => "covered_by_shape",
            Self::FullTransparency => "full_transparency",
            Self::OtherLetters => "other_letters",
            Self::UnacceptedInsertion => "unaccepted_insertion",
            Self::ClosedSection => "closed_section",
            Self::UnshownAlternative => "unshown_alternative",
            Self::InvisibleCharacters => "invisible_characters",
        }
    }
}

impl fmt::Display for HiddenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phrase().english())
    }
}
