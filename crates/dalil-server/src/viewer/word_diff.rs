//! Two texts beside each other, with the words marked that only one of them has.

use super::layout::escaped;

#[cfg(test)]
mod tests;

/// Both texts, each with the words marked that the other does not have. HTML.
pub(super) fn beside(old: &str, new: &str) -> (String, String) {
    let (old, new) = (words(old), words(new));
    let (mut left, mut right) = (String::new(), String::new());
    for run in runs(&old, &new) {
        match run {
            WordRun::Same(old, new) => {
                push(&mut left, old);
                push(&mut right, new);
            }
            WordRun::Old(words) => push_marked(&mut left, words),
            WordRun::New(words) => push_marked(&mut right, words),
        }
    }
    (left, right)
}

/// Words that both texts have in this order, each with its own white space, or one alone.
#[derive(Debug, PartialEq, Eq)]
enum WordRun<'w> {
    Same(&'w [&'w str], &'w [&'w str]),
    Old(&'w [&'w str]),
    New(&'w [&'w str]),
}

/// The words of a text, each with the white space after it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let space = rest.get(word..).unwrap_or("");
        let next = space.find(|ch: char| !ch.is_whitespace()).unwrap_or(space.len());
        let (own, after) = rest.split_at(word + next);
        words.push(own);
        rest = after;
    }
    words
}

/// The longest words in common, in order, and what is between them.
fn runs<'w>(old: &'w [&'w str], new: &'w [&'w str]) -> Vec<WordRun<'w>> {
    let same = |(one, other): &(&&str, &&str)| one.trim_end() == other.trim_end();
    let head = old.iter().zip(new).take_while(same).count();
    let (first, old) = old.split_at(head);
    let (first_new, new) = new.split_at(head);
    let foot = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (old, last) = old.split_at(old.len() - foot);
    let (new, last_new) = new.split_at(new.len() - foot);
    let mut runs = Vec::new();
    push_run(&mut runs, WordRun::Same(first, first_new));
    // A table of the whole of two long texts would be large: what is between is then one change.
    if old.len().saturating_mul(new.len()) > MAX_CELLS {
        push_run(&mut runs, WordRun::Old(old));
        push_run(&mut runs, WordRun::New(new));
    } else {
        between(old, new, &mut runs);
    }
    push_run(&mut runs, WordRun::Same(last, last_new));
    runs
}

/// What is between the first and the last words that both have.
fn between<'w>(old: &'w [&'w str], new: &'w [&'w str], runs: &mut Vec<WordRun<'w>>) {
    let width = new.len() + 1;
    // How many words the rest of both has in common, from each pair of places on.
    let mut common = vec![0_u32; (old.len() + 1) * width];
    let at = |common: &[u32], i: usize, j: usize| common.get(i * width + j).copied().unwrap_or(0);
    let is_same = |i: usize, j: usize| {
        old.get(i).zip(new.get(j)).is_some_and(|(one, other)| one.trim_end() == other.trim_end())
    };
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let most = if is_same(i, j) {
                at(&common, i + 1, j + 1) + 1
            } else {
                at(&common, i + 1, j).max(at(&common, i, j + 1))
            };
            if let Some(cell) = common.get_mut(i * width + j) {
                *cell = most;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let (start_old, start_new) = (i, j);
        while is_same(i, j) {
            (i, j) = (i + 1, j + 1);
        }
        let same = (old.get(start_old..i), new.get(start_new..j));
        push_run(runs, WordRun::Same(same.0.unwrap_or(&[]), same.1.unwrap_or(&[])));
        let (from_old, from_new) = (i, j);
        while !is_same(i, j) && (i < old.len() || j < new.len()) {
            let takes_old = j == new.len() || at(&common, i + 1, j) >= at(&common, i, j + 1);
            if takes_old && i < old.len() { i += 1 } else { j += 1 }
        }
        debug_assert!(i + j > start_old + start_new, "each round goes on");
        push_run(runs, WordRun::Old(old.get(from_old..i).unwrap_or(&[])));
        push_run(runs, WordRun::New(new.get(from_new..j).unwrap_or(&[])));
    }
}

fn push_run<'w>(runs: &mut Vec<WordRun<'w>>, run: WordRun<'w>) {
    let (WordRun::Same(words, _) | WordRun::Old(words) | WordRun::New(words)) = &run;
    if !words.is_empty() {
        runs.push(run);
    }
}

fn push(html: &mut String, words: &[&str]) {
    html.push_str(&escaped(&words.concat()));
}

fn push_marked(html: &mut String, words: &[&str]) {
    let text = words.concat();
    let own = text.trim_end();
    let space = text.get(own.len()..).unwrap_or("");
    html.push_str(&format!("<mark class=\"differs\">{}</mark>{space}", escaped(own)));
}

/// How many pairs of words are compared: texts of a thousand words each.
const MAX_CELLS: usize = 1 << 20;
