//! `dalil read`: a document as Dalil reads it.

use std::io;
use std::path::PathBuf;

use dalil::sandbox::{self, FileReadFailure, InputFile, SandboxLimits, SandboxReader, show};

use crate::env;
use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;

/// Show what is read from documents: text, pages, headings and unreadable parts
///
/// Reads PDF, DOCX, XLSX, HTML, Markdown, text, CSV and EML; the content decides, not the name.
/// With `--json` each document is a line: `{"name", "format", "sha256", "title", "date", "text",
/// "blocks": […], "problems": […]}`. The `start` and `end` of a block count characters of the text,
/// as ledgers do; a `place` counts bytes of the original. Without `--json`, terminal control
/// characters are written as `\u{…}`. Files that cannot be read are named on standard error, and
/// the exit code is 2.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The documents; `-` reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Serve another process over pipes, within this many bytes of memory
    #[arg(long, hide = true, value_name = "BYTES", exclusive = true)]
    wire: Option<u64>,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    if let Some(memory) = args.wire {
        // The child of a sandbox: it must not open anything else before it limits itself.
        sandbox::serve(memory, io::stdin().lock(), io::stdout().lock()).map_err(CliError::Write)?;
        return Ok(CommandOutcome::Holds);
    }
    // The children are this very program, not another `dalil` in the path.
    let reader = SandboxReader::new(env::itself()?, SandboxLimits::usual());
    let mut answer = CommandOutcome::Holds;
    for file in &args.files {
        let name = file.to_string_lossy();
        match reader.read(InputFile { name: &name, bytes: &input::bytes(file)? }) {
            Ok(document) => {
                for problem in &document.problems {
                    let place = problem.place.iter().map(|place| format!("{place}: "));
                    let place: String = place.collect();
                    reply.note(&format!("problem: `{name}`: {place}{}", problem.message));
                }
                if reply.is_json() {
                    reply.value(&show::json(&name, &document))?;
                } else {
                    reply.view(&show::text(&name, &document))?;
                }
            }
            Err(unread) => {
                warn(&unread, reply);
                answer = CommandOutcome::Incomplete;
            }
        }
    }
    Ok(answer)
}

fn warn(unread: &FileReadFailure, reply: &ReplyWriter) {
    reply.warn(&format!("error: {unread}"));
    unread.hint().into_iter().for_each(|hint| reply.warn(&format!("hint: {hint}")));
}
