//! Runs of tokens with the vector instructions of x86.

use crate::attend::x86::{weighted_256, weighted_512};
use crate::causal::{CausalRoom, CausalShape, TokenRun, body};
use crate::path::{Kind, Path};

pub(super) fn attend_run(
    path: Path,
    shape: CausalShape,
    run: &mut TokenRun<'_>,
    room: &mut CausalRoom,
) {
    match path.0 {
        Kind::Portable => (),
        // SAFETY: a path exists only where its instructions were found.
        Kind::Avx2 | Kind::AvxVnni => unsafe { avx2(shape, run, room) },
        // SAFETY: as above.
        Kind::Avx512 | Kind::Amx => unsafe { avx512(shape, run, room) },
    }
}

#[target_feature(enable = "avx2")]
fn avx2(shape: CausalShape, run: &mut TokenRun<'_>, room: &mut CausalRoom) {
    body(shape, run, room, |terms| weighted_256(terms));
}

#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512(shape: CausalShape, run: &mut TokenRun<'_>, room: &mut CausalRoom) {
    body(shape, run, room, |terms| weighted_512(terms));
}
