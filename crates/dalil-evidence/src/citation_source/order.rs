//! Which candidate comes first.

use std::cmp::Ordering;

use super::candidate::SourceCandidate;
use super::options::SortOrder;

/// The places of the candidates, best first; candidates equal in everything keep their order.
///
/// Few of many are shown, so only as much is sorted as is asked for.
pub(super) struct CandidateRanking<'c, 'a> {
    candidates: &'c [SourceCandidate<'a>],
    order: SortOrder,
    /// Each candidate's score, beside its place: most comparisons need no more.
    places: Vec<(f64, usize)>,
    sorted: usize,
    next: usize,
}

impl<'c, 'a> CandidateRanking<'c, 'a> {
    pub(super) fn new(candidates: &'c [SourceCandidate<'a>], order: SortOrder) -> Self {
        let places: Vec<_> = candidates.iter().enumerate().map(|(n, one)| (one.score, n)).collect();
        let sorted = if order == SortOrder::Input { places.len() } else { 0 };
        Self { candidates, order, places, sorted, next: 0 }
    }

    /// Sorts on: at least as many again as are sorted already.
    fn sort_more(&mut self) {
        let Self { candidates, order, places, sorted, .. } = self;
        let compare = |a: &(f64, usize), b: &(f64, usize)| compare(candidates, *order, *a, *b);
        let rest = places.get_mut(*sorted..).unwrap_or_default();
        // A selection is linear in the rest. Batches double, so there are few of them, and to walk
        // to the end costs about as much as one sort.
        let more = (*sorted).max(MIN_SORT_BATCH);
        if more < rest.len() {
            // Unstable is enough: the last key is the place, so no two candidates are equal.
            rest.select_nth_unstable_by(more, compare).0.sort_unstable_by(compare);
            *sorted += more;
        } else {
            rest.sort_unstable_by(compare);
            *sorted = places.len();
        }
    }
}

impl Iterator for CandidateRanking<'_, '_> {
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
    candidates: &[SourceCandidate<'_>],
    order: SortOrder,
    (a_score, a): (f64, usize),
    (b_score, b): (f64, usize),
) -> Ordering {
    let score = || best_score(a_score, b_score);
    let (Some(one), Some(other)) = (candidates.get(a), candidates.get(b)) else { return a.cmp(&b) };
    let first = match order {
        SortOrder::Score => score().then_with(|| first_rank(one, other)),
        SortOrder::Rank => first_rank(one, other).then_with(score),
        SortOrder::Input => Ordering::Equal,
    };
    first.then_with(|| one.item_id.cmp(other.item_id)).then_with(|| a.cmp(&b))
}

/// The higher score first, and NaN last.
pub(super) fn best_score(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The smaller rank first, and the unranked last.
fn first_rank(a: &SourceCandidate<'_>, b: &SourceCandidate<'_>) -> Ordering {
    a.rank.is_none().cmp(&b.rank.is_none()).then_with(|| a.rank.cmp(&b.rank))
}

/// How many are sorted at first.
const MIN_SORT_BATCH: usize = 64;
