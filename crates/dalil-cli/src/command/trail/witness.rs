//! `dalil trail witness`: cosignatures by file, for sites with no network.

use std::path::PathBuf;

use clap::Subcommand;
use dalil_phrasebook::{expected, found};
use dalil_proof::decode;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::key::{PublicKey, SecretKey};
use dalil_proof::time::Time;
use dalil_proof::trust::TrailGrowth;
use dalil_service::trail::{self, WitnessMemory};

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
    /// Store a witness's cosignature on a checkpoint of this trail
    Add(Box<WitnessAddArgs>),
    /// Cosign another party's checkpoint, on the witness's own machine
    ///
    /// Checks the trail's own signature, and that the trail only grew since the last head that this
    /// witness cosigned, which is kept in the `--seen` file. Prints the note with the cosignature
    /// added. Needs no store.
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

    /// The file where this witness keeps the newest head that it cosigned of each trail
    #[arg(long, value_name = "FILE")]
    seen: PathBuf,

    /// Create that file, for a witness that has never cosigned anything
    #[arg(long)]
    begin: bool,

    /// The output of `dalil trail prove --from SIZE`, for the head cosigned last; omit it for the
    /// first head of a trail
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
    let WitnessCosignArgs {
        checkpoint,
        trail_key,
        origin,
        name,
        seed_file,
        seen,
        begin,
        proof,
        at,
    } = args;
    let seed = input::bytes(seed_file)?;
    let seed = <[u8; 32]>::try_from(seed).map_err(|seed| {
        let found = found::bytes(seed.len());
        Refused::from(Fault::new("seed", seed_file.display(), expected::random_seed(), found))
    })?;
    let secret = SecretKey::cosigner_from_seed(name, &seed).map_err(|error| {
        Refused::from(Fault::new("name", "--name", expected::a_key_name(), &error))
    })?;
    let growth = match proof {
        Some(path) => Some(decode::request(&input::bytes(path)?, TrailGrowth::read)?),
        None => None,
    };
    let origin = origin.as_deref().or_else(|| trail_key.first().map(PublicKey::name));
    let trail = (origin.unwrap_or(""), trail_key.as_slice());
    let at = at.map_or_else(env::now, Ok)?;
    let bytes = input::bytes(checkpoint)?;
    let mut memory = if *begin {
        WitnessMemory::begin(seen, secret.public())?
    } else {
        WitnessMemory::open(seen, secret.public())?
    };
    let note = trail::cosign(&secret, trail, (&bytes, growth.as_ref()), &mut memory, at)?;
    reply.note(&format!("witness key: {}", secret.public()));
    reply.prompt(&note.to_string())?;
    Ok(CommandOutcome::Holds)
}
