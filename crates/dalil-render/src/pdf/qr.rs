//! The QR code of a digest, or of the page that verifies it, as a drawing.

use qrcodegen::{QrCode, QrCodeEcc};

use super::PressError;

/// The code as SVG: one path of dark squares, with the quiet zone around it.
pub(super) fn svg(text: &str) -> Result<Vec<u8>, PressError> {
    // Level M restores about 15 % of the code, so that a folded or stamped print can be read.
    let code = QrCode::encode_text(text, QrCodeEcc::Medium)
        .map_err(|error| PressError::Typesetter(error.to_string()))?;
    let side = code.size();
    let mut path = String::new();
    for y in 0..side {
        for x in (0..side).filter(|x| code.get_module(*x, y)) {
            path.push_str(&format!(
                "M{} {}h1v1h-1z",
                x + QUIET_ZONE_MODULES,
                y + QUIET_ZONE_MODULES
            ));
        }
    }
    let whole = side + 2 * QUIET_ZONE_MODULES;
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {whole}\">\
         <path d=\"{path}\"/></svg>"
    );
    Ok(svg.into_bytes())
}

/// How many modules must stay light on every side.
const QUIET_ZONE_MODULES: i32 = 4;
