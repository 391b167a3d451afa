//! Time-stamp tokens: `SignedData` of CMS (RFC 5652) over a `TSTInfo` (RFC 3161).

use der::Tag;
use sha1::{Digest as _, Sha1};

use super::certificate::{self, MAX_EXTENSIONS, PathFault, UnverifiedCertificate};
use super::element::{DerElement, field, primitive_field};
use super::signature::{Sha2, SigningAlgorithm};
use super::{TimestampAuthority, TokenFault};
use crate::digest::Digest;
use crate::time::Time;

/// A token that was read; nothing vouches for it.
#[derive(Debug)]
pub(super) struct UnverifiedToken<'t> {
    imprinted: StampedImprint<'t>,
    /// The bytes of the signer's digest.
    content: &'t [u8],
    certificates: Vec<&'t [u8]>,
    signer: TokenSigner<'t>,
}

/// The stamped digest, and the time.
#[derive(Debug)]
struct StampedImprint<'t> {
    imprint: DerElement<'t>,
    at: Time,
    latest: Time,
    nonce: Option<&'t [u8]>,
    /// Whether it has a critical extension: none is known here.
    is_foreign: bool,
}

#[derive(Debug)]
struct TokenSigner<'t> {
    digest: DerElement<'t>,
    attributes: DerElement<'t>,
    algorithm: DerElement<'t>,
    signature: &'t [u8],
}

/// The signed attributes that count.
#[derive(Default)]
struct SignedAttributes<'t> {
    content_type: Option<&'t [u8]>,
    message_digest: Option<&'t [u8]>,
    signing_certificate: Option<DerElement<'t>>,
    /// The form before RFC 5816, which names the certificate by SHA-1.
    old_signing_certificate: Option<DerElement<'t>>,
}

impl<'t> UnverifiedToken<'t> {
    /// Reads the one token that bytes are.
    pub(super) fn read(bytes: &'t [u8]) -> Option<Self> {
        if bytes.len() > MAX_TOKEN_BYTES {
            return None;
        }
        let mut fields = DerElement::only(bytes)?.sequence()?;
        is_oid(fields.take(Tag::ObjectIdentifier)?, SIGNED_DATA_OID)?;
        let signed = DerElement::only(fields.take(field(0))?.value)?;
        fields.end()?;
        let mut fields = signed.sequence()?;
        fields.take(Tag::Integer)?;
        fields.take(Tag::Set)?;
        let content = content(fields.take(Tag::Sequence)?)?;
        let certificates = match fields.take_if(field(0)) {
            Some(list) => list.elements()?.rest(MAX_CERTIFICATES)?,
            None => Vec::new(),
        };
        fields.take_if(field(1));
        let signers = fields.take(Tag::Set)?.value;
        fields.end()?;
        Some(Self {
            imprinted: StampedImprint::read(content)?,
            content,
            certificates: certificates.iter().map(|one| one.whole).collect(),
            // With two signers, which of them counts would be the reader's choice.
            signer: TokenSigner::read(DerElement::only(signers)?)?,
        })
    }

    /// The number that the asker drew, as the content of an INTEGER.
    pub(super) fn nonce(&self) -> Option<&'t [u8]> {
        self.imprinted.nonce
    }

    /// The stated time of the stamp, and the latest time that this can mean.
    pub(super) fn times(&self) -> (Time, Time) {
        (self.imprinted.at, self.imprinted.latest)
    }

    /// Checks everything but the nonce.
    ///
    /// # Errors
    /// The first rule that the token breaks.
    pub(super) fn verify(
        &self,
        stamped: &Digest,
        authority: &TimestampAuthority,
    ) -> Result<(), TokenFault> {
        if !is_imprint(self.imprinted.imprint, stamped) {
            return Err(TokenFault::Imprint);
        }
        let TokenSigner { digest, attributes, algorithm, signature } = &self.signer;
        let hash = Sha2::read(*digest).ok_or(TokenFault::Unsupported)?;
        let found = SignedAttributes::read(*attributes).ok_or(TokenFault::Attributes)?;
        if found.content_type != Some(STAMP_INFO_OID)
            || found.message_digest != Some(hash.digest(self.content).as_slice())
        {
            return Err(TokenFault::Attributes);
        }
        let trusted = authority.parsed_certificates();
        // What cannot be read leads nowhere; the signer's own must be read.
        let others: Vec<_> =
            self.certificates.iter().filter_map(|one| UnverifiedCertificate::read(one)).collect();
        let is_named = |one: &&UnverifiedCertificate<'_>| found.names(one.whole);
        let signer = others.iter().chain(&trusted).find(is_named).ok_or(TokenFault::Attributes)?;
        let algorithm = SigningAlgorithm::read(*algorithm, Some(hash));
        let (algorithm, key) = algorithm.zip(signer.key()).ok_or(TokenFault::Unsupported)?;
        // The attributes are signed as the SET that they are, and stored under the tag of a field.
        let mut message = attributes.whole.to_vec();
        *message.first_mut().ok_or(TokenFault::Attributes)? = SET_TAG;
        if !key.verifies(algorithm, &message, signature) {
            return Err(TokenFault::Signature);
        }
        if !signer.is_for_stamping() {
            return Err(TokenFault::Purpose);
        }
        certificate::path(signer, &others, &trusted, self.imprinted.at).map_err(
            |fault| match fault {
                PathFault::Untrusted => TokenFault::Untrusted,
                PathFault::Expired => TokenFault::Expired,
            },
        )?;
        if self.imprinted.is_foreign { Err(TokenFault::Extension) } else { Ok(()) }
    }
}

