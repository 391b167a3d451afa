//! Trust: what a verifier decided to believe before it opened the evidence.

use crate::fault::{Fault, Refused};
use crate::json::MAX_INTEGER;
use crate::keyring::{self, Keyring};
use crate::read::{self, Reader};
use crate::time::Time;
use crate::tree::Head;
use crate::witness::Policy;

#[cfg(test)]
mod tests;

/// What a verifier believes about one trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The trail, by its origin.
    pub origin: String,
    /// Which keys may sign for it, and how they stand.
    pub keyring: Keyring,
    /// Which witnesses count, and how many are needed.
    pub witnesses: Policy,
    /// Heads that the verifier has seen itself, and when.
    pub seen: Vec<Seen>,
}

/// A head that the verifier had in hand at a time it vouches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The head.
    pub head: Head,
    /// When.
    pub at: Time,
}

impl Trust {
    /// Reads `{"origin","keys"?,"key_history"?,"witnesses"?,"quorum"?,"seen"?}`.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(text: &[u8]) -> Result<Self, Refused> {
        read::request(text, Self::read)
    }

    /// Reads a trust that stands inside another request.
    pub fn read(reader: Reader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let origin = fields.required("origin", read::filled);
        let keys = fields.or("keys", Vec::new(), |keys| keys.list(keyring::read_key));
        let history = fields.or("key_history", Vec::new(), |lines| lines.list(keyring::read_entry));
        let witnesses = fields.or("witnesses", Vec::new(), |keys| keys.list(keyring::read_key));
        let quorum = fields.or("quorum", 0, |quorum| quorum.whole(0..=100));
        let seen = fields.or("seen", Vec::new(), |seen| seen.list(read_seen));
        fields.done()?;
        let (keys, history, witnesses, quorum) = (keys?, history?, witnesses?, quorum?);
        let quorum = usize::try_from(quorum).ok()?;
        let fault = |rule, message| Fault { rule, path: reader.path(), message, hint: None };
        let keyring = Keyring::new(keys, &history)
            .map_or_else(|why| reader.push(fault("key_history", why.to_string())), Some);
        let witnesses = Policy::new(witnesses, quorum)
            .map_or_else(|why| reader.push(fault("witnesses", why.to_string())), Some);
        let (keyring, witnesses) = (keyring?, witnesses?);
        Some(Self { origin: origin?, keyring, witnesses, seen: seen? })
    }
}

fn read_seen(reader: Reader<'_, '_>) -> Option<Seen> {
    let mut fields = reader.object()?;
    let at = fields.required("at", read::time);
    let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
    let root = fields.required("root", read::digest);
    fields.done()?;
    Some(Seen { head: Head { size: size?, root: root? }, at: at? })
}
