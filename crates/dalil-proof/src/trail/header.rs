//! The header: the trail, the range, and the checkpoint that the records are checked against.

use dalil_phrasebook::{Phrase, bound, expected, found};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use super::line::MAX_LINE_BYTES;
use crate::canon;
use crate::checkpoint::Checkpoint;
use crate::decode::{self, JsonReader};
use crate::digest::Digest;
use crate::fault::{Fault, Refused, quoted};
use crate::json::MAX_INTEGER;
use crate::keyring::{self, KeyHistoryEntry, Keyring};
use crate::note::UnverifiedNote;
use crate::tree::{Frontier, TreeHead};

/// The first line of an export.
///
/// Invariant: the checkpoint's text is one of a size that JSON can hold; the frontier is not
/// beyond it; the key history is possible; the line is not too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailHeader {
    checkpoint: UnverifiedNote,
    signed: Checkpoint,
    frontier: Frontier,
    previous: Option<PreviousExport>,
    keys: Vec<KeyHistoryEntry>,
}

/// The export before this one, and the proof that the trail only grew since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousExport {
    /// Its size and root.
    pub head: TreeHead,
    /// The consistency proof from there to the checkpoint.
    pub proof: Vec<Digest>,
}

impl TrailHeader {
    /// Starts an export of the records from the frontier up to the checkpoint.
    ///
    /// `keys` is the trail's key history from its beginning.
    ///
    /// # Errors
    /// A note that is no checkpoint, a frontier beyond it, a history that cannot have happened.
    pub fn new(
        checkpoint: &UnverifiedNote,
        frontier: &Frontier,
        previous: Option<&PreviousExport>,
        keys: &[KeyHistoryEntry],
    ) -> Result<Self, Refused> {
        let text = checkpoint.unverified_text();
        let signed = Checkpoint::parse(text)
            .map_err(|error| Fault::with_message("checkpoint", "checkpoint", error.phrase()))?;
        let header = Self {
            checkpoint: checkpoint.clone(),
            signed,
            frontier: frontier.clone(),
            previous: previous.cloned(),
            keys: keys.to_vec(),
        };
        // Parsing it again checks the caller's input against every rule of the format.
        Self::parse(&header.line())
    }

    /// Reads the line, its line end included.
    ///
    /// # Errors
    /// Every fault in it; another spelling.
    pub fn parse(line: &[u8]) -> Result<Self, Refused> {
        let size = || Fault::new("size", "$", bound::at_most_bytes(MAX_LINE_BYTES), found::more());
        let end = || Fault::new("line", "$", expected::a_line_end(), found::none());
        let text = line.strip_suffix(b"\n").ok_or_else(end)?;
        if line.len() > MAX_LINE_BYTES {
            return Err(size().into());
        }
        let header = decode::request(text, read)?;
        if header.line() == line {
            return Ok(header);
        }
        Err(Fault::new(
            "canonical",
            "$",
            expected::canonical_json_rfc_8785(),
            found::another_spelling(),
        )
        .into())
    }

    /// The line, its line end included.
    pub fn line(&self) -> Vec<u8> {
        let Self { checkpoint, signed, frontier, previous, keys } = self;
        let wire = TrailHeaderWire {
            checkpoint: checkpoint.to_string(),
            first: frontier.size(),
            frontier: frontier.roots(),
            keys,
            origin: signed.origin(),
            previous: previous.as_ref(),
            size: signed.head().size,
            v: TRAIL_VERSION,
        };
        // Strings, whole numbers and known keys always have a canonical form.
        let mut line = canon::bytes(&TrailHeaderLine { trail: wire }).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// The trail, which nothing vouches for before the checkpoint is verified.
    pub fn origin(&self) -> &str {
        self.signed.origin()
    }

    /// The index of the first record.
    pub fn first(&self) -> u64 {
        self.frontier.size()
    }

    /// The size and root at the end, which nothing vouches for before they are verified.
    pub fn head(&self) -> &TreeHead {
        self.signed.head()
    }

    /// The signed checkpoint.
    pub fn checkpoint(&self) -> &UnverifiedNote {
        &self.checkpoint
    }

    /// The complete subtrees before the first record.
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// The export before this one.
    pub fn previous(&self) -> Option<&PreviousExport> {
        self.previous.as_ref()
    }

    /// The trail's key history.
    pub fn keys(&self) -> &[KeyHistoryEntry] {
        &self.keys
    }
}

#[derive(Serialize)]
struct TrailHeaderLine<'h> {
    trail: TrailHeaderWire<'h>,
}

