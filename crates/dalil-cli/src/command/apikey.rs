//! `dalil apikey`: keys for the API of a server.

use std::str::FromStr;

use clap::Subcommand;
use dalil_evidence::apikey::{ApiKeyScope, Pepper};
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_service::apikey::{self, NewApiKey};

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreArgs, parse_word};

/// Create, list and revoke API keys
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: ApiKeyCommand,
}

#[derive(Debug, Subcommand)]
enum ApiKeyCommand {
    /// Create a key and print it; it cannot be shown again
    Add(ApiKeyAddArgs),
    /// List the keys of a tenant, without their secrets
    List(ApiKeyListArgs),
    /// Revoke a key: it is refused from now on
    Revoke(ApiKeyRevokeArgs),
}

#[derive(Debug, clap::Args)]
struct ApiKeyAddArgs {
    /// The actor of requests with this key: `person:NAME` or `agent:NAME`
    #[arg(long = "for", value_name = "WHO", value_parser = owner)]
    owner: Actor,

    /// A scope of the key: `view`, `record`, `review`, `export` or `administer`; may be given more
    /// than once
    #[arg(long, value_name = "WORD", required = true, value_parser = scope)]
    scope: Vec<ApiKeyScope>,

    /// When the key expires; by default never
    #[arg(long, value_name = "TIME", value_parser = Time::from_str)]
    expires: Option<Time>,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct ApiKeyListArgs {
    #[command(flatten)]
    form: ListFormatArgs,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct ApiKeyRevokeArgs {
    /// The id of the key: 16 hex digits, as `dalil apikey list` shows them
    key_id: String,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        ApiKeyCommand::Add(ApiKeyAddArgs { owner, scope, expires, keeping }) => {
            // The same name as in the server, or the server would not recognise the key.
            let pepper = Pepper::new(*keeping.vault(&keeping.place()?)?.derive("apikey"));
            let scopes = scope.iter().copied().collect();
            let order = NewApiKey { actor: owner.clone(), scopes, expires_at: *expires };
            let request_context = keeping.request_context()?;
            let add =
                async |tenant: &_| apikey::add(tenant, &order, &pepper, &request_context).await;
            reply.value(&keeping.write(add)?)?;
        }
        ApiKeyCommand::List(ApiKeyListArgs { form, keeping }) => {
            form.show(reply, &keeping.read(async |tenant| apikey::list(tenant).await)?)?;
        }
        ApiKeyCommand::Revoke(ApiKeyRevokeArgs { key_id, keeping }) => {
            let request_context = keeping.request_context()?;
            let revoke = async |tenant: &_| apikey::revoke(tenant, key_id, &request_context).await;
            reply.value(&keeping.write(revoke)?)?;
        }
    }
    Ok(CommandOutcome::Holds)
}

fn owner(text: &str) -> Result<Actor, String> {
    apikey::actor(text).ok_or_else(|| "expected `person:NAME` or `agent:NAME`".to_owned())
}

fn scope(text: &str) -> Result<ApiKeyScope, String> {
    parse_word(text, ApiKeyScope::WIRE_NAMES)
}
