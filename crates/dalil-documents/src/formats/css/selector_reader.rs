//! The grammar of selectors.

use std::rc::Rc;

use super::attribute::AttributeTest;
use super::selector::{
    Combinator, CompoundSelector, ElementState, NthSiblings, NthTest, SelectedPart, SelectorList,
    SelectorWeight, SimpleSelector, StyleSelector,
};
use super::syntax;

/// Reads selectors inside of a rule with others.
#[derive(Clone, Copy)]
pub(super) struct SelectorReader<'p> {
    parents: Option<&'p Rc<SelectorList>>,
    /// The weight of their heaviest, which each `&` has.
    parents_weight: SelectorWeight,
    depth: usize,
}

/// A compound as it is read.
#[derive(Default)]
struct CompoundDraft {
    simple: Vec<SimpleSelector>,
    weight: SelectorWeight,
    part: Option<SelectedPart>,
    /// Whether it was anything at all, `*` included.
    is_some: bool,
}

impl<'p> SelectorReader<'p> {
    pub(super) fn new(parents: Option<&'p Rc<SelectorList>>) -> Self {
        let parents_weight = parents.map(|parents| parents.weight()).unwrap_or_default();
        Self { parents, parents_weight, depth: 0 }
    }

    fn inner(self) -> Option<Self> {
        (self.depth < MAX_SELECTOR_DEPTH).then_some(Self { depth: self.depth + 1, ..self })
    }

    /// A selector of a rule: inside of another rule it is for what is inside of that.
    pub(super) fn selector(self, text: &str) -> Option<StyleSelector> {
        let text = text.trim();
        match self.parents {
            Some(_) if self.depth == 0 && is_relative(text) => self.complex(&format!("& {text}")),
            _ => self.complex(text),
        }
    }

    fn complex(self, text: &str) -> Option<StyleSelector> {
        let mut rest = text.trim();
        let mut compounds: Vec<(CompoundSelector, Combinator)> = Vec::new();
        let mut weight = SelectorWeight::default();
        // What joins a compound to the one before it.
        let mut joined = Combinator::Descendant;
        loop {
            let (draft, after) = self.compound(rest)?;
            weight.add(draft.weight);
            compounds.push((CompoundSelector(draft.simple), joined));
            let (combinator, after) = combinator(after);
            if let Some(part) = draft.part {
                return after.is_empty().then(|| selector(compounds, weight, part));
            }
            match combinator {
                _ if compounds.len() > MAX_COMPOUNDS => return None,
                None if after.is_empty() => {
                    return Some(selector(compounds, weight, SelectedPart::Whole));
                }
                None => return None,
                Some(combinator) => joined = combinator,
            }
            rest = after;
        }
    }

    fn compound(self, text: &str) -> Option<(CompoundDraft, &str)> {
        let mut draft = CompoundDraft::default();
        let mut rest = text;
        // The name of a namespace before a bar is passed over.
        if let Some((_, after)) = rest.split_once('|').filter(|(before, after)| {
            !after.starts_with('=') && before.chars().all(|ch| ch.is_alphanumeric() || ch == '*')
        }) {
            rest = after;
        }
        if let Some(after) = rest.strip_prefix('*') {
            (draft.is_some, rest) = (true, after);
        } else if let Some((name, after)) = identifier(rest) {
            draft.push(SimpleSelector::Name(name.to_ascii_lowercase()), [0, 0, 1]);
            rest = after;
        }
        while let Some(sign) = rest.chars().next() {
            let after = rest.get(sign.len_utf8()..)?;
            rest = match sign {
                '#' => {
                    let (id, after) = identifier(after)?;
                    draft.push(SimpleSelector::Id(id), [1, 0, 0]);
                    after
                }
                '.' => {
                    let (class, after) = identifier(after)?;
                    draft.push(SimpleSelector::Class(class), [0, 1, 0]);
                    after
                }
                '[' => {
                    let (inside, after) = bracketed(after)?;
                    draft.push(SimpleSelector::Attribute(AttributeTest::of(inside)?), [0, 1, 0]);
                    after
                }
                '&' => {
                    match self.parents {
                        Some(parents) => {
                            draft.weight.add(self.parents_weight);
                            draft.push(SimpleSelector::Is(Rc::clone(parents)), [0; 3]);
                        }
                        // Outside of a rule it is the root of the page.
                        None => draft.push(SimpleSelector::State(ElementState::Root), [0; 3]),
                    }
                    after
                }
                ':' => self.pseudo(after, &mut draft)?,
                _ => break,
            };
        }
        (draft.is_some && draft.simple.len() <= MAX_SIMPLE_SELECTORS).then_some((draft, rest))
    }

