//! Fonts: the text and the width of each code, and whether the font is bold.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use hayro_font::hayro_cmap::BfString;
use hayro_font::kurbo::Shape as _;
use hayro_font::{
    CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn, StandardFont,
    UNITS_PER_EM,
};
use hayro_syntax::object::dict::keys::{
    BASE_ENCODING, BASE_FONT, CID_TO_GID_MAP, DESCENDANT_FONTS, DIFFERENCES, ENCODING, FLAGS,
    FONT_DESC, FONT_FILE, FONT_FILE2, FONT_FILE3, FONT_WEIGHT, SUBTYPE, TO_UNICODE,
};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};

use super::glyph::GlyphText;
use super::matrix::narrow;
use super::{fold, to_unicode, unpack};

/// The faces of one document, each read once.
pub(super) struct PdfFonts<'a> {
    cache: FontCache<'a>,
    fonts: FontResolverFn,
    cmaps: CMapResolverFn,
    faces: Vec<PdfFont<'a>>,
    /// By the bytes of their dictionaries: a dictionary need not be an object of its own.
    known: HashMap<&'a [u8], KnownFont>,
    fallback: Option<usize>,
    /// The remaining budget for the maps of all fonts.
    map_bytes: usize,
    /// How often a font was used that was refused for its unpacked size.
    pub(super) refused: usize,
}

/// The result of reading a font dictionary.
#[derive(Clone, Copy, Debug)]
enum KnownFont {
    Face(usize),
    /// It is no font.
    Unreadable,
    /// Its parts unpack to too much.
    Refused,
}

/// One font, with a cache of its codes.
pub(super) struct PdfFont<'a> {
    font: Font<'a>,
    pub(super) bold: bool,
    /// Whether a code may have more than one byte.
    is_composite: bool,
    /// The codes that most strings are of, by their only byte or their first two.
    near: Vec<Option<StringCode>>,
    codes: BTreeMap<u32, FontCode>,
    /// The `ToUnicode` map, parsed once where it is needed.
    says: ToUnicodeMap<'a>,
    /// The encoding of the font.
    encoding: SimpleEncoding,
}

/// The letters of a single-byte font, as far as its encoding defines them.
#[derive(Debug, Default)]
struct SimpleEncoding {
    /// Whether letters and digits of ASCII are themselves.
    is_ascii: bool,
    named: BTreeMap<u32, Option<char>>,
}

enum ToUnicodeMap<'a> {
    Unread(Option<Stream<'a>>),
    Read(Option<BTreeMap<u32, String>>),
}

/// A code, and how many bytes of a string it takes.
struct StringCode {
    code: u32,
    taken: usize,
    drawn: FontCode,
}

/// One code of a font.
pub(super) struct FontCode {
    /// Its letters, folded; empty where they are unknown.
    pub(super) text: Rc<GlyphText>,
    /// Its advance width, in ems.
    pub(super) advance: f32,
    /// Where the middle of a mark's ink is, in ems from its origin.
    pub(super) ink: Option<f32>,
    /// Whether the map gives another letter or digit than the encoding draws.
    pub(super) lies: bool,
}

impl<'a> PdfFonts<'a> {
    pub(super) fn new() -> Self {
        Self {
            cache: FontCache::new(),
            fonts: Arc::new(|query| {
                Some(match query {
                    FontQuery::Standard(font) => font.get_font_data(),
                    FontQuery::Fallback(wanted) => wanted.pick_standard_font().get_font_data(),
                })
            }),
            cmaps: Arc::new(hayro_cmap::load_embedded),
            faces: Vec::new(),
            known: HashMap::new(),
            fallback: None,
            map_bytes: MAX_DOCUMENT_MAP_BYTES,
            refused: 0,
        }
    }

    /// The face of a font dictionary.
    pub(super) fn find(&mut self, dict: &Dict<'a>) -> Option<usize> {
        let known = self.known.get(dict.data()).copied();
        let known = known.unwrap_or_else(|| self.open(dict));
        self.known.insert(dict.data(), known);
        match known {
            KnownFont::Face(face) => Some(face),
            KnownFont::Unreadable => None,
            KnownFont::Refused => {
                // Each page that draws with it lacks some of its text.
                self.refused += 1;
                None
            }
        }
    }

