//! Signed notes (C2SP `signed-note`): text, a blank line, signature lines.
//!
//! Parsing is strict and canonical: a note that parses is written back to the
//! same bytes. Its text is not to be believed before [`UnverifiedNote::open`].

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{Phrase, error};

use crate::fault::quote;
use crate::key::{KeyId, PublicKey, SecretKey, SignatureScheme, is_name};

#[cfg(test)]
mod tests;

/// A note with unverified signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnverifiedNote {
    text: String,
    signatures: Vec<NoteSignature>,
}

/// One signature line: the key that it claims, and the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    /// The key's name.
    pub name: String,
    /// The key's id.
    pub id: KeyId,
    /// The bytes after the id: for Ed25519, 64.
    pub bytes: Vec<u8>,
}

/// A note that at least one known key has signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note<'n> {
    /// The text that was signed, its last line end included.
    pub text: &'n str,
    /// The signatures that verified, each with its key.
    pub verified: Vec<(&'n PublicKey, &'n NoteSignature)>,
    /// The signatures of keys that are not known: nothing covers these lines.
    pub unknown: Vec<&'n NoteSignature>,
}

/// Signs `text` with plain keys.
///
/// # Errors
/// A text that a note cannot carry, no keys, or too many.
pub fn sign(text: &str, keys: &[&SecretKey]) -> Result<UnverifiedNote, NotANote> {
    let signature = |key: &&SecretKey| {
        let public = key.public();
        let bytes = key.sign(text.as_bytes()).to_vec();
        NoteSignature { name: public.name().to_owned(), id: public.id(), bytes }
    };
    let signatures = keys.iter().map(signature).collect();
    UnverifiedNote { text: text.to_owned(), signatures }.checked()
}

impl UnverifiedNote {
    /// Reads a note, in its one spelling.
    ///
    /// # Errors
    /// The first rule of the format that the bytes break.
    pub fn parse(bytes: &[u8]) -> Result<Self, NotANote> {
        if bytes.len() > MAX_NOTE_BYTES {
            return Err(NotANote::Size);
        }
        let whole = std::str::from_utf8(bytes).map_err(|_| NotANote::Utf8)?;
        if whole.bytes().any(|byte| byte < 0x20 && byte != b'\n') {
            return Err(NotANote::Control);
        }
        // The blank line that divides is the last one: texts may have their own.
        let blank = whole.rfind("\n\n").ok_or(NotANote::Blank)?;
        let (text, rest) = whole.split_at_checked(blank + 1).ok_or(NotANote::Blank)?;
        let lines = rest.strip_prefix('\n').and_then(|rest| rest.strip_suffix('\n'));
        let lines = lines.ok_or(NotANote::Unsigned)?;
        // One line beyond the limit is read, to refuse
        // it as too many; a million lines cost no more.
        let signatures =
            lines.split('\n').take(MAX_SIGNATURES + 1).map(signature).collect::<Result<_, _>>()?;
        let note = Self { text: text.to_owned(), signatures }.checked()?;
        // A note that the steps above accept in another spelling is refused here.
        if note.to_string() == whole { Ok(note) } else { Err(NotANote::Line) }
    }

    /// The text, which nothing vouches for yet.
    pub fn unverified_text(&self) -> &str {
        &self.text
    }

    /// The signature lines, which nothing vouches for yet.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Adds a signature line.
    ///
    /// # Errors
    /// One line too many.
    pub fn with(mut self, signature: NoteSignature) -> Result<Self, NotANote> {
        self.signatures.push(signature);
        self.checked()
    }

    /// Checks the signatures of the plain keys among `keys`.
    ///
    /// # Errors
    /// A known key's signature that does not verify, or none by a known key.
    pub fn open<'n>(&'n self, keys: &'n [PublicKey]) -> Result<Note<'n>, NoteOpenError> {
        let (mut verified, mut unknown) = (Vec::new(), Vec::new());
        for signature in &self.signatures {
            // A second line of a key adds nothing to the first.
            if verified.iter().any(|(_, one): &(&PublicKey, &NoteSignature)| *one == signature) {
                continue;
            }
            let known = keys
                .iter()
                .filter(|key| key.scheme() == SignatureScheme::Plain && signature.claims_key(key))
                .collect::<Vec<_>>();
            let key = known.iter().find(|key| key.verify(self.text.as_bytes(), &signature.bytes));
            match key {
                Some(key) => verified.push((*key, signature)),
                None if known.is_empty() => unknown.push(signature),
                // C2SP `signed-note`: a bad signature under a
                // known key refuses the whole note, not its line.
                None => return Err(NoteOpenError::Forged { name: signature.name.clone() }),
            }
        }
        if verified.is_empty() {
            return Err(NoteOpenError::Unsigned);
        }
        Ok(Note { text: &self.text, verified, unknown })
    }

