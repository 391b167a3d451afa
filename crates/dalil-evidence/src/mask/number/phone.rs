//! Telephone numbers: by their form alone, or by a word beside them.

use crate::mask::label;
use crate::mask::number::shape::{GroupSeparator, NumberShape};

/// A form that is hardly anything else; or a weaker one that no word names as an amount, an order
/// or another number; or one that a word names as a telephone.
pub(super) fn phone(shape: &NumberShape<'_>) -> bool {
    shape.is_alone()
        && (is_strong(shape) || is_weak(shape) && !is_named_otherwise(shape) || is_labelled(shape))
}

/// With a country's code, or a mobile of the Gulf.
fn is_strong(shape: &NumberShape<'_>) -> bool {
    match shape.digits {
        digits if shape.plus => is_international(digits),
        [0, 0, 1, digits @ ..] => digits.len() == 10 && matches!(digits, [2..=9, ..]),
        [0, 0, digits @ ..] => gulf(digits).unwrap_or_else(|| {
            !shape.is_bare() && shape.is_all() && (10..=13).contains(&digits.len())
        }),
        // A decimal such as `0.512345678` is no number of a telephone.
        [0, 5, ..] => {
            shape.digits.len() == 10
                && !(shape.lengths.first() == Some(&1)
                    && shape.joins.first() == Some(&GroupSeparator::Dot))
                && !(shape.joins.contains(&GroupSeparator::Hyphen) && shape.is_of_code())
        }
        digits => is_mobile(digits) && is_gulf_grouped(shape),
    }
}

/// Whether digits are a whole Gulf number with its country's code.
pub(super) fn is_gulf_number(digits: &[u8]) -> bool {
    let national = digits.strip_prefix(&[0, 0]).unwrap_or(digits);
    gulf(national) == Some(true)
}

fn is_mobile(digits: &[u8]) -> bool {
    matches!(digits, [9, 6, 6, 5, ..] | [9, 7, 1, 5, ..])
}

/// Forms of a country that other numbers may have too.
fn is_weak(shape: &NumberShape<'_>) -> bool {
    match shape.digits {
        [0, 0, ..] => false,
        [0, 1, 1..=7, ..]
            if shape.digits.len() == 10 && shape.joins.first() != Some(&GroupSeparator::Dot) =>
        {
            true
        }
        [0, 2 | 3 | 4 | 6 | 7 | 9, ..] if matches!(*shape.lengths, [2, 7] | [2, 3, 4]) => {
            !shape.joins.contains(&GroupSeparator::Dot)
        }
        [0, ..] => is_national(shape),
        _ => is_american(shape) || is_local(shape) || is_gulf_with_word(shape),
    }
}

/// A country code and a number, 8 to 15 digits; exact where the country is known.
fn is_international(digits: &[u8]) -> bool {
    gulf(digits)
        .or_else(|| digits.starts_with(&[1]).then_some(digits.len() == 11))
        .unwrap_or_else(|| (8..=15).contains(&digits.len()) && !digits.starts_with(&[0]))
}

/// Whether digits that start with a Gulf country's code are as many as it
/// uses; `None` for other codes.
fn gulf(digits: &[u8]) -> Option<bool> {
    match digits {
        [9, 6, 6, 0, rest @ ..] | [9, 7, 1, 0, rest @ ..] => Some(matches!(rest.len(), 8 | 9)),
        // The number of a company: 9200… or 800….
        [9, 6, 6, 8, 0, 0, rest @ ..] => Some(matches!(rest.len(), 6 | 7)),
        [9, 6, 6, rest @ ..] => Some(rest.len() == 9),
        [9, 7, 1, 5, rest @ ..] => Some(rest.len() == 8),
        [9, 7, 1, 6 | 8, 0, 0, rest @ ..] => Some((2..=7).contains(&rest.len())),
        [9, 7, 1, rest @ ..] => Some(rest.len() == 8),
        [9, 6, 5 | 8, rest @ ..] | [9, 7, 3 | 4, rest @ ..] => Some(rest.len() == 8),
        _ => None,
    }
}