    /// What is behind a colon.
    fn pseudo<'t>(self, text: &'t str, draft: &mut CompoundDraft) -> Option<&'t str> {
        let bare = text.strip_prefix(':');
        let (name, after) = identifier(bare.unwrap_or(text))?;
        let name = name.to_ascii_lowercase();
        let (inside, after) = match after.strip_prefix('(') {
            Some(inside) => {
                let (inside, after) = syntax::enclosed(inside);
                (Some(inside), after)
            }
            None => (None, after),
        };
        let is_part = bare.is_some()
            || matches!(name.as_str(), "before" | "after" | "first-line" | "first-letter");
        if is_part {
            // Browsers take any name of this family for one that they know.
            if !name.starts_with("-webkit-") && !MADE_PARTS.contains(&name.as_str()) {
                return None;
            }
            let part =
                if name == "first-line" { SelectedPart::FirstLine } else { SelectedPart::Made };
            (draft.part, draft.is_some) = (Some(part), true);
            draft.weight.add(SelectorWeight([0, 0, 1]));
            return Some(after);
        }
        let parents = self.parents.filter(|_| name == "scope" && inside.is_none());
        match (inside, parents) {
            (None, Some(parents)) => draft.push(SimpleSelector::Is(Rc::clone(parents)), [0, 1, 0]),
            (Some(inside), _) => self.function(&name, inside.trim(), draft)?,
            (None, None) => draft.push(plain(&name)?, [0, 1, 0]),
        }
        Some(after)
    }

    fn function(self, name: &str, inside: &str, draft: &mut CompoundDraft) -> Option<()> {
        let reader = self.inner()?;
        match name {
            "is" | "where" | "matches" | "-webkit-any" => {
                // One that no browser knows is left out of these.
                let known =
                    syntax::split(inside, b',').into_iter().filter_map(|one| reader.selector(one));
                let list = SelectorList { selectors: known.collect() };
                if name != "where" {
                    draft.weight.add(list.weight());
                }
                draft.push(SimpleSelector::Is(Rc::new(list)), [0; 3]);
            }
            "not" => {
                let list = reader.list(inside)?;
                draft.weight.add(list.weight());
                draft.push(SimpleSelector::Not(Rc::new(list)), [0; 3]);
            }
            "has" => {
                let inner: Option<Vec<_>> = syntax::split(inside, b',')
                    .into_iter()
                    .map(|one| {
                        let one = one.trim();
                        let (combinator, one) = match combinator(one) {
                            (Some(combinator), rest) if combinator != Combinator::Descendant => {
                                (combinator, rest)
                            }
                            _ => (Combinator::Descendant, one),
                        };
                        Some((combinator, reader.complex(one)?))
                    })
                    .collect();
                let inner = inner?;
                draft.weight.add(
                    inner
                        .iter()
                        .fold(SelectorWeight::default(), |most, (_, one)| most.max(one.weight)),
                );
                draft.push(SimpleSelector::Has(Rc::from(inner)), [0; 3]);
            }
            "lang" => {
                let tags = inside
                    .split(',')
                    .map(|tag| tag.trim().trim_matches(['"', '\'']).to_ascii_lowercase());
                draft.push(SimpleSelector::Language(tags.collect()), [0, 1, 0]);
            }
            "dir" => draft.push(SimpleSelector::Direction(inside.to_ascii_lowercase()), [0, 1, 0]),
            "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                reader.nth(name, inside, draft)?;
            }
            "host" | "host-context" | "state" | "active-view-transition-type" => {
                draft.push(SimpleSelector::State(ElementState::Never), [0, 1, 0]);
            }
            _ => return None,
        }
        Some(())
    }

    fn list(self, inside: &str) -> Option<SelectorList> {
        let selectors: Option<Vec<_>> =
            syntax::split(inside, b',').into_iter().map(|one| self.selector(one)).collect();
        selectors.map(|selectors| SelectorList { selectors })
    }

    fn nth(self, name: &str, inside: &str, draft: &mut CompoundDraft) -> Option<()> {
        let (formula, of) = match inside.split_once(" of ") {
            Some((formula, of)) => (formula, Some(self.list(of)?)),
            None => (inside, None),
        };
        let (step, first) = steps(formula)?;
        let among = match of {
            Some(_) if name.ends_with("type") => return None,
            Some(list) => {
                draft.weight.add(list.weight());
                NthSiblings::Matching(list)
            }
            None if name.ends_with("type") => NthSiblings::OfType,
            None => NthSiblings::All,
        };
        let is_from_end = name.contains("last");
        draft.push(
            SimpleSelector::Nth(Rc::new(NthTest { step, first, is_from_end, among })),
            [0, 1, 0],
        );
        Some(())
    }
}

