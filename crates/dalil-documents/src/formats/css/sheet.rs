//! Style sheets as lists of rules, with those inside of others and of conditions laid open.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::condition;
use super::declaration::{self, Declaration};
use super::selector::SelectorList;
use super::syntax::{self, SheetItem};

/// A rule: which elements it is for, and what it says of them.
#[derive(Debug)]
pub(super) struct SheetRule {
    pub(super) selectors: Rc<SelectorList>,
    pub(super) declarations: Rc<[Declaration]>,
    /// The number of its layer; rules in none go before those in any.
    pub(super) layer: Option<usize>,
}

/// A custom property that a sheet registers.
#[derive(Debug)]
pub(super) struct RegisteredProperty {
    pub(super) initial: Option<String>,
    pub(super) is_inherited: bool,
}

/// Everything that the sheets of a page say.
#[derive(Debug, Default)]
pub(super) struct SheetReader {
    pub(super) rules: Vec<SheetRule>,
    /// What elements look like when an animation begins, and when it is over.
    pub(super) keyframes: BTreeMap<String, [Rc<[Declaration]>; 2]>,
    pub(super) properties: BTreeMap<String, RegisteredProperty>,
    /// The names of layers with those around them, in the order in which they first occur.
    layers: Vec<String>,
    /// Whether any element is a container, of whose size rules can ask.
    pub(super) has_containers: bool,
}

/// What is around a rule.
#[derive(Clone, Default)]
struct RuleContext {
    parents: Option<Rc<SelectorList>>,
    layer: Option<usize>,
    /// Elements that are not meant, with all that is in them.
    limit: Option<Rc<SelectorList>>,
    depth: usize,
}

impl SheetReader {
    /// Takes a sheet.
    pub(super) fn take(&mut self, sheet: &str) {
        self.block(&syntax::uncommented(sheet), &RuleContext::default());
    }

    /// For each layer, its rank among all: a later one goes before an earlier one, and what is in
    /// a layer itself before what is in a layer inside of it.
    pub(super) fn ranks(&self) -> Vec<usize> {
        let place = |name: &str| self.layers.iter().position(|known| known == name);
        let path = |name: &String| -> Vec<usize> {
            let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
            let around = ends.filter_map(|end| place(name.get(..end)?));
            around.chain([usize::MAX]).collect()
        };
        let paths: Vec<Vec<usize>> = self.layers.iter().map(path).collect();
        let mut sorted: Vec<&Vec<usize>> = paths.iter().collect();
        sorted.sort();
        paths.iter().map(|path| sorted.partition_point(|one| *one < path)).collect()
    }

    fn block(&mut self, text: &str, around: &RuleContext) {
        if around.depth > MAX_OPEN_BLOCKS {
            return;
        }
        let mut own = Vec::new();
        // Other sheets stand before all rules, or nowhere.
        let mut may_import = around.parents.is_none();
        for item in syntax::items(text) {
            if self.rules.len() >= MAX_READ_RULES {
                return;
            }
            match item {
                SheetItem::Statement(text) if text.starts_with('@') => {
                    let (word, rest) = at_word(text);
                    match word.as_str() {
                        "layer" => rest.split(',').for_each(|name| {
                            self.layer(name.trim(), around.layer);
                        }),
                        "import" if may_import => self.import(rest, around),
                        _ => {}
                    }
                }
                SheetItem::Statement(text) => own.extend(Declaration::of(text)),
                SheetItem::Block { before, body } if before.starts_with('@') => {
                    may_import = false;
                    self.condition(before, body, around);
                }
                SheetItem::Block { before, body } => {
                    // What a block says behind its inner rules counts behind these.
                    may_import = false;
                    self.say(&mut own, around);
                    self.rule(before, body, around);
                }
            }
        }
        self.say(&mut own, around);
    }

    /// Keeps declarations for the elements that are asked for around them.
    fn say(&mut self, own: &mut Vec<Declaration>, around: &RuleContext) {
        let declarations = Declaration::bounded(std::mem::take(own));
        if let Some(selectors) = around.parents.as_ref().filter(|_| !declarations.is_empty()) {
            let (selectors, layer) = (Rc::clone(selectors), around.layer);
            self.rules.push(SheetRule { selectors, declarations: declarations.into(), layer });
        }
    }

    fn rule(&mut self, before: &str, body: &str, around: &RuleContext) {
        let parents = around.parents.as_ref();
        let Some(mut selectors) = SelectorList::of(before, parents) else { return };
        around.limit.iter().for_each(|limit| selectors.except(limit));
        let depth = around.depth + 1;
        let inner = RuleContext { parents: Some(Rc::new(selectors)), depth, ..around.clone() };
        self.block(body, &inner);
    }

    /// Another sheet, as far as the address itself is the sheet.
    fn import(&mut self, rest: &str, around: &RuleContext) {
        let words = syntax::words(rest);
        let Some((address, conditions)) = words.split_first() else { return };
        let address = match syntax::function(address) {
            Some((_, inside)) => inside,
            None => address,
        };
        let Some(sheet) = data_sheet(address.trim().trim_matches(['"', '\''])) else { return };
        let mut inner = RuleContext { depth: around.depth + 1, ..around.clone() };
        let mut media = Vec::new();
        for word in conditions {
            match syntax::function(word) {
                Some(("layer", name)) => inner.layer = self.layer(name.trim(), around.layer),
                Some(("supports", inside)) => {
                    if !condition::supports(inside) && !condition::supports(&format!("({inside})"))
                    {
                        return;
                    }
                }
                _ if *word == "layer" => inner.layer = self.layer("", around.layer),
                _ => media.push(*word),
            }
        }
        if condition::media_hold(&media.join(" ")) {
            self.block(&syntax::uncommented(&sheet), &inner);
        }
    }

