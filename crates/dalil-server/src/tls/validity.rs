//! Until when a certificate holds (RFC 5280, section 4.1).

use std::str::FromStr as _;

use dalil_proof::time::Time;

/// The end of a certificate's time, if it can be read.
pub(super) fn end(certificate: &[u8]) -> Option<Time> {
    let (_, signed, _) = element(certificate)?;
    let (_, mut fields, _) = element(signed)?;
    let mut sequences = 0;
    // The version and the number, then three sequences: algorithm, issuer, validity.
    while sequences < 2 {
        let (tag, _, rest) = element(fields)?;
        sequences += u8::from(tag == DER_TAG_SEQUENCE);
        fields = rest;
    }
    let (_, validity, _) = element(fields)?;
    let (_, _, rest) = element(validity)?;
    let (tag, text, _) = element(rest)?;
    time(tag, std::str::from_utf8(text).ok()?)
}

/// `YYMMDDhhmmssZ`, of the years from 1950 on, or the same with the whole year.
fn time(tag: u8, text: &str) -> Option<Time> {
    let whole = match tag {
        // RFC 5280, section 4.1.2.5.1: years below 50 are 20YY, others 19YY.
        DER_TAG_UTC_TIME => format!("{}{text}", if text < "50" { "20" } else { "19" }),
        _ => text.to_owned(),
    };
    let part = |from: usize, to: usize| whole.get(from..to);
    let (year, month, day) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    let (hour, minute, second) = (part(8, 10)?, part(10, 12)?, part(12, 14)?);
    Time::from_str(&format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z")).ok()
}

/// The first element of DER: its tag, what is in it, and what follows.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match first & 0x80 {
        0 => (usize::from(*first), rest),
        _ => {
            let (size, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            // No certificate has a longer length; it would lose its upper bytes below.
            let wide = size.len() <= 4;
            let length = size.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
            (wide.then_some(length)?, rest)
        }
    };
    let (own, rest) = rest.split_at_checked(length)?;
    Some((*tag, own, rest))
}

const DER_TAG_SEQUENCE: u8 = 0x30;
const DER_TAG_UTC_TIME: u8 = 0x17;
