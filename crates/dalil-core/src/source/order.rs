//! Which candidate comes first.

use std::cmp::Ordering;

use super::{Candidate, Order};

/// The places of the candidates, best first; candidates equal in everything keep their order.
pub(super) fn indices(candidates: &[Candidate<'_>], order: Order) -> Vec<usize> {
    let mut keyed: Vec<(usize, &Candidate<'_>)> = candidates.iter().enumerate().collect();
    match order {
        Order::Input => {}
        Order::Score => keyed.sort_by(|(_, a), (_, b)| {
            best_score(a.score, b.score)
                .then_with(|| first_rank(a, b))
                .then_with(|| a.item_id.cmp(b.item_id))
        }),
        Order::Rank => keyed.sort_by(|(_, a), (_, b)| {
            first_rank(a, b)
                .then_with(|| best_score(a.score, b.score))
                .then_with(|| a.item_id.cmp(b.item_id))
        }),
    }
    keyed.into_iter().map(|(n, _)| n).collect()
}

/// The higher score first, and what is not a number last.
pub(super) fn best_score(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The smaller rank first, and the unranked last.
fn first_rank(a: &Candidate<'_>, b: &Candidate<'_>) -> Ordering {
    a.rank.is_none().cmp(&b.rank.is_none()).then_with(|| a.rank.cmp(&b.rank))
}
