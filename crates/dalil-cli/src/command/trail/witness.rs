//! `dalil trail witness`: cosignatures by file, for sites with no network.

use std::path::PathBuf;

use clap::Subcommand;
use dalil::keep::trail;
use dalil_core::digest::Digest;
use dalil_core::fault::{Fault, Refused};
use dalil_core::json::MAX_INTEGER;
use dalil_core::key::{PublicKey, SecretKey};
use dalil_core::read::{self, Reader};
use dalil_core::time::Time;
use dalil_core::tree::{self, Head};

use crate::failure::{Answer, Failure};
use crate::input;
use crate::keeping::{Access, Keeping, block_on};
use crate::reply::Reply;
use crate::surroundings;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Keep a witness's cosignature on a checkpoint of this trail
    Add(Box<Add>),
    /// Cosign another party's checkpoint, on the witness's own machine
    ///
    /// Checks the trail's own signature, and that the trail only grew since the head that this
    /// witness cosigned last. Writes the note with the cosignature added. Needs no store.
    Cosign(Cosign),
}

#[derive(Debug, clap::Args)]
struct Add {
    /// The cosigned checkpoint
    file: PathBuf,

    /// The witness's verifier key, `name+hash+base64`
    #[arg(long, value_name = "KEY")]
    witness: PublicKey,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct Cosign {
    /// The checkpoint to cosign
    #[arg(long, value_name = "FILE")]
    checkpoint: PathBuf,

    /// A key of the trail that may sign it; may be given more than once
    #[arg(long, value_name = "KEY", required = true)]
    trail_key: Vec<PublicKey>,

    /// The origin of the trail; by default the name of its first key
    #[arg(long)]
    origin: Option<String>,

    /// The witness's name
    #[arg(long)]
    name: String,

    /// A file with the 32 bytes of the witness's own seed
    #[arg(long, value_name = "FILE")]
    seed_file: PathBuf,

    /// What `dalil trail prove --from SIZE` gave, from the head that was cosigned last; none for
    /// the first time
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,

    /// Cosign as of this time instead of now
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
}

pub(super) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.action {
        Action::Add(add) => {
            let Add { file, witness, keeping } = &**add;
            let note = input::bytes(file)?;
            block_on(async {
                let (store, tenant) = keeping.open(Access::Write).await?;
                reply.value(&trail::witness(&tenant, &note, witness, &keeping.deed()?).await?)?;
                store.close().await?;
                Ok(Answer::Holds)
            })
        }
        Action::Cosign(args) => cosign(args, reply),
    }
}

fn cosign(args: &Cosign, reply: &Reply) -> Result<Answer, Failure> {
    let Cosign { checkpoint, trail_key, origin, name, seed_file, proof, at } = args;
    let seed = input::bytes(seed_file)?;
    let seed = <[u8; 32]>::try_from(seed).map_err(|seed| {
        let found = format!("{} bytes", seed.len());
        Refused::from(Fault::new("seed", seed_file.display(), "32 random bytes", found))
    })?;
    let secret = SecretKey::cosigner_from_seed(name, &seed)
        .map_err(|error| Refused::from(Fault::new("name", "--name", "a key name", error)))?;
    let (seen, hashes) = match proof {
        Some(path) => read::request(&input::bytes(path)?, growth)?,
        None => (Head { size: 0, root: tree::empty() }, Vec::new()),
    };
    let origin = origin.as_deref().or_else(|| trail_key.first().map(PublicKey::name));
    let trail = (origin.unwrap_or_default(), trail_key.as_slice());
    let at = at.map_or_else(surroundings::now, Ok)?;
    let bytes = input::bytes(checkpoint)?;
    let note = trail::cosign(&secret, trail, &bytes, (seen, &hashes), at)?;
    reply.note(&format!("witness key: {}", secret.public()));
    reply.prompt(&note.to_string())?;
    Ok(Answer::Holds)
}

/// Reads `{"new","old","proof"}`: the head before, and the proof from there.
fn growth(reader: Reader<'_, '_>) -> Option<(Head, Vec<Digest>)> {
    let mut fields = reader.object()?;
    let old = fields.required("old", head);
    let new = fields.required("new", head);
    let proof = fields.required("proof", |proof| proof.list(read::digest));
    fields.done()?;
    new?;
    Some((old?, proof?))
}

fn head(reader: Reader<'_, '_>) -> Option<Head> {
    let mut fields = reader.object()?;
    let root = fields.required("root", read::digest);
    let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
    fields.done()?;
    Some(Head { size: size?, root: root? })
}
