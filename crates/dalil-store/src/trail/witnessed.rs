//! The content of a `checkpoint.witnessed` record: the witness, the checkpoint and the cosignature.

use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::Refused;
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::key::PublicKey;
use dalil_proof::keyring::read_key;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::tree::TreeHead;
use dalil_proof::witness::WitnessPolicy;
use serde::Serialize;

/// A cosignature that came in: the field [`WITNESS_FIELD`] of its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedCosignature {
    /// The witness's key.
    pub key: PublicKey,
    /// The signature line, as it is under the note.
    pub line: String,
    /// The root that was cosigned.
    pub root: Digest,
    /// The size that was cosigned.
    pub size: u64,
}

/// The name of the field that `checkpoint.witnessed` commits to.
pub const WITNESS_FIELD: &str = "witness";

impl RecordedCosignature {
    /// Reads the bytes of the field.
    ///
    /// # Errors
    /// Every fault in them.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, Self::read)
    }

    /// Whether the line is the witness's own, on that head of the trail `origin`.
    pub fn is_signed(&self, origin: &str) -> bool {
        let Self { key, line, root, size } = self;
        let head = TreeHead { size: *size, root: *root };
        // Our checkpoints have no extension lines, so origin, size and root give the whole text
        // that was cosigned.
        let note = Checkpoint::new(origin, head).ok().and_then(|checkpoint| {
            UnverifiedNote::parse(format!("{checkpoint}\n{line}\n").as_bytes()).ok()
        });
        let policy = WitnessPolicy::new(vec![key.clone()], 1).ok();
        let found = note.zip(policy).map(|(note, policy)| policy.cosignatures(&note));
        matches!(found, Some(Ok(found)) if found.len() == 1)
    }

    /// The canonical bytes of the field.
    ///
    /// # Errors
    /// A size that canonical JSON cannot hold.
    pub fn bytes(&self) -> Result<Vec<u8>, NotCanonical> {
        canon::bytes(self)
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let key = fields.required("key", read_key);
        let line = fields.required("line", decode::filled);
        let root = fields.required("root", decode::digest);
        let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
        fields.done()?;
        Some(Self { key: key?, line: line?, root: root?, size: size? })
    }
}
