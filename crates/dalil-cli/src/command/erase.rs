//! `dalil erase`: payloads that must go.

use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::RecordScope;
use dalil_service::approval::ApprovalBasis;
use dalil_service::erase::{self, ErasureOrder};
use dalil_service::scratch_dir::ScratchDir;
use dalil_store::StorePlace;

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::{StoreAccess, StoreArgs, block_on};

/// Erase payloads, and record the erasure
///
/// Destroys bytes, salts, rows, and lake objects that nothing else needs. The records stay;
/// verification reports ERASED and by which record. Refused under a legal hold, and before seven
/// years have passed unless the legal basis allows it; the refusal lists every record in the way.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The records to erase: `all`, `kind:` and a kind of record, or `subject:` and an id
    #[arg(long)]
    scope: RecordScope,

    /// The legal basis: `retention_expired`, `data_subject_request` or `court_order`
    #[arg(long, value_name = "WORD", value_parser = basis)]
    legal_basis: LegalBasis,

    /// The opaque name of the approver
    #[arg(long, value_name = "NAME")]
    approver: String,

    /// Only this record of the scope; may be given more than once
    #[arg(long, value_name = "INDEX")]
    record: Vec<u64>,

    /// Show what would be erased, and erase nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let Args { scope, legal_basis, approver, record, dry_run, keeping } = args;
    block_on(async {
        // A rehearsal must not take the lock of the folder from a writer.
        let access = if *dry_run { StoreAccess::Read } else { StoreAccess::Write };
        let (store, tenant) = keeping.open(access).await?;
        let order = ErasureOrder {
            scope: scope.clone(),
            legal_basis: *legal_basis,
            approved: ApprovalBasis::by(approver),
            records: record.clone(),
            rehearse: *dry_run,
        };
        let (erased, released) = erase::erase(&tenant, &order, &keeping.request_context()?).await?;
        store.close().await?;
        if let (false, StorePlace::File { dir }) = (*dry_run, keeping.place()?) {
            // Text that a killed server has read lies there until the next one starts.
            ScratchDir::sweep(&dir.join("scratch"));
        }
        reply.note(&format!("{}: {released}", if *dry_run { "would go" } else { "went" }));
        reply.told(&erased)?;
        Ok(CommandOutcome::Holds)
    })
}

fn basis(text: &str) -> Result<LegalBasis, String> {
    let named = LegalBasis::WIRE_NAMES.iter().find(|(word, _)| *word == text);
    named.map(|(_, basis)| *basis).ok_or_else(|| {
        "expected `retention_expired`, `data_subject_request` or `court_order`".to_owned()
    })
}