#[derive(Serialize)]
struct TrailHeaderWire<'h> {
    checkpoint: String,
    first: u64,
    frontier: &'h [Digest],
    keys: &'h [KeyHistoryEntry],
    origin: &'h str,
    previous: Option<&'h PreviousExport>,
    size: u64,
    v: u64,
}

impl Serialize for PreviousExport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { head: TreeHead { size, root }, proof } = self;
        let mut fields = serializer.serialize_struct("Previous", 3)?;
        fields.serialize_field("proof", proof)?;
        fields.serialize_field("root", root)?;
        fields.serialize_field("size", size)?;
        fields.end()
    }
}

fn read(reader: JsonReader<'_, '_>) -> Option<TrailHeader> {
    let mut fields = reader.object()?;
    let header = fields.required("trail", header);
    fields.done()?;
    header
}

fn header(reader: JsonReader<'_, '_>) -> Option<TrailHeader> {
    let mut fields = reader.object()?;
    let checkpoint = fields.required("checkpoint", note);
    let first = fields.required("first", index);
    let roots = fields.required("frontier", digests);
    let keys = fields.required("keys", history);
    let origin = fields.required("origin", decode::text);
    let previous = fields.required("previous", |value| value.nullable(previous));
    let size = fields.required("size", index);
    let version = fields.required("v", |v| v.whole(TRAIL_VERSION..=TRAIL_VERSION));
    fields.done()?;
    version?;
    let ((checkpoint, signed), first, size) = (checkpoint?, first?, size?);
    let (origin, roots) = (origin?, roots?);
    let refuse = |field, expected: Phrase, found: Phrase| {
        let path = reader.member(field);
        reader.push::<()>(Fault::new(field, path, expected, found))
    };
    // Each of these pushes its fault and continues; a header with a fault is refused in the end.
    if signed.origin() != origin {
        refuse("origin", quoted(signed.origin()), quoted(origin));
    }
    if signed.head().size != size {
        refuse("size", expected::size_of_the_checkpoint(signed.head().size), size.into());
    }
    if first > size {
        refuse("first", bound::at_most_the_size(size), first.into());
    }
    let (wanted, found) = (first.count_ones(), roots.len());
    let Some(frontier) = Frontier::new(first, roots) else {
        refuse("frontier", expected::count_of_roots(wanted), found.into());
        return None;
    };
    Some(TrailHeader { checkpoint, signed, frontier, previous: previous?, keys: keys? })
}

fn note(reader: JsonReader<'_, '_>) -> Option<(UnverifiedNote, Checkpoint)> {
    let refuse = |why: Phrase| reader.push(Fault::with_message("checkpoint", reader.path(), why));
    match UnverifiedNote::parse(decode::text(reader)?.as_bytes()) {
        Ok(note) => match Checkpoint::parse(note.unverified_text()) {
            Ok(checkpoint) => Some((note, checkpoint)),
            Err(error) => refuse(error.phrase()),
        },
        Err(error) => refuse(error.phrase()),
    }
}

/// Reads a key history that can have happened.
pub fn history(reader: JsonReader<'_, '_>) -> Option<Vec<KeyHistoryEntry>> {
    let keys = reader.list(keyring::read_entry)?;
    // Replayed only to see that it is possible; the trusted keyring is the verifier's.
    match Keyring::new(Vec::new(), &keys) {
        Ok(_) => Some(keys),
        Err(error) => reader.push(Fault::with_message("keys", reader.path(), error.phrase())),
    }
}

/// Reads the export before: `{"proof","root","size"}`.
pub fn previous(reader: JsonReader<'_, '_>) -> Option<PreviousExport> {
    let mut fields = reader.object()?;
    let proof = fields.required("proof", digests);
    let root = fields.required("root", decode::digest);
    let size = fields.required("size", index);
    fields.done()?;
    Some(PreviousExport { head: TreeHead { size: size?, root: root? }, proof: proof? })
}

fn digests(reader: JsonReader<'_, '_>) -> Option<Vec<Digest>> {
    let digests = reader.list(decode::digest)?;
    if digests.len() <= MAX_PROOF_DIGESTS {
        return Some(digests);
    }
    reader.refuse("length", bound::at_most_64_digests())
}

fn index(reader: JsonReader<'_, '_>) -> Option<u64> {
    reader.whole(0..=MAX_INTEGER)
}

const TRAIL_VERSION: u64 = 1;
/// A tree of 2^64 leaves is 64 high.
const MAX_PROOF_DIGESTS: usize = 64;