    fn open(&mut self, dict: &Dict<'a>) -> KnownFont {
        // The parser unpacks the parts of a font without a bound.
        if !self.is_bounded(dict) {
            return KnownFont::Refused;
        }
        let Some(font) = self.cache.font(dict, &self.fonts, &self.cmaps) else {
            return KnownFont::Unreadable;
        };
        let says = dict.get(TO_UNICODE);
        let face = self.keep(font, is_bold(dict), says, SimpleEncoding::of(dict));
        let kind = dict.get::<Name<'_>>(SUBTYPE);
        if let Some(kept) = self.faces.get_mut(face) {
            kept.is_composite = kind.is_some_and(|kind| *kind == *b"Type0");
        }
        KnownFont::Face(face)
    }

    /// Whether the parts of a font stay within the limits.
    fn is_bounded(&mut self, font: &Dict<'a>) -> bool {
        let below = font.get::<Array<'_>>(DESCENDANT_FONTS);
        let below = below.and_then(|below| below.iter::<Dict<'_>>().next());
        let mut streams: Vec<Stream<'_>> = font.get(ENCODING).into_iter().collect();
        for font in std::iter::once(font).chain(&below) {
            streams.extend(font.get::<Stream<'_>>(CID_TO_GID_MAP));
            let described = font.get::<Dict<'_>>(FONT_DESC);
            let files = [FONT_FILE, FONT_FILE2, FONT_FILE3];
            streams.extend(
                files.iter().filter_map(|file| described.as_ref()?.get::<Stream<'_>>(*file)),
            );
        }
        if streams.iter().any(|stream| unpack::check(stream, MAX_FONT_FILE_BYTES).is_err()) {
            return false;
        }
        let Some(map) = font.get::<Stream<'_>>(TO_UNICODE) else { return true };
        let most = self.map_bytes.min(MAX_MAP_BYTES);
        match unpack::stream(&map, most) {
            Ok(bytes) => {
                self.map_bytes = self.map_bytes.saturating_sub(bytes.len());
                true
            }
            // One that is broken and small costs the parser little.
            Err(_) => unpack::check(&map, most).is_ok(),
        }
    }

    /// The substitute for a font that the page names but does not have.
    pub(super) fn fallback(&mut self) -> Option<usize> {
        if self.fallback.is_none() {
            let font = self.cache.standard_font(StandardFont::Helvetica, &self.fonts);
            self.fallback =
                font.map(|font| self.keep(font, false, None, SimpleEncoding::default()));
        }
        self.fallback
    }

    pub(super) fn get(&mut self, face: usize) -> Option<&mut PdfFont<'a>> {
        self.faces.get_mut(face)
    }

    fn keep(
        &mut self,
        font: Font<'a>,
        bold: bool,
        says: Option<Stream<'a>>,
        encoding: SimpleEncoding,
    ) -> usize {
        let says = ToUnicodeMap::Unread(says);
        self.faces.push(PdfFont {
            font,
            bold,
            is_composite: false,
            near: Vec::new(),
            codes: BTreeMap::new(),
            says,
            encoding,
        });
        self.faces.len().saturating_sub(1)
    }
}

impl PdfFont<'_> {
    /// The next code of a string, how many bytes it takes, and what it draws.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<(u32, usize, &FontCode)> {
        let first = bytes.get(..if self.is_composite { 2 } else { 1 });
        let Self { font, near, codes, says, encoding, .. } = self;
        if let Some(first) = first
            && let Some(slot) = slot(near, first)
        {
            if slot.is_none() {
                let (code, taken) = font.read_code(first, 0);
                // Nothing that composite fonts have is as short; more bytes may make a code.
                if (code, taken) != (0, 1) || first.len() == 1 {
                    let drawn = look_up(font, says, encoding, code);
                    *slot = Some(StringCode { code, taken, drawn });
                }
            }
            if let Some(StringCode { code, taken, drawn }) = slot {
                return Some((*code, *taken, drawn));
            }
        }
        if bytes.is_empty() {
            return None;
        }
        let (code, taken) = font.read_code(bytes, 0);
        let drawn = codes.entry(code).or_insert_with(|| look_up(font, says, encoding, code));
        // At least one byte, so that the loop over a string ends.
        Some((code, taken.max(1), drawn))
    }