impl<'t> StampedImprint<'t> {
    fn read(content: &'t [u8]) -> Option<Self> {
        let mut fields = DerElement::only(content)?.sequence()?;
        if fields.take(Tag::Integer)?.value != [1] {
            return None;
        }
        fields.take(Tag::ObjectIdentifier)?;
        let imprint = fields.take(Tag::Sequence)?;
        fields.take(Tag::Integer)?;
        let (at, end) = general_time(fields.take(Tag::GeneralizedTime)?)?;
        let accuracy = match fields.take_if(Tag::Sequence) {
            Some(said) => accuracy_millis(said)?,
            None => 0,
        };
        fields.take_if(Tag::Boolean);
        let nonce = fields.take_if(Tag::Integer).map(|nonce| nonce.value);
        fields.take_if(field(0));
        let is_foreign = match fields.take_if(field(1)) {
            Some(list) => has_critical(list)?,
            None => false,
        };
        fields.end()?;
        let latest = Time::from_millis(end.millis().checked_add(accuracy)?)?;
        Some(Self { imprint, at, latest, nonce, is_foreign })
    }
}

impl<'t> TokenSigner<'t> {
    fn read(signer: DerElement<'t>) -> Option<Self> {
        let mut fields = signer.sequence()?;
        fields.take(Tag::Integer)?;
        // The signed attributes identify the signer; this field is not signed.
        fields.next()?;
        let (digest, attributes) = (fields.take(Tag::Sequence)?, fields.take(field(0))?);
        let algorithm = fields.take(Tag::Sequence)?;
        let signature = fields.take(Tag::OctetString)?.value;
        fields.take_if(field(1));
        fields.end()?;
        Some(Self { digest, attributes, algorithm, signature })
    }
}

impl<'t> SignedAttributes<'t> {
    /// Reads the attributes; `None` where one of those that count is there twice.
    fn read(attributes: DerElement<'t>) -> Option<Self> {
        let mut read = Self::default();
        for attribute in attributes.elements()?.rest(MAX_ATTRIBUTES)? {
            let mut fields = attribute.sequence()?;
            let oid = fields.take(Tag::ObjectIdentifier)?.value;
            let values = fields.take(Tag::Set)?;
            fields.end()?;
            let value = |tag| DerElement::only(values.value).filter(|value| value.tag == tag);
            let is_first = match oid {
                CONTENT_TYPE_OID => {
                    read.content_type.replace(value(Tag::ObjectIdentifier)?.value).is_none()
                }
                MESSAGE_DIGEST_OID => {
                    read.message_digest.replace(value(Tag::OctetString)?.value).is_none()
                }
                SIGNING_CERTIFICATE_OID => {
                    read.signing_certificate.replace(value(Tag::Sequence)?).is_none()
                }
                OLD_SIGNING_CERTIFICATE_OID => {
                    read.old_signing_certificate.replace(value(Tag::Sequence)?).is_none()
                }
                _ => true,
            };
            is_first.then_some(())?;
        }
        Some(read)
    }

    /// Whether this certificate is the first that is named as the signer's.
    ///
    /// SHA-1 only chooses among certificates: that the chosen one signed, and may, is checked.
    fn names(&self, certificate: &[u8]) -> bool {
        let named = |attribute: DerElement<'t>| {
            let list = attribute.elements()?.take(Tag::Sequence)?;
            list.elements()?.take(Tag::Sequence)?.elements()
        };
        let newer = |attribute| {
            let mut fields = named(attribute)?;
            let hash = match fields.take_if(Tag::Sequence) {
                Some(identifier) => Sha2::read(identifier)?,
                None => Sha2::Sha256,
            };
            Some(fields.take(Tag::OctetString)?.value == hash.digest(certificate))
        };
        let older = |attribute| {
            let digest = named(attribute)?.take(Tag::OctetString)?.value;
            Some(digest == Sha1::digest(certificate).as_slice())
        };
        let found = match self.signing_certificate {
            Some(attribute) => newer(attribute),
            None => self.old_signing_certificate.and_then(older),
        };
        found == Some(true)
    }
}

