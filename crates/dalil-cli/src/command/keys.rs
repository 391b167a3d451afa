//! `dalil keys`: the signing keys of a trail.

use clap::Subcommand;
use dalil_proof::keyring::KeyChangeKind;
use dalil_service::keys::{self, KeyDateCorrection};

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreArgs};

/// Add, retire and revoke signing keys, and write the trust file for a verifier
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: KeysCommand,
}

#[derive(Debug, Subcommand)]
enum KeysCommand {
    /// List every change of keys, from the beginning
    List(KeysListArgs),
    /// Generate a new key, which signs checkpoints alongside the others from now on
    Add(KeysAddArgs),
    /// Retire a key: its signatures stay valid
    Retire(KeysEndArgs),
    /// Revoke a key: its signatures are valid only where they were seen before
    Revoke(KeysEndArgs),
    /// Correct impossible dates of key changes, by a record with the reason
    ///
    /// A key history whose times run backwards, or that has a change later than now, fails every
    /// verification. The records stay unchanged; one more gives the corrected times, and every
    /// verification shows it. Only impossible dates can be corrected, and all at once. See
    /// spec/trail.md.
    Redate(KeysRedateArgs),
    /// Write the trust file that `dalil verify --trust` reads
    Trust(KeysTrustArgs),
}

#[derive(Debug, clap::Args)]
struct KeysListArgs {
    #[command(flatten)]
    form: ListFormatArgs,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct KeysAddArgs {
    /// The name of the key; by default the origin of the trail
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct KeysEndArgs {
    /// The id of the key: eight hex digits, as `dalil keys list` shows them
    key_id: String,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct KeysRedateArgs {
    /// A change and its time: `KEY_ID:added=TIME`, or `retired`, `revoked`
    #[arg(required = true, value_name = "CHANGE", value_parser = correction)]
    changes: Vec<KeyDateCorrection>,

    /// The reason why the dates were wrong, for verifiers of the trail
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct KeysTrustArgs {
    /// Include the current head of the trail, so that a later rollback is detected
    #[arg(long)]
    seen: bool,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        KeysCommand::List(KeysListArgs { form, keeping }) => {
            form.show(reply, &keeping.read(async |tenant| keys::list(tenant).await)?)?;
        }
        KeysCommand::Add(KeysAddArgs { name, keeping }) => {
            let request_context = keeping.request_context()?;
            let add = async |tenant: &_| keys::add(tenant, name.as_deref(), &request_context).await;
            reply.value(&keeping.write(add)?)?;
        }
        KeysCommand::Retire(KeysEndArgs { key_id, keeping }) => {
            let request_context = keeping.request_context()?;
            reply
                .value(&keeping.write(async |tenant| {
                    keys::retire(tenant, key_id, &request_context).await
                })?)?;
        }
        KeysCommand::Revoke(KeysEndArgs { key_id, keeping }) => {
            let request_context = keeping.request_context()?;
            reply
                .value(&keeping.write(async |tenant| {
                    keys::revoke(tenant, key_id, &request_context).await
                })?)?;
        }
        KeysCommand::Redate(KeysRedateArgs { changes, reason, keeping }) => {
            let request_context = keeping.request_context()?;
            let redate =
                async |tenant: &_| keys::redate(tenant, changes, reason, &request_context).await;
            reply.value(&keeping.write(redate)?)?;
        }
        KeysCommand::Trust(KeysTrustArgs { seen, keeping }) => {
            let seen = if *seen { Some(keeping.now()?) } else { None };
            reply.value(&keeping.read(async |tenant| keys::trust(tenant, seen).await)?)?;
        }
    }
    Ok(CommandOutcome::Holds)
}

/// Reads `KEY_ID:CHANGE=TIME`.
fn correction(text: &str) -> Result<KeyDateCorrection, String> {
    let read = || {
        let (change, at) = text.split_once('=')?;
        let (key_id, word) = change.split_once(':')?;
        let (_, change) = KeyChangeKind::WIRE_NAMES.iter().find(|(known, _)| *known == word)?;
        Some(KeyDateCorrection { key_id: key_id.to_owned(), change: *change, at: at.parse().ok()? })
    };
    read().ok_or_else(|| "expected `KEY_ID:added=TIME`, or `retired`, `revoked`".to_owned())
}
