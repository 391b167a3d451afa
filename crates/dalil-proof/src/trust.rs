//! Trust: the keys, witnesses and heads that a verifier accepts before it opens the evidence.

use dalil_phrasebook::{Phrase, error};

use crate::decode::{self, JsonReader};
use crate::digest::Digest;
use crate::fault::{Fault, Refused, quote};
use crate::json::MAX_INTEGER;
use crate::keyring::{self, Keyring};
use crate::time::Time;
use crate::timestamp::TimestampAuthority;
use crate::tree::{TreeHead, proof};
use crate::witness::WitnessPolicy;

pub mod checkpoint;
pub mod seen;
#[cfg(test)]
mod tests;

/// The trust of a verifier in one trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The trail, by its origin.
    pub origin: String,
    /// The keys that may sign for it, and their state.
    pub keyring: Keyring,
    /// Which witnesses count, and how many are needed.
    pub witnesses: WitnessPolicy,
    /// Which authorities' time stamps count, each name once.
    pub timestamp_authorities: Vec<TimestampAuthority>,
    /// Heads that the verifier has seen itself, and when.
    pub seen: Vec<TrustedHead>,
    /// Proofs that relate heads of different sizes. The party that gives one cannot lie with it.
    pub growth: Vec<TrailGrowth>,
}

/// A head that the verifier had in hand at a time it vouches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedHead {
    /// The head.
    pub head: TreeHead,
    /// When.
    pub at: Time,
}

/// The statement that a trail at one head only grew to another, with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailGrowth {
    /// The earlier head.
    pub old: TreeHead,
    /// The later head.
    pub new: TreeHead,
    /// The consistency proof between them.
    pub proof: Vec<Digest>,
}

impl TrailGrowth {
    /// Reads `{"new":{"root","size"},"old":{"root","size"},"proof"}`, as `dalil trail prove` writes it.
    pub fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let old = fields.required("old", read_head);
        let new = fields.required("new", read_head);
        let proof = fields.required("proof", |proof| proof.list(decode::digest));
        fields.done()?;
        Some(Self { old: old?, new: new?, proof: proof? })
    }
}

impl Trust {
    /// Reads `{"origin","keys"?,"key_history"?,"witnesses"?,"quorum"?,"timestamp_authorities"?,
    /// "seen"?,"growth"?}`.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(text: &[u8]) -> Result<Self, Refused> {
        decode::request(text, Self::read)
    }

    /// Reads a trust that is part of another request.
    pub fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let origin = fields.required("origin", decode::filled);
        let keys = fields.or("keys", Vec::new(), |keys| keys.list(keyring::read_key));
        let history = fields.or("key_history", Vec::new(), |lines| lines.list(keyring::read_entry));
        let witnesses = fields.or("witnesses", Vec::new(), |keys| keys.list(keyring::read_key));
        let quorum = fields.optional("quorum", |quorum| quorum.whole(0..=100));
        let authorities = fields.or("timestamp_authorities", Vec::new(), |list| {
            let read = list.list(TimestampAuthority::read)?;
            are_distinct(&read).then_some(read).or_else(|| {
                let message = error::timestamp_authority_twice();
                list.push(Fault::with_message("timestamp_authority", list.path(), message))
            })
        });
        let seen = fields.or("seen", Vec::new(), |seen| seen.list(read_seen));
        let growth = fields.or("growth", Vec::new(), |list| list.list(TrailGrowth::read));
        fields.done()?;
        let (keys, history, witnesses, quorum) = (keys?, history?, witnesses?, quorum?);
        // A trust with witnesses and no quorum requires all of them.
        let quorum = quorum.map_or(Some(witnesses.len()), |quorum| usize::try_from(quorum).ok())?;
        let fault = |rule, message| Fault::with_message(rule, reader.path(), message);
        // Keys and witnesses are both built before either
        // stops, so that their faults come together.
        let keyring = Keyring::new(keys, &history)
            .map_or_else(|why| reader.push(fault("key_history", why.phrase())), Some);
        let witnesses = WitnessPolicy::new(witnesses, quorum)
            .map_or_else(|why| reader.push(fault("witnesses", why.phrase())), Some);
        let (origin, timestamp_authorities) = (origin?, authorities?);
        let (keyring, witnesses, seen, growth) = (keyring?, witnesses?, seen?, growth?);
        let trust = Self { origin, keyring, witnesses, timestamp_authorities, seen, growth };
        trust.check().map_or_else(|why| reader.push(fault("witnesses", why.phrase())), Some)
    }

    /// Trust in keys and witnesses alone: no head was seen, and no authority's time is believed.
    pub fn in_keys(origin: String, keyring: Keyring, witnesses: WitnessPolicy) -> Self {
        let timestamp_authorities = Vec::new();
        Self {
            origin,
            keyring,
            witnesses,
            timestamp_authorities,
            seen: Vec::new(),
            growth: Vec::new(),
        }
    }

    /// The heads that a proof relates to this one: those that it grew from, and those that it only
    /// grew to. Each proof is checked once, however many heads were seen.
    pub(crate) fn heads_related_to(&self, head: &TreeHead) -> Vec<TreeHead> {
        let other = |one: &TrailGrowth| {
            let other = match (one.old == *head, one.new == *head) {
                (true, _) => one.new,
                (false, true) => one.old,
                (false, false) => return None,
            };
            proof::consistency(&one.old, &one.new, &one.proof).ok().map(|()| other)
        };
        self.growth.iter().filter_map(other).collect()
    }

    /// Gives the trust back if its witnesses are other parties than the trail.
    ///
    /// # Errors
    /// A witness that signs with a key of the trail: it would only vouch for itself.
    pub fn check(self) -> Result<Self, OwnWitness> {
        let keys = self.keyring.keys();
        let own = self
            .witnesses
            .witnesses()
            .iter()
            .find(|witness| keys.iter().any(|key| key.as_bytes() == witness.as_bytes()));
        match own.map(|witness| witness.name().to_owned()) {
            Some(name) => Err(OwnWitness { name }),
            None => Ok(self),
        }
    }
}

/// A witness that is the trail itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWitness {
    /// The witness's name.
    pub name: String,
}

impl OwnWitness {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        error::own_witness(quote(&self.name))
    }
}

dalil_phrasebook::spoken_error!(OwnWitness);

/// Whether each line can be of one of them only.
fn are_distinct(authorities: &[TimestampAuthority]) -> bool {
    let mut names: Vec<&str> = authorities.iter().map(TimestampAuthority::name).collect();
    names.sort_unstable();
    names.dedup();
    names.len() == authorities.len()
}

fn read_head(reader: JsonReader<'_, '_>) -> Option<TreeHead> {
    let mut fields = reader.object()?;
    let root = fields.required("root", decode::digest);
    let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
    fields.done()?;
    Some(TreeHead { size: size?, root: root? })
}

fn read_seen(reader: JsonReader<'_, '_>) -> Option<TrustedHead> {
    let mut fields = reader.object()?;
    let at = fields.required("at", decode::time);
    let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
    let root = fields.required("root", decode::digest);
    fields.done()?;
    Some(TrustedHead { head: TreeHead { size: size?, root: root? }, at: at? })
}
