//! Many pairs on several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use dalil_kernel::isa::InstructionSet;

use crate::model::encoder::TransformerEncoder;
use crate::model::layer::EncoderScratch;
use crate::model::{EntailmentLogits, PremiseClaimPair};

/// Scores pairs; the longest first, so that no thread is left with a long one at the end.
pub(super) fn score(
    encoder: &TransformerEncoder,
    path: InstructionSet,
    pairs: &[PremiseClaimPair<'_>],
    threads: usize,
) -> Vec<EntailmentLogits> {
    let mut order: Vec<(usize, &PremiseClaimPair<'_>)> = pairs.iter().enumerate().collect();
    order.sort_by_key(|(place, pair)| (usize::MAX - encoder.length(pair), *place));
    let groups = groups(encoder, &order, threads.max(1));
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut scratch, mut scored) = (EncoderScratch::default(), Vec::new());
        // The counter only hands out groups; no other memory depends on it, so relaxed is enough.
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            let pairs: Vec<_> = group.iter().map(|(_, pair)| *pair).collect();
            let logits = encoder.logits(path, &mut scratch, &pairs);
            scored.extend(group.iter().map(|(place, _)| *place).zip(logits));
        }
        scored
    };
    let mut made = vec![EntailmentLogits::default(); pairs.len()];
    let scored = thread::scope(|scope| {
        let others = 1..threads.min(groups.len());
        let others: Vec<_> = others.map(|_| scope.spawn(work)).collect();
        // This thread works too, so one fewer is started.
        let mut scored = work();
        for other in others {
            // A panic is passed on: zeros in place of a lost share would look like scores.
            scored.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        scored
    });
    for (place, logits) in scored {
        if let Some(made) = made.get_mut(place) {
            *made = logits;
        }
    }
    made
}

/// Cuts the pairs into groups that one thread takes through all layers: few enough tokens to stay
/// in its cache, and enough groups for every thread.
fn groups<'g, 'p>(
    encoder: &TransformerEncoder,
    order: &'g [(usize, &'p PremiseClaimPair<'p>)],
    threads: usize,
) -> Vec<&'g [(usize, &'p PremiseClaimPair<'p>)]> {
    let lengths: Vec<usize> = order.iter().map(|(_, pair)| encoder.length(pair)).collect();
    let most = lengths.iter().sum::<usize>().div_ceil(threads).min(MAX_GROUP_TOKENS);
    let (mut groups, mut rest, mut size, mut tokens) = (Vec::new(), order, 0, 0);
    for length in lengths {
        if size > 0 && tokens + length > most {
            let (group, after) = rest.split_at(size);
            groups.push(group);
            (rest, size, tokens) = (after, 0, 0);
        }
        size += 1;
        tokens += length;
    }
    if !rest.is_empty() {
        groups.push(rest);
    }
    groups
}

/// Tokens of a group, unless one pair has more.
const MAX_GROUP_TOKENS: usize = 256;
