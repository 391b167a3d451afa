//! `dalil trail timestamp`: a time-stamping authority stamps a checkpoint.

use std::path::PathBuf;

use dalil_proof::fault::{Fault, Refused};
use dalil_proof::timestamp::TimestampAuthority;
use dalil_service::OperationFailure;
use dalil_service::trail::{self, TimestampEndpoint};

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::{StoreAccess, StoreArgs, block_on};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The address of the authority (RFC 3161 over HTTP)
    #[arg(long, value_name = "URL")]
    url: String,

    /// The authority's name in trust files
    #[arg(long)]
    name: String,

    /// Its certificate, or one above it in the chain, in PEM or DER; may be given more than once
    #[arg(long, value_name = "FILE", required = true)]
    certificate: Vec<PathBuf>,

    /// The checkpoint of this size instead of the newest
    #[arg(long)]
    size: Option<u64>,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(super) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let Args { url, name, certificate, size, keeping } = args;
    let endpoint = TimestampEndpoint::new(url, "--url", authority(name, certificate)?);
    let endpoint = endpoint.map_err(Refused::from)?;
    block_on(async {
        let (store, tenant) = keeping.open(StoreAccess::Write).await?;
        let request_context = keeping.request_context()?;
        let stamped = trail::timestamp(&tenant, &endpoint, *size, &request_context).await;
        reply.value(&stamped.map_err(OperationFailure::from)?)?;
        store.close().await?;
        Ok(CommandOutcome::Holds)
    })
}

fn authority(name: &str, files: &[PathBuf]) -> Result<TimestampAuthority, CliError> {
    let mut certificates = Vec::new();
    for file in files {
        certificates.extend(trail::certificates(&input::bytes(file)?));
    }
    TimestampAuthority::new(name, certificates).map_err(|why| {
        let fault = Fault::with_message("timestamp_authority", "--certificate", why.phrase());
        Refused::from(fault).into()
    })
}
