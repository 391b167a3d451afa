//! Order: who is older than whom, and who acts on behalf of whom.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::text::{Fit, Term, Text};
use super::word::Phrases;
use super::{Finding, Kind, Outcome};

#[cfg(test)]
mod tests;

/// Where a sentence of the evidence has the two sides of a comparison the other way round.
pub(super) fn findings(
    claim: &Text<'_>,
    evidence: &Text<'_>,
    sentence: usize,
    fit: Fit,
) -> Vec<Finding> {
    if !fit.tight() {
        return Vec::new();
    }
    let found: Vec<Sides<'_>> = sides(evidence)
        .into_iter()
        .filter(|sides| evidence.sentence(sides.words.start) == sentence)
        .collect();
    let find = |said: &Sides<'_>| {
        let turned = found.iter().find(|found| said.turned(found))?;
        let span = claim.span(said.words.clone());
        let base = Finding::new(Kind::Order, Outcome::Conflicts, claim, span);
        Some(base.met(Outcome::Conflicts, evidence, evidence.span(turned.words.clone())))
    };
    sides(claim).iter().filter_map(find).collect()
}

/// What stands before and after words that compare or put one in the place of another.
#[derive(Debug)]
struct Sides<'t> {
    /// All of it.
    words: Range<usize>,
    link: Link,
    /// How the two are compared: `older`.
    how: Option<&'t Term>,
    before: BTreeSet<&'t str>,
    after: &'t str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// `older than`: the word before it says how.
    Than,
    /// `more than` in one word with what is compared, as Arabic has it: `أكبر من`.
    Compared(u8),
    /// `on behalf of`.
    For,
    /// `instead of`.
    Instead,
}

impl Sides<'_> {
    fn turned(&self, other: &Self) -> bool {
        let how = |term: Option<&Term>| term.map(|term| (term.key.clone(), term.affirmed));
        self.link == other.link
            && how(self.how) == how(other.how)
            && self.after != other.after
            && self.before.contains(other.after)
            && other.before.contains(self.after)
            && !self.before.contains(self.after)
            && !other.before.contains(other.after)
    }
}

fn sides<'t>(text: &'t Text<'_>) -> Vec<Sides<'t>> {
    let side = |(at, length, link): (usize, usize, Link)| {
        let clause = |at: usize| text.clauses.get(at).copied().unwrap_or_default();
        let here = |term: &&Term| clause(term.at) == clause(at);
        let after = text.terms.iter().filter(here).find(|term| term.at >= at + length)?;
        let how = match link {
            Link::Than => Some(text.terms.iter().rfind(|term| term.at < at)?),
            Link::Compared(_) | Link::For | Link::Instead => None,
        };
        let before = text.terms.iter().filter(here).filter(|term| term.at < at);
        let first = before.clone().map(|term| term.at).min()?;
        Some(Sides {
            words: first..after.at + 1,
            link,
            how,
            before: before.map(|term| term.key.as_str()).collect(),
            after: &after.key,
        })
    };
    LINKS.all(&text.words).into_iter().filter_map(side).collect()
}

static LINKS: LazyLock<Phrases<Link>> = LazyLock::new(|| {
    Phrases::of(&[
        ("than", Link::Than),
        ("on behalf of|نيابة عن|بالنيابة عن", Link::For),
        ("instead of|in place of|بدلا من|بدل", Link::Instead),
        ("أكبر من|أكبر سنا من", Link::Compared(0)),
        ("أصغر من|أصغر سنا من", Link::Compared(1)),
        ("أعلى من", Link::Compared(2)),
        ("أقل من", Link::Compared(3)),
        ("أكثر من", Link::Compared(4)),
        ("أقدم من", Link::Compared(5)),
        ("أطول من", Link::Compared(6)),
    ])
});
