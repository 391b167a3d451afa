//! The signatures of authorities: RSA (PKCS #1 version 1.5) and ECDSA, with SHA-2.

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd};
use der::Tag;
use p256::ecdsa::signature::hazmat::PrehashVerifier as _;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use super::element::{DerElement, DerElements};

/// A hash function of SHA-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sha2 {
    Sha256,
    Sha384,
    Sha512,
}

impl Sha2 {
    /// Reads an `AlgorithmIdentifier`; `None` for any other function.
    pub(super) fn read(identifier: DerElement<'_>) -> Option<Self> {
        let (oid, parameters) = algorithm(identifier)?;
        let is_plain = parameters.is_none_or(|parameters| parameters.tag == Tag::Null);
        let (_, found) = SHA2_OIDS.iter().find(|(known, _)| *known == oid)?;
        is_plain.then_some(*found)
    }

    pub(super) fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha256 => Sha256::digest(bytes).to_vec(),
            Self::Sha384 => Sha384::digest(bytes).to_vec(),
            Self::Sha512 => Sha512::digest(bytes).to_vec(),
        }
    }

    /// The bytes before the digest in a padded RSA message (RFC 8017, section 9.2, note 1).
    fn digest_info(self) -> [u8; 19] {
        let (last, bytes) = match self {
            Self::Sha256 => (1, 32),
            Self::Sha384 => (2, 48),
            Self::Sha512 => (3, 64),
        };
        let start = [0x30, 17 + bytes, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, last];
        let mut prefix = [0; 19];
        for (to, from) in prefix.iter_mut().zip(start.into_iter().chain([5, 0, 4, bytes])) {
            *to = from;
        }
        prefix
    }
}

/// How something was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SigningAlgorithm {
    Rsa(Sha2),
    Ecdsa(Sha2),
}

impl SigningAlgorithm {
    /// Reads an `AlgorithmIdentifier`. CMS may name RSA alone: then the digest is `otherwise`.
    pub(super) fn read(identifier: DerElement<'_>, otherwise: Option<Sha2>) -> Option<Self> {
        let (oid, parameters) = algorithm(identifier)?;
        let is_plain = parameters.is_none_or(|parameters| parameters.tag == Tag::Null);
        let known = SIGNING_OIDS.iter().find(|(known, _)| *known == oid).map(|(_, known)| *known);
        let rsa = if oid == RSA_KEY_OID { otherwise.map(Self::Rsa) } else { None };
        known.or(rsa).filter(|_| is_plain)
    }
}

/// The public key of a certificate.
pub(super) enum AuthorityKey {
    Rsa { params: Box<BoxedMontyParams>, exponent: BoxedUint, bytes: usize },
    P256(Box<p256::ecdsa::VerifyingKey>),
    P384(Box<p384::ecdsa::VerifyingKey>),
}

impl AuthorityKey {
    /// Reads a `SubjectPublicKeyInfo`; `None` for a key of another kind or size.
    pub(super) fn read(info: DerElement<'_>) -> Option<Self> {
        let mut fields = info.elements()?;
        let (oid, parameters) = algorithm(fields.take(Tag::Sequence)?)?;
        let key = fields.take(Tag::BitString)?.bits()?;
        fields.end()?;
        match (oid, parameters) {
            (RSA_KEY_OID, _) => rsa_key(key),
            (EC_KEY_OID, Some(curve)) if curve.value == P256_OID => {
                let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(key).ok()?;
                Some(Self::P256(Box::new(key)))
            }
            (EC_KEY_OID, Some(curve)) if curve.value == P384_OID => {
                let key = p384::ecdsa::VerifyingKey::from_sec1_bytes(key).ok()?;
                Some(Self::P384(Box::new(key)))
            }
            _ => None,
        }
    }

