//! The language that a reply is written in.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;

/// A language that replies can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplyLanguage {
    /// `en`, also when nothing else was asked for.
    English,
    /// `ar`.
    Arabic,
}

impl ReplyLanguage {
    /// The language that a request asks for most, of those that there are.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let asked = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let mut best = (0.0, Self::English);
        for range in asked.into_iter().flat_map(|asked| asked.split(',')).take(MAX_LANGUAGE_RANGES)
        {
            let (tag, quality) = range.split_once(';').unwrap_or((range, "q=1"));
            let quality = quality.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
            let tag = tag.trim();
            let primary = tag.split_once('-').map_or(tag, |(primary, _)| primary);
            let language = match primary.to_ascii_lowercase().as_str() {
                "ar" => Self::Arabic,
                "en" | "*" => Self::English,
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

    /// Its tag.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Arabic => "ar",
        }
    }
}

/// How many ranges of a header are looked at.
const MAX_LANGUAGE_RANGES: usize = 16;
