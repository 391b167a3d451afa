//! Checksums of numbers that have one.

/// Luhn's check over decimal digits: payment cards, Saudi and Emirates ids.
pub(super) fn luhn(digits: &[u8]) -> bool {
    let doubled = |digit: u8| digit * 2 - if digit > 4 { 9 } else { 0 };
    let sum: usize = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(n, digit)| usize::from(if n % 2 == 1 { doubled(*digit) } else { *digit }))
        .sum();
    sum.is_multiple_of(10)
}

/// The check of a Kuwaiti civil id: eleven weighted digits, modulo 11.
pub(super) fn kuwait(digits: &[u8]) -> bool {
    let Some((check, digits)) = digits.split_last() else { return false };
    let weights = [2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let sum: u32 =
        digits.iter().zip(weights).map(|(digit, weight)| u32::from(*digit) * weight).sum();
    11 - sum % 11 == u32::from(*check)
}

/// ISO 7064 mod 97-10 over an IBAN's letters and digits, as printed.
pub(super) fn mod_97(iban: &[u8]) -> bool {
    let Some((head, tail)) = iban.split_at_checked(4) else { return false };
    let remainder = tail.iter().chain(head).try_fold(0_u32, |rest, byte| {
        let value = char::from(*byte).to_digit(36)?;
        let shift = if value < 10 { 10 } else { 100 };
        Some((rest * shift + value) % 97)
    });
    remainder == Some(1)
}

/// How long an IBAN of a country is; `None` for a country that has none.
pub(super) fn iban_length(country: [u8; 2]) -> Option<usize> {
    let at = IBAN_LENGTHS.binary_search_by_key(&&country, |(code, _)| code).ok()?;
    IBAN_LENGTHS.get(at).map(|(_, length)| *length)
}

const IBAN_LENGTHS: [(&[u8; 2], usize); 82] = [
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BI", 27),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DJ", 27),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FK", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"LY", 25),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MN", 20),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NI", 28),
    (b"NL", 18),
    (b"NO", 15),
    (b"OM", 23),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"RU", 33),
    (b"SA", 24),
    (b"SC", 31),
    (b"SD", 18),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"SO", 23),
    (b"TL", 23),
    (b"TN", 24),
    (b"TR", 26),
    (b"UA", 29),
];
