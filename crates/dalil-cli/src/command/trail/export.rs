//! `dalil trail export`: a trail as a file.

use std::path::PathBuf;

use dalil_service::approval::ApprovalBasis;
use dalil_service::trail::{self, TrailExportRequest};

use crate::error::{CliError, CommandOutcome};
use crate::reply::{ExportContent, ExportTarget, ReplyWriter};
use crate::store_args::{StoreAccess, StoreArgs, block_on};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write, which appears only when it is complete; `-` writes to standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The first record
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    from: u64,

    /// Leave this field out of every payload; may be given more than once
    #[arg(long, value_name = "FIELD")]
    withhold: Vec<String>,

    /// The opaque name of the approver
    #[arg(long, value_name = "NAME")]
    approver: String,

    /// The reason for the export
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(super) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let Args { out, from, withhold, approver, reason, keeping } = args;
    let export = TrailExportRequest {
        from: *from,
        withhold: withhold.clone(),
        approved: ApprovalBasis::by(approver),
        reason: reason.clone(),
    };
    // Before anything is recorded: an output that cannot be written to must not leave a record.
    let mut out = ExportTarget::open(out, ExportContent::Text)?;
    let made = block_on(async {
        let (store, tenant) = keeping.open(StoreAccess::Write).await?;
        let mut write = |lines: &[u8]| out.write(lines);
        let made = trail::export(&tenant, &export, &keeping.request_context()?, &mut write).await?;
        store.close().await?;
        Ok(made)
    })?;
    reply.exported(out, &made)?;
    Ok(CommandOutcome::Holds)
}
