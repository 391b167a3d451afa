//! Asking an authority: `TimeStampReq` and `TimeStampResp` of RFC 3161.

use dalil_phrasebook::{Phrase, error};
use der::Tag;

use super::element::DerElement;
use super::token::UnverifiedToken;
use crate::digest::Digest;
use crate::fault::quote;

/// A question to an authority: the digest to stamp, and a nonce that the answer must repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampQuery {
    stamped: Digest,
    nonce: [u8; 16],
}

impl TimestampQuery {
    /// Asks for a stamp on the text of a checkpoint, with a random number.
    pub fn new(text: &str, random: [u8; 16]) -> Self {
        let mut nonce = random;
        if let Some(first) = nonce.first_mut() {
            // A positive INTEGER that needs all of its bytes, so that it has one spelling.
            *first = *first & 0x7F | 0x40;
        }
        Self { stamped: Digest::of(text.as_bytes()), nonce }
    }

    /// The bytes of the `TimeStampReq`: version 1, the imprint, the nonce, and the certificates
    /// are asked for.
    pub fn bytes(&self) -> Vec<u8> {
        let imprint = [IMPRINT_START, self.stamped.as_bytes()].concat();
        let nonce = [[2, 16].as_slice(), &self.nonce].concat();
        [[0x30, 75, 2, 1, 1].as_slice(), &imprint, &nonce, &[1, 1, 0xFF]].concat()
    }

    /// The token in a `TimeStampResp` that answers this query; nothing vouches for it yet.
    ///
    /// # Errors
    /// A refusal, bytes that are no reply, or a token that answers another query.
    pub fn answer<'r>(&self, reply: &'r [u8]) -> Result<&'r [u8], NotAnswered> {
        let (status, token) = read_reply(reply).ok_or(NotAnswered::Form)?;
        if !matches!(status, GRANTED | GRANTED_WITH_CHANGES) {
            return Err(NotAnswered::Refused { why: refusal(status, reply) });
        }
        let token = token.ok_or(NotAnswered::Form)?;
        let read = UnverifiedToken::read(token).ok_or(NotAnswered::Form)?;
        let is_own = read.nonce() == Some(&self.nonce);
        is_own.then_some(token).ok_or(NotAnswered::Nonce)
    }
}

/// Why a reply has no token that answers the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAnswered {
    /// The bytes are no reply of an authority.
    Form,
    /// The authority does not stamp this.
    Refused {
        /// Its status and its text.
        why: String,
    },
    /// The token has another nonce: it answers another question, or is an old one.
    Nonce,
}

impl NotAnswered {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Form => error::not_a_timestamp_reply(),
            Self::Refused { why } => error::timestamp_refused(why),
            Self::Nonce => error::timestamp_of_another_query(),
        }
    }
}

dalil_phrasebook::spoken_error!(NotAnswered);

/// The status of a reply, and its token.
fn read_reply(reply: &[u8]) -> Option<(u8, Option<&[u8]>)> {
    let mut fields = DerElement::only(reply)?.sequence()?;
    let status = fields.take(Tag::Sequence)?.elements()?.take(Tag::Integer)?;
    let status = match status.natural()? {
        [] => GRANTED,
        [status] => *status,
        _ => return None,
    };
    let token = fields.take_if(Tag::Sequence).map(|token| token.whole);
    fields.end()?;
    Some((status, token))
}

/// The text of an authority's refusal: the status, and the first of its texts.
fn refusal(status: u8, reply: &[u8]) -> String {
    let said = || {
        let mut fields = DerElement::only(reply)?.elements()?.next()?.elements()?;
        fields.next()?;
        let text = fields.take_if(Tag::Sequence)?.elements()?.take(Tag::Utf8String)?;
        Some(quote(std::str::from_utf8(text.value).ok()?))
    };
    match said() {
        Some(said) => format!("{status}, {said}"),
        None => status.to_string(),
    }
}

/// A `MessageImprint` by SHA-256, up to the digest.
const IMPRINT_START: &[u8] =
    &[0x30, 49, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 32];
const GRANTED: u8 = 0;
const GRANTED_WITH_CHANGES: u8 = 1;