/// The bytes that an `EncapsulatedContentInfo` of a `TSTInfo` wraps.
fn content(wrapped: DerElement<'_>) -> Option<&[u8]> {
    let mut fields = wrapped.elements()?;
    is_oid(fields.take(Tag::ObjectIdentifier)?, STAMP_INFO_OID)?;
    let content = DerElement::only(fields.take(field(0))?.value)?;
    fields.end()?;
    (content.tag == Tag::OctetString).then_some(content.value)
}

fn is_oid(element: DerElement<'_>, oid: &[u8]) -> Option<()> {
    (element.value == oid).then_some(())
}

/// Whether a `MessageImprint` is this digest, by SHA-256.
fn is_imprint(imprint: DerElement<'_>, stamped: &Digest) -> bool {
    let read = || {
        let mut fields = imprint.elements()?;
        let hash = Sha2::read(fields.take(Tag::Sequence)?)?;
        let digest = fields.take(Tag::OctetString)?.value;
        fields.end()?;
        Some((hash, digest))
    };
    read() == Some((Sha2::Sha256, stamped.as_bytes().as_slice()))
}

/// A time of whole seconds or with a fraction, and the last millisecond that it can mean.
fn general_time(element: DerElement<'_>) -> Option<(Time, Time)> {
    let text = std::str::from_utf8(element.value).ok()?.strip_suffix('Z')?;
    let Some((digits, fraction)) = text.split_once('.') else {
        return Some((certificate::time(text, "000")?, certificate::time(text, "999")?));
    };
    // DER has no zero at the end of a fraction, so that a time has one spelling.
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
    if fraction.len() > MAX_FRACTION_DIGITS || !is_fraction || fraction.ends_with('0') {
        return None;
    }
    let millis: String = fraction.chars().chain("000".chars()).take(3).collect();
    let at = certificate::time(digits, &millis).filter(|_| !fraction.is_empty())?;
    let up = i64::from(fraction.len() > 3);
    Some((at, Time::from_millis(at.millis().checked_add(up)?)?))
}

/// The value of an `Accuracy`, in milliseconds, rounded up.
fn accuracy_millis(accuracy: DerElement<'_>) -> Option<i64> {
    let mut fields = accuracy.elements()?;
    let mut part = |tag| match fields.take_if(tag) {
        Some(number) => whole(number),
        None => Some(0),
    };
    let (seconds, millis) = (part(Tag::Integer)?, part(primitive_field(0))?);
    let micros = part(primitive_field(1))?;
    fields.end()?;
    let is_small = (0..=999).contains(&millis) && (0..=999).contains(&micros);
    let up = i64::from(micros > 0);
    is_small.then(|| seconds * 1000 + millis + up)
}

/// Whether an extension in a list is critical.
fn has_critical(list: DerElement<'_>) -> Option<bool> {
    let mut has_critical = false;
    for element in list.elements()?.rest(MAX_EXTENSIONS)? {
        let (_, is_critical, _) = certificate::extension(element)?;
        has_critical |= is_critical;
    }
    Some(has_critical)
}

/// A number below 2^24: half a year in seconds.
fn whole(number: DerElement<'_>) -> Option<i64> {
    let bytes = number.natural().filter(|bytes| bytes.len() <= 3)?;
    Some(bytes.iter().fold(0, |sum, byte| sum << 8 | i64::from(*byte)))
}

/// Several times what authorities give with all of their certificates.
pub(super) const MAX_TOKEN_BYTES: usize = 1 << 15;
/// More than a path needs; bounds the signatures that are checked.
const MAX_CERTIFICATES: usize = 10;
const MAX_ATTRIBUTES: usize = 32;
const MAX_FRACTION_DIGITS: usize = 9;
const SET_TAG: u8 = 0x31;

// Names, as the content of an OBJECT IDENTIFIER.
const SIGNED_DATA_OID: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2];
const STAMP_INFO_OID: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 16, 1, 4];
const CONTENT_TYPE_OID: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 3];
const MESSAGE_DIGEST_OID: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 4];
const OLD_SIGNING_CERTIFICATE_OID: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 16, 2, 12];
const SIGNING_CERTIFICATE_OID: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 16, 2, 47];