    /// A rule with a block that is no style of elements by itself.
    fn condition(&mut self, before: &str, body: &str, around: &RuleContext) {
        let (word, rest) = at_word(before);
        let mut inner = RuleContext { depth: around.depth + 1, ..around.clone() };
        let holds = match word.as_str() {
            "media" => condition::media_hold(rest),
            "supports" => condition::supports(rest),
            "container" => self.has_containers && condition::container_holds(rest),
            "layer" => {
                inner.layer = self.layer(rest.trim(), around.layer);
                true
            }
            "scope" => match scoped(rest) {
                Some((scope, limit)) => {
                    inner.parents = Some(Rc::new(scope));
                    inner.limit = limit.map(Rc::new);
                    true
                }
                None => false,
            },
            "keyframes" | "-webkit-keyframes" => {
                self.animation(rest, body);
                false
            }
            "property" => {
                self.register(rest.trim(), body);
                false
            }
            _ => false,
        };
        if holds {
            self.block(body, &inner);
        }
    }

    /// The number of a layer inside of another; one without a name is like no other.
    fn layer(&mut self, name: &str, around: Option<usize>) -> Option<usize> {
        let mut full =
            around.and_then(|at| self.layers.get(at)).map_or_else(String::new, String::clone);
        let count = self.layers.len().to_string();
        let name = if name.is_empty() { count.as_str() } else { name };
        let mut number = around;
        for part in name.split('.').take(MAX_OPEN_BLOCKS) {
            if !full.is_empty() {
                full.push('.');
            }
            full.push_str(part);
            number = self.layers.iter().position(|known| *known == full);
            if number.is_none() && self.layers.len() < MAX_LAYERS {
                number = Some(self.layers.len());
                self.layers.push(full.clone());
            }
        }
        number
    }

    fn animation(&mut self, name: &str, body: &str) {
        let mut ends: [Vec<Declaration>; 2] = [Vec::new(), Vec::new()];
        for item in syntax::items(body) {
            let SheetItem::Block { before, body } = item else { continue };
            for at in before.split(',') {
                let end = match at.trim().to_ascii_lowercase().as_str() {
                    "from" | "0%" => 0,
                    "to" | "100%" => 1,
                    _ => continue,
                };
                // What is important has no meaning here, and is left out.
                let said = Declaration::list(body).into_iter().filter(|one| !one.is_important);
                ends.get_mut(end).into_iter().for_each(|end| end.extend(said.clone()));
            }
        }
        let name = declaration::plain(name.trim().trim_matches(['"', '\'']));
        if self.keyframes.len() < MAX_LAYERS {
            self.keyframes.insert(name, ends.map(Into::into));
        }
    }

    fn register(&mut self, name: &str, body: &str) {
        let said = Declaration::list(body);
        let value =
            |key: &str| said.iter().find(|one| one.name == key).map(|one| one.value.clone());
        let property = RegisteredProperty {
            initial: value("initial-value"),
            is_inherited: value("inherits").is_none_or(|word| word != "false"),
        };
        if self.properties.len() < MAX_LAYERS {
            self.properties.insert(name.to_owned(), property);
        }
    }
}

/// The word behind an at sign, and what follows it.
fn at_word(text: &str) -> (String, &str) {
    let text = text.strip_prefix('@').unwrap_or(text);
    let end = text.find(|ch: char| !(ch.is_alphanumeric() || ch == '-')).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    (word.to_ascii_lowercase(), rest)
}

/// What the rules in a scope are for: what is inside of `(.a)`, up to what is inside of `to (.b)`.
fn scoped(text: &str) -> Option<(SelectorList, Option<SelectorList>)> {
    let (root, rest) = syntax::enclosed(text.trim().strip_prefix('(')?);
    let until = rest.trim().strip_prefix("to").map(|rest| rest.trim().trim_start_matches('('));
    match until {
        None => Some((SelectorList::of(root, None)?, None)),
        Some(until) => {
            let until = until.trim_end().trim_end_matches(')');
            let limit = SelectorList::of(&format!("{until}, :is({until}) *"), None);
            Some((SelectorList::of(root, None)?, Some(limit?)))
        }
    }
}

/// The sheet that an address holds: `data:text/css,p{}`.
pub(in crate::formats) fn data_sheet(address: &str) -> Option<String> {
    let (head, data) = address.trim().split_at_checked(5)?;
    if !head.eq_ignore_ascii_case("data:") {
        return None;
    }
    let (kind, data) = data.split_once(',')?;
    let kind = kind.to_ascii_lowercase();
    if !kind.starts_with("text/css") {
        return None;
    }
    let bytes = percent_decoded(data);
    let bytes = if kind.ends_with("base64") { base64_decoded(&bytes) } else { bytes };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = [ahead.next(), ahead.next()]
            .map(|byte| byte.and_then(|byte| char::from(byte).to_digit(16)));
        match digits {
            [Some(high), Some(low)] if byte == b'%' => {
                bytes.extend(u8::try_from(high * 16 + low));
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    bytes
}

fn base64_decoded(text: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text {
        let digit = DIGITS.iter().position(|digit| digit == byte);
        let Some(digit) = digit.and_then(|digit| u32::try_from(digit).ok()) else { continue };
        bits = (bits << 6 | digit) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.extend(u8::try_from((bits >> count) & 0xff));
        }
    }
    bytes
}

/// Rules of a page that are read.
const MAX_READ_RULES: usize = 200_000;
/// Blocks within blocks; deeper ones are left out.
const MAX_OPEN_BLOCKS: usize = 32;
/// Layers, animations and registered properties of a page.
const MAX_LAYERS: usize = 1_000;
