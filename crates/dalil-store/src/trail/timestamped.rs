//! The content of a `checkpoint.timestamped` record: the authority and the checkpoint.

use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::Refused;
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::timestamp::TimestampAuthority;
use dalil_proof::tree::TreeHead;
use serde::Serialize;

/// A time stamp that came in: the field [`TIMESTAMP_FIELD`] of its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedTimestamp {
    /// The authority, with the certificates that it was verified with.
    pub authority: TimestampAuthority,
    /// The signature line, as it is under the note.
    pub line: String,
    /// The root that was stamped.
    pub root: Digest,
    /// The size that was stamped.
    pub size: u64,
}

/// The name of the field that `checkpoint.timestamped` commits to.
pub const TIMESTAMP_FIELD: &str = "timestamp";

impl RecordedTimestamp {
    /// Reads the bytes of the field.
    ///
    /// # Errors
    /// Every fault in them.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, Self::read)
    }

    /// Whether the line is the authority's own, on that head of the trail `origin`.
    pub fn is_stamped(&self, origin: &str) -> bool {
        let Self { authority, line, root, size } = self;
        let head = TreeHead { size: *size, root: *root };
        let note = Checkpoint::new(origin, head).ok().and_then(|checkpoint| {
            UnverifiedNote::parse(format!("{checkpoint}\n{line}\n").as_bytes()).ok()
        });
        let stamps = note.map(|note| authority.stamps(&note));
        stamps.is_some_and(|stamps| matches!(stamps.as_slice(), [Ok(_)]))
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
        let authority = fields.required("authority", TimestampAuthority::read);
        let line = fields.required("line", decode::filled);
        let root = fields.required("root", decode::digest);
        let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
        fields.done()?;
        Some(Self { authority: authority?, line: line?, root: root?, size: size? })
    }
}
