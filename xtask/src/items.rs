//! The declarations of a Rust file: types, constants, imports.
//!
//! Read from the tokens of [`RustSource`], so that declarations in a `macro_rules` body
//! are found as well; names that a macro builds from its arguments are not, but
//! for the two words of `id_type!`.

use std::mem;

use crate::source::{RustLine, RustSource};

#[cfg(test)]
mod tests;

/// A struct, enum, trait, union or type alias; associated types are none.
#[derive(Debug)]
pub(crate) struct RustType<'s> {
    pub(crate) name: &'s str,
    pub(crate) line: usize,
    pub(crate) is_alias: bool,
    /// Whether it is seen outside of its module.
    pub(crate) is_public: bool,
}

/// A constant or a static.
#[derive(Debug)]
pub(crate) struct RustConstant<'s> {
    pub(crate) name: &'s str,
    pub(crate) line: usize,
    /// Whether it belongs to a type, which then names the subject of the constant.
    pub(crate) is_associated: bool,
    /// Its type where that is a single word, otherwise empty.
    pub(crate) kind: &'s str,
}

/// One name that a `use` brings in.
#[derive(Debug)]
pub(crate) struct RustImport<'s> {
    /// The segments; a `self` at the end is left out.
    pub(crate) path: Vec<&'s str>,
    pub(crate) alias: Option<&'s str>,
    pub(crate) line: usize,
}

/// Every type that the file declares, tests included.
pub(crate) fn types(source: &RustSource) -> Vec<RustType<'_>> {
    let tokens = source.tokens();
    let in_impl = directly_in_impl(&tokens);
    let mut found = Vec::new();
    for (pair, in_impl) in tokens.windows(2).zip(in_impl) {
        if let [(_, keyword), (line, name)] = *pair
            && TYPE_KEYWORDS.contains(&keyword)
            && name.starts_with(char::is_uppercase)
            && !in_impl
        {
            let is_public = source.line(line).is_some_and(RustLine::is_public);
            found.push(RustType { name, line, is_alias: keyword == "type", is_public });
        }
    }
    found
}

/// Every constant that the file declares, tests included.
pub(crate) fn constants(source: &RustSource) -> Vec<RustConstant<'_>> {
    let tokens = source.tokens();
    let in_impl = directly_in_impl(&tokens);
    let mut found = Vec::new();
    for (part, is_associated) in tokens.windows(5).zip(in_impl) {
        if let [(_, "const" | "static"), (line, name), (_, ":"), (_, kind), (_, after)] = *part
            && name.starts_with(char::is_uppercase)
        {
            let kind = if after == "=" { kind } else { "" };
            found.push(RustConstant { name, line, is_associated, kind });
        }
    }
    found
}

/// Every name that the file imports, tests included.
pub(crate) fn imports(source: &RustSource) -> Vec<RustImport<'_>> {
    let tokens = source.tokens();
    let mut found = Vec::new();
    let mut rest = tokens.as_slice();
    while let Some(((_, token), after)) = rest.split_first() {
        rest = after;
        // `use<'a>` in a return type lists captures, and imports nothing.
        let captures = matches!(after.first(), Some((_, "<")));
        if *token == "use" && !captures {
            let end = after.iter().position(|(_, token)| *token == ";").unwrap_or(after.len());
            let (tree, after) = after.split_at(end);
            flatten(tree, &mut found);
            rest = after;
        }
    }
    found
}

/// The documentation above a line, in lower case.
pub(crate) fn documentation(source: &RustSource, line: usize) -> String {
    let above = source.lines.iter().take(line.saturating_sub(1)).rev();
    let mut comments: Vec<_> = above
        .take_while(|line| {
            line.comment.starts_with("///") || line.code.trim_start().starts_with("#[")
        })
        .map(|line| line.comment.trim_start_matches('/').to_lowercase())
        .collect();
    comments.reverse();
    comments.concat()
}

/// The words that a name is put together from, in lower case.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    // In `MAX_BYTES` a capital begins no word; only the underscore does.
    let is_constant = !name.contains(char::is_lowercase);
    let mut words = vec![String::new()];
    for ch in name.chars() {
        if ch == '_' || ch.is_uppercase() && !is_constant {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| ch != '_') {
            word.extend(ch.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// For each token, whether the nearest open block is that of an `impl` or a trait.
fn directly_in_impl(tokens: &[(usize, &str)]) -> Vec<bool> {
    let mut open = Vec::new();
    let mut next_is_impl = false;
    let mut before = ("", "");
    let mut found = Vec::new();
    for (_, token) in tokens {
        match *token {
            "trait" => next_is_impl = true,
            "impl" if starts_an_item(before) => next_is_impl = true,
            "{" => open.push(mem::take(&mut next_is_impl)),
            "}" => {
                open.pop();
            }
            _ => {}
        }
        before = (before.1, token);
        found.push(open.last() == Some(&true));
    }
    found
}

/// Whether `impl` after these two tokens is an item, and not the type of something.
fn starts_an_item(before: (&str, &str)) -> bool {
    // The last pair is `$(impl`, as the body of a macro begins.
    matches!(before, (_, "" | "{" | "}" | ";" | "]" | "unsafe") | ("$", "("))
}

/// Takes the tree of a `use` apart.
fn flatten<'s>(tree: &[(usize, &'s str)], found: &mut Vec<RustImport<'s>>) {
    let mut starts = Vec::new();
    let mut path: Vec<&str> = Vec::new();
    let (mut alias, mut line, mut after_as) = (None, 0, false);
    // The comma at the end closes the last import like all others.
    for (n, token) in tree.iter().chain([&(0, ",")]) {
        let start = starts.last().copied().unwrap_or(0);
        match *token {
            ":" => {}
            "{" => starts.push(path.len()),
            "," | "}" => {
                if path.len() > start {
                    let path = path.clone();
                    found.push(RustImport { path: without_self(path), alias: alias.take(), line });
                }
                if *token == "}" {
                    starts.pop();
                }
                path.truncate(starts.last().copied().unwrap_or(0));
            }
            "as" => after_as = true,
            name if mem::take(&mut after_as) => alias = Some(name),
            name => {
                path.push(name);
                line = *n;
            }
        }
    }
}

fn without_self(mut path: Vec<&str>) -> Vec<&str> {
    if path.len() > 1 && path.last() == Some(&"self") {
        path.pop();
    }
    path
}

/// The last two make types in the invocations of `id_type!`.
const TYPE_KEYWORDS: [&str; 7] = ["struct", "enum", "trait", "union", "type", "event", "given"];
