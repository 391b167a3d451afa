//! Order: who is older than whom, and who acts on behalf of whom.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::text::{AlignmentFit, AnalyzedText, ContentWord};
use super::word::PhraseTable;

#[cfg(test)]
mod tests;

/// Where a sentence of the evidence has the two sides of a comparison the other way round.
pub(super) fn findings(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    sentence: usize,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    if !fit.tight() {
        return Vec::new();
    }
    let found: Vec<ComparisonSides<'_>> = sides(evidence)
        .into_iter()
        .filter(|sides| evidence.sentence(sides.words.start) == sentence)
        .collect();
    let find = |said: &ComparisonSides<'_>| {
        let turned = found.iter().find(|found| said.turned(found))?;
        let span = claim.span(said.words.clone());
        let base = RuleFinding::new(RuleKind::Order, RuleOutcome::Conflicts, claim, span);
        Some(base.met(RuleOutcome::Conflicts, evidence, evidence.span(turned.words.clone())))
    };
    sides(claim).iter().filter_map(find).collect()
}

/// The words before and after words that compare, or put one in the place of another.
#[derive(Debug)]
struct ComparisonSides<'t> {
    /// All of it.
    words: Range<usize>,
    link: ComparisonLink,
    /// How the two are compared: `older`.
    how: Option<&'t ContentWord>,
    before: BTreeSet<&'t str>,
    after: &'t str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComparisonLink {
    /// `older than`: the word before it is the comparative.
    Than,
    /// `more than` in one word with the quality compared, as Arabic has it: `أكبر من`.
    Compared(u8),
    /// `on behalf of`.
    For,
    /// `instead of`.
    Instead,
}

impl ComparisonSides<'_> {
    fn turned(&self, other: &Self) -> bool {
        let how = |term: Option<&ContentWord>| term.map(|term| (term.key.clone(), term.affirmed));
        // A side that holds both names shows no order, so it cannot be turned.
        self.link == other.link
            && how(self.how) == how(other.how)
            && self.after != other.after
            && self.before.contains(other.after)
            && other.before.contains(self.after)
            && !self.before.contains(self.after)
            && !other.before.contains(other.after)
    }
}

fn sides<'t>(text: &'t AnalyzedText<'_>) -> Vec<ComparisonSides<'t>> {
    let side = |(at, length, link): (usize, usize, ComparisonLink)| {
        let here = |term: &&ContentWord| text.clause(term.at) == text.clause(at);
        let after = text.terms.iter().filter(here).find(|term| term.at >= at + length)?;
        // English has the adjective before `than`; in Arabic the phrase itself holds it.
        let how = match link {
            ComparisonLink::Than => Some(text.terms.iter().rfind(|term| term.at < at)?),
            ComparisonLink::Compared(_) | ComparisonLink::For | ComparisonLink::Instead => None,
        };
        let before = text.terms.iter().filter(here).filter(|term| term.at < at);
        let first = before.clone().map(|term| term.at).min()?;
        Some(ComparisonSides {
            words: first..after.at + 1,
            link,
            how,
            before: before.map(|term| term.key.as_str()).collect(),
            after: &after.key,
        })
    };
    COMPARISON_PHRASES.all(&text.words).into_iter().filter_map(side).collect()
}

static COMPARISON_PHRASES: LazyLock<PhraseTable<ComparisonLink>> = LazyLock::new(|| {
    PhraseTable::of(&[
        ("than", ComparisonLink::Than),
        ("on behalf of|نيابة عن|بالنيابة عن", ComparisonLink::For),
        ("instead of|in place of|بدلا من|بدل", ComparisonLink::Instead),
        ("أكبر من|أكبر سنا من", ComparisonLink::Compared(0)),
        ("أصغر من|أصغر سنا من", ComparisonLink::Compared(1)),
        ("أعلى من", ComparisonLink::Compared(2)),
        ("أقل من", ComparisonLink::Compared(3)),
        ("أكثر من", ComparisonLink::Compared(4)),
        ("أقدم من", ComparisonLink::Compared(5)),
        ("أطول من", ComparisonLink::Compared(6)),
    ])
});
