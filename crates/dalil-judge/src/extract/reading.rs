//! Reading: units one after the other, with the headings and openings that hold for them.

use std::ops::Range;

use dalil_documents::sentence::{marker, note, sentences, trimmed};
use dalil_evidence::anchor::{Anchor, Citation};
use dalil_evidence::claim::{ClaimImportance, ClaimKind};

use super::body::body;
use super::clause::clauses;
use super::context::{self, OpeningPhrase, OpeningReach};
use super::plain::{folded, plain, spans};
use super::scope::ClaimScopes;
use super::skip::{self, SkipReason};
use super::unit::{AnswerUnit, AnswerUnitKind};
use super::{ClaimTone, ContextRole, ContextSpan, ExtractedClaim, SkippedSpan, verb};

/// The state of reading: the claims so far, and the headings and openings in force.
pub(super) struct ClaimExtractor<'a> {
    answer: &'a str,
    citations: &'a [Citation],
    /// The level and span of each heading that holds, the outermost first.
    headings: Vec<(u8, Range<usize>)>,
    openings: Vec<OpeningPhrase>,
    /// Whether the heading is that of a list of sources.
    sources: bool,
    /// The depth of an opening whose list names sources.
    source_list: Option<usize>,
    columns: Vec<Range<usize>>,
    scopes: ClaimScopes,
    claims: Vec<ExtractedClaim>,
    skipped: Vec<SkippedSpan>,
}

/// A sentence with its citations and its place.
struct AnswerSentence {
    /// Its bytes, notes and stops included.
    whole: Range<usize>,
    /// Its words.
    body: Range<usize>,
    depth: usize,
    /// Whether something deeper follows that it may open.
    opens: bool,
}

