//! `dalil trail witness`: cosignatures by file, for sites with no network.

use std::path::PathBuf;

use clap::Subcommand;
use dalil::operations::trail;
use dalil_core::decode::{self, JsonReader};
use dalil_core::digest::Digest;
use dalil_core::fault::{Fault, Refused};
use dalil_core::json::MAX_INTEGER;
use dalil_core::key::{PublicKey, SecretKey};
use dalil_core::time::Time;
use dalil_core::tree::{self, TreeHead};

use crate::env;
use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::{StoreAccess, StoreArgs, block_on};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: WitnessCommand,
}

#[derive(Debug, Subcommand)]
enum WitnessCommand {
    /// Keep a witness's cosignature on a checkpoint of this trail
    Add(Box<WitnessAddArgs>),
    /// Cosign another party's checkpoint, on the witness's own machine
    ///
    /// Checks the trail's own signature, and that the trail only grew since the head that this
    /// witness cosigned last. Writes the note with the cosignature added. Needs no store.
    Cosign(WitnessCosignArgs),
}

#[derive(Debug, clap::Args)]
struct WitnessAddArgs {
    /// The cosigned checkpoint
    file: PathBuf,

    /// The witness's verifier key, `name+hash+base64`
    #[arg(long, value_name = "KEY")]
    witness: PublicKey,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct WitnessCosignArgs {
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

pub(super) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        WitnessCommand::Add(add) => {
            let WitnessAddArgs { file, witness, keeping } = &**add;
            let note = input::bytes(file)?;
            block_on(async {
                let (store, tenant) = keeping.open(StoreAccess::Write).await?;
                reply.value(
                    &trail::witness(&tenant, &note, witness, &keeping.request_context()?).await?,
                )?;
                store.close().await?;
                Ok(CommandOutcome::Holds)
            })
        }
        WitnessCommand::Cosign(args) => cosign(args, reply),
    }
}

fn cosign(args: &WitnessCosignArgs, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let WitnessCosignArgs { checkpoint, trail_key, origin, name, seed_file, proof, at } = args;
    let seed = input::bytes(seed_file)?;
    let seed = <[u8; 32]>::try_from(seed).map_err(|seed| {
        let found = format!("{} bytes", seed.len());
        Refused::from(Fault::new("seed", seed_file.display(), "32 random bytes", found))
    })?;
    let secret = SecretKey::cosigner_from_seed(name, &seed)
        .map_err(|error| Refused::from(Fault::new("name", "--name", "a key name", error)))?;
    let (seen, hashes) = match proof {
        Some(path) => decode::request(&input::bytes(path)?, growth)?,
        // The first time the witness has seen nothing, and every tree extends the empty one.
        None => (TreeHead { size: 0, root: tree::empty() }, Vec::new()),
    };
    let origin = origin.as_deref().or_else(|| trail_key.first().map(PublicKey::name));
    let trail = (origin.unwrap_or_default(), trail_key.as_slice());
    let at = at.map_or_else(env::now, Ok)?;
    let bytes = input::bytes(checkpoint)?;
    let note = trail::cosign(&secret, trail, &bytes, (seen, &hashes), at)?;
    reply.note(&format!("witness key: {}", secret.public()));
    reply.prompt(&note.to_string())?;
    Ok(CommandOutcome::Holds)
}

/// Reads `{"new","old","proof"}`: the head before, and the proof from there.
fn growth(reader: JsonReader<'_, '_>) -> Option<(TreeHead, Vec<Digest>)> {
    let mut fields = reader.object()?;
    let old = fields.required("old", head);
    let new = fields.required("new", head);
    let proof = fields.required("proof", |proof| proof.list(decode::digest));
    fields.done()?;
    // Only its form is checked: the new head is the one that the signed checkpoint states.
    new?;
    Some((old?, proof?))
}

fn head(reader: JsonReader<'_, '_>) -> Option<TreeHead> {
    let mut fields = reader.object()?;
    let root = fields.required("root", decode::digest);
    let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
    fields.done()?;
    Some(TreeHead { size: size?, root: root? })
}
