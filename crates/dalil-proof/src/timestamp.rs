//! Time stamps (RFC 3161): an authority's statement that a checkpoint existed at a time.
//!
//! ```text
//! text of the checkpoint ─SHA-256─▶ token, signed by the authority ─▶ a line under the note
//! ```
//!
//! A token states the time, and nothing else: [`crate::witness`] ensures that a trail only grew.
//! Revocation of certificates is not checked: that needs a network.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{Phrase, error, expected};
use serde::{Serialize, Serializer};

use self::certificate::UnverifiedCertificate;
use self::token::{MAX_TOKEN_BYTES, UnverifiedToken};
use crate::decode::{self, JsonReader};
use crate::digest::Digest;
use crate::fault::Fault;
use crate::key::{KeyId, is_name};
use crate::note::{NoteSignature, UnverifiedNote};
use crate::time::Time;

mod certificate;
mod element;
mod query;
mod signature;
#[cfg(test)]
mod tests;
mod token;

pub use query::{NotAnswered, TimestampQuery};

/// An authority that is trusted: its name, and the certificates that its own must be or lead to.
///
/// Invariant: the name can be on a signature line, and every certificate can be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimestampAuthority {
    certificates: Vec<EncodedCertificate>,
    name: String,
}

/// The bytes of a certificate, in JSON as base64.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EncodedCertificate(Vec<u8>);

/// Who stamped, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timestamp {
    /// The authority.
    pub authority: String,
    /// The time of the token.
    pub at: Time,
    /// The latest time that this can mean.
    pub latest: Time,
}

impl TimestampAuthority {
    /// Trusts an authority.
    ///
    /// # Errors
    /// A name that no line can have, no certificate, or one that cannot be read.
    pub fn new(name: &str, certificates: Vec<Vec<u8>>) -> Result<Self, NotATimestampAuthority> {
        if !is_name(name) {
            return Err(NotATimestampAuthority::Name);
        }
        let is_read = |one: &Vec<u8>| {
            one.len() <= MAX_CERTIFICATE_BYTES
                && UnverifiedCertificate::read(one).is_some_and(|read| read.key().is_some())
        };
        if certificates.is_empty() || !certificates.iter().all(is_read) {
            return Err(NotATimestampAuthority::Certificate);
        }
        let certificates = certificates.into_iter().map(EncodedCertificate).collect();
        Ok(Self { certificates, name: name.to_owned() })
    }

    /// Reads `{"certificates","name"}`.
    pub fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let certificates = fields.required("certificates", |list| list.list(read_certificate));
        let name = fields.required("name", decode::filled);
        fields.done()?;
        let fault = |why: NotATimestampAuthority| {
            reader.push(Fault::with_message("timestamp_authority", reader.path(), why.phrase()))
        };
        Self::new(&name?, certificates?).map_or_else(fault, Some)
    }

    /// The name on its lines.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line of a token under a note.
    pub fn line(&self, token: &[u8]) -> NoteSignature {
        NoteSignature { name: self.name.clone(), id: key_id(&self.name), bytes: token.to_vec() }
    }

    /// Verifies a token for the text of a checkpoint.
    ///
    /// # Errors
    /// The first rule that the token breaks.
    pub fn verify(&self, text: &str, token: &[u8]) -> Result<Timestamp, TokenFault> {
        let token = UnverifiedToken::read(token).ok_or(TokenFault::Form)?;
        token.verify(&Digest::of(text.as_bytes()), self)?;
        let (at, latest) = token.times();
        Ok(Timestamp { authority: self.name.clone(), at, latest })
    }

    /// The stamps of this authority on a note, or why a line is none.
    pub fn stamps(&self, note: &UnverifiedNote) -> Vec<Result<Timestamp, TokenFault>> {
        let id = key_id(&self.name);
        let own = note.signatures().iter().filter(|line| line.name == self.name && line.id == id);
        own.map(|line| self.verify(note.unverified_text(), &line.bytes)).collect()
    }

    fn parsed_certificates(&self) -> Vec<UnverifiedCertificate<'_>> {
        self.certificates.iter().filter_map(|one| UnverifiedCertificate::read(&one.0)).collect()
    }
}

impl Serialize for EncodedCertificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

/// Why a token does not stamp a checkpoint for an authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenFault {
    /// The bytes are no token.
    Form,
    /// It stamps something else.
    Imprint,
    /// The signed attributes are not those of a token, or name no certificate that is there.
    Attributes,
    /// The authority did not sign it.
    Signature,
    /// The certificate is not for time stamping alone.
    Purpose,
    /// A certificate was not valid at that time.
    Expired,
    /// The certificate leads to none that is trusted.
    Untrusted,
    /// An algorithm that is not known here.
    Unsupported,
    /// A critical extension that is not known here.
    Extension,
}

impl TokenFault {
    /// Whether there is no error, and the token only cannot be judged with the given trust and
    /// knowledge.
    pub fn is_undecided(self) -> bool {
        matches!(self, Self::Untrusted | Self::Unsupported | Self::Extension)
    }

    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Form => error::not_a_timestamp_token(MAX_TOKEN_BYTES),
            Self::Imprint => error::timestamp_of_another_checkpoint(),
            Self::Attributes => error::timestamp_attributes(),
            Self::Signature => error::timestamp_signature(),
            Self::Purpose => error::certificate_not_for_timestamps(),
            Self::Expired => error::certificate_not_valid_then(),
            Self::Untrusted => error::certificate_not_trusted(),
            Self::Unsupported => error::timestamp_algorithm(),
            Self::Extension => error::timestamp_extension(),
        }
    }
}

dalil_phrasebook::spoken_error!(TokenFault);

/// Why a name and certificates are no authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotATimestampAuthority {
    /// No line can have the name.
    Name,
    /// There is no certificate, or one that cannot be read.
    Certificate,
}

impl NotATimestampAuthority {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Name => error::key_name(),
            Self::Certificate => error::not_a_certificate(),
        }
    }
}

dalil_phrasebook::spoken_error!(NotATimestampAuthority);

fn read_certificate(reader: JsonReader<'_, '_>) -> Option<Vec<u8>> {
    let text = decode::text(reader)?;
    match STANDARD.decode(text) {
        Ok(bytes) => Some(bytes),
        Err(_) => reader.refuse("certificate", expected::standard_base64()),
    }
}

/// The id on the lines of an authority. No key is in it: authorities renew theirs.
fn key_id(name: &str) -> KeyId {
    let parts = [name.as_bytes(), b"\n", &[UNASSIGNED_TYPE], TYPE_NAME];
    let digest = Digest::of_parts(parts);
    let [a, b, c, d, ..] = *digest.as_bytes();
    [a, b, c, d]
}

/// C2SP `signed-note`: a type without a number has a name after this byte.
const UNASSIGNED_TYPE: u8 = 0xFF;
const TYPE_NAME: &[u8] = b"RFC 3161 TimeStampToken";
/// Several times the size of a usual certificate.
const MAX_CERTIFICATE_BYTES: usize = 1 << 14;
