//! Numbers of cards, companies and taxpayers.

use crate::mask::checksum::luhn;
use crate::mask::number::shape::{GroupSeparator, NumberShape};

/// Fifteen digits, the first and last a 3, and not an American Express card. The
/// kind of tax is 03; another ending needs a word for tax beside it.
pub(super) fn saudi_vat(shape: &NumberShape<'_>) -> bool {
    let [3, second, .., kind, 3] = shape.digits else { return false };
    is_tax_shape(shape)
        && !(matches!(second, 4 | 7) && luhn(shape.digits))
        && (*kind == 0 || shape.is_labelled(&TAX_WORDS))
}

/// Fifteen digits from 100, with a word for tax beside them.
pub(super) fn uae_trn(shape: &NumberShape<'_>) -> bool {
    shape.digits.starts_with(&[1, 0, 0]) && is_tax_shape(shape) && shape.is_labelled(&TAX_WORDS)
}

fn is_tax_shape(shape: &NumberShape<'_>) -> bool {
    let grouped = shape.lengths == [3; 5] || shape.lengths == [3, 4, 4, 4];
    shape.digits.len() == 15
        && (shape.is_bare()
            || grouped && shape.is_joined_by(&[GroupSeparator::Hyphen, GroupSeparator::Space]))
        && shape.is_alone()
}

/// 13 to 19 digits that pass Luhn's check, bare or grouped as on a card; 12 after
/// a word for card.
pub(super) fn credit_card(shape: &NumberShape<'_>) -> bool {
    let fours = shape.lengths.split_last().is_some_and(|(last, rest)| {
        rest.iter().all(|length| *length == 4) && (1..=4).contains(last)
    });
    let grouped = fours || shape.lengths == [4, 6, 5] || shape.lengths == [4, 6, 4];
    (12..=19).contains(&shape.digits.len())
        && (shape.is_bare() && !is_moment(shape.digits)
            || grouped && shape.is_joined_by(&[GroupSeparator::Hyphen, GroupSeparator::Space]))
        && shape.is_alone()
        && shape.digits.iter().any(|digit| *digit != 0)
        && luhn(shape.digits)
        && (shape.digits.len() > 12 || shape.is_labelled(&CARD_WORDS))
}

/// Milli-, micro- or nanoseconds since 1970, from 2017 on; or date and time, to the second.
fn is_moment(digits: &[u8]) -> bool {
    let dated = matches!(digits, [1, 9, ..] | [2, 0, ..]) && digits.len() == 14;
    dated || matches!(digits, [1, 5..=9, ..]) && matches!(digits.len(), 13 | 16 | 19)
}

/// Ten digits with a word for the commercial register nearby.
pub(super) fn saudi_cr(shape: &NumberShape<'_>) -> bool {
    shape.is_bare()
        && shape.digits.len() == 10
        && matches!(shape.digits, [1..=7, ..])
        && shape.is_alone()
        && (shape.is_near(&COMMERCIAL_REGISTER_WORDS) || shape.is_labelled(&UNIFIED_NUMBER_WORDS))
}

pub(super) const CARD_WORDS: [&str; 6] = ["card", "cards", "cc", "maestro", "mada", "بطاقة"];

const COMMERCIAL_REGISTER_WORDS: [&str; 12] = [
    "cr",
    "c.r",
    "crn",
    "commercial registration",
    "commercial register",
    "commercial reg",
    "سجل تجاري",
    "السجل التجاري",
    "سجلها التجاري",
    "سجلنا التجاري",
    "س.ت",
    "س. ت",
];

/// The register's words for the number that replaces all of a company's others.
const UNIFIED_NUMBER_WORDS: [&str; 2] = ["unified", "موحد"];

const TAX_WORDS: [&str; 10] =
    ["vat", "trn", "tax", "tin", "registration", "vatin", "ضريبي", "ضريبة", "مضافة", "تسجيل"];
