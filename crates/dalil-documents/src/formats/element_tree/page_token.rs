//! The tokens of a page, with the elements that are open behind each.

use std::cell::Cell;
use std::rc::Rc;

use html5gum::emitters::default::{DefaultEmitter, Token};
use html5gum::emitters::{Emitter, ForwardingEmitter};
use html5gum::{StringReader, Tokenizer};

use super::open_elements::OpenElements;
use super::sight::{PageSight, TextSight};
use super::tree::ElementTree;

/// The tokens of a page.
pub(in crate::formats) struct PageTokens<'p> {
    tokens: Tokenizer<StringReader<'p>, PageEmitter>,
    is_foreign: Rc<Cell<bool>>,
    open: OpenElements,
}

impl<'p> PageTokens<'p> {
    fn new(page: &'p str, open: OpenElements) -> Self {
        let emitter = PageEmitter::default();
        let is_foreign = Rc::clone(&emitter.is_foreign);
        Self { tokens: Tokenizer::new_with_emitter(page, emitter), is_foreign, open }
    }

    /// The tokens of a page whose elements are known.
    pub(in crate::formats) fn of(page: &'p str) -> Self {
        Self::new(page, OpenElements::again())
    }

    /// What a reader sees of text where the last token ended.
    pub(in crate::formats) fn sight(&self, page: &PageSight) -> TextSight {
        if self.open.is_replaced || page.is_lost(self.open.losses) {
            return TextSight::HIDDEN;
        }
        page.text(self.open.innermost())
    }

    fn take(&mut self, token: &Token<usize>) {
        match token {
            Token::StartTag(tag) => {
                if let Some(state) = self.open.start(tag) {
                    self.tokens.set_state(state);
                }
            }
            Token::EndTag(tag) => self.open.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => self.open.text(&String::from_utf8_lossy(&text.value)),
            // Only at its beginning; a page without one is read as those of the last century.
            Token::Doctype(_) => {
                self.open.tree.iter_mut().for_each(|tree| tree.is_quirky = false);
            }
            Token::Comment(_) | Token::Error(_) => {}
        }
        self.is_foreign.set(self.open.is_foreign());
    }
}

impl Iterator for PageTokens<'_> {
    type Item = Token<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let Ok(token) = self.tokens.next()?;
        self.take(&token);
        Some(token)
    }
}

impl ElementTree {
    /// The elements of a page.
    pub(in crate::formats) fn of(page: &str) -> Self {
        let mut tokens = PageTokens::new(page, OpenElements::gathering());
        tokens.by_ref().for_each(drop);
        let Some(tree) = tokens.open.tree else { return Self::new() };
        tree
    }
}

/// Tokens of a page with their places, as a tree of elements would have them.
struct PageEmitter {
    tokens: DefaultEmitter<usize>,
    /// Whether a picture or a formula is open, in which CDATA is text.
    is_foreign: Rc<Cell<bool>>,
}

impl Default for PageEmitter {
    fn default() -> Self {
        Self { tokens: DefaultEmitter::new_with_span(), is_foreign: Rc::default() }
    }
}

impl ForwardingEmitter for PageEmitter {
    type Token = Token<usize>;

    fn inner(&mut self) -> &mut impl Emitter<Token = Self::Token> {
        &mut self.tokens
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.is_foreign.get()
    }
}
