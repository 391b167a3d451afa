//! X.509 certificates of authorities, and the path from one to a trusted one.

use der::Tag;

use super::element::{DerElement, DerElements, field, primitive_field};
use super::signature::{AuthorityKey, SigningAlgorithm};
use crate::time::Time;

/// A certificate that was read; nothing vouches for it.
#[derive(Clone, Debug)]
pub(super) struct UnverifiedCertificate<'c> {
    /// All of its bytes.
    pub(super) whole: &'c [u8],
    /// The signed part.
    body: DerElement<'c>,
    algorithm: DerElement<'c>,
    signature: &'c [u8],
    issuer: &'c [u8],
    subject: &'c [u8],
    valid: (Time, Time),
    key: DerElement<'c>,
    extensions: CertificateExtensions<'c>,
}

/// The extensions that are understood, and whether one was not that must be.
#[derive(Clone, Debug, Default)]
struct CertificateExtensions<'c> {
    /// How long the path below an authority may be; `None` for one that is no authority.
    authority: Option<PathLength>,
    /// The first byte of the key usage.
    key_usage: Option<u8>,
    /// The permitted purposes of the key, and whether they are critical.
    purposes: Option<(Vec<&'c [u8]>, bool)>,
    is_foreign: bool,
}

#[derive(Clone, Copy, Debug)]
enum PathLength {
    Any,
    AtMost(usize),
}

/// Why a certificate leads to no trusted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathFault {
    /// No certificate that is trusted is above it.
    Untrusted,
    /// One is, but not every certificate on the way is valid at that time.
    Expired,
}

impl<'c> UnverifiedCertificate<'c> {
    /// Reads the one certificate that bytes are.
    pub(super) fn read(bytes: &'c [u8]) -> Option<Self> {
        let certificate = DerElement::only(bytes)?;
        let mut fields = certificate.sequence()?;
        let (body, algorithm) = (fields.take(Tag::Sequence)?, fields.take(Tag::Sequence)?);
        let signature = fields.take(Tag::BitString)?.bits()?;
        fields.end()?;
        let mut fields = body.elements()?;
        fields.take_if(field(0));
        fields.take(Tag::Integer)?;
        // The signed part names the algorithm, so that it cannot be changed outside.
        if fields.take(Tag::Sequence)?.whole != algorithm.whole {
            return None;
        }
        let issuer = fields.take(Tag::Sequence)?.whole;
        let valid = validity(fields.take(Tag::Sequence)?)?;
        let (subject, key) = (fields.take(Tag::Sequence)?.whole, fields.take(Tag::Sequence)?);
        fields.take_if(primitive_field(1));
        fields.take_if(primitive_field(2));
        let extensions = match fields.take_if(field(3)) {
            Some(wrapped) => CertificateExtensions::read(wrapped)?,
            None => CertificateExtensions::default(),
        };
        fields.end()?;
        let whole = certificate.whole;
        Some(Self { whole, body, algorithm, signature, issuer, subject, valid, key, extensions })
    }

    /// Its key; `None` for one that is not supported.
    pub(super) fn key(&self) -> Option<AuthorityKey> {
        AuthorityKey::read(self.key)
    }

    /// Whether it is for time stamping and nothing else, as RFC 3161 asks.
    pub(super) fn is_for_stamping(&self) -> bool {
        let CertificateExtensions { key_usage, purposes, is_foreign, .. } = &self.extensions;
        let signs = key_usage.is_none_or(|bits| bits & (DIGITAL_SIGNATURE | NON_REPUDIATION) != 0);
        let alone = purposes.as_ref().is_some_and(|(purposes, is_critical)| {
            *is_critical && *purposes == [TIME_STAMPING_OID]
        });
        signs && alone && !is_foreign
    }

    /// Whether it is valid at a time.
    fn is_valid_at(&self, at: Time) -> bool {
        let (from, to) = self.valid;
        from <= at && at <= to
    }

