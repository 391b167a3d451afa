//! Counts about the names, comments, cycles and lengths in the tree.
//!
//! "Lines" are lines of code outside tests, unless a row states otherwise.

use std::collections::BTreeMap;

use crate::defaults::{SilentDefaults, defaults};
use crate::import_graph::largest_cycles;
use crate::items::{imports, name_words, types};
use crate::localising::localising_files;
use crate::source::RustSource;
use crate::tidy::aliases::aliases_keep_the_noun;
use crate::tree::{RepositoryTree, crate_of};

#[cfg(test)]
mod tests;

/// The survey as lines of text: a name, a number, and the parts of the number.
pub(crate) fn report(tree: &RepositoryTree) -> String {
    let sources: Vec<&RustSource> =
        tree.sources().map(|(_, source)| source).filter(|source| !source.is_test()).collect();
    let lines = lines_of(&sources);
    let mut rows = size_rows(&sources);
    rows.extend(type_rows(&sources));
    rows.extend(function_rows(&sources));
    rows.extend(comment_rows(&sources, lines));
    rows.extend(default_rows(tree));
    rows.extend(alias_rows(tree));
    rows.extend(cycle_rows(tree));
    rows.push(localising_row(tree));
    rows.iter()
        .map(|(name, number, rest)| format!("{name:<44}{number:>8}  {rest}").trim_end().to_owned())
        .map(|row| row + "\n")
        .collect()
}

/// A name, a number, and the parts of the number.
type SurveyRow = (String, String, String);

fn size_rows(sources: &[&RustSource]) -> Vec<SurveyRow> {
    let sizes = sources.iter().map(|source| lines_of(&[source])).collect();
    vec![
        row("lines of code", lines_of(sources), String::new()),
        row("files", sources.len(), format!("lines {}", spread(sizes))),
    ]
}

fn type_rows(sources: &[&RustSource]) -> Vec<SurveyRow> {
    let mut declared = BTreeMap::new();
    let (mut count, mut aliases) = (0, 0);
    for source in sources {
        let found = types(source);
        let program = found.iter().filter(|found| !source.is_test_line(found.line));
        // Each command has its own `Args`; such names are never searched for.
        for found in program.filter(|found| found.name != "Args") {
            *declared.entry(found.name.to_owned()).or_insert(0) += 1;
            count += 1;
            aliases += usize::from(found.is_alias);
        }
    }
    let shared = declared.values().filter(|times| **times > 1).sum();
    let one_word = declared.iter().filter(|(name, _)| name_words(name).len() == 1);
    let one_word = one_word.map(|(_, times)| times).sum();
    vec![
        row("types", count, format!("{aliases} of them aliases; `Args` not counted")),
        share("  that share their name", shared, count),
        share("  of one word", one_word, count),
    ]
}

fn function_rows(sources: &[&RustSource]) -> Vec<SurveyRow> {
    let mut lengths = Vec::new();
    let mut one_word = 0;
    for source in sources {
        let found = source.functions().into_iter();
        for function in found.filter(|function| !source.is_test_line(function.line)) {
            lengths.push(function.length);
            one_word += usize::from(name_words(&function.name).len() == 1);
        }
    }
    let count = lengths.len();
    vec![
        row("functions", count, format!("lines from `fn` to the end {}", spread(lengths))),
        share("  of one word", one_word, count),
    ]
}

fn comment_rows(sources: &[&RustSource], lines: usize) -> Vec<SurveyRow> {
    let program = sources.iter().flat_map(|source| &source.lines).filter(|line| !line.in_test);
    let comments = program.filter(|line| line.is_inner_comment()).count();
    vec![rate("inner comments in 100 lines", comments, (lines, 100))]
}

/// The counts of silent defaults in one crate.
#[derive(Debug, Default)]
pub(crate) struct CrateDefaults {
    pub(crate) lines: usize,
    /// Slices of texts and lists not counted.
    pub(crate) hiding: usize,
    slicing: usize,
}

