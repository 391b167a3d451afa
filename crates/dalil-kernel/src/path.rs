//! Which vector instructions a kernel runs on.

#[cfg(test)]
mod tests;

/// A set of vector instructions that this processor has.
///
/// There is no way to name one that it lacks: paths are made by looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path(pub(crate) Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "other processors run the portable path")
)]
pub(crate) enum Kind {
    Portable,
    Avx2,
    AvxVnni,
    Avx512,
}

impl Path {
    /// The path that runs on every processor.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// The fastest path of this processor.
    pub fn best() -> Self {
        Self::all().last().unwrap_or(Self::PORTABLE)
    }

    /// Every path of this processor, the slowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let kinds = [Kind::Portable, Kind::Avx2, Kind::AvxVnni, Kind::Avx512];
        kinds.into_iter().filter(|kind| is_there(*kind)).map(Self)
    }
}

#[cfg(target_arch = "x86_64")]
fn is_there(kind: Kind) -> bool {
    let avx2 = || is_x86_feature_detected!("avx2");
    match kind {
        Kind::Portable => true,
        Kind::Avx2 => avx2(),
        Kind::AvxVnni => avx2() && is_x86_feature_detected!("avxvnni"),
        Kind::Avx512 => {
            avx2()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn is_there(kind: Kind) -> bool {
    kind == Kind::Portable
}

/// Compiles the body of a kernel for any processor and for vectors of 32 bytes, and defines the
/// function that chooses. The body is plain Rust, marked `#[inline(always)]`; the compiler makes
/// vectors of its loops over lanes. Longer vectors bring these kernels nothing.
macro_rules! for_each_path {
    ($(#[$meta:meta])* pub fn $name:ident($($argument:ident: $kind:ty),* $(,)?) => $body:expr;) => {
        $(#[$meta])*
        pub fn $name(path: $crate::path::Path, $($argument: $kind),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $kind),*) {
                    $body($($argument),*);
                }
                if path != $crate::path::Path::PORTABLE {
                    // SAFETY: every path but the portable one has these instructions.
                    return unsafe { avx2($($argument),*) };
                }
            }
            let $crate::path::Path(_) = path;
            $body($($argument),*);
        }
    };
}
pub(crate) use for_each_path;