    /// Whether it may be above `below` other authorities and a certificate for time stamping.
    fn may_issue(&self, below: usize) -> bool {
        let CertificateExtensions { authority, key_usage, purposes, is_foreign } = &self.extensions;
        let reaches = match authority {
            Some(PathLength::Any) => true,
            Some(PathLength::AtMost(most)) => below <= *most,
            None => false,
        };
        let signs = key_usage.is_none_or(|bits| bits & CERTIFICATE_SIGNING != 0);
        let fits = purposes.as_ref().is_none_or(|(purposes, _)| {
            purposes.contains(&TIME_STAMPING_OID) || purposes.contains(&ANY_PURPOSE_OID)
        });
        reaches && signs && fits && !is_foreign
    }

    fn is_signed_by(&self, issuer: &Self) -> bool {
        let algorithm = SigningAlgorithm::read(self.algorithm, None);
        algorithm.zip(issuer.key()).is_some_and(|(algorithm, key)| {
            key.verifies(algorithm, self.body.whole, self.signature)
        })
    }
}

/// Looks for the path from a certificate to a trusted one through others, all valid at a time.
///
/// # Errors
/// There is none.
pub(super) fn path(
    signer: &UnverifiedCertificate<'_>,
    others: &[UnverifiedCertificate<'_>],
    trusted: &[UnverifiedCertificate<'_>],
    at: Time,
) -> Result<(), PathFault> {
    let all = || std::iter::once(signer).chain(others).chain(trusted);
    if leads(all().filter(|one| one.is_valid_at(at)), signer, trusted) {
        return Ok(());
    }
    // Only a path that leads to a root has expired: an attacker can put an old certificate into a
    // token.
    Err(if leads(all(), signer, trusted) { PathFault::Expired } else { PathFault::Untrusted })
}

/// Whether a certificate is among these, and leads to a trusted one through them.
fn leads<'p, 'c: 'p>(
    through: impl Iterator<Item = &'p UnverifiedCertificate<'c>>,
    signer: &UnverifiedCertificate<'_>,
    trusted: &[UnverifiedCertificate<'_>],
) -> bool {
    let is_trusted =
        |one: &UnverifiedCertificate<'_>| trusted.iter().any(|trusted| trusted.whole == one.whole);
    let mut left: Vec<&UnverifiedCertificate<'_>> = through.collect();
    let mut level: Vec<_> = left.extract_if(.., |one| one.whole == signer.whole).collect();
    // Level by level, each of them once: a hostile token cannot make this long.
    let mut below = 0;
    while !level.is_empty() {
        if level.iter().any(|one| is_trusted(one)) {
            return true;
        }
        let issues = |candidate: &mut &UnverifiedCertificate<'_>| {
            let signs = |one: &&UnverifiedCertificate<'_>| {
                one.issuer == candidate.subject && one.is_signed_by(candidate)
            };
            candidate.may_issue(below) && level.iter().any(signs)
        };
        level = left.extract_if(.., issues).collect();
        below += 1;
    }
    false
}

impl<'c> CertificateExtensions<'c> {
    fn read(wrapped: DerElement<'c>) -> Option<Self> {
        let list = DerElement::only(wrapped.value)?.sequence()?;
        let (mut read, mut known) = (Self::default(), Vec::new());
        for element in list.rest(MAX_EXTENSIONS)? {
            let (oid, is_critical, value) = extension(element)?;
            // One that is there twice could say two things.
            if known.contains(&oid) {
                return None;
            }
            known.push(oid);
            read.add(oid, is_critical, value)?;
        }
        Some(read)
    }