    pub(super) fn is_upright(&self) -> bool {
        self.font.is_horizontal()
    }
}

/// The slot of the bytes that a code begins with, if they are among the low ones.
fn slot<'n>(
    near: &'n mut Vec<Option<StringCode>>,
    first: &[u8],
) -> Option<&'n mut Option<StringCode>> {
    let key = first.iter().fold(0, |key, byte| key << 8 | usize::from(*byte));
    if (near.len()..MAX_NEAR_CODES).contains(&key) {
        near.resize_with(key + 1, || None);
    }
    near.get_mut(key)
}

impl SimpleEncoding {
    fn of(font: &Dict<'_>) -> Self {
        // A composite font has no encoding of single bytes to compare with.
        let kind = font.get::<Name<'_>>(SUBTYPE);
        if !matches!(kind.as_deref(), Some(b"Type1" | b"TrueType" | b"MMType1")) {
            return Self::default();
        }
        let described = font.get::<Dict<'_>>(FONT_DESC);
        let embedded = described.is_some_and(|described| {
            [FONT_FILE, FONT_FILE2, FONT_FILE3].iter().any(|file| described.contains_key(file))
        });
        let name = font.get::<Name<'_>>(BASE_FONT).map(|name| name.to_ascii_lowercase());
        let pictures = name.is_some_and(|name| {
            [&b"symbol"[..], b"dingbat", b"wingding"]
                .iter()
                .any(|word| name.windows(word.len()).any(|part| part == *word))
        });
        let mut encoding = Self { is_ascii: !embedded && !pictures, named: BTreeMap::new() };
        if let Some(parts) = font.get::<Dict<'_>>(ENCODING) {
            encoding.is_ascii |= parts.contains_key(BASE_ENCODING) && !pictures;
            let mut code = 0;
            let differences = parts.get::<Array<'_>>(DIFFERENCES);
            for part in differences
                .iter()
                .flat_map(|all| all.iter::<Object<'_>>())
                .take(MAX_ENCODING_DIFFERENCES)
            {
                match part {
                    Object::Number(number) => code = u32::try_from(number.as_i64()).unwrap_or(0),
                    Object::Name(name) => {
                        encoding.named.insert(code, letter(&name));
                        code = code.saturating_add(1);
                    }
                    _ => {}
                }
            }
        } else if font.get::<Name<'_>>(ENCODING).is_some() {
            // An embedded font may draw anything for a code, whatever the name of its encoding.
            encoding.is_ascii = !embedded && !pictures;
        }
        encoding
    }

    /// Whether a code draws one letter or digit of ASCII, and the map gives another.
    fn draws_other(&self, code: u32, said: &str) -> bool {
        let plain = char::from_u32(code).filter(|ch| self.is_ascii && ch.is_ascii_alphanumeric());
        let drawn = self.named.get(&code).copied().unwrap_or(plain);
        let mut said = said.chars();
        match (drawn, said.next(), said.next()) {
            (Some(drawn), Some(said), None) => said.is_ascii_alphanumeric() && said != drawn,
            // Ligatures and glyphs without a known name prove nothing, unless one maps to a
            // sentence.
            (_, _, Some(_)) => said.count() > MAX_GLYPH_CHARS,
            _ => false,
        }
    }
}

/// The letter or digit that a glyph is named after.
fn letter(name: &[u8]) -> Option<char> {
    if let [one] = name {
        return Some(char::from(*one)).filter(char::is_ascii_alphabetic);
    }
    let digit = DIGIT_GLYPH_NAMES.iter().position(|digit| digit.as_bytes() == name)?;
    char::from_digit(u32::try_from(digit).ok()?, 10)
}

