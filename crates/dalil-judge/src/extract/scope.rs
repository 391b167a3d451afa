//! Scopes: the titles, openings and sentences that claims further down are read with.

use std::ops::Range;

use super::context::{is_entitling, lead};
use super::lean::leans;
use super::name;
use super::plain;
use super::skip::SkipReason;
use super::{ContextRole, ContextSpan};

/// The earlier words of the answer that a claim may need to be understood.
pub(super) struct ClaimScopes {
    /// The title of the whole answer.
    title: Option<Range<usize>>,
    /// Its level, where it is a heading.
    title_level: Option<u8>,
    /// The last line that opened something, outside lists.
    opening: Option<Range<usize>>,
    /// The first sentence of the paragraph, when it names something.
    topic: Option<Range<usize>>,
    /// The last claim that leans on no other, and the unit that it is of.
    subject: Option<(usize, Range<usize>)>,
    /// The claim before, and the unit that it is of.
    before: Option<(usize, Range<usize>)>,
    unit: usize,
    depth: usize,
    claimed: bool,
}

impl ClaimScopes {
    pub(super) const fn new() -> Self {
        Self {
            title: None,
            title_level: None,
            opening: None,
            topic: None,
            subject: None,
            before: None,
            unit: 0,
            depth: 0,
            claimed: false,
        }
    }

    /// A new paragraph, item or row begins.
    pub(super) fn enter(&mut self, depth: usize) {
        self.unit += 1;
        // An opening holds to the end of its list.
        if depth == 0 && self.depth > 0 {
            self.opening = None;
        }
        self.depth = depth;
        self.topic = None;
        self.claimed = false;
    }

    /// A heading of a level begins; `first` before all claims.
    pub(super) fn heading(&mut self, span: &Range<usize>, level: u8, first: bool) {
        self.opening = None;
        // Pronouns do not reach over a heading.
        self.subject = None;
        self.before = None;
        // Another heading of the same level: the first headed its own section alone.
        if self.title_level.is_some_and(|above| level <= above) {
            self.title = None;
            self.title_level = None;
        } else if first && self.title.is_none() {
            self.title = Some(span.clone());
            self.title_level = Some(level);
        }
    }

    /// Something that is no claim was read: its words, and whether it comes before all claims.
    pub(super) fn passed(
        &mut self,
        span: &Range<usize>,
        why: SkipReason,
        words: &str,
        first: bool,
    ) {
        let count = plain::words(words).take(MIN_REMARK_WORDS).count();
        if self.depth > 0 || span.len() > MAX_LEAD_BYTES {
            return;
        }
        let entitles = match why {
            SkipReason::Opening => is_entitling(words),
            SkipReason::Remark | SkipReason::Question => count == MIN_REMARK_WORDS,
            _ => false,
        };
        if first && entitles && self.title.is_none() {
            self.title = Some(span.clone());
        } else if why == SkipReason::Opening {
            self.opening = Some(span.clone());
        }
    }

    /// Adds the leads that a claim needs to those above it; `own` are those it has already.
    pub(super) fn add_to(
        &self,
        above: &mut Vec<ContextSpan>,
        own: &[ContextSpan],
        claim: &Range<usize>,
        words: &str,
    ) {
        let before = if leans(words) { self.before() } else { Vec::new() };
        let mut add = |span: &Range<usize>, role: ContextRole| {
            // A span is a lead once, in the first role that it was found in.
            let is_new = |lead: &ContextSpan| lead.start != span.start;
            if span != claim && above.iter().chain(own).all(is_new) {
                above.push(lead(span, role));
            }
        };
        let scopes = [&self.title, &self.opening, &self.topic].into_iter().flatten();
        for scope in scopes.filter(|scope| !before.contains(scope)) {
            add(scope, ContextRole::Scope);
        }
        for span in before {
            add(span, ContextRole::Before);
        }
    }

    /// The sentences that a claim can lean on. An item of a list points to the subject of the
    /// list, not to the item before it.
    fn before(&self) -> Vec<&Range<usize>> {
        let listed = self.depth > 0 && (self.title.is_some() || self.opening.is_some());
        let near = |(unit, _): &&(usize, Range<usize>)| *unit == self.unit || !listed;
        let both = [&self.subject, &self.before].into_iter().flatten();
        both.filter(near).map(|(_, span)| span).collect()
    }

    /// A claim was read.
    pub(super) fn claimed(&mut self, span: Range<usize>, words: &str, answer: &str) {
        if !leans(words) || self.subject.is_none() {
            self.subject = Some((self.unit, span.clone()));
        }
        if !self.claimed && name::has_name(answer.get(span.clone()).unwrap_or_default()) {
            self.topic = Some(span.clone());
        }
        self.claimed = true;
        self.before = Some((self.unit, span));
    }
}

/// Longer openings are not read with claims: each claim would repeat them.
const MAX_LEAD_BYTES: usize = 400;
/// Remarks of fewer words (`Great question`) name nothing.
const MIN_REMARK_WORDS: usize = 4;
