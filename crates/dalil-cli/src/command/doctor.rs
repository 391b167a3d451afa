//! `dalil doctor`: whether a store can be worked with as it is set up.

use std::path::{Path, PathBuf};

use dalil_proof::time::Time;
#[cfg(feature = "serve")]
use dalil_server::ServeConfig;
use dalil_service::doctor::{DoctorCheck, DoctorStatus, DoctorTarget, examine};
use serde::Serialize;

use crate::env::setting;
use crate::error::{CliError, CommandOutcome};
#[cfg(feature = "serve")]
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::{StoreArgs, block_on};

/// Check the setup of a store
///
/// Checks that the store is reachable, writable and durable, and has free space and the right time.
/// Checks settings, not evidence; `dalil fsck` checks evidence. Exits with 1 if a problem would
/// prevent work.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also check a server configuration, a JSON file
    ///
    /// Without it, `DALIL_CONFIG` from the environment.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    keeping: StoreArgs,
}

/// Everything that was looked at.
#[derive(Debug, Serialize)]
struct DoctorOutput {
    checks: Vec<DoctorCheck>,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let keeping = &args.keeping;
    let checks = block_on(async {
        let place = keeping.place()?;
        let vault = keeping.vault(&place);
        // A vault that does not open is one of the findings, and the rest is still examined.
        let vault = vault.map_err(|failure| failure.to_string());
        let health = DoctorTarget { place: &place, vault, now: keeping.now()? };
        Ok(examine(health).await)
    })?;
    let file = args.config.clone().or_else(|| setting("DALIL_CONFIG").map(PathBuf::from));
    let now = keeping.now()?;
    let checks = checks.into_iter().chain(file.map(|path| configured(&path, now))).collect();
    let checks = DoctorOutput { checks };
    reply.told(&checks)?;
    let failed = checks.checks.iter().any(|check| check.mark == DoctorStatus::Fail);
    Ok(if failed { CommandOutcome::DoesNotHold } else { CommandOutcome::Holds })
}

/// Whether a server could begin with a configuration.
fn configured(path: &Path, now: Time) -> DoctorCheck {
    match listening(path, now) {
        Ok(message) => DoctorCheck { part: "server", mark: DoctorStatus::Ok, message, hint: None },
        Err(message) => {
            let hint = Some("docs/server.md says what can be set");
            DoctorCheck { part: "server", mark: DoctorStatus::Fail, message, hint }
        }
    }
}

/// Where a server with a configuration listens.
#[cfg(feature = "serve")]
fn listening(path: &Path, now: Time) -> Result<String, String> {
    let bytes = input::bytes(path).map_err(|error| error.to_string())?;
    let config = ServeConfig::parse(&bytes).map_err(|error| error.to_string())?;
    config.examine(now).map_err(|error| error.to_string())?;
    Ok(format!("it listens on {}", config.listen))
}

#[cfg(not(feature = "serve"))]
fn listening(_: &Path, _: Time) -> Result<String, String> {
    Err("this program was built without the server: build with the feature `serve`".to_owned())
}

impl std::fmt::Display for DoctorOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.checks.iter().try_for_each(|check| writeln!(f, "{check}"))
    }
}