    fn checked(self) -> Result<Self, NotANote> {
        let Self { text, signatures } = &self;
        // With its signatures: the written note must be readable again.
        let size = || self.to_string().len();
        // Callers also sign texts of their own, so the
        // rules of `parse` are checked on this way in too.
        let control = text.bytes().any(|byte| byte < 0x20 && byte != b'\n');
        match signatures.len() {
            _ if control => Err(NotANote::Control),
            _ if !text.ends_with('\n') => Err(NotANote::Text),
            0 => Err(NotANote::Unsigned),
            1..=MAX_SIGNATURES if size() > MAX_NOTE_BYTES => Err(NotANote::Size),
            1..=MAX_SIGNATURES => Ok(self),
            _ => Err(NotANote::Many),
        }
    }
}

impl NoteSignature {
    /// Whether this line claims to be by `key`.
    pub fn claims_key(&self, key: &PublicKey) -> bool {
        self.name == key.name() && self.id == key.id()
    }
}

impl fmt::Display for UnverifiedNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, signatures } = self;
        writeln!(f, "{text}")?;
        signatures.iter().try_for_each(|signature| writeln!(f, "{signature}"))
    }
}

impl fmt::Display for NoteSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, id, bytes } = self;
        write!(
            f,
            "{SIGNATURE_LINE_PREFIX}{name} {}",
            STANDARD.encode([id.as_slice(), bytes].concat())
        )
    }
}

/// Why bytes are not a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotANote {
    /// Larger than any note need be.
    Size,
    /// Not UTF-8.
    Utf8,
    /// A control character.
    Control,
    /// Nothing divides text and signatures.
    Blank,
    /// The text does not end its last line.
    Text,
    /// No signature line, or an unfinished one.
    Unsigned,
    /// Too many signature lines.
    Many,
    /// A signature line in another form.
    Line,
}

impl NotANote {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Size => error::long_note(MAX_NOTE_BYTES),
            Self::Utf8 => error::not_utf_8(),
            Self::Control => error::control_character(),
            Self::Blank => error::no_blank_line_before_signatures(),
            Self::Text => error::no_line_end(),
            Self::Unsigned => error::no_signature_line(),
            Self::Many => error::many_signatures(MAX_SIGNATURES),
            Self::Line => error::not_a_signature_line(),
        }
    }
}

dalil_phrasebook::spoken_error!(NotANote);

/// Why a note cannot be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteOpenError {
    /// A line claims to be by a known key, and is not.
    Forged {
        /// The key's name.
        name: String,
    },
    /// No known key has signed.
    Unsigned,
}

impl NoteOpenError {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Forged { name } => error::forged_signature(quote(name)),
            Self::Unsigned => error::no_known_signature(),
        }
    }
}

dalil_phrasebook::spoken_error!(NoteOpenError);

fn signature(line: &str) -> Result<NoteSignature, NotANote> {
    let (name, encoded) = line
        .strip_prefix(SIGNATURE_LINE_PREFIX)
        .and_then(|rest| rest.split_once(' '))
        .ok_or(NotANote::Line)?;
    let decoded = STANDARD.decode(encoded).map_err(|_| NotANote::Line)?;
    match decoded.split_first_chunk() {
        Some((id, bytes)) if is_name(name) && !bytes.is_empty() => {
            Ok(NoteSignature { name: name.to_owned(), id: *id, bytes: bytes.to_vec() })
        }
        Some(_) | None => Err(NotANote::Line),
    }
}

/// An em dash and a space.
const SIGNATURE_LINE_PREFIX: &str = "\u{2014} ";
const MAX_NOTE_BYTES: usize = 1 << 20;
const MAX_SIGNATURES: usize = 100;