impl<'a> ClaimExtractor<'a> {
    pub(super) const fn of(answer: &'a str, citations: &'a [Citation]) -> Self {
        Self {
            answer,
            citations,
            headings: Vec::new(),
            openings: Vec::new(),
            sources: false,
            source_list: None,
            columns: Vec::new(),
            scopes: ClaimScopes::new(),
            claims: Vec::new(),
            skipped: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> (Vec<ExtractedClaim>, Vec<SkippedSpan>) {
        (self.claims, self.skipped)
    }

    /// Reads one unit; `next` is the one after it.
    pub(super) fn unit(&mut self, unit: &AnswerUnit, next: Option<&AnswerUnit>) {
        // An opening holds for deeper units; a unit at its depth ends it.
        self.openings.retain(|opening| opening.depth < unit.depth);
        self.source_list = self.source_list.filter(|depth| *depth < unit.depth);
        self.scopes.enter(unit.depth);
        match unit.shape {
            AnswerUnitKind::Heading(level) => self.heading(level, unit.span.clone()),
            AnswerUnitKind::Code => self.skip(unit.span.clone(), SkipReason::Code),
            AnswerUnitKind::Markup => self.skip(unit.span.clone(), SkipReason::Markup),
            AnswerUnitKind::Header => {
                let cells = cells(self.answer, unit);
                self.skip(joined(&cells), SkipReason::Header);
                let short =
                    |cell: Range<usize>| if cell.len() <= MAX_LEAD_BYTES { cell } else { 0..0 };
                // A long header keeps its place as an empty span: columns match in order.
                self.columns = cells.into_iter().map(short).collect();
            }
            AnswerUnitKind::Row => self.row(unit),
            AnswerUnitKind::Text => self.text(unit, next),
        }
    }

    fn heading(&mut self, level: u8, span: Range<usize>) {
        self.headings.retain(|(above, _)| *above < level);
        let short = span.len() <= MAX_LEAD_BYTES;
        self.sources = short && context::lists_sources(&self.plain(&span));
        self.headings.extend(short.then(|| (level, span.clone())));
        self.openings.clear();
        self.scopes.heading(&span, level, self.claims.is_empty());
        self.skip(span, SkipReason::Heading);
    }

    /// A row is one claim, from its first cell to its last.
    fn row(&mut self, unit: &AnswerUnit) {
        let cells = cells(self.answer, unit);
        let filled = cells.iter().filter(|cell| !self.plain(cell).is_empty()).count();
        let span = body(self.answer, joined(&cells));
        // One cell by itself states nothing about anything.
        if filled < 2 || folded(&self.plain(&span)).chars().all(|ch| !ch.is_alphanumeric()) {
            self.skip(span, SkipReason::Fragment);
            return;
        }
        let column = |cell: &Range<usize>| context::lead(cell, ContextRole::Column);
        let last = cells.iter().rposition(|cell| !cell.is_empty()).unwrap_or(0);
        let columns: Vec<ContextSpan> = self.columns.iter().take(last + 1).map(column).collect();
        let anchors = self.anchors(&joined(&cells));
        self.claim(span, anchors, &columns);
    }

    fn text(&mut self, unit: &AnswerUnit, next: Option<&AnswerUnit>) {
        let first = self.claims.is_empty() && self.headings.is_empty();
        if context::is_bold_heading(self.answer, unit, next)
            || first && context::is_title(self.answer, unit, next)
        {
            self.heading(BOLD_HEADING_LEVEL, body(self.answer, unit.span.clone()));
            return;
        }
        if is_reference_list(self.answer, unit) && !self.claims.is_empty() {
            self.skip(body(self.answer, unit.span.clone()), SkipReason::Source);
            return;
        }
        let deeper =
            next.is_some_and(|next| next.depth > unit.depth || next.shape == AnswerUnitKind::Code);
        let spans = parts(self.answer, unit);
        for (n, whole) in spans.iter().enumerate() {
            let text = self.answer.get(whole.clone()).unwrap_or_default();
            if n == 0 && spans.len() > 1 && context::is_bold_opening(text) {
                self.heading(RUN_IN_HEADING_LEVEL, body(self.answer, whole.clone()));
                continue;
            }
            let marked = |span: &Range<usize>| {
                self.answer.get(span.clone()).is_some_and(|text| marker(text).is_some())
            };
            // A line with a marker inside a paragraph is an item that Markdown missed.
            let inner = marked(whole);
            let opens = spans.get(n + 1).map_or(deeper, |next| !inner && marked(next));
            let sentence = AnswerSentence {
                whole: whole.clone(),
                body: body(self.answer, whole.clone()),
                depth: unit.depth + usize::from(inner),
                opens,
            };
            self.sentence(&sentence, unit);
        }
    }

    fn sentence(&mut self, sentence: &AnswerSentence, unit: &AnswerUnit) {
        self.openings.retain(|opening| opening.depth < sentence.depth);
        let body = sentence.body.clone();
        let words = self.plain(&body);
        if !words.contains(char::is_alphanumeric) {
            // Citations that stand by themselves belong to the claim before them.
            let anchors = self.anchors(&sentence.whole);
            if let Some(last) = self.claims.last_mut() {
                last.anchors.extend(anchors);
            }
            return;
        }
        let whole = folded(&self.plain(&sentence.whole));
        if let Some(why) = self.no_claim(sentence, unit, &whole) {
            self.scopes.passed(&body, why, &words, self.claims.is_empty());
            self.skip(body, why);
            return;
        }
        let mut leads = context::needed(&self.openings, &words);
        let (label, rest) = context::label(self.answer, &body, sentence.depth);
        if leads.is_empty() && label.is_none() && skip::is_fragment(&whole) {
            self.skip(body, SkipReason::Fragment);
            return;
        }
        let speaker = self.openings.last().filter(|_| unit.quoted > 0 && leads.is_empty());
        leads.extend(speaker.map(|opening| context::lead(&opening.span, ContextRole::Speaker)));
        if let Some(label) = label {
            let says = skip::why(&folded(&self.plain(&label))).is_none();
            leads.extend(says.then(|| context::lead(&label, ContextRole::Label)));
            self.skip(label, SkipReason::Label);
        }
        self.clauses(sentence, rest, &leads);
    }

    /// Why a sentence is no claim. An opening of a list is remembered.
    fn no_claim(
        &mut self,
        sentence: &AnswerSentence,
        unit: &AnswerUnit,
        whole: &str,
    ) -> Option<SkipReason> {
        let why = skip::why(whole);
        let names = sentence.depth > 0 && sentence.opens && !verb::may_have_verb(whole);
        if is_code(self.answer, sentence, unit) {
            Some(SkipReason::Code)
        } else if whole.ends_with(':') || names || skip::announces(whole) {
            if sentence.opens {
                self.open(sentence, why);
            }
            Some(why.unwrap_or(SkipReason::Opening))
        } else if why.is_none() && (self.lists_sources() || self.is_footnote(sentence)) {
            Some(SkipReason::Source)
        } else if why.is_none()
            && self.claims.is_empty()
            && sentence.depth == 0
            && context::is_naming(whole)
            && sentence.whole.end < unit.span.end
        {
            Some(SkipReason::Opening)
        } else {
            why
        }
    }

    fn lists_sources(&self) -> bool {
        self.sources || self.source_list.is_some()
    }

    fn open(&mut self, sentence: &AnswerSentence, why: Option<SkipReason>) {
        // The items below it name sources, and are no claims.
        if context::lists_sources(&self.plain(&sentence.body)) {
            self.source_list = Some(sentence.depth);
        }
        // A long opening is remembered, but no claim repeats its words.
        let near = sentence.whole.len() <= MAX_LEAD_BYTES;
        let anchors = if near { self.anchors(&sentence.whole) } else { Vec::new() };
        let says = near && why.is_none();
        let words = if says { self.plain(&sentence.body) } else { String::new() };
        let (depth, span) = (sentence.depth, sentence.body.clone());
        self.openings.push(OpeningPhrase {
            depth,
            span,
            anchors,
            reach: OpeningReach::of(&words, depth),
        });
    }

    /// `[^1]: Clause 9.2`.
    fn is_footnote(&self, sentence: &AnswerSentence) -> bool {
        let text = self.answer.get(sentence.whole.clone()).unwrap_or_default();
        text.starts_with("[^") && text.contains("]:")
    }

    /// The claims of one sentence.
    fn clauses(&mut self, sentence: &AnswerSentence, body: Range<usize>, leads: &[ContextSpan]) {
        let text = self.answer.get(body.clone()).unwrap_or_default();
        let clauses: Vec<Range<usize>> = clauses(text)
            .into_iter()
            .map(|part| body.start + part.start..body.start + part.end)
            .collect();
        let mut last: Option<usize> = None;
        for (n, clause) in clauses.iter().enumerate() {
            let from = if n == 0 { sentence.whole.start } else { clause.start };
            // Citations between two clauses belong to the one before them.
            let to = clauses.get(n + 1).map_or(sentence.whole.end, |next| next.start);
            let anchors = self.anchors(&(from..to));
            let span = self::body(self.answer, clause.clone());
            if let Some(last) = last {
                self.connective(last..span.start);
            }
            last = Some(span.end);
            // The case that a sentence opens with may hold for its second part too.
            let mut leads = leads.to_vec();
            let before = n.checked_sub(1).and_then(|at| clauses.get(at));
            leads.extend(before.map(|clause| context::lead(clause, ContextRole::Before)));
            self.claim(span, anchors, &leads);
        }
    }

    /// Adds a claim; one without citations has those of the opening of its list.
    fn claim(&mut self, span: Range<usize>, mut anchors: Vec<Anchor>, leads: &[ContextSpan]) {
        let text = self.plain(&span);
        let words = folded(&text);
        if anchors.is_empty() {
            anchors = self.openings.last().map_or_else(Vec::new, |opening| opening.anchors.clone());
        }
        let headings =
            self.headings.iter().map(|(_, span)| context::lead(span, ContextRole::Heading));
        let mut all: Vec<ContextSpan> = headings.collect();
        self.scopes.add_to(&mut all, leads, &span, &words);
        all.extend(leads);
        let opening = leads.iter().find(|lead| lead.role == ContextRole::Opening);
        let said = opening.map_or_else(|| span.clone(), |lead| lead.start..lead.end);
        self.scopes.claimed(said, &words, self.answer);
        let kind = match ClaimKind::of(&text) {
            // A fact under `Employees must:` is a rule.
            ClaimKind::Fact => opening.map_or(ClaimKind::Fact, |lead| self.rule(lead)),
            other => other,
        };
        self.claims.push(ExtractedClaim {
            start: span.start,
            end: span.end,
            kind,
            // A placeholder: claims are weighed when all of them are known.
            importance: ClaimImportance::Material,
            tone: if skip::is_hedged(&words) { ClaimTone::Hedged } else { ClaimTone::Plain },
            anchors,
            leads: all,
        });
    }

    /// The kind of a fact that continues an opening.
    fn rule(&self, opening: &ContextSpan) -> ClaimKind {
        match ClaimKind::of(self.answer.get(opening.start..opening.end).unwrap_or_default()) {
            ClaimKind::Policy => ClaimKind::Policy,
            ClaimKind::Fact | ClaimKind::Numeric | ClaimKind::Definition => ClaimKind::Fact,
        }
    }

    fn skip(&mut self, span: Range<usize>, why: SkipReason) {
        if !span.is_empty() {
            self.skipped.push(SkippedSpan { start: span.start, end: span.end, why });
        }
    }

    /// The words between two claims of one sentence.
    fn connective(&mut self, gap: Range<usize>) {
        let text = self.answer.get(gap.clone()).unwrap_or_default();
        let joins = |span: &Range<usize>| {
            text.get(span.clone()).is_some_and(|word| CONNECTIVES.contains(&word))
        };
        if let Some(word) = spans(text).filter(joins).last() {
            self.skip(gap.start + word.start..gap.start + word.end, SkipReason::Connective);
        }
    }

    /// The citations in a span.
    fn anchors(&self, span: &Range<usize>) -> Vec<Anchor> {
        // Citations are in order, so that each span costs a bisection and not a search.
        let first = self.citations.partition_point(|one| one.start < span.start);
        let rest = self.citations.get(first..).unwrap_or_default();
        let inside = rest.iter().take_while(|one| one.start < span.end);
        inside.map(|one| one.anchor.clone()).collect()
    }

    fn plain(&self, span: &Range<usize>) -> String {
        plain(self.answer.get(span.clone()).unwrap_or_default())
    }
}

/// The sentences of a unit: none ends inside code or a link, all end at breaks.
fn parts(answer: &str, unit: &AnswerUnit) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut from = unit.span.start;
    for at in unit.breaks.iter().copied().chain(pairs(answer, unit)) {
        if from < at && at < unit.span.end {
            lines.push(from..at);
            from = at;
        }
    }
    lines.push(from..unit.span.end);
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut solids = unit.solid.iter().peekable();
    for line in lines {
        let text = answer.get(line.clone()).unwrap_or_default();
        for sentence in sentences(text) {
            let sentence = line.start + sentence.start..line.start + sentence.end;
            while solids.next_if(|solid| solid.end <= sentence.start).is_some() {}
            // A stop inside a link or code ended the sentence too early: the rest is joined to it.
            let inside = solids.peek().is_some_and(|solid| solid.start < sentence.start);
            match parts.last_mut() {
                Some(last) if inside => last.end = sentence.end,
                _ => parts.push(sentence),
            }
        }
    }
    parts
}

/// Where lines end in a paragraph that is nothing but lines of `name: value`.
fn pairs(answer: &str, unit: &AnswerUnit) -> Vec<usize> {
    let text = answer.get(unit.span.clone()).unwrap_or_default();
    let is_pair = |line: &str| {
        let name = line.split_once(": ").map(|(name, _)| name);
        name.is_some_and(|name| name.split_whitespace().count() <= 5)
    };
    if !unit.breaks.is_empty() || !text.contains('\n') || !text.lines().all(is_pair) {
        return Vec::new();
    }
    text.match_indices('\n').map(|(at, _)| unit.span.start + at + 1).collect()
}

/// Whether nothing is left of a sentence without its code.
fn is_code(answer: &str, sentence: &AnswerSentence, unit: &AnswerUnit) -> bool {
    let span = &sentence.body;
    let mut at = span.start;
    let mut solid = false;
    // Code is in the order of the text, and no sentence begins inside it.
    let first = unit.solid.partition_point(|one| one.start < sentence.whole.start);
    let rest = unit.solid.get(first..).unwrap_or_default();
    let inside = rest.iter().take_while(|one| one.start < span.end);
    for one in inside.filter(|one| span.start < one.end) {
        let between = answer.get(at..one.start.max(at)).unwrap_or_default();
        if between.contains(char::is_alphanumeric) {
            return false;
        }
        let code = answer.get(one.clone()).unwrap_or_default();
        solid = code.starts_with(['`', '<']);
        at = one.end;
    }
    let rest = answer.get(at.min(span.end)..span.end).unwrap_or_default();
    solid && !rest.contains(char::is_alphanumeric)
}

/// Whether every line of a paragraph begins with a note that the answer refers to: `[1] Handbook`.
fn is_reference_list(answer: &str, unit: &AnswerUnit) -> bool {
    let text = answer.get(unit.span.clone()).unwrap_or_default();
    let names = |line: &str| {
        let line = line.trim_start();
        let rest = note(line).and_then(|len| line.get(len..));
        let named = |rest: &str| rest.trim_start().starts_with(char::is_alphanumeric);
        line.starts_with('[') && rest.is_some_and(named)
    };
    unit.depth == 0 && text.lines().all(names)
}

/// The cells of a row without white space.
fn cells(answer: &str, unit: &AnswerUnit) -> Vec<Range<usize>> {
    unit.cells.iter().map(|cell| trimmed(answer, cell.clone())).collect()
}

/// From the start of the first filled cell to the end of the last.
fn joined(cells: &[Range<usize>]) -> Range<usize> {
    let filled = || cells.iter().filter(|cell| !cell.is_empty());
    match (filled().next(), filled().next_back()) {
        (Some(first), Some(last)) => first.start..last.end,
        _ => 0..0,
    }
}

/// Longer headings, openings and header cells are not read with claims: each claim would repeat them.
const MAX_LEAD_BYTES: usize = 400;

/// The level of a line in bold that serves as a heading: below all others.
const BOLD_HEADING_LEVEL: u8 = 7;
/// The level of words in bold that open a paragraph.
const RUN_IN_HEADING_LEVEL: u8 = 8;

const CONNECTIVES: &[&str] = &["and", "but", "while", "whereas", "لكن", "ولكن", "بينما", "فيما"];
