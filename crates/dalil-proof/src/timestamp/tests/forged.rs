//! Tokens and certificates that are built here, each to break one rule and keep the others.

use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use sha2::Sha256;

/// A token of an authority that is made for the test.
pub(super) struct ForgedToken {
    pub(super) content: ForgedContent,
    pub(super) attributes: Vec<ForgedAttribute>,
    pub(super) leaf: ForgedCertificate,
    /// What else is in the token.
    pub(super) others: Vec<ForgedCertificate>,
    pub(super) signers: usize,
    /// The tag around everything, which is a SEQUENCE's.
    pub(super) tag: u8,
}

/// The stamped content.
pub(super) struct ForgedContent {
    pub(super) version: u8,
    pub(super) imprint: Vec<u8>,
    /// The fields after the time.
    pub(super) rest: Vec<u8>,
}

/// A signed attribute: of the kind that a token has, or any bytes.
pub(super) enum ForgedAttribute {
    ContentType { tag: u8 },
    Digest { tag: u8 },
    Named { is_leaf: bool },
    Bytes(Vec<u8>),
}

/// A certificate; keys are numbers.
#[derive(Clone)]
pub(super) struct ForgedCertificate {
    pub(super) names: (&'static str, &'static str),
    pub(super) keys: (u8, u8),
    pub(super) years: (u8, u8),
    pub(super) extensions: Vec<Vec<u8>>,
}

impl ForgedToken {
    /// One that holds, with a certificate under the root.
    pub(super) fn sound() -> Self {
        let imprint = element(0x30, &[&algorithm(SHA256), &element(4, &[&digest(TEXT)])]);
        Self {
            content: ForgedContent { version: 1, imprint, rest: Vec::new() },
            attributes: vec![
                ForgedAttribute::ContentType { tag: 6 },
                ForgedAttribute::Digest { tag: 4 },
                ForgedAttribute::Named { is_leaf: true },
            ],
            leaf: ForgedCertificate::leaf("root", 1),
            others: Vec::new(),
            signers: 1,
            tag: 0x30,
        }
    }

    /// One that holds, through a certificate between.
    pub(super) fn through(between: ForgedCertificate) -> Self {
        let (name, _) = between.names;
        let leaf = ForgedCertificate::leaf(name, 3);
        Self { leaf, others: vec![between], ..Self::sound() }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let ForgedContent { version, imprint, rest } = &self.content;
        let policy = element(6, &[&[0x2A, 3, 4, 1]]);
        let time = element(0x18, &[b"20260201120000Z"]);
        let fields: [&[u8]; 6] =
            [&element(2, &[&[*version]]), &policy, imprint, &element(2, &[&[7]]), &time, rest];
        let content = element(0x30, &fields);
        let leaf = self.leaf.bytes();
        let attributes: Vec<u8> =
            self.attributes.iter().flat_map(|one| one.bytes(&content, &leaf)).collect();
        let signature = sign(self.leaf.keys.0, &element(0x31, &[&attributes]));
        let signer = element(
            0x30,
            &[
                &element(2, &[&[1]]),
                &element(0x30, &[]),
                &algorithm(SHA256),
                &element(0xA0, &[&attributes]),
                &algorithm(ECDSA_SHA256),
                &element(4, &[&signature]),
            ],
        );
        let others = self.others.iter().flat_map(ForgedCertificate::bytes);
        let certificates: Vec<u8> = leaf.iter().copied().chain(others).collect();
        let wrapped = element(
            0x30,
            &[&element(6, &[STAMP_INFO]), &element(0xA0, &[&element(4, &[&content])])],
        );
        let signed = element(
            0x30,
            &[
                &element(2, &[&[3]]),
                &element(0x31, &[&algorithm(SHA256)]),
                &wrapped,
                &element(0xA0, &[&certificates]),
                &element(0x31, &[&signer.repeat(self.signers)]),
            ],
        );
        element(self.tag, &[&element(6, &[SIGNED_DATA]), &element(0xA0, &[&signed])])
    }
}

impl ForgedAttribute {
    fn bytes(&self, content: &[u8], leaf: &[u8]) -> Vec<u8> {
        match self {
            Self::ContentType { tag } => attribute(CONTENT_TYPE, &[&element(*tag, &[STAMP_INFO])]),
            Self::Digest { tag } => {
                attribute(MESSAGE_DIGEST, &[&element(*tag, &[&digest(content)])])
            }
            Self::Named { is_leaf } => {
                let hash = digest(if *is_leaf { leaf } else { content });
                let named = element(0x30, &[&element(4, &[&hash])]);
                let list = element(0x30, &[&named]);
                attribute(SIGNING_CERTIFICATE, &[&element(0x30, &[&list])])
            }
            Self::Bytes(bytes) => bytes.clone(),
        }
    }
}

impl ForgedCertificate {
    /// The root, which is trusted.
    pub(super) fn root() -> Self {
        let extensions = vec![extension(BASIC_CONSTRAINTS, TRUE, AUTHORITY)];
        Self { names: ("root", "root"), keys: (1, 1), years: (20, 40), extensions }
    }

    /// The certificate that stamps, with key 2, under an issuer with a key.
    pub(super) fn leaf(issuer: &'static str, key: u8) -> Self {
        let extensions = vec![extension(EXTENDED_KEY_USAGE, TRUE, &purposes(&[TIME_STAMPING]))];
        Self { names: ("leaf", issuer), keys: (2, key), years: (20, 40), extensions }
    }