/// A trunk zero and ten or eleven digits in three groups or more, as in much of
/// the world: `0494 92 82 32`, `01.84.17.61.18`.
fn is_national(shape: &NumberShape<'_>) -> bool {
    matches!(shape.digits, [0, 1..=9, ..])
        && shape.is_all()
        && matches!(shape.digits.len(), 10 | 11)
        && (shape.lengths.len() >= 3
            && shape.is_joined_by(&[GroupSeparator::Space, GroupSeparator::Hyphen])
            || shape.lengths == [2; 5] && shape.is_joined_by(&[GroupSeparator::Dot]))
        && shape.lengths.iter().all(|length| (2..=5).contains(length))
}

/// Area code, exchange and line, with or without the leading 1.
fn is_american(shape: &NumberShape<'_>) -> bool {
    let digit = |n: usize| shape.digits.get(n).copied();
    let (area, fits) = match (&*shape.lengths, &*shape.joins) {
        // No exchange begins with 0, but amounts and orders have runs of zeros; and
        // what begins with 2 is a residence permit with a wrong check digit.
        ([10], []) => {
            (digit(0), digit(3) != Some(0) && (digit(0) != Some(2) || is_near_word(shape)))
        }
        ([3, 3, 4], _) => (digit(0), true),
        ([1, 3, 3, 4], [join, ..]) => {
            (digit(1), digit(0) == Some(1) && *join != GroupSeparator::Paren)
        }
        ([11], []) => (digit(1), digit(0) == Some(1)),
        _ => return false,
    };
    fits && area.is_some_and(|digit| (2..=9).contains(&digit))
}

/// A Gulf number with its country's code and nothing before it, as chats write
/// it, with a word for telephone nearby.
fn is_gulf_with_word(shape: &NumberShape<'_>) -> bool {
    is_gulf_grouped(shape) && is_near_word(shape)
}

fn is_gulf_grouped(shape: &NumberShape<'_>) -> bool {
    let grouped = shape.lengths.first() == Some(&3) && !shape.joins.contains(&GroupSeparator::Dot);
    gulf(shape.digits) == Some(true) && (shape.is_bare() || grouped)
}

/// Eight digits, as in Kuwait, Bahrain, Oman and Qatar, or a company's 9200…, with
/// a word for telephone nearby; none begins with 20, as dates and years do.
fn is_local(shape: &NumberShape<'_>) -> bool {
    let eight = matches!(*shape.lengths, [8] | [4, 4])
        && matches!(shape.digits, [1, 6 | 7, ..] | [2, 1..=9, ..] | [3..=9, ..]);
    let company = matches!(*shape.lengths, [9] | [4, 5] | [4, 2, 3] | [3, 3, 3] | [2, 3, 4])
        && shape.digits.starts_with(&[9, 2, 0, 0]);
    // A part of a card is no telephone.
    (eight && (shape.is_bare() || shape.is_all()) || company)
        && (is_near_word(shape) || company && shape.is_labelled(&["unified", "موحد"]))
}

fn is_near_word(shape: &NumberShape<'_>) -> bool {
    let near = |labels: &[&str]| label::is_near(shape.text, &shape.range, labels);
    near(&PHONE_NOUNS) || near(&NEARBY_PHONE_VERBS)
}

/// Any form of 7 to 15 digits with a word for a telephone beside it.
fn is_labelled(shape: &NumberShape<'_>) -> bool {
    let count = shape.digits.len();
    (7..=15).contains(&count)
        && shape.lengths.iter().skip(1).all(|length| *length > 1)
        && !is_date(shape)
        && (shape.is_labelled(&PHONE_NOUNS)
            || count > 7 && shape.is_labelled(&PHONE_VERBS)
            || label::is_after(shape.text, shape.range.end, &PHONE_PLACE_WORDS) && !shape.is_bare())
}