impl CompoundDraft {
    fn push(&mut self, simple: SimpleSelector, weight: [usize; 3]) {
        self.simple.push(simple);
        self.weight.add(SelectorWeight(weight));
        self.is_some = true;
    }
}

/// Whether a selector inside of a rule is for what is inside of the elements of that rule.
fn is_relative(text: &str) -> bool {
    text.starts_with(['>', '+', '~']) || !text.contains('&') && !text.contains(":scope")
}

/// A selector of compounds that come from the left, each with what joins it to the one before.
fn selector(
    compounds: Vec<(CompoundSelector, Combinator)>,
    weight: SelectorWeight,
    part: SelectedPart,
) -> StyleSelector {
    StyleSelector { compounds: compounds.into_iter().rev().collect(), weight, part }
}

/// The combinator that a text begins with, white space included, and what follows it.
fn combinator(text: &str) -> (Option<Combinator>, &str) {
    let rest = text.trim_start();
    let found = match rest.chars().next() {
        Some('>') => Combinator::Child,
        Some('+') => Combinator::Next,
        Some('~') => Combinator::Later,
        Some(_) if rest.len() < text.len() => return (Some(Combinator::Descendant), rest),
        _ => return (None, rest),
    };
    (Some(found), rest.get(1..).unwrap_or_default().trim_start())
}

/// The name that a text begins with, and what follows it.
fn identifier(text: &str) -> Option<(String, &str)> {
    let mut end = 0;
    while let Some(ch) = text.get(end..).and_then(|rest| rest.chars().next()) {
        if ch == '\\' {
            end += 1 + escape_length(text.get(end + 1..)?)?;
        } else if ch.is_alphanumeric() || matches!(ch, '-' | '_') || !ch.is_ascii() {
            end += ch.len_utf8();
        } else {
            break;
        }
    }
    let (name, rest) = text.split_at_checked(end)?;
    let is_name = !name.is_empty() && !name.starts_with(|ch: char| ch.is_ascii_digit());
    is_name.then(|| (syntax::unescaped(name), rest))
}

/// How much behind a backslash is of one character: a code has up to six digits and a space.
fn escape_length(text: &str) -> Option<usize> {
    let digits = text.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if digits == 0 {
        return text.chars().next().map(char::len_utf8);
    }
    let is_spaced = text.as_bytes().get(digits).is_some_and(u8::is_ascii_whitespace);
    Some(digits + usize::from(is_spaced))
}

