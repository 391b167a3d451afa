//! Names that are given anew where they are imported.

use super::arrows;
use crate::items::{self, RustImport, name_words};
use crate::source::RustSource;
use crate::tree::RepositoryTree;

/// A thing has one name in the workspace, also where it is imported.
///
/// Free are `_`, items of other people's crates, and an alias that keeps the last
/// word, which is the noun: `Draft as PackDraft`.
pub(crate) fn aliases_keep_the_noun(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, source) in tree.sources() {
        for RustImport { path: import, alias, line } in items::imports(source) {
            let (Some(alias), Some(name)) = (alias, import.last()) else { continue };
            let last_word = name_words(name).pop();
            let keeps = last_word.is_some_and(|word| name_words(alias).contains(&word));
            if alias != "_" && !keeps && is_ours(source, &import) {
                found.push(format!(
                    "{path}:{line}: `{name} as {alias}` (a second name changes what the reader \
                     looks for: import the parent module, or rename the item)"
                ));
            }
        }
    }
    found
}

/// Whether an import is of this workspace.
fn is_ours(source: &RustSource, import: &[&str]) -> bool {
    let Some(first) = import.first() else { return false };
    let tokens = source.tokens();
    let declares =
        |pair: &[(usize, &str)]| matches!(pair, [(_, "mod"), (_, name)] if name == first);
    matches!(*first, "crate" | "self" | "super")
        || arrows::is_ours(&first.replace('_', "-"))
        || tokens.windows(2).any(declares)
}
