//! Help: the commands in groups, and two examples for each.

use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _};
use dalil_render::ledger::cell::wrapped;

use crate::cli::Cli;

#[cfg(test)]
mod tests;

/// Parses the arguments.
///
/// # Errors
/// The error of clap: a mistyped command, or the help that was asked for.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&command().try_get_matches_from(arguments)?)
}

/// The commands, with groups and examples in their help.
fn command() -> clap::Command {
    let mut command = Cli::command();
    for CommandGroup { commands, .. } in COMMAND_GROUPS {
        for (name, examples) in *commands {
            // A program without the server has no `serve`, and must not get one here.
            if command.find_subcommand(name).is_some() {
                let examples = format!("Examples:\n  {}", examples.join("\n  "));
                command = command.mut_subcommand(name, |one| one.after_help(examples));
            }
        }
    }
    let listed = listed(&command);
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nCommands:\n{listed}\nOptions:\n\
         {{options}}\n\nTwo examples of each command: dalil COMMAND --help\n"
    ))
}

/// The commands under the heading of their group, each with its description.
fn listed(command: &clap::Command) -> String {
    let columns =
        terminal_size::terminal_size().map_or(MAX_HELP_COLUMNS, |(width, _)| width.0.into());
    let columns = columns.min(MAX_HELP_COLUMNS);
    let indent = format!("\n{}", " ".repeat(ABOUT_INDENT));
    let mut text = String::new();
    for CommandGroup { heading, commands } in COMMAND_GROUPS {
        text.push_str(&format!(" {heading}\n"));
        for (name, _) in *commands {
            let Some(one) = command.find_subcommand(name) else { continue };
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            let about = wrapped(&about, columns.saturating_sub(ABOUT_INDENT)).join(&indent);
            text.push_str(&format!("  {name:<11}  {about}\n"));
        }
    }
    text
}

/// The column of a command's description, after its name.
const ABOUT_INDENT: usize = 15;
/// As wide as the rest of the help.
const MAX_HELP_COLUMNS: usize = 100;

/// Commands that belong together.
struct CommandGroup {
    heading: &'static str,
    /// Each with two examples.
    commands: &'static [(&'static str, [&'static str; 2])],
}

const COMMAND_GROUPS: &[CommandGroup] = &[
    CommandGroup {
        heading: "Check answers",
        commands: &[
            (
                "check",
                [
                    "dalil check answer.md --against contracts/",
                    "dalil check answer.md --against contracts/ --expand 3",
                ],
            ),
            (
                "index",
                [
                    "dalil index contracts/ --into postgres://dalil@db/evidence#acme/contracts",
                    "dalil index --remove --into postgres://dalil@db/evidence#acme/contracts",
                ],
            ),
            (
                "bundle",
                [
                    "dalil bundle request.json",
                    "dalil bundle request.json --against contracts/ --save",
                ],
            ),
            (
                "sources",
                ["dalil sources request.json", "dalil sources request.json --format ai-sdk"],
            ),
            ("ledger", ["dalil ledger request.json", "dalil ledger request.json --gate"]),
            (
                "report",
                [
                    "dalil report march.jsonl > report.html",
                    "dalil report ledgers/ --title \"Answers of March\" --lang ar > report.html",
                ],
            ),
            ("read", ["dalil read contract.pdf", "dalil read contracts/ --json"]),
            ("eval", ["dalil eval pairs.jsonl", "dalil eval en.jsonl ar.jsonl"]),
            ("model", ["dalil model import base.gguf", "dalil model show"]),
        ],
    },
    CommandGroup {
        heading: "Decide",
        commands: &[
            ("policy", ["dalil policy decision.json", "dalil policy -"]),
            ("decision", ["dalil decision record decision.json", "dalil decision list"]),
            ("tool", ["dalil tool record call.json", "dalil tool list dec_tender771"]),
            (
                "pack",
                [
                    "dalil pack assemble --decision dec_tender771",
                    "dalil pack review review.json --actor person:amal",
                ],
            ),
            ("record", ["dalil record package request.json", "dalil record list"]),
        ],
    },
    CommandGroup {
        heading: "Prove",
        commands: &[
            (
                "verify",
                [
                    "dalil verify sealed-pack.json --trust trust.json",
                    "dalil verify pack.pdf --trust trust.json --lang ar",
                ],
            ),
            (
                "export",
                [
                    "dalil export ledger ses_1 --format pdf --reason audit --out ledger.pdf",
                    "dalil export pack pack_1 --format pdf --reason board --out pack.pdf --approver amal",
                ],
            ),
            ("trail", ["dalil trail show", "dalil trail prove 50"]),
            ("keys", ["dalil keys trust", "dalil keys add"]),
        ],
    },
    CommandGroup {
        heading: "Keep",
        commands: &[
            (
                "tenant",
                ["dalil tenant create acme --origin dalil.example/acme", "dalil tenant list"],
            ),
            ("member", ["dalil member add amal --role admin", "dalil member list"]),
            ("document", ["dalil document add contracts/", "dalil document list"]),
            ("session", ["dalil session list", "dalil session show ses_1"]),
            ("run", ["dalil run bundles", "dalil run show run-1"]),
            (
                "hold",
                [
                    "dalil hold place case-7 --scope subject:pack_1 --reason litigation",
                    "dalil hold lift case-7 --reason settled",
                ],
            ),
            (
                "erase",
                [
                    "dalil erase --scope subject:doc_1 --legal-basis data_subject_request --approver amal --dry-run",
                    "dalil erase --scope subject:doc_1 --legal-basis data_subject_request --approver amal",
                ],
            ),
            ("fsck", ["dalil fsck", "dalil fsck --json"]),
            ("doctor", ["dalil doctor", "dalil doctor --json"]),
        ],
    },
    CommandGroup {
        heading: "Try and serve",
        commands: &[
            ("demo", ["dalil demo", "dalil demo --out target/demo"]),
            ("mcp", ["dalil mcp --temporary", "dalil mcp --actor agent:claude"]),
            ("serve", ["dalil serve --demo", "dalil serve --listen 127.0.0.1:8700"]),
            ("apikey", ["dalil apikey add --for person:amal --scope view", "dalil apikey list"]),
            ("invitation", ["dalil invitation add noura --role approver", "dalil invitation list"]),
            (
                "completions",
                ["dalil completions bash > dalil.bash", "dalil completions zsh > _dalil"],
            ),
            ("man", ["dalil man man1", "dalil man /usr/local/share/man/man1"]),
        ],
    },
];
