//! Why a page of a document is not drawn: a closed list, because the process that draws may be
//! controlled by the file. It names a reason; the reader sees our text for it, in their language.

use std::fmt;

use dalil_phrasebook::{Phrase, page_refusal};

use crate::quotation::{MAX_PAGE_SIDE_POINTS, MIN_PAGE_SIDE_POINTS};

#[cfg(test)]
mod tests;

/// Why a page is not drawn, or nothing is looked for on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PageRefusal {
    /// The document does not have it.
    Missing {
        /// How many pages there are.
        pages: u32,
        /// The number that was asked for.
        page: u32,
    },
    /// The document needs a password.
    NeedsPassword,
    /// The document is encrypted in a way that is not known.
    UnknownEncryption,
    /// No page of the document can be read.
    NoPages,
    /// Its width and height, in points, are none of a page.
    Outsized(f32, f32),
    /// Its width and height, in points, cannot be shown together.
    TooNarrow(f32, f32),
    /// It draws without an end.
    Endless,
    /// An image on it has more pixels than are drawn.
    LargeImage {
        /// How many are drawn.
        most: u64,
        /// How many it has.
        pixels: u64,
    },
    /// It can be read and not drawn.
    Damaged,
    /// The parser panicked.
    ParserGaveUp,
}

impl PageRefusal {
    /// In a sentence.
    pub fn phrase(self) -> Phrase {
        let points = |side: f32| format!("{side:.0}");
        match self {
            Self::Missing { pages, page } => page_refusal::missing(pages, page),
            Self::NeedsPassword => page_refusal::needs_password(),
            Self::UnknownEncryption => page_refusal::unknown_encryption(),
            Self::NoPages => page_refusal::no_pages(),
            Self::Outsized(width, height) => {
                let (least, most) = (MIN_PAGE_SIDE_POINTS, MAX_PAGE_SIDE_POINTS);
                page_refusal::outsized(least, most, points(width), points(height))
            }
            Self::TooNarrow(width, height) => {
                page_refusal::too_narrow(points(width), points(height))
            }
            Self::Endless => page_refusal::endless(),
            Self::LargeImage { most, pixels } => page_refusal::large_image(most, pixels),
            Self::Damaged => page_refusal::damaged(),
            Self::ParserGaveUp => page_refusal::parser_gave_up(),
        }
    }

    /// As a line, for another process.
    pub fn to_line(self) -> String {
        match self {
            Self::Missing { pages, page } => format!("missing {pages} {page}"),
            Self::NeedsPassword => "needs_password".to_owned(),
            Self::UnknownEncryption => "unknown_encryption".to_owned(),
            Self::NoPages => "no_pages".to_owned(),
            Self::Outsized(width, height) => format!("outsized {width} {height}"),
            Self::TooNarrow(width, height) => format!("too_narrow {width} {height}"),
            Self::Endless => "endless".to_owned(),
            Self::LargeImage { most, pixels } => format!("large_image {most} {pixels}"),
            Self::Damaged => "damaged".to_owned(),
            Self::ParserGaveUp => "parser_gave_up".to_owned(),
        }
    }

    /// Parses a line; none if it is no refusal.
    pub fn from_line(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        Some(match words.as_slice() {
            ["missing", pages, page] => {
                Self::Missing { pages: pages.parse().ok()?, page: page.parse().ok()? }
            }
            ["needs_password"] => Self::NeedsPassword,
            ["unknown_encryption"] => Self::UnknownEncryption,
            ["no_pages"] => Self::NoPages,
            ["outsized", width, height] => {
                Self::Outsized(width.parse().ok()?, height.parse().ok()?)
            }
            ["too_narrow", width, height] => {
                Self::TooNarrow(width.parse().ok()?, height.parse().ok()?)
            }
            ["endless"] => Self::Endless,
            ["large_image", most, pixels] => {
                Self::LargeImage { most: most.parse().ok()?, pixels: pixels.parse().ok()? }
            }
            ["damaged"] => Self::Damaged,
            ["parser_gave_up"] => Self::ParserGaveUp,
            _ => return None,
        })
    }
}

impl fmt::Display for PageRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phrase().english())
    }
}
