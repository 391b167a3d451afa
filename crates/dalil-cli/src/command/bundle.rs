//! `dalil bundle`: what a model may see.

use std::path::PathBuf;

use clap::ValueEnum;
use dalil_core::bundle::{Artifacts, Built, Keep, Request, build, prompt};
use dalil_core::fault::{Fault, Refused};
use dalil_core::mask::Key;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::lake::Lake;
use crate::reply::Reply;

/// Build a bundle: what a model may see, in order, within limits, every loss recorded
///
/// The request names inline evidence, references and a policy. What cannot be
/// read becomes a problem in the bundle; a request that breaks a rule or leads out
/// of the lake is refused with all its faults.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The request as JSON; `-` reads standard input
    request: PathBuf,

    /// The folder that references point into, and where whole texts are kept
    #[arg(long, value_name = "DIR")]
    lake: Option<PathBuf>,

    /// A secret of at least 16 bytes; masks then carry a keyed digest of what they hide
    #[arg(long, value_name = "FILE")]
    mask_key: Option<PathBuf>,

    /// The bundle, or its items as text for a prompt
    #[arg(long, value_enum, default_value = "json")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Json,
    Prompt,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let request = Request::parse(&input::bytes(&args.request)?)?;
    let lake = args.lake.as_deref().map(Lake::open).transpose()?;
    let key = args.mask_key.as_deref().map(key).transpose()?;
    let artifacts = read(&request, lake.as_ref())?;
    let Built { bundle, keep } = build(request, &artifacts, key.as_ref())?;
    bundle.inside_lake()?;
    keep_all(&keep, lake.as_ref())?;
    for problem in &bundle.problems {
        reply.note(&format!("problem: `{}`: {}", problem.path, problem.message));
    }
    match args.format {
        Format::Prompt if !reply.is_json() => reply.foreign(&prompt::render(&bundle))?,
        Format::Prompt | Format::Json => reply.value(&bundle)?,
    }
    Ok(Answer::Holds)
}

fn key(path: &std::path::Path) -> Result<Key, Failure> {
    let bytes = input::bytes(path)?;
    let short = || Failure::ShortKey { path: path.to_owned(), found: bytes.len() };
    Key::new(&bytes).ok_or_else(short)
}

/// Everything that the request needs from the lake.
fn read(request: &Request, lake: Option<&Lake>) -> Result<Artifacts, Failure> {
    let uris = request.lake_uris();
    match lake {
        Some(lake) => Ok(uris.into_iter().map(|uri| (uri.clone(), lake.read(uri))).collect()),
        None if uris.is_empty() => Ok(Artifacts::new()),
        None => Err(no_lake(["evidence_refs".to_owned()]).into()),
    }
}

/// Keeps whole texts before the bundle that names them is seen.
fn keep_all(keep: &[Keep], lake: Option<&Lake>) -> Result<(), Failure> {
    match lake {
        Some(lake) => keep.iter().try_for_each(|keep| lake.keep(keep)),
        None if keep.is_empty() => Ok(()),
        None => Err(no_lake(keep.iter().map(|keep| keep.path.clone())).into()),
    }
}

fn no_lake(paths: impl IntoIterator<Item = String>) -> Refused {
    let fault = |path| {
        Fault::new("needs_lake", path, "a lake for what is referred to or shortened", "none")
            .hint("give a folder with `--lake DIR`")
    };
    Refused { refused: paths.into_iter().map(fault).collect() }
}
