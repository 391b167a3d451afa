//! Which candidate comes first.

use std::cmp::Ordering;

use super::{Candidate, Order};

/// The places of the candidates, best first; candidates equal in everything keep their order.
///
/// Few of many are shown, so only as much is sorted as is asked for.
pub(super) struct Best<'c, 'a> {
    candidates: &'c [Candidate<'a>],
    order: Order,
    /// Each candidate's score, beside its place: most comparisons need no more.
    places: Vec<(f64, usize)>,
    sorted: usize,
    next: usize,
}

impl<'c, 'a> Best<'c, 'a> {
    pub(super) fn new(candidates: &'c [Candidate<'a>], order: Order) -> Self {
        let places: Vec<_> = candidates.iter().enumerate().map(|(n, one)| (one.score, n)).collect();
        let sorted = if order == Order::Input { places.len() } else { 0 };
        Self { candidates, order, places, sorted, next: 0 }
    }

    /// Sorts on: at least as many again as are sorted already.
    fn sort_more(&mut self) {
        let Self { candidates, order, places, sorted, .. } = self;
        let compare = |a: &(f64, usize), b: &(f64, usize)| compare(candidates, *order, *a, *b);
        let rest = places.get_mut(*sorted..).unwrap_or_default();
        let more = (*sorted).max(BLOCK);
        if more < rest.len() {
            rest.select_nth_unstable_by(more, compare).0.sort_unstable_by(compare);
            *sorted += more;
        } else {
            rest.sort_unstable_by(compare);
            *sorted = places.len();
        }
    }
}

impl Iterator for Best<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.next == self.sorted {
            self.sort_more();
        }
        let (_, place) = self.places.get(self.next)?;
        self.next += 1;
        Some(*place)
    }
}

fn compare(
    candidates: &[Candidate<'_>],
    order: Order,
    (a_score, a): (f64, usize),
    (b_score, b): (f64, usize),
) -> Ordering {
    let score = || best_score(a_score, b_score);
    let (Some(one), Some(other)) = (candidates.get(a), candidates.get(b)) else { return a.cmp(&b) };
    let first = match order {
        Order::Score => score().then_with(|| first_rank(one, other)),
        Order::Rank => first_rank(one, other).then_with(score),
        Order::Input => Ordering::Equal,
    };
    first.then_with(|| one.item_id.cmp(other.item_id)).then_with(|| a.cmp(&b))
}

/// The higher score first, and what is not a number last.
pub(super) fn best_score(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The smaller rank first, and the unranked last.
fn first_rank(a: &Candidate<'_>, b: &Candidate<'_>) -> Ordering {
    a.rank.is_none().cmp(&b.rank.is_none()).then_with(|| a.rank.cmp(&b.rank))
}

/// How many are sorted at first.
const BLOCK: usize = 64;
