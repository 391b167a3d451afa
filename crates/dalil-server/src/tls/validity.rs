//! Until when a certificate holds (RFC 5280, section 4.1).

use dalil_proof::time::Time;
use der::asn1::{AnyRef, GeneralizedTime, UtcTime};
use der::{Decode as _, Reader as _, SliceReader, Tag, Tagged as _};

/// The end of a certificate's time, if it can be read.
pub(super) fn end(certificate: &[u8]) -> Option<Time> {
    let certificate = AnyRef::from_der(certificate).ok()?;
    let signed = *elements(certificate)?.first()?;
    // The version and the number, then three sequences: algorithm, issuer, validity.
    let fields = elements(signed)?;
    let validity = fields.iter().filter(|field| field.tag() == Tag::Sequence).nth(2)?;
    let end = *elements(*validity)?.get(1)?;
    let since_1970 = match end.tag() {
        Tag::UtcTime => end.decode_as::<UtcTime>().ok()?.to_unix_duration(),
        _ => end.decode_as::<GeneralizedTime>().ok()?.to_unix_duration(),
    };
    Time::from_millis(i64::try_from(since_1970.as_millis()).ok()?)
}

/// The elements inside an element.
fn elements(whole: AnyRef<'_>) -> Option<Vec<AnyRef<'_>>> {
    let mut reader = SliceReader::new(whole.value()).ok()?;
    let mut elements = Vec::new();
    while !reader.is_finished() {
        elements.push(AnyRef::decode(&mut reader).ok()?);
    }
    Some(elements)
}
