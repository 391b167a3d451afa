//! `dalil verify`: whether a file can be believed, with no network and no trust in its maker.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use dalil_core::fault::{Fault, Refused};
use dalil_core::key::{NotAKey, PublicKey};
use dalil_core::keyring::Keyring;
use dalil_core::report::Report;
use dalil_core::time::Time;
use dalil_core::trail;
use dalil_core::trust::Trust;
use dalil_core::verify;
use dalil_core::witness::Policy;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::reply::Reply;
use crate::surroundings;

/// Check a pack, a receipt, a checkpoint or a trail export, offline
///
/// Replies with a verdict (pass, fail or incomplete) and a finding for every
/// part that was looked at: as lines on a terminal, as JSON otherwise. Exits with
/// 0 for pass, 1 for fail, and 2 when nothing is wrong but not everything could
/// be checked. See spec/pack.md, spec/checkpoint.md and spec/trail.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to check; `-` reads standard input
    file: PathBuf,

    /// Trust this key: a verifier key `name+hash+base64`, or a file with one on each line
    #[arg(long, value_name = "KEY")]
    key: Vec<Named>,

    /// Require a cosignature of this witness: a verifier key, or a file with one on each line
    #[arg(long, value_name = "KEY")]
    witness: Vec<Named>,

    /// The origin of the trail; by default the name of the first trusted key
    #[arg(long)]
    origin: Option<String>,

    /// Trust what this JSON file says: origin, keys, key history, witnesses, heads seen
    #[arg(long, value_name = "FILE", conflicts_with_all = ["key", "witness", "origin"])]
    trust: Option<PathBuf>,

    /// Check as of this time instead of now
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let input = input::start(&args.file, trail::START.len())?;
    let now = args.at.map_or_else(surroundings::now, Ok)?;
    let report = if input.first() == trail::START {
        export(input, args, now)?
    } else {
        let bytes = input.bytes()?;
        verify::file(&bytes, &trust(args, &bytes)?, now)
    };
    reply.told(&report)?;
    Ok(report.verdict().into())
}

/// Verifies a trail export, which may be larger than memory, line by line.
fn export(input: input::Started<'_>, args: &Args, now: Time) -> Result<Report, Failure> {
    // One byte more than the longest line, so that a longer one is seen to be too long.
    let mut lines = input.lines(trail::MAX_LINE + 1);
    let header = lines.read()?.unwrap_or_default().to_vec();
    let trust = trust(args, &header)?;
    let mut verifier = trail::Verifier::new(&trust, now);
    verifier.line(&header);
    while let Some(line) = lines.read()? {
        verifier.line(line);
    }
    Ok(verifier.finish().report)
}

/// What the verifier believes; `file` is as much of the file as says which trail it is of.
fn trust(args: &Args, file: &[u8]) -> Result<Trust, Failure> {
    match &args.trust {
        Some(path) => Ok(Trust::parse(&input::bytes(path)?)?),
        None => pinned(args, file),
    }
}

/// Trust in the keys and witnesses that were named.
fn pinned(args: &Args, file: &[u8]) -> Result<Trust, Failure> {
    let (keys, witnesses) = (keys(&args.key)?, keys(&args.witness)?);
    let named = args.origin.clone().or_else(|| keys.first().map(|key| key.name().to_owned()));
    // Without a key nothing can pass; the file's own word keeps its other faults apart.
    let origin = named.or_else(|| verify::unverified_origin(file)).unwrap_or_default();
    let quorum = witnesses.len();
    let keyring = Keyring::new(keys, &[]).map_err(|error| refused("--key", &error))?;
    let witnesses = Policy::new(witnesses, quorum).map_err(|error| refused("--witness", &error))?;
    let trust = Trust { origin, keyring, witnesses, seen: Vec::new() };
    trust.check().map_err(|error| refused("--witness", &error))
}

/// A key on the command line: itself, or the file that it is in.
#[derive(Clone, Debug)]
enum Named {
    Key(PublicKey),
    File(PathBuf),
}

impl FromStr for Named {
    type Err = NotAKey;

    /// A key has two `+`; what else fails as a key is the name of a file.
    fn from_str(text: &str) -> Result<Self, NotAKey> {
        match text.parse() {
            Ok(key) => Ok(Self::Key(key)),
            Err(error) if text.matches('+').count() >= 2 => Err(error),
            Err(_) => Ok(Self::File(PathBuf::from(text))),
        }
    }
}

fn keys(named: &[Named]) -> Result<Vec<PublicKey>, Failure> {
    let mut keys = Vec::new();
    for name in named {
        match name {
            Named::Key(key) => keys.push(key.clone()),
            Named::File(path) => keys.extend(key_file(path)?),
        }
    }
    Ok(keys)
}

/// The keys in a file: one on each line; blank lines and lines that begin with `#` are skipped.
fn key_file(path: &Path) -> Result<Vec<PublicKey>, Failure> {
    let bytes = input::bytes(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = (1..).zip(text.lines().map(str::trim));
    let keys = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let parsed = keys.map(|(n, line)| {
        let at = format!("{}:{n}", path.display());
        line.parse().map_err(|error: NotAKey| refused(&at, &error))
    });
    parsed.collect()
}

fn refused(path: &str, error: &impl std::error::Error) -> Failure {
    let message = error.to_string();
    Refused::from(Fault { rule: "key", path: path.to_owned(), message, hint: None }).into()
}