    /// An authority with key 3, under the root.
    pub(super) fn between(extensions: &[Vec<u8>]) -> Self {
        let (names, keys) = (("between", "root"), (3, 1));
        Self { names, keys, years: (20, 40), extensions: extensions.to_vec() }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let point = signing_key(self.keys.0).verifying_key().to_sec1_point(false);
        let key = element(0x30, &[&element(6, &[EC_KEY]), &element(6, &[P256])]);
        let point = [&[0], point.as_bytes()].concat();
        self.with_key(&element(0x30, &[&key, &element(3, &[&point])]))
    }

    /// The same with any `SubjectPublicKeyInfo`.
    pub(super) fn with_key(&self, key: &[u8]) -> Vec<u8> {
        let (subject, issuer) = self.names;
        let year = |year: u8| element(0x17, &[format!("{year}0101000000Z").as_bytes()]);
        let valid = element(0x30, &[&year(self.years.0), &year(self.years.1)]);
        let extensions = element(0xA3, &[&element(0x30, &[&self.extensions.concat()])]);
        let body = element(
            0x30,
            &[
                &element(0xA0, &[&element(2, &[&[2]])]),
                &element(2, &[&[9]]),
                &algorithm(ECDSA_SHA256),
                &name(issuer),
                &valid,
                &name(subject),
                key,
                &extensions,
            ],
        );
        let signature = [&[0], sign(self.keys.1, &body).as_slice()].concat();
        element(0x30, &[&body, &algorithm(ECDSA_SHA256), &element(3, &[&signature])])
    }
}

/// A DER element.
pub(super) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
    let start = match content.len() {
        ..0x80 => vec![tag, low],
        0x80..0x100 => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    [start, content].concat()
}

/// An attribute with its values.
pub(super) fn attribute(oid: &[u8], values: &[&[u8]]) -> Vec<u8> {
    element(0x30, &[&element(6, &[oid]), &element(0x31, values)])
}

/// An extension; `critical` is the content of its BOOLEAN, or nothing.
pub(super) fn extension(oid: &[u8], critical: &[u8], value: &[u8]) -> Vec<u8> {
    let said = if critical.is_empty() { Vec::new() } else { element(1, &[critical]) };
    element(0x30, &[&element(6, &[oid]), &said, &element(4, &[value])])
}

/// The value of an extended key usage.
pub(super) fn purposes(oids: &[&[u8]]) -> Vec<u8> {
    let oids: Vec<u8> = oids.iter().flat_map(|oid| element(6, &[oid])).collect();
    element(0x30, &[&oids])
}

/// An RSA key with an exponent, as the content of its INTEGER.
pub(super) fn rsa_key(exponent: &[u8]) -> Vec<u8> {
    let modulus = [&[0], [0xC5; 256].as_slice()].concat();
    let key = element(0x30, &[&element(2, &[&modulus]), &element(2, &[exponent])]);
    let kind = element(0x30, &[&element(6, &[RSA_KEY]), &element(5, &[])]);
    element(0x30, &[&kind, &element(3, &[&[0], &key])])
}

/// An `AlgorithmIdentifier` without parameters.
pub(super) fn algorithm(oid: &[u8]) -> Vec<u8> {
    element(0x30, &[&element(6, &[oid])])
}

pub(super) fn digest(bytes: &[u8]) -> Vec<u8> {
    use sha2::Digest as _;
    Sha256::digest(bytes).to_vec()
}

fn name(common: &str) -> Vec<u8> {
    let part =
        element(0x30, &[&element(6, &[&[0x55, 4, 3]]), &element(0x0C, &[common.as_bytes()])]);
    element(0x30, &[&element(0x31, &[&part])])
}

fn signing_key(number: u8) -> SigningKey {
    SigningKey::from_slice(&[number; 32]).unwrap()
}

fn sign(number: u8, message: &[u8]) -> Vec<u8> {
    let signature: Signature = signing_key(number).sign(message);
    signature.to_der().as_bytes().to_vec()
}

/// The stamped text.
pub(super) const TEXT: &[u8] = b"acme\n";
/// The content of a BOOLEAN in DER.
pub(super) const TRUE: &[u8] = &[0xFF];
/// Basic constraints of an authority, and of one with nothing but leaves below it.
pub(super) const AUTHORITY: &[u8] = &[0x30, 3, 1, 1, 0xFF];
pub(super) const LOW_AUTHORITY: &[u8] = &[0x30, 6, 1, 1, 0xFF, 2, 1, 0];

// Names, as the content of an OBJECT IDENTIFIER.
const SIGNED_DATA: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2];
const STAMP_INFO: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 16, 1, 4];
pub(super) const CONTENT_TYPE: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 3];
pub(super) const MESSAGE_DIGEST: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 4];
const SIGNING_CERTIFICATE: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 16, 2, 47];
pub(super) const SHA1: &[u8] = &[0x2B, 0x0E, 3, 2, 26];
const SHA256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
const ECDSA_SHA256: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2];
const EC_KEY: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1];
const P256: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7];
const RSA_KEY: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1];
pub(super) const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1D, 19];
pub(super) const KEY_USAGE: &[u8] = &[0x55, 0x1D, 15];
pub(super) const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1D, 37];
pub(super) const NAME_CONSTRAINTS: &[u8] = &[0x55, 0x1D, 30];
pub(super) const TIME_STAMPING: &[u8] = &[0x2B, 6, 1, 5, 5, 7, 3, 8];
pub(super) const CODE_SIGNING: &[u8] = &[0x2B, 6, 1, 5, 5, 7, 3, 3];
