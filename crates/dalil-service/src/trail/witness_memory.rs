//! The memory of a witness: the newest head of each trail that it has cosigned.
//!
//! A witness that forgets cosigns two histories. So the memory is a file on the witness's own
//! machine; it is locked while a head is compared with it, and durable before a line leaves. A
//! crash in between leaves a head that no client has; a proof can start from it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use dalil_phrasebook::{Phrase, expected, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused, quote};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::key::PublicKey;
use dalil_proof::keyring;
use dalil_proof::tree::{self, TreeHead};
use serde::Serialize;

/// The memory of one witness, locked against other processes while this lives.
#[derive(Debug)]
pub struct WitnessMemory {
    path: PathBuf,
    heads: WitnessHeads,
    /// Held until the end; the system frees it when the process dies.
    _lock: File,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct WitnessHeads {
    heads: Vec<WitnessHead>,
    witness: PublicKey,
}

/// The newest head of a trail that the witness has cosigned.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct WitnessHead {
    origin: String,
    root: Digest,
    size: u64,
}

impl WitnessMemory {
    /// Opens the memory of a witness, and keeps others from it.
    ///
    /// # Errors
    /// No such file, another witness's, one that was changed, or one in use.
    pub fn open(path: &Path, witness: &PublicKey) -> Result<Self, Refused> {
        let lock = locked(path)?;
        let text = fs::read(path).map_err(|error| {
            let fault =
                failed(path, precondition::the_file_that_this_witness_remembers_heads_in(), &error);
            fault.hint(hint::begin_a_memory())
        })?;
        let heads = decode::request(&text, read)?;
        if heads.witness != *witness {
            let expected = precondition::the_memory_of(quote(witness.name()));
            let found = found::that_of(quote(heads.witness.name()));
            return Err(Fault::new("witness", path.display(), expected, found).into());
        }
        Ok(Self { path: path.to_owned(), heads, _lock: lock })
    }

    /// Makes the memory of a witness that has never cosigned.
    ///
    /// # Errors
    /// A file that is there, or a folder that cannot be written.
    pub fn begin(path: &Path, witness: &PublicKey) -> Result<Self, Refused> {
        let lock = locked(path)?;
        if path.exists() {
            let expected = precondition::a_file_that_is_not_there_yet();
            let fault = Fault::new("witness", path.display(), expected, found::one_that_is());
            return Err(fault.hint(hint::leave_begin_out_the_witness_has_a_memory()).into());
        }
        let heads = WitnessHeads { heads: Vec::new(), witness: witness.clone() };
        Ok(Self { path: path.to_owned(), heads, _lock: lock })
    }

    /// The newest head of a trail that was cosigned; the empty tree's for none.
    pub fn newest(&self, origin: &str) -> TreeHead {
        let known = self.heads.heads.iter().find(|head| head.origin == origin);
        match known {
            Some(WitnessHead { root, size, .. }) => TreeHead { size: *size, root: *root },
            None => TreeHead { size: 0, root: tree::empty() },
        }
    }

    /// Remembers a head, and returns when it is durable.
    ///
    /// # Errors
    /// A file or a folder that cannot be written.
    pub fn remember(&mut self, origin: &str, head: TreeHead) -> Result<(), Refused> {
        self.heads.heads.retain(|known| known.origin != origin);
        let TreeHead { size, root } = head;
        self.heads.heads.push(WitnessHead { origin: origin.to_owned(), root, size });
        self.heads.heads.sort_by(|one, other| one.origin.cmp(&other.origin));
        let bytes = canon::bytes(&self.heads)
            .map_err(|error| failed(&self.path, expected::heads_with_a_canonical_form(), &error))?;
        write(&self.path, &bytes).map_err(|error| {
            failed(&self.path, precondition::a_file_that_can_be_written(), &error).into()
        })
    }
}

/// Takes the lock beside the file: the file itself is replaced when a head is remembered.
fn locked(path: &Path) -> Result<File, Refused> {
    let beside = with_suffix(path, ".lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&beside);
    let file =
        file.map_err(|error| failed(&beside, precondition::a_lock_that_can_be_taken(), &error))?;
    file.try_lock().map_err(|error| {
        let fault = failed(&beside, precondition::a_memory_that_nobody_else_uses(), &error);
        fault.hint(hint::wait_until_the_other_has_cosigned())
    })?;
    Ok(file)
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = with_suffix(path, ".part");
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn failed(path: &Path, expected: Phrase, error: &impl std::fmt::Display) -> Fault {
    // The system's message about a file is the same in every language.
    Fault::new("witness", path.display(), expected, Phrase::verbatim(error))
}

fn read(reader: JsonReader<'_, '_>) -> Option<WitnessHeads> {
    let mut fields = reader.object()?;
    let heads = fields.required("heads", |list| list.list(read_head));
    let witness = fields.required("witness", keyring::read_key);
    fields.done()?;
    Some(WitnessHeads { heads: heads?, witness: witness? })
}

fn read_head(reader: JsonReader<'_, '_>) -> Option<WitnessHead> {
    let mut fields = reader.object()?;
    let origin = fields.required("origin", decode::filled);
    let root = fields.required("root", decode::digest);
    let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
    fields.done()?;
    Some(WitnessHead { origin: origin?, root: root?, size: size? })
}
