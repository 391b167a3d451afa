//! Folding: shapes that fonts draw to the letters they stand for.

use unicode_normalization::UnicodeNormalization as _;

/// The letters of one glyph: presentation forms and ligatures as plain letters,
/// bullets of symbol fonts as bullets, nothing that controls.
pub(super) fn glyph(said: &str) -> String {
    // Most glyphs are plain ASCII, and need no folding.
    if said.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
        return said.to_owned();
    }
    let mut text = String::with_capacity(said.len());
    for ch in said.chars() {
        match ch {
            '\u{0}' => text.push_str(UNKNOWN_GLYPH),
            '\t'
            | '\n'
            | '\r'
            | '\u{A0}'
            | '\u{2000}'..='\u{200A}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}' => {
                text.push(' ');
            }
            '\u{F0B7}' | '\u{F06C}' | '\u{F09F}' => text.push('•'),
            '\u{F0A7}' | '\u{F06E}' => text.push('▪'),
            // NFKC makes a space or a kashida with a mark of these; only the mark is written.
            '\u{FE70}'..='\u{FE7F}' => {
                text.extend([ch].into_iter().nfkc().filter(|&ch| is_mark(ch)));
            }
            '\u{FB00}'..='\u{FDFF}' | '\u{FE80}'..='\u{FEFC}' => {
                text.extend([ch].into_iter().nfkc());
            }
            // A font must not bring in characters that steer a terminal or the direction of a text.
            ch if ch.is_control() || dalil_proof::fault::steers(ch) || is_silent(ch) => {}
            ch => text.push(ch),
        }
    }
    text
}

/// Direction marks and the like: order is made from places, not from them.
fn is_silent(ch: char) -> bool {
    matches!(ch, '\u{61C}' | '\u{200B}' | '\u{200D}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

/// Whether a character is a combining mark.
pub(super) fn is_mark(ch: char) -> bool {
    matches!(ch,
        '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05BD}' | '\u{05BF}' | '\u{05C1}' | '\u{05C2}'
        | '\u{0610}'..='\u{061A}' | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{06D6}'..='\u{06DC}'
        | '\u{06DF}'..='\u{06E4}' | '\u{06E7}' | '\u{06E8}' | '\u{06EA}'..='\u{06ED}'
        | '\u{08D3}'..='\u{08FF}')
}

/// The replacement of a glyph whose letters the file does not give.
pub(super) const UNKNOWN_GLYPH: &str = "\u{FFFD}";
