//! Which vector instructions a kernel runs on.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use std::arch::{asm, x86_64::__cpuid_count};
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use std::sync::OnceLock;

#[cfg(test)]
mod tests;

/// A set of vector instructions that this processor has.
///
/// There is no way to name one that it lacks: paths are made by looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSet(pub(crate) InstructionSetKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "other processors run the portable path")
)]
pub(crate) enum InstructionSetKind {
    Portable,
    Avx2,
    AvxVnni,
    Avx512,
    Amx,
}

impl InstructionSet {
    /// The path that runs on every processor.
    pub const PORTABLE: Self = Self(InstructionSetKind::Portable);

    /// The fastest path of this processor.
    pub fn best() -> Self {
        Self::all().last().unwrap_or(Self::PORTABLE)
    }

    /// Every path of this processor, the slowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let kinds = [
            InstructionSetKind::Portable,
            InstructionSetKind::Avx2,
            InstructionSetKind::AvxVnni,
            InstructionSetKind::Avx512,
            InstructionSetKind::Amx,
        ];
        kinds.into_iter().filter(|kind| is_there(*kind)).map(Self)
    }
}

#[cfg(target_arch = "x86_64")]
fn is_there(kind: InstructionSetKind) -> bool {
    let avx2 = || is_x86_feature_detected!("avx2");
    match kind {
        InstructionSetKind::Portable => true,
        InstructionSetKind::Avx2 => avx2(),
        InstructionSetKind::AvxVnni => avx2() && is_x86_feature_detected!("avxvnni"),
        InstructionSetKind::Avx512 => avx512(),
        InstructionSetKind::Amx => avx512() && tiles_are_granted(),
    }
}

#[cfg(target_arch = "x86_64")]
fn avx512() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
}

/// Whether the processor has tiles of integers and Linux lets this process use them.
///
/// Linux keeps the large registers of tiles away from a process until it asks;
/// the permission holds for all its threads.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn tiles_are_granted() -> bool {
    static TILES_GRANTED: OnceLock<bool> = OnceLock::new();
    *TILES_GRANTED.get_or_init(|| {
        let most = __cpuid_count(0, 0).eax;
        let features = if most >= 7 { __cpuid_count(7, 0).edx } else { 0 };
        features & AMX_FEATURE_BITS == AMX_FEATURE_BITS && ask_for_tiles() == 0
    })
}

#[cfg(all(target_arch = "x86_64", not(target_os = "linux")))]
fn tiles_are_granted() -> bool {
    false
}

/// The system call `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`; 0 if it is granted.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn ask_for_tiles() -> i64 {
    let mut answer: i64 = ARCH_PRCTL;
    // SAFETY: the call reads and writes no memory of this process; the kernel changes the two
    // registers that are named.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") answer,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") XFEATURE_XTILEDATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    answer
}

#[cfg(not(target_arch = "x86_64"))]
fn is_there(kind: InstructionSetKind) -> bool {
    kind == InstructionSetKind::Portable
}

/// Compiles the body of a kernel for any processor and for vectors of 32 bytes, and defines the
/// function that chooses. The body is plain Rust, marked `#[inline(always)]`; the compiler makes
/// vectors of its loops over lanes. Longer vectors bring these kernels nothing.
macro_rules! for_each_path {
    ($(#[$meta:meta])* pub fn $name:ident($($argument:ident: $kind:ty),* $(,)?) => $body:expr;) => {
        $(#[$meta])*
        pub fn $name(isa: $crate::isa::InstructionSet, $($argument: $kind),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $kind),*) {
                    $body($($argument),*);
                }
                if isa != $crate::isa::InstructionSet::PORTABLE {
                    // SAFETY: every path but the portable one has these instructions.
                    return unsafe { avx2($($argument),*) };
                }
            }
            let $crate::isa::InstructionSet(_) = isa;
            $body($($argument),*);
        }
    };
}
pub(crate) use for_each_path;

/// The number of the system call.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const ARCH_PRCTL: i64 = 158;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const XFEATURE_XTILEDATA: u64 = 18;
/// AMX-TILE and AMX-INT8, in leaf 7 of `cpuid`.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const AMX_FEATURE_BITS: u32 = 1 << 24 | 1 << 25;