    /// Adds an extension; `None` for one that is not in its form.
    fn add(&mut self, oid: &[u8], is_critical: bool, value: &'c [u8]) -> Option<()> {
        match oid {
            BASIC_CONSTRAINTS_OID => {
                let mut fields = DerElement::only(value)?.sequence()?;
                let is_authority = match fields.take_if(Tag::Boolean) {
                    Some(said) => said.truth()?,
                    None => false,
                };
                let length = match fields.take_if(Tag::Integer).map(|length| length.value) {
                    None => PathLength::Any,
                    Some([length @ 0..=0x7F]) => PathLength::AtMost(usize::from(*length)),
                    Some(_) => return None,
                };
                fields.end()?;
                self.authority = is_authority.then_some(length);
            }
            KEY_USAGE_OID => {
                // The first byte is the number of bits of the last that do not count; they are
                // zero.
                let usage = DerElement::only(value).filter(|usage| usage.tag == Tag::BitString)?;
                let (_, bits) = usage.value.split_first()?;
                self.key_usage = Some(*bits.first()?);
            }
            EXTENDED_KEY_USAGE_OID => {
                let purposes = DerElement::only(value)?.sequence()?.rest(MAX_EXTENSIONS)?;
                let purposes = purposes.iter().map(|purpose| purpose.value).collect();
                self.purposes = Some((purposes, is_critical));
            }
            _ => self.is_foreign |= is_critical,
        }
        Some(())
    }
}

/// An `Extension`: its name, whether it is critical, and its value.
pub(super) fn extension(element: DerElement<'_>) -> Option<(&[u8], bool, &[u8])> {
    let mut fields = element.sequence()?;
    let oid = fields.take(Tag::ObjectIdentifier)?.value;
    let is_critical = match fields.take_if(Tag::Boolean) {
        Some(said) => said.truth()?,
        None => false,
    };
    let value = fields.take(Tag::OctetString)?.value;
    fields.end()?;
    Some((oid, is_critical, value))
}

fn validity(element: DerElement<'_>) -> Option<(Time, Time)> {
    let mut fields: DerElements<'_> = element.elements()?;
    let valid = (moment(fields.next()?)?, moment(fields.next()?)?);
    fields.end()?;
    Some(valid)
}

/// A `Time` of X.509: two digits of the year until 2049, four after.
fn moment(element: DerElement<'_>) -> Option<Time> {
    let text = std::str::from_utf8(element.value).ok()?;
    let digits = match element.tag {
        Tag::UtcTime => {
            let century = if text.get(..2)? < "50" { "20" } else { "19" };
            format!("{century}{text}")
        }
        Tag::GeneralizedTime => text.to_owned(),
        _ => return None,
    };
    // RFC 5280, section 4.1.2.5: without an end.
    if digits == "99991231235959Z" {
        return Time::from_millis(LAST_MILLISECOND);
    }
    time(digits.strip_suffix('Z')?, "000")
}

/// A time of fourteen digits and three more for its milliseconds.
pub(super) fn time(digits: &str, millis: &str) -> Option<Time> {
    let part = |from: usize, to: usize| digits.get(from..to);
    let day = format!("{}-{}-{}", part(0, 4)?, part(4, 6)?, part(6, 8)?);
    let clock = format!("{}:{}:{}", part(8, 10)?, part(10, 12)?, part(12, digits.len())?);
    Time::from_spelling(format!("{day}T{clock}.{millis}Z").as_bytes())
}

const DIGITAL_SIGNATURE: u8 = 0x80;
const NON_REPUDIATION: u8 = 0x40;
const CERTIFICATE_SIGNING: u8 = 0x04;
/// More than any certificate has.
pub(super) const MAX_EXTENSIONS: usize = 32;
/// The last that [`Time`] holds.
const LAST_MILLISECOND: i64 = 253_402_207_200_000;

// Names, as the content of an OBJECT IDENTIFIER.
const KEY_USAGE_OID: &[u8] = &[0x55, 0x1D, 15];
const BASIC_CONSTRAINTS_OID: &[u8] = &[0x55, 0x1D, 19];
const EXTENDED_KEY_USAGE_OID: &[u8] = &[0x55, 0x1D, 37];
const ANY_PURPOSE_OID: &[u8] = &[0x55, 0x1D, 37, 0];
const TIME_STAMPING_OID: &[u8] = &[0x2B, 6, 1, 5, 5, 7, 3, 8];
