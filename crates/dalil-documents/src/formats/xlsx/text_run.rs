//! Texts whose parts have colours and sizes of their own.

use std::rc::Rc;

use super::rule;
use crate::formats::css::StyleColour;
use crate::formats::xml::{XmlNode, XmlNodes, XmlStartTag};

/// How a part of a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunInk {
    pub(super) ink: Option<StyleColour>,
    pub(super) tiny: bool,
}

/// The parts of texts with a look of their own, by the place of the text.
#[derive(Debug, Default)]
pub(super) struct TextRuns {
    texts: Vec<Rc<[RunInk]>>,
    /// The parts of the text that is open.
    parts: Vec<RunInk>,
    open: Option<RunInk>,
}

impl TextRuns {
    /// The texts that the cells of a workbook share.
    pub(super) fn parse(xml: &str) -> Self {
        let mut runs = Self::default();
        let (mut in_text, mut has_begun) = (false, false);
        for node in XmlNodes::of(xml) {
            match node {
                XmlNode::Open(tag) if tag.name() == "si" => {
                    if has_begun {
                        runs.end();
                    }
                    has_begun = true;
                    runs.open = None;
                }
                XmlNode::Open(tag) => {
                    in_text = tag.name() == "t";
                    runs.take(&tag);
                }
                XmlNode::Text(text) if in_text => runs.text(&text),
                XmlNode::Text(_) => {}
                XmlNode::Close(_) => in_text = false,
            }
        }
        runs.end();
        runs
    }

    fn end(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        self.texts.push(parts.into());
    }

    /// Takes an element of a text.
    pub(super) fn take(&mut self, tag: &XmlStartTag<'_>) {
        match (tag.name(), &mut self.open) {
            ("r", _) => self.open = Some(RunInk { ink: None, tiny: false }),
            ("color", Some(run)) => run.ink = rule::colour(tag),
            ("sz", Some(run)) => {
                let size = tag.get("val").and_then(|size| size.parse().ok());
                run.tiny = size.is_some_and(|size: f64| size < MIN_VISIBLE_POINTS);
            }
            _ => {}
        }
    }

    /// Takes the words of a part.
    pub(super) fn text(&mut self, text: &str) {
        let Some(run) = self.open.take().filter(|run| run.tiny || run.ink.is_some()) else {
            return;
        };
        if text.chars().any(char::is_alphanumeric) && self.parts.len() < MAX_RUNS {
            self.parts.push(run);
        }
    }

    /// How parts of a text look.
    pub(super) fn runs(&self, index: usize) -> Option<Rc<[RunInk]>> {
        self.texts.get(index).filter(|runs| !runs.is_empty()).cloned()
    }

    /// How parts of the text look that is open.
    pub(super) fn own(self) -> Option<Rc<[RunInk]>> {
        (!self.parts.is_empty()).then(|| self.parts.into())
    }
}

/// The bound that PDF has too.
pub(super) const MIN_VISIBLE_POINTS: f64 = 2.5;
/// As many as a cell may have letters in Excel.
const MAX_RUNS: usize = 32_767;
