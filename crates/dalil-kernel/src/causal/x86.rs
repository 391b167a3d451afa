//! Runs of tokens with the vector instructions of x86.

use crate::attend::x86::{weighted_256, weighted_512};
use crate::causal::{CausalScratch, CausalShape, TokenRun, body};
use crate::isa::{InstructionSet, InstructionSetKind};

pub(super) fn attend_run(
    path: InstructionSet,
    shape: CausalShape,
    run: &mut TokenRun<'_>,
    room: &mut CausalScratch,
) {
    match path.0 {
        InstructionSetKind::Portable => (),
        // SAFETY: a path exists only where its instructions were found.
        InstructionSetKind::Avx2 | InstructionSetKind::AvxVnni => unsafe { avx2(shape, run, room) },
        // SAFETY: as above.
        InstructionSetKind::Avx512 | InstructionSetKind::Amx => unsafe { avx512(shape, run, room) },
    }
}

#[target_feature(enable = "avx2")]
fn avx2(shape: CausalShape, run: &mut TokenRun<'_>, room: &mut CausalScratch) {
    body(shape, run, room, |terms| weighted_256(terms));
}

#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512(shape: CausalShape, run: &mut TokenRun<'_>, room: &mut CausalScratch) {
    body(shape, run, room, |terms| weighted_512(terms));
}