/// What is before the bracket that closes an open one, and what follows it.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    let end = text.char_indices().find(|(_, ch)| {
        match quote {
            Some(open) if open == *ch => quote = None,
            Some(_) => {}
            None if matches!(ch, '"' | '\'') => quote = Some(*ch),
            None => return *ch == ']',
        }
        false
    });
    let (at, _) = end?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// `2n + 1` as two numbers.
fn steps(text: &str) -> Option<(i64, i64)> {
    let text: String = text.split_whitespace().collect::<String>().to_ascii_lowercase();
    match text.as_str() {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    let Some((step, first)) = text.split_once('n') else { return Some((0, text.parse().ok()?)) };
    let step = match step {
        "" | "+" => 1,
        "-" => -1,
        _ => step.parse().ok()?,
    };
    let first = if first.is_empty() { 0 } else { first.parse().ok()? };
    Some((step, first))
}

/// A word behind a colon.
fn plain(name: &str) -> Option<SimpleSelector> {
    let nth = |is_from_end, is_of_type: bool| {
        let among = if is_of_type { NthSiblings::OfType } else { NthSiblings::All };
        SimpleSelector::Nth(Rc::new(NthTest { step: 0, first: 1, is_from_end, among }))
    };
    let only = |is_of_type| {
        let both = [nth(false, is_of_type), nth(true, is_of_type)];
        let compound = CompoundSelector(both.into());
        let weight = SelectorWeight::default();
        let whole = selector(vec![(compound, Combinator::Descendant)], weight, SelectedPart::Whole);
        SimpleSelector::Is(Rc::new(SelectorList { selectors: vec![whole] }))
    };
    let state = match name {
        "first-child" => return Some(nth(false, false)),
        "last-child" => return Some(nth(true, false)),
        "first-of-type" => return Some(nth(false, true)),
        "last-of-type" => return Some(nth(true, true)),
        "only-child" => return Some(only(false)),
        "only-of-type" => return Some(only(true)),
        "root" | "scope" => ElementState::Root,
        "empty" => ElementState::Empty,
        "link" | "any-link" | "-webkit-any-link" => ElementState::Link,
        "checked" => ElementState::Checked,
        "open" => ElementState::Open,
        "enabled" => ElementState::Enabled,
        "disabled" => ElementState::Disabled,
        "required" => ElementState::Required,
        "optional" => ElementState::Optional,
        "read-only" => ElementState::ReadOnly,
        "read-write" => ElementState::ReadWrite,
        "defined" => ElementState::Defined,
        _ if PASSING_STATES.contains(&name) => ElementState::Never,
        _ => return None,
    };
    Some(SimpleSelector::State(state))
}

/// Selectors within others; those of people have three levels.
const MAX_SELECTOR_DEPTH: usize = 8;
/// Elements of one selector, and conditions on one of them.
const MAX_COMPOUNDS: usize = 64;
const MAX_SIMPLE_SELECTORS: usize = 64;
/// Parts of elements that browsers know by name.
const MADE_PARTS: [&str; 24] = [
    "after",
    "backdrop",
    "before",
    "checkmark",
    "column",
    "cue",
    "details-content",
    "file-selector-button",
    "first-letter",
    "first-line",
    "grammar-error",
    "highlight",
    "marker",
    "part",
    "picker",
    "picker-icon",
    "placeholder",
    "scroll-button",
    "scroll-marker",
    "selection",
    "slotted",
    "spelling-error",
    "target-text",
    "view-transition",
];
/// States that an element is in only while or after a reader does something.
const PASSING_STATES: [&str; 27] = [
    "hover",
    "focus",
    "focus-within",
    "focus-visible",
    "active",
    "target",
    "target-within",
    "target-current",
    "visited",
    "autofill",
    "-webkit-autofill",
    "fullscreen",
    "-webkit-full-screen",
    "modal",
    "popover-open",
    "user-valid",
    "user-invalid",
    "picture-in-picture",
    "playing",
    "current",
    "past",
    "future",
    "host",
    "default",
    "indeterminate",
    "placeholder-shown",
    "in-range",
];
