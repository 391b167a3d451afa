//! Limits on the counts of the survey, for each crate.

use crate::import_graph::largest_cycles;
use crate::localising::localising_files;
use crate::survey::defaults_of_crates;
use crate::tree::RepositoryTree;

/// A file is read with those that it imports; in a cycle, with all of them at once.
pub(super) fn import_cycles_are_small(tree: &RepositoryTree) -> Vec<String> {
    let problem = |(name, cycle): (String, Vec<String>)| {
        let (count, most) = (cycle.len(), MAX_CYCLE_FILES);
        (count > most).then(|| {
            let modules = cycle
                .iter()
                .map(|module| if module.is_empty() { "crate" } else { module.as_str() });
            let modules = modules.collect::<Vec<_>>().join(", ");
            format!(
                "{name}: {count} files import each other, at most {most}: {modules} \
                 (move what they share to a file of its own)"
            )
        })
    };
    let cycles = largest_cycles(tree).into_iter();
    cycles.map(|cycle| (cycle.crate_name, cycle.largest)).filter_map(problem).collect()
}

/// A default in place of a value that is missing hides a fault.
pub(super) fn silent_defaults_are_few(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    for (name, counts) in defaults_of_crates(tree) {
        let most = counts.lines * MAX_DEFAULTS_IN_1_000_LINES / 1_000;
        if counts.hiding > most {
            let count = counts.hiding;
            found.push(format!(
                "{name}: {count} times `unwrap_or_default`, at most {most} in {} lines \
                 (carry the `Option` on, return an error, or use a function that always has a value)",
                counts.lines
            ));
        }
    }
    found
}

/// A sentence that is worded elsewhere can lack a language without notice.
pub(super) fn sentences_are_in_the_phrasebook(tree: &RepositoryTree) -> Vec<String> {
    let problem = |path| format!("{path}: Arabic for readers (say it in `dalil-phrasebook`)");
    localising_files(tree).into_iter().map(problem).collect()
}

const MAX_CYCLE_FILES: usize = 4;
/// Calls, slices of texts and lists not counted.
const MAX_DEFAULTS_IN_1_000_LINES: usize = 1;
