//! `dalil trail export`: a trail as a file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use dalil::keep::approval::Approved;
use dalil::keep::trail::{self, Export};

use crate::failure::{Answer, Failure};
use crate::keeping::{Access, Keeping, block_on};
use crate::reply::Reply;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write; it appears when it is whole
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
    let mut file = Part::create(out)?;
    let made = block_on(async {
        let (store, tenant) = keeping.open(Access::Write).await?;
        let mut write = |lines: &[u8]| file.file.write_all(lines);
        let made = trail::export(&tenant, &export, &keeping.deed()?, &mut write).await?;
        store.close().await?;
        Ok(made)
    })?;
    file.finish(out)?;
    reply.told(&made)?;
    Ok(Answer::Holds)
}

/// A file that is not whole yet; it goes if it never becomes so.
struct Part {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Part {
    fn create(out: &Path) -> Result<Self, Failure> {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let path = out.with_file_name(name);
        let file = File::create(&path).map_err(Failure::Write)?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    fn finish(mut self, out: &Path) -> Result<(), Failure> {
        let done = || -> io::Result<()> {
            self.file.flush()?;
            self.file.get_ref().sync_all()?;
            fs::rename(&self.path, out)
        };
        let mut done = done;
        done().map_err(Failure::Write)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        fs::remove_file(&self.path).unwrap_or_default();
    }
}
