//! The language that a reply is written in.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use dalil_phrasebook::Language;

/// The language that a request asks for most, of those that there are.
pub(crate) fn asked_language(headers: &HeaderMap) -> Language {
    let asked = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let mut best = (0.0, Language::English);
    for range in asked.into_iter().flat_map(|asked| asked.split(',')).take(MAX_LANGUAGE_RANGES) {
        let (tag, quality) = range.split_once(';').unwrap_or((range, "q=1"));
        let quality = quality.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
        let tag = tag.trim();
        let primary = tag.split_once('-').map_or(tag, |(primary, _)| primary);
        let language = match primary.to_ascii_lowercase().as_str() {
            "ar" => Language::Arabic,
            "en" | "*" => Language::English,
            _ => continue,
        };
        // A weight of 0 means "not acceptable" (RFC 9110, section 12.4.2).
        let quality = quality.unwrap_or(0.0);
        if quality > best.0 {
            best = (quality, language);
        }
    }
    best.1
}

/// How many ranges of a header are looked at.
const MAX_LANGUAGE_RANGES: usize = 16;
