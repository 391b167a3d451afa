//! Strings outside of pages: titles and replacement texts of marked content.

/// The characters of a text string: UTF-16 or UTF-8 with a mark, else `PDFDocEncoding`.
pub(super) fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        bytes => bytes.iter().map(|&byte| single(byte)).collect(),
    }
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks().0.iter().map(|pair| unit(*pair));
    char::decode_utf16(units).map(|ch| ch.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn single(byte: u8) -> char {
    let special = byte
        .checked_sub(0x80)
        .and_then(|place| PDF_DOC_ENCODING_SPECIALS.chars().nth(usize::from(place)));
    match byte {
        0x80..=0x9E => special.unwrap_or(char::REPLACEMENT_CHARACTER),
        0xA0 => '€',
        _ => char::from(byte),
    }
}

/// The characters at 0x80 to 0x9E.
const PDF_DOC_ENCODING_SPECIALS: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž";
