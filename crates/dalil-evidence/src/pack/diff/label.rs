//! Labels for the places of changes.

use dalil_phrasebook::{Phrase, pack_field};

/// The name of the place at a path: `sources[1].confidence` is `Source 2, confidence`.
pub(super) fn of(path: &str) -> Phrase {
    let (field, rest) = match path.find(['[', '.']) {
        Some(end) => path.split_at(end),
        None => (path, ""),
    };
    let label = pack_field::field(field).unwrap_or_else(|| Phrase::verbatim(field));
    let (label, inner) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((number, inner)) => {
            let number = number.parse::<usize>().map_or(0, |number| number + 1);
            (pack_field::numbered(label, number), inner)
        }
        None => (label, rest),
    };
    match inner.strip_prefix('.') {
        Some(inner) => {
            let inner = pack_field::inner_field(inner).unwrap_or_else(|| Phrase::verbatim(inner));
            pack_field::field_of(label, inner)
        }
        None => label,
    }
}
