//! The embedded typefaces, and the characters that they have.

use std::sync::OnceLock;

use typst::foundations::Bytes;
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use unicode_normalization::UnicodeNormalization as _;

/// The typefaces, read once.
#[derive(Debug)]
pub(super) struct EmbeddedFonts {
    fonts: Vec<Font>,
    book: LazyHash<FontBook>,
}

impl EmbeddedFonts {
    /// Those in the program.
    pub(super) fn embedded() -> &'static Self {
        static FACES: OnceLock<EmbeddedFonts> = OnceLock::new();
        FACES.get_or_init(|| {
            let files = [AMIRI, AMIRI_BOLD, SANS, SANS_BOLD, MONO];
            let fonts: Vec<Font> =
                files.into_iter().flat_map(|bytes| Font::iter(Bytes::new(bytes))).collect();
            let book = LazyHash::new(FontBook::from_fonts(&fonts));
            Self { fonts, book }
        })
    }

    pub(super) fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    pub(super) fn font(&self, index: usize) -> Option<Font> {
        self.fonts.get(index).cloned()
    }

    /// Whether one typeface, in each of its weights, can show all of a cluster.
    ///
    /// A letter of one typeface never takes the marks of another.
    pub(super) fn show(&self, cluster: &str) -> bool {
        let of = |family: &str| {
            let fonts = || self.fonts.iter().filter(|font| font.info().family == family);
            let all = |text: &mut dyn Iterator<Item = char>| {
                let mut text = text.peekable();
                text.peek().is_some()
                    && text.all(|ch| fonts().all(|font| font.info().coverage.contains(ch.into())))
            };
            // A typeface may have the composed letter and not its mark alone; the shaper composes.
            all(&mut cluster.chars()) || all(&mut cluster.nfc())
        };
        FAMILIES.iter().any(|family| of(family))
    }
}

/// The families that every text may fall back on.
const FAMILIES: [&str; 2] = ["IBM Plex Sans", "Amiri"];

const AMIRI: &[u8] = include_bytes!("../../fonts/Amiri-Regular.ttf");
const AMIRI_BOLD: &[u8] = include_bytes!("../../fonts/Amiri-Bold.ttf");
const SANS: &[u8] = include_bytes!("../../fonts/IBMPlexSans-Regular.ttf");
const SANS_BOLD: &[u8] = include_bytes!("../../fonts/IBMPlexSans-SemiBold.ttf");
const MONO: &[u8] = include_bytes!("../../fonts/IBMPlexMono-Regular.ttf");
