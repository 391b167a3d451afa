//! Where Arabic is worded for readers outside the phrasebook.

use crate::tree::RepositoryTree;

/// The files of the program that word Arabic for readers, without the phrasebook.
pub(crate) fn localising_files(tree: &RepositoryTree) -> Vec<&str> {
    let rust = tree.sources().filter(|(path, source)| {
        let program = tree.text(path).into_iter().flat_map(str::lines).enumerate();
        let mut program = program.filter(|(n, _)| !source.is_test_line(n + 1));
        program.any(|(_, line)| !line.trim_start().starts_with("//") && has_arabic(line))
    });
    let rust = rust.map(|(path, _)| path);
    let templates = TEMPLATE_ENDINGS.iter().flat_map(|end| tree.texts("crates/", end));
    let templates = templates.filter(|(_, text)| has_arabic(text)).map(|(path, _)| path);
    let mut files: Vec<&str> = rust
        .chain(templates)
        .filter(|path| path.starts_with("crates/") && !path.contains("/tests/"))
        .filter(|path| !path.starts_with(PHRASEBOOK_FOLDER))
        .filter(|path| !ARABIC_READERS.iter().any(|reader| path.starts_with(reader)))
        .collect();
    files.sort_unstable();
    files
}

fn has_arabic(text: &str) -> bool {
    text.contains(|ch: char| ('\u{600}'..='\u{6ff}').contains(&ch) && ch.is_alphabetic())
}

const TEMPLATE_ENDINGS: [&str; 2] = [".html", ".typ"];
const PHRASEBOOK_FOLDER: &str = "crates/dalil-phrasebook/";
/// Readers of Arabic have its words beside the rules that read them.
const ARABIC_READERS: [&str; 14] = [
    "crates/dalil-documents/src/",
    "crates/dalil-evidence/src/citation_source/metadata.rs",
    "crates/dalil-evidence/src/claim.rs",
    "crates/dalil-evidence/src/mask",
    "crates/dalil-evidence/src/name.rs",
    "crates/dalil-evidence/src/pack/source.rs",
    "crates/dalil-evidence/src/word_boundary.rs",
    "crates/dalil-judge/src/extract",
    "crates/dalil-judge/src/index/",
    "crates/dalil-judge/src/model/",
    "crates/dalil-judge/src/rule/",
    "crates/dalil-proof/src/name.rs",
    "crates/dalil/src/check/amendment.rs",
    "crates/dalil/src/external/quotation.rs",
];
