//! The rules for names of declarations, so that a search for one finds it and nothing else.

use std::collections::BTreeMap;

use crate::items::{self, RustConstant, RustType, name_words};
use crate::source::RustSource;
use crate::tree::RepositoryTree;

/// A type name is declared once in the workspace, so that a search finds one type.
pub(super) fn type_names_are_unique(tree: &RepositoryTree) -> Vec<String> {
    let mut first = BTreeMap::new();
    let mut found = Vec::new();
    for (path, declared) in program_types(tree) {
        let RustType { name, line, .. } = declared;
        if SHARED_TYPE_NAMES.contains(&name) {
            continue;
        }
        if let Some((path_of_first, line_of_first)) = first.get(name) {
            found.push(format!(
                "{path}:{line}: type `{name}` is also declared in {path_of_first}:{line_of_first} \
                 (a search for a name finds one type: add the word that tells them apart)"
            ));
        } else {
            first.insert(name, (path, line));
        }
    }
    found
}

/// A participle names an event without its subject. A type that only its module sees may be called
/// so: the subject is a few lines away.
pub(super) fn types_are_not_bare_participles(tree: &RepositoryTree) -> Vec<String> {
    program_types(tree)
        .filter(|(_, declared)| declared.is_public && is_bare_participle(declared.name))
        .map(|(path, RustType { name, line, .. })| {
            format!("{path}:{line}: type `{name}` is a bare participle (add the noun it is about)")
        })
        .collect()
}

/// The name of a limit tells on which side it limits.
///
/// An associated constant is read after its type, so it may be one of the words.
pub(super) fn limits_begin_with_max_or_min(tree: &RepositoryTree) -> Vec<String> {
    let is_unclear = |constant: &RustConstant<'_>| {
        let words = name_words(constant.name);
        let is_measure =
            INTEGER_TYPES.contains(&constant.kind) || OTHER_MEASURES.contains(&constant.kind);
        let is_bound = is_measure && words.iter().any(|word| BOUND_WORDS.contains(&word.as_str()));
        let says_nothing = EMPTY_CONSTANT_NAMES.contains(&constant.name);
        !constant.is_associated && (says_nothing || is_bound && !is_limit(constant.name))
    };
    program_constants(tree)
        .filter(|(_, _, constant)| is_unclear(constant))
        .map(|(path, _, RustConstant { name, line, .. })| {
            format!(
                "{path}:{line}: constant `{name}` (a limit begins with `MAX_` or `MIN_` and says \
                 of what; a list of words says which words)"
            )
        })
        .collect()
}

/// An integer limit states its unit, in its name or above it.
pub(super) fn limits_name_their_unit(tree: &RepositoryTree) -> Vec<String> {
    let has_unit = |source: &RustSource, constant: &RustConstant<'_>| {
        let documentation = items::documentation(source, constant.line);
        let mut documented = documentation.split(|ch: char| !ch.is_alphanumeric());
        name_words(constant.name).iter().any(|word| is_unit(word))
            || documented.any(|word| DOCUMENTED_UNITS.contains(&word))
    };
    program_constants(tree)
        .filter(|(_, _, constant)| {
            INTEGER_TYPES.contains(&constant.kind) && is_limit(constant.name)
        })
        .filter(|(_, source, constant)| !has_unit(source, constant))
        .map(|(path, _, RustConstant { name, line, .. })| {
            format!(
                "{path}:{line}: limit `{name}` has no unit (end with what it counts, as in \
                 `MAX_FILE_BYTES`, or say it in the comment)"
            )
        })
        .collect()
}

fn is_bare_participle(name: &str) -> bool {
    let words = name_words(name);
    let [word] = words.as_slice() else { return false };
    let has_ending = PARTICIPLE_ENDINGS.iter().any(|ending| word.ends_with(ending));
    (has_ending || IRREGULAR_PARTICIPLES.contains(&word.as_str()))
        && !WORDS_LIKE_PARTICIPLES.contains(&word.as_str())
}

fn is_limit(name: &str) -> bool {
    name.starts_with("MAX_") || name.starts_with("MIN_")
}

/// A plural noun counts things; some measures are their own unit.
fn is_unit(word: &str) -> bool {
    let is_plural = word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    is_plural || UNITS_WITHOUT_PLURAL.contains(&word)
}

/// The types of the program, with the paths of their files.
fn program_types(tree: &RepositoryTree) -> impl Iterator<Item = (&str, RustType<'_>)> {
    tree.sources().flat_map(|(path, source)| {
        let types = items::types(source).into_iter();
        types.filter(|found| !source.is_test_line(found.line)).map(move |found| (path, found))
    })
}

/// The constants of the program, with their files.
fn program_constants(
    tree: &RepositoryTree,
) -> impl Iterator<Item = (&str, &RustSource, RustConstant<'_>)> {
    tree.sources().flat_map(|(path, source)| {
        let constants = items::constants(source).into_iter();
        constants
            .filter(|found| !source.is_test_line(found.line))
            .map(move |found| (path, source, found))
    })
}

/// Each command has its `Args`; an `Error` is read with the module in front of it.
const SHARED_TYPE_NAMES: [&str; 2] = ["Args", "Error"];

const PARTICIPLE_ENDINGS: [&str; 3] = ["ed", "en", "wn"];
const IRREGULAR_PARTICIPLES: [&str; 39] = [
    "bought",
    "brought",
    "built",
    "caught",
    "done",
    "found",
    "gone",
    "got",
    "heard",
    "held",
    "kept",
    "laid",
    "left",
    "lent",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "put",
    "said",
    "seen",
    "sent",
    "shut",
    "sold",
    "sought",
    "spent",
    "stood",
    "struck",
    "stuck",
    "sung",
    "sworn",
    "taught",
    "told",
    "torn",
    "understood",
    "withheld",
    "won",
    "worn",
];
/// Words that only end like participles, and one that is one: `Refused` is read as
/// `Result<T, Refused>`, and published JSON has the same word for its faults.
const WORDS_LIKE_PARTICIPLES: [&str; 14] = [
    "citizen", "embed", "feed", "hyphen", "need", "omen", "open", "pen", "refused", "screen",
    "seed", "specimen", "speed", "token",
];

/// Words in the name of a number that is a limit.
const BOUND_WORDS: [&str; 3] = ["least", "limit", "most"];
/// Names that fit any constant, so that several of different meaning would have them.
const EMPTY_CONSTANT_NAMES: [&str; 9] =
    ["AGAIN", "ENOUGH", "LEAST", "LIMIT", "MOST", "NEAR", "PART", "SHOWN", "WORDS"];
const INTEGER_TYPES: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
/// Types of limits that need no unit: a share has none, a duration has its own.
const OTHER_MEASURES: [&str; 3] = ["f32", "f64", "Duration"];

const UNITS_WITHOUT_PLURAL: [&str; 12] = [
    "depth",
    "dimension",
    "divisor",
    "index",
    "integer",
    "level",
    "number",
    "percent",
    "rank",
    "ratio",
    "width",
    "ms",
];
/// The units of a comment: `how many …`, `in the unit of …`, or a unit by its name.
const DOCUMENTED_UNITS: [&str; 15] = [
    "many",
    "unit",
    "units",
    "bytes",
    "characters",
    "words",
    "tokens",
    "terms",
    "rows",
    "records",
    "levels",
    "times",
    "days",
    "seconds",
    "milliseconds",
];
