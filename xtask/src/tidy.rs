//! The house rules that a machine can check, each with its reason in the message.
//!
//! A rule looks at the whole tree and reports everything that breaks it. [`code`] measures Rust
//! files, [`names`] bans words, [`declarations`] checks the names of types and constants,
//! [`aliases`] those of imports, [`files`] which files may exist, [`limits`] the counts of the
//! survey, [`arrows`] the dependencies between crates, [`proofs`] that formats have vectors and
//! commands tests, [`statements`] the tests of the contracts.

use crate::tree::RepositoryTree;

pub(crate) mod aliases;
mod arrows;
mod code;
mod declarations;
mod files;
mod limits;
mod names;
mod proofs;
mod statements;
#[cfg(test)]
mod tests;

/// Everything in the tree that breaks a rule.
pub(crate) fn problems(tree: &RepositoryTree) -> Vec<String> {
    RULES.iter().flat_map(|rule| rule(tree)).collect()
}

type TidyRule = fn(&RepositoryTree) -> Vec<String>;

const RULES: [TidyRule; 37] = [
    code::files_are_short,
    code::most_files_are_shorter,
    code::functions_fit_on_a_screen,
    code::modules_say_what_they_are,
    code::comments_are_few,
    code::crate_roots_are_tables_of_contents,
    code::lints_are_expected_not_allowed,
    code::tests_run,
    names::files_are_named_for_ideas,
    names::items_are_named_for_what_they_mean,
    names::prose_is_about_the_project,
    declarations::type_names_are_unique,
    declarations::types_are_not_bare_participles,
    declarations::limits_begin_with_max_or_min,
    declarations::limits_name_their_unit,
    aliases::aliases_keep_the_noun,
    files::documents_are_listed,
    files::documents_are_short,
    files::lines_end_clean,
    files::rows_stand_in_tables,
    files::files_are_small,
    files::installs_are_locked,
    files::dependencies_are_few,
    limits::import_cycles_are_small,
    limits::silent_defaults_are_few,
    limits::sentences_are_in_the_phrasebook,
    arrows::crates_know_only_what_they_may,
    arrows::proof_and_evidence_are_pure,
    arrows::proof_and_evidence_type_their_json,
    proofs::formats_have_vectors_and_a_checker,
    proofs::vectors_are_used,
    proofs::commands_are_tried,
    proofs::words_are_types,
    proofs::modules_are_on_the_map,
    proofs::the_readme_is_what_runs,
    statements::statements_name_what_is_there,
    statements::statements_are_counted,
];