/// The silent defaults of each crate, by the crate's name.
pub(crate) fn defaults_of_crates(tree: &RepositoryTree) -> BTreeMap<&str, CrateDefaults> {
    let mut crates: BTreeMap<&str, CrateDefaults> = BTreeMap::new();
    for (path, source) in tree.sources().filter(|(_, source)| !source.is_test()) {
        let Some(name) = crate_of(path) else { continue };
        let SilentDefaults { hiding, slicing } = defaults(source);
        let counts = crates.entry(name).or_default();
        counts.lines += lines_of(&[source]);
        counts.hiding += hiding.len();
        counts.slicing += slicing;
    }
    crates
}

fn default_rows(tree: &RepositoryTree) -> Vec<SurveyRow> {
    let crates = defaults_of_crates(tree);
    let sum = |of: fn(&CrateDefaults) -> usize| crates.values().map(of).sum::<usize>();
    let (hiding, lines) = (sum(|counts| counts.hiding), sum(|counts| counts.lines));
    let mut rows = vec![rate("`unwrap_or_default` in 1,000 lines", hiding, (lines, 1_000))];
    rows.extend(
        crates
            .iter()
            .map(|(name, counts)| rate(&format!("  {name}"), counts.hiding, (counts.lines, 1_000))),
    );
    let note = "of a text or a list; not counted above".to_owned();
    rows.push(row("  that take a slice", sum(|counts| counts.slicing), note));
    rows
}

fn alias_rows(tree: &RepositoryTree) -> Vec<SurveyRow> {
    let named = |source: &RustSource| {
        let found = imports(source);
        found.iter().filter(|import| import.alias.is_some_and(|alias| alias != "_")).count()
    };
    let all = tree.sources().map(|(_, source)| named(source)).sum();
    let misleading = aliases_keep_the_noun(tree).len();
    let note = "tests included; `as _` not counted".to_owned();
    vec![
        row("`use … as`", all, note),
        row("  that change a word of ours", misleading, String::new()),
    ]
}

fn cycle_rows(tree: &RepositoryTree) -> Vec<SurveyRow> {
    let cycles = largest_cycles(tree);
    let largest = cycles.iter().map(|cycle| cycle.largest.len()).max().unwrap_or(0);
    let mut rows = vec![row("largest import cycle, in files", largest, String::new())];
    rows.extend(cycles.iter().map(|cycle| {
        row(&format!("  {}", cycle.crate_name), cycle.largest.len(), format!("of {}", cycle.files))
    }));
    rows
}

fn localising_row(tree: &RepositoryTree) -> SurveyRow {
    let files = localising_files(tree);
    row("files that word Arabic, phrasebook apart", files.len(), files.join(", "))
}

fn lines_of(sources: &[&RustSource]) -> usize {
    let lines = sources.iter().flat_map(|source| &source.lines);
    lines.filter(|line| line.has_code() && !line.in_test).count()
}

fn row(name: &str, number: usize, rest: String) -> SurveyRow {
    (name.to_owned(), number.to_string(), rest)
}

fn share(name: &str, part: usize, whole: usize) -> SurveyRow {
    (name.to_owned(), tenths(part, (whole, 100)) + " %", part.to_string())
}

fn rate(name: &str, count: usize, (whole, base): (usize, usize)) -> SurveyRow {
    (name.to_owned(), tenths(count, (whole, base)), count.to_string())
}

/// How many of a base a count is, with one decimal, rounded; of nothing it is none.
fn tenths(count: usize, (whole, base): (usize, usize)) -> String {
    let tenths = (count * base * 10 + whole / 2).checked_div(whole).unwrap_or(0);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// The median, the 95th percentile and the largest, each the value of the nearest rank.
fn spread(mut values: Vec<usize>) -> String {
    values.sort_unstable();
    let rank = |percent: usize| (values.len() * percent).div_ceil(100).saturating_sub(1);
    let at = |percent| values.get(rank(percent)).copied().unwrap_or(0);
    let [median, high, largest] = [50, 95, 100].map(at);
    format!("median {median}, p95 {high}, max {largest}")
}
