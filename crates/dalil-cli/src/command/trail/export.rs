//! `dalil trail export`: a trail as a file.

use std::path::PathBuf;

use dalil::keep::approval::Approved;
use dalil::keep::trail::{self, Export};

use crate::failure::{Answer, Failure};
use crate::keeping::{Access, Keeping, block_on};
use crate::reply::{Content, Output, Reply};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write, which appears when it is whole; `-` writes to standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The first record
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    from: u64,

    /// Leave this field out of every payload; may be given more than once
    #[arg(long, value_name = "FIELD")]
    withhold: Vec<String>,

    /// Who approved that it leaves, by an opaque name
    #[arg(long, value_name = "NAME")]
    approver: String,

    /// Why it leaves
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    keeping: Keeping,
}

pub(super) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let Args { out, from, withhold, approver, reason, keeping } = args;
    let export = Export {
        from: *from,
        withhold: withhold.clone(),
        approved: Approved::by(approver),
        reason: reason.clone(),
    };
    let mut out = Output::open(out, Content::Text)?;
    let made = block_on(async {
        let (store, tenant) = keeping.open(Access::Write).await?;
        let mut write = |lines: &[u8]| out.write(lines);
        let made = trail::export(&tenant, &export, &keeping.deed()?, &mut write).await?;
        store.close().await?;
        Ok(made)
    })?;
    reply.exported(out, &made)?;
    Ok(Answer::Holds)
}
