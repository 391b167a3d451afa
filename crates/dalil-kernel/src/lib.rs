//! Integer and float kernels that give the same bits on every processor.
//!
//! ```text
//! values ─quantize─▶ Rows ─product (Matrix)─▶ values ─gelu | normalize | attend─▶ values
//!                                                    ─rotate | attend_causally | gate─▶ values
//! ```
//!
//! Each kernel exists once for each [`InstructionSet`](isa::InstructionSet), the widest vector instructions
//! that the processor has and, for comparison, every narrower one. Products are
//! of 8-bit integers and exact, so their order does not matter. Floats are added
//! in an order that is written down and does not depend on the width of a
//! vector; nothing is contracted, and no function of the platform is called.
//! `unsafe` code lives in this crate and in no other.
//!
//! In reading order: [`isa`], [`share`], [`bytes`], [`quantize`], [`matrix`],
//! [`simd`], [`gelu`], [`normalize`], [`attend`] for the small model, and
//! [`gate`], [`rotary`], [`causal`] for the deep one.

pub mod attend;
pub mod bytes;
pub mod causal;
pub mod gate;
pub mod gelu;
pub mod isa;
pub mod matrix;
pub mod normalize;
pub mod quantize;
pub mod rotary;
pub mod share;
pub mod simd;
