//! Witnesses: other parties that cosign a checkpoint (C2SP `tlog-cosignature`, `cosignature/v1`).
//!
//! A witness states that it saw this head at this time, and never one that the
//! head does not extend. So a quorum of witnesses is both a shield against two
//! histories and a trusted time.

use dalil_phrasebook::{Phrase, error};

use crate::checkpoint::{Checkpoint, NotACheckpoint};
use crate::digest::Digest;
use crate::fault::quote;
use crate::key::{PublicKey, SecretKey, SignatureScheme};
use crate::note::{NoteSignature, UnverifiedNote};
use crate::time::Time;
use crate::tree::TreeHead;
use crate::tree::proof::{self, MerkleProofError};

#[cfg(test)]
mod tests;

/// Which witnesses count, and how many of them must have cosigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessPolicy {
    witnesses: Vec<PublicKey>,
    quorum: usize,
}

impl WitnessPolicy {
    /// Asks for no witness.
    pub const NONE: Self = Self { witnesses: Vec::new(), quorum: 0 };

    /// Asks for `quorum` of `witnesses`.
    ///
    /// # Errors
    /// A key that is no cosigner's, one key under two names, which would count
    /// twice, or more than there are.
    pub fn new(witnesses: Vec<PublicKey>, quorum: usize) -> Result<Self, NotAWitnessPolicy> {
        if witnesses.iter().any(|key| key.scheme() != SignatureScheme::Cosignature) {
            return Err(NotAWitnessPolicy::Scheme);
        }
        // By bytes: cosignatures do not cover the name,
        // so one key under two names could sign for both.
        let mut keys: Vec<_> = witnesses.iter().map(PublicKey::as_bytes).collect();
        keys.sort_unstable();
        keys.dedup();
        if keys.len() < witnesses.len() {
            return Err(NotAWitnessPolicy::Repeated);
        }
        if quorum > witnesses.len() {
            return Err(NotAWitnessPolicy::Quorum { quorum, witnesses: witnesses.len() });
        }
        Ok(Self { witnesses, quorum })
    }

    /// How many must have cosigned.
    pub fn quorum(&self) -> usize {
        self.quorum
    }

    /// The witnesses that count.
    pub fn witnesses(&self) -> &[PublicKey] {
        &self.witnesses
    }

    /// The cosignatures of this policy's witnesses on a checkpoint, one for each
    /// witness: the earliest.
    ///
    /// # Errors
    /// A line that claims to be by one of them, and is not.
    pub fn cosignatures(
        &self,
        note: &UnverifiedNote,
    ) -> Result<Vec<Cosignature>, ForgedCosignature> {
        let mut found: Vec<Cosignature> = Vec::new();
        for witness in &self.witnesses {
            let mut times = Vec::new();
            for signature in note.signatures().iter().filter(|line| line.claims_key(witness)) {
                let time = verified_time(witness, note.unverified_text(), &signature.bytes);
                times.push(
                    time.ok_or_else(|| ForgedCosignature { name: witness.name().to_owned() })?,
                );
            }
            let earliest = times.into_iter().min();
            found.extend(earliest.map(|at| Cosignature { name: witness.name().to_owned(), at }));
        }
        Ok(found)
    }
}

/// A witness and the time at which it saw a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosignature {
    /// The witness's name.
    pub name: String,
    /// When, in whole seconds.
    pub at: Time,
}

/// The newest head that a witness has seen, and the proof that a checkpoint extends it.
#[derive(Clone, Copy, Debug)]
pub struct GrowthProof<'p> {
    /// The largest head of this trail that the witness has cosigned; size 0 for none.
    pub seen: TreeHead,
    /// The consistency proof from there.
    pub proof: &'p [Digest],
}

/// Cosigns a checkpoint that extends the head that this witness saw before.
///
/// The witness checks the trail's own signature first, with
/// [`checkpoint::open`](crate::checkpoint::open).
///
/// # Errors
/// A key that is no cosigner's, a text that is no checkpoint, a time before
/// 1970, or a head that does not extend the one seen.
pub fn cosign(
    key: &SecretKey,
    note: &UnverifiedNote,
    growth: &GrowthProof<'_>,
    at: Time,
) -> Result<NoteSignature, NotCosigned> {
    let public = key.public();
    if public.scheme() != SignatureScheme::Cosignature {
        return Err(NotCosigned::Scheme);
    }
    let checkpoint = Checkpoint::parse(note.unverified_text())?;
    // Without this a trail could have two histories cosigned by one witness.
    proof::consistency(&growth.seen, checkpoint.head(), growth.proof)?;
    let seconds = u64::try_from(at.millis().div_euclid(1000)).map_err(|_| NotCosigned::Time)?;
    let signed = key.sign(&message(seconds, note.unverified_text()));
    let bytes = [seconds.to_be_bytes().as_slice(), &signed].concat();
    Ok(NoteSignature { name: public.name().to_owned(), id: public.id(), bytes })
}

/// Why a witness does not cosign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCosigned {
    /// The key signs plain notes.
    Scheme,
    /// The time cannot be written.
    Time,
    /// The note is not a checkpoint.
    Text(NotACheckpoint),
    /// The trail does not extend the head that the witness saw.
    Growth(MerkleProofError),
}

impl NotCosigned {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Scheme => error::not_a_cosigner_key(),
            Self::Time => error::early_cosignature(),
            Self::Text(error) => error.phrase(),
            Self::Growth(error) => error.phrase(),
        }
    }
}

dalil_phrasebook::spoken_error!(NotCosigned);

impl From<NotACheckpoint> for NotCosigned {
    fn from(error: NotACheckpoint) -> Self {
        Self::Text(error)
    }
}

impl From<MerkleProofError> for NotCosigned {
    fn from(error: MerkleProofError) -> Self {
        Self::Growth(error)
    }
}

/// A line under the name of a known witness that the witness did not sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgedCosignature {
    /// The witness's name.
    pub name: String,
}

impl ForgedCosignature {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        error::forged_cosignature(quote(&self.name))
    }
}

dalil_phrasebook::spoken_error!(ForgedCosignature);

/// Why witnesses and a number are not a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAWitnessPolicy {
    /// A plain key.
    Scheme,
    /// One key twice.
    Repeated,
    /// More than there are.
    Quorum {
        /// How many were asked for.
        quorum: usize,
        /// How many there are.
        witnesses: usize,
    },
}

impl NotAWitnessPolicy {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Scheme => error::plain_witness_key(),
            Self::Repeated => error::witness_key_twice(),
            Self::Quorum { quorum, witnesses } => error::quorum_beyond_witnesses(witnesses, quorum),
        }
    }
}

dalil_phrasebook::spoken_error!(NotAWitnessPolicy);

fn verified_time(witness: &PublicKey, text: &str, bytes: &[u8]) -> Option<Time> {
    // The signature covers the stated seconds, so that an attacker cannot date the line anew.
    let (seconds, signature) = bytes.split_first_chunk()?;
    let seconds = u64::from_be_bytes(*seconds);
    let at = i64::try_from(seconds).ok()?.checked_mul(1000).and_then(Time::from_millis)?;
    // Any text can be cosigned; only a checkpoint's cosignature means something.
    Checkpoint::parse(text).ok()?;
    witness.verify(&message(seconds, text), signature).then_some(at)
}

fn message(seconds: u64, text: &str) -> Vec<u8> {
    format!("cosignature/v1\ntime {seconds}\n{text}").into_bytes()
}
