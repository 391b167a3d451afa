use std::collections::BTreeSet;

use clap::CommandFactory as _;

use super::{COMMAND_GROUPS, command};
use crate::cli::Cli;

#[test]
fn every_command_is_in_one_group() {
    let all: BTreeSet<String> =
        Cli::command().get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let grouped: Vec<String> = COMMAND_GROUPS
        .iter()
        .flat_map(|group| group.commands)
        .map(|(name, _)| (*name).to_owned())
        .collect();
    let once: BTreeSet<String> = grouped.iter().cloned().collect();
    assert_eq!((once.len(), &once), (grouped.len(), &all));
}

#[test]
fn every_example_can_be_typed() {
    for (name, examples) in COMMAND_GROUPS.iter().flat_map(|group| group.commands) {
        for example in examples {
            let typed = example.split(" > ").next().unwrap_or(example).split_whitespace();
            let read = command().try_get_matches_from(typed);
            let found = read.map(|matches| matches.subcommand_name().map(str::to_owned));
            assert_eq!(
                found.map_err(|error| error.to_string()),
                Ok(Some((*name).to_owned())),
                "{example}"
            );
        }
    }
}