/// Whether this could be a date, two years, or a number with decimals.
fn is_date(shape: &NumberShape<'_>) -> bool {
    let year = |digits: Option<&[u8]>| matches!(digits, Some([1, 9, ..] | [2, 0, ..]));
    match *shape.lengths {
        [4, 4] | [8] | [4, 2, 2] | [4, 2, 2, ..] => year(Some(shape.digits)),
        [2, 2, 4, ..] => year(shape.digits.get(4..)),
        [_, _] => shape.joins == [GroupSeparator::Dot],
        _ => false,
    }
}

/// Whether a word or a sign beside it names the number as another thing.
fn is_named_otherwise(shape: &NumberShape<'_>) -> bool {
    shape.is_of_code()
        || shape.is_labelled(&NON_PHONE_NUMBER_WORDS)
        || label::is_followed_by(shape.text, shape.range.end, &AMOUNT_UNIT_WORDS)
}

/// Things that have a telephone.
pub(super) const PHONE_NOUNS: [&str; 22] = [
    "phone",
    "phones",
    "mobile",
    "mob",
    "tel",
    "telephone",
    "cell",
    "cellphone",
    "fax",
    "desk",
    "landline",
    "hotline",
    "whatsapp",
    "هاتف",
    "جوال",
    "موبايل",
    "محمول",
    "نقال",
    "تلفون",
    "تليفون",
    "فاكس",
    "واتساب",
];

/// Verbs and roles that go with a telephone.
const PHONE_VERBS: [&str; 20] = [
    "care",
    "helpline",
    "call",
    "calls",
    "called",
    "calling",
    "dial",
    "ring",
    "sms",
    "text",
    "message",
    "messages",
    "answering",
    "reach",
    "contact",
    "اتصل",
    "اتصال",
    "تواصل",
    "رسالة",
    "واتس",
];

/// Words that mark a number as a telephone without being right beside it.
const NEARBY_PHONE_VERBS: [&str; 2] = ["call", "اتصل"];

/// Words after a telephone number that name its place or kind.
const PHONE_PLACE_WORDS: [&str; 8] =
    ["office", "fax", "mobile", "cell", "desk", "home", "work", "mob"];

/// Things that have a number which is no telephone.
const NON_PHONE_NUMBER_WORDS: [&str; 78] = [
    "order",
    "invoice",
    "po",
    "rfq",
    "ref",
    "reference",
    "contract",
    "agreement",
    "case",
    "ticket",
    "incident",
    "request",
    "policy",
    "claim",
    "part",
    "pn",
    "sn",
    "serial",
    "sku",
    "model",
    "batch",
    "lot",
    "item",
    "barcode",
    "tracking",
    "shipment",
    "waybill",
    "awb",
    "booking",
    "receipt",
    "voucher",
    "transaction",
    "transfer",
    "tender",
    "bid",
    "permit",
    "licence",
    "license",
    "deed",
    "plot",
    "meter",
    "asset",
    "project",
    "cr",
    "registration",
    "vat",
    "account",
    "id",
    "identity",
    "iqama",
    "civil",
    "amount",
    "total",
    "sum",
    "sar",
    "aed",
    "kwd",
    "usd",
    "طلب",
    "أمر",
    "شراء",
    "فاتورة",
    "عقد",
    "قضية",
    "مرجع",
    "مرجعي",
    "معاملة",
    "تذكرة",
    "شحنة",
    "وثيقة",
    "صك",
    "قطعة",
    "رخصة",
    "حساب",
    "هوية",
    "إقامة",
    "مبلغ",
    "سجل",
];

/// The units of an amount.
const AMOUNT_UNIT_WORDS: [&str; 22] = [
    "units",
    "pieces",
    "items",
    "users",
    "shares",
    "records",
    "rows",
    "bytes",
    "tonnes",
    "barrels",
    "sar",
    "aed",
    "kwd",
    "usd",
    "riyals",
    "dirhams",
    "dinars",
    "ريال",
    "درهم",
    "دينار",
    "سهم",
    "وحدة",
];
