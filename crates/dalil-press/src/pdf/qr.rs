//! The QR code of a digest, as a drawing.

use qrcodegen::{QrCode, QrCodeEcc};

use super::Unpressed;

/// The code as SVG: one path of dark squares, with the quiet zone around it.
pub(super) fn svg(text: &str) -> Result<Vec<u8>, Unpressed> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium)
        .map_err(|error| Unpressed::Typesetter(error.to_string()))?;
    let side = code.size();
    let mut path = String::new();
    for y in 0..side {
        for x in (0..side).filter(|x| code.get_module(*x, y)) {
            path.push_str(&format!("M{} {}h1v1h-1z", x + QUIET, y + QUIET));
        }
    }
    let whole = side + 2 * QUIET;
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {whole}\">\
         <path d=\"{path}\"/></svg>"
    );
    Ok(svg.into_bytes())
}

/// How many modules must stay light on every side.
const QUIET: i32 = 4;