impl ToUnicodeMap<'_> {
    /// One bad line makes others give up on the whole of it, and it is all there is.
    fn get(&mut self, code: u32) -> Option<&str> {
        if let Self::Unread(stream) = self {
            let bytes =
                stream.as_ref().and_then(|stream| unpack::stream(stream, MAX_MAP_BYTES).ok());
            *self = Self::Read(bytes.map(|bytes| to_unicode::parse(&bytes)));
        }
        let Self::Read(Some(says)) = self else { return None };
        says.get(&code).map(String::as_str).filter(|said| !said.is_empty())
    }
}

fn look_up(
    font: &Font<'_>,
    says: &mut ToUnicodeMap<'_>,
    encoding: &SimpleEncoding,
    code: u32,
) -> FontCode {
    let glyph = font.glyph(font.map_code(code), code);
    let said = match &glyph {
        FontGlyph::Outline(outline) => outline.as_unicode(),
        FontGlyph::Type3(drawn) => drawn.as_unicode(),
    };
    let mut text = match said {
        Some(BfString::Char(ch)) => fold::glyph(ch.encode_utf8(&mut [0; 4])),
        Some(BfString::String(text)) => fold::glyph(&text),
        None => fold::UNKNOWN_GLYPH.to_owned(),
    };
    let moved = font.code_advance(code);
    let units = if font.is_horizontal() { moved.x } else { moved.y };
    let ink = ink(&glyph, &text);
    if text == fold::UNKNOWN_GLYPH
        && let Some(said) = says.get(code)
    {
        text = fold::glyph(said);
    }
    FontCode {
        ink,
        advance: narrow(units / f64::from(UNITS_PER_EM)),
        lies: encoding.draws_other(code, &text),
        text: Rc::new(text.into()),
    }
}

/// Marks are placed by their ink: their origin may lie outside of the letter they belong to.
fn ink(glyph: &FontGlyph<'_>, text: &str) -> Option<f32> {
    let FontGlyph::Outline(outline) = glyph else { return None };
    if text.is_empty() || !text.chars().all(fold::is_mark) {
        return None;
    }
    let bounds = outline.outline().bounding_box();
    Some(narrow((bounds.x0 + bounds.x1) / 2.0 / f64::from(UNITS_PER_EM)))
}

fn is_bold(font: &Dict<'_>) -> bool {
    let named = font.get::<Name<'_>>(BASE_FONT).is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        BOLD_FONT_NAME_PARTS.iter().any(|word| name.windows(word.len()).any(|part| part == *word))
    });
    named
        || font.get::<Dict<'_>>(FONT_DESC).is_some_and(|described| {
            described.get::<u32>(FONT_WEIGHT).is_some_and(|weight| weight >= 600)
                || described.get::<u32>(FLAGS).is_some_and(|flags| flags & FORCE_BOLD_FLAG != 0)
        })
}

const BOLD_FONT_NAME_PARTS: [&[u8]; 4] = [b"bold", b"black", b"heavy", b"-bd"];
const DIGIT_GLYPH_NAMES: [&str; 10] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/// One glyph of Arabic has eighteen letters (U+FDFA).
const MAX_GLYPH_CHARS: usize = 24;
const MAX_ENCODING_DIFFERENCES: usize = 1024;
/// Fonts that are embedded in part mostly number their glyphs from one.
const MAX_NEAR_CODES: usize = 512;
/// The unpacked size of a font file; one with all characters of Chinese has about twenty megabytes.
const MAX_FONT_FILE_BYTES: usize = 64 << 20;
/// The unpacked size of one map of codes; one of 65,536 codes has about a megabyte.
const MAX_MAP_BYTES: usize = 8 << 20;
/// The unpacked size of the maps of all fonts of a document.
const MAX_DOCUMENT_MAP_BYTES: usize = 128 << 20;
const FORCE_BOLD_FLAG: u32 = 1 << 18;