    /// Whether this key signed the message in this way.
    pub(super) fn verifies(
        &self,
        algorithm: SigningAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> bool {
        match (self, algorithm) {
            (Self::Rsa { params, exponent, bytes }, SigningAlgorithm::Rsa(hash)) => {
                let expected = padded(hash, message, *bytes);
                let found = power(signature, exponent, params);
                signature.len() == *bytes
                    && expected.zip(found).is_some_and(|(expected, found)| {
                        // A number has zeros before it as far as its words go; the message has one.
                        let start = found.iter().position(|byte| *byte != 0);
                        let shown = start.and_then(|start| found.get(start..));
                        shown == expected.get(1..)
                    })
            }
            (Self::P256(key), SigningAlgorithm::Ecdsa(hash)) => {
                p256::ecdsa::Signature::from_der(signature)
                    .is_ok_and(|signed| key.verify_prehash(&hash.digest(message), &signed).is_ok())
            }
            (Self::P384(key), SigningAlgorithm::Ecdsa(hash)) => {
                p384::ecdsa::Signature::from_der(signature)
                    .is_ok_and(|signed| key.verify_prehash(&hash.digest(message), &signed).is_ok())
            }
            (Self::Rsa { .. }, SigningAlgorithm::Ecdsa(_))
            | (Self::P256(_) | Self::P384(_), SigningAlgorithm::Rsa(_)) => false,
        }
    }
}

/// The name of an algorithm, and its parameters.
fn algorithm(identifier: DerElement<'_>) -> Option<(&[u8], Option<DerElement<'_>>)> {
    let mut fields = identifier.elements()?;
    let oid = fields.take(Tag::ObjectIdentifier)?.value;
    let parameters = fields.next();
    fields.end()?;
    Some((oid, parameters))
}

/// Reads an `RSAPublicKey` of a size that is safe, and bounded: the time to verify grows with it.
fn rsa_key(key: &[u8]) -> Option<AuthorityKey> {
    let mut fields: DerElements<'_> = DerElement::only(key)?.sequence()?;
    let (modulus, exponent) = (fields.take(Tag::Integer)?, fields.take(Tag::Integer)?);
    fields.end()?;
    let (modulus, exponent) = (modulus.natural()?, exponent.natural()?);
    let bytes = u32::try_from(modulus.len()).ok()?;
    let bits = bytes.checked_mul(8)?.checked_sub(modulus.first()?.leading_zeros())?;
    let is_odd = exponent.last()? % 2 == 1 && exponent != [1];
    if !RSA_BITS.contains(&bits) || !is_odd || exponent.len() > MAX_EXPONENT_BYTES {
        return None;
    }
    let odd = Option::<Odd<_>>::from(Odd::new(BoxedUint::from_be_slice(modulus, 8 * bytes).ok()?))?;
    Some(AuthorityKey::Rsa {
        params: Box::new(BoxedMontyParams::new_vartime(odd)),
        exponent: BoxedUint::from_be_slice(exponent, 32).ok()?,
        bytes: modulus.len(),
    })
}

/// The message that an RSA signature signs: all of it is known, so it is compared whole, and no
/// part that the signer could have chosen is parsed.
fn padded(hash: Sha2, message: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let digest = [hash.digest_info().as_slice(), &hash.digest(message)].concat();
    let fill = bytes.checked_sub(digest.len() + 3)?;
    Some([[0, 1].as_slice(), &vec![0xFF; fill], &[0], &digest].concat())
}

/// A signature to the power of the exponent; `None` for a number that is not below the modulus.
fn power(signature: &[u8], exponent: &BoxedUint, params: &BoxedMontyParams) -> Option<Box<[u8]>> {
    let modulus: &BoxedUint = params.modulus().as_ref();
    let number = BoxedUint::from_be_slice(signature, modulus.bits_precision()).ok()?;
    let number = (number < *modulus).then_some(number)?;
    Some(BoxedMontyForm::new(number, params).pow(exponent).retrieve().to_be_bytes())
}

const RSA_BITS: std::ops::RangeInclusive<u32> = 2048..=8192;
const MAX_EXPONENT_BYTES: usize = 4;

// Names of algorithms, as the content of an OBJECT IDENTIFIER.
const RSA_KEY_OID: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1];
const EC_KEY_OID: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1];
const P256_OID: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7];
const P384_OID: &[u8] = &[0x2B, 0x81, 4, 0, 34];
const SHA2_OIDS: &[(&[u8], Sha2)] = &[
    (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1], Sha2::Sha256),
    (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2], Sha2::Sha384),
    (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3], Sha2::Sha512),
];
const SIGNING_OIDS: &[(&[u8], SigningAlgorithm)] = &[
    (&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 11], SigningAlgorithm::Rsa(Sha2::Sha256)),
    (&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 12], SigningAlgorithm::Rsa(Sha2::Sha384)),
    (&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 13], SigningAlgorithm::Rsa(Sha2::Sha512)),
    (&[0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2], SigningAlgorithm::Ecdsa(Sha2::Sha256)),
    (&[0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 3], SigningAlgorithm::Ecdsa(Sha2::Sha384)),
    (&[0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 4], SigningAlgorithm::Ecdsa(Sha2::Sha512)),
];
