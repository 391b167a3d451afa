//! Numbers as GGUF packs them, widened to floats.

use crate::deep::gguf::GgufTensor;

#[cfg(test)]
mod tests;

/// How the numbers of a tensor are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TensorPacking {
    F32,
    F16,
    /// 256 numbers of four bits, with a scale and a least value for each 32.
    Q4K,
    /// 256 numbers of six bits, with a scale for each 16.
    Q6K,
}

impl TensorPacking {
    pub(super) const EXPECTED: &'static str = "F32, F16, Q4_K or Q6_K";

    /// The packing of a number in a file.
    pub(super) fn of(kind: u32) -> Option<Self> {
        // The numbers of `ggml_type` in GGML.
        match kind {
            0 => Some(Self::F32),
            1 => Some(Self::F16),
            12 => Some(Self::Q4K),
            14 => Some(Self::Q6K),
            _ => None,
        }
    }

    /// The number of bytes that `count` numbers take; none if they do not fill whole blocks.
    pub(super) fn bytes(self, count: usize) -> Option<usize> {
        let (numbers, bytes) = match self {
            Self::F32 => (1, 4),
            Self::F16 => (1, 2),
            Self::Q4K => (BLOCK_VALUES, Q4K_BLOCK_BYTES),
            Self::Q6K => (BLOCK_VALUES, Q6K_BLOCK_BYTES),
        };
        count.is_multiple_of(numbers).then(|| (count / numbers).checked_mul(bytes))?
    }
}

/// All numbers of a tensor, row after row.
pub(super) fn widen(tensor: &GgufTensor<'_>) -> Vec<f32> {
    widen_part(tensor.packing, tensor.bytes)
}

/// The numbers of whole blocks.
pub(super) fn widen_part(packing: TensorPacking, bytes: &[u8]) -> Vec<f32> {
    let mut made = Vec::new();
    match packing {
        TensorPacking::F32 => {
            made.extend(bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)));
        }
        TensorPacking::F16 => made.extend(bytes.as_chunks().0.iter().map(|two| half(*two))),
        TensorPacking::Q4K => {
            for block in bytes.as_chunks().0 {
                widen_q4k(block, &mut made);
            }
        }
        TensorPacking::Q6K => {
            for block in bytes.as_chunks().0 {
                widen_q6k(block, &mut made);
            }
        }
    }
    made
}

/// Scale and least scale, eight pairs of six bits, 256 numbers: each 32 bytes hold 64 numbers,
/// the low halves of the bytes first.
fn widen_q4k(block: &[u8; Q4K_BLOCK_BYTES], made: &mut Vec<f32>) {
    let [d0, d1, m0, m1, s @ ..] = block;
    let (scale, least) = (half([*d0, *d1]), half([*m0, *m1]));
    // Cannot fail: 140 bytes follow the two scales.
    let Some((scales, numbers)) = s.split_first_chunk::<12>() else { return };
    let pairs = scale_pairs(scales);
    // GGML subtracts the least value: it is stored as a positive distance below zero.
    for (bytes, pairs) in numbers.as_chunks::<32>().0.iter().zip(pairs.as_chunks::<2>().0) {
        let [(low, low_least), (high, high_least)] = *pairs;
        let (step, under) = (scale * f32::from(low), least * f32::from(low_least));
        made.extend(bytes.iter().map(|byte| step * f32::from(byte & 15) - under));
        let (step, under) = (scale * f32::from(high), least * f32::from(high_least));
        made.extend(bytes.iter().map(|byte| step * f32::from(byte >> 4) - under));
    }
}

/// The first four pairs have six bits of a byte each; the others four bits, and two that the
/// first four leave free.
fn scale_pairs(bytes: &[u8; 12]) -> [(u8, u8); 8] {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = *bytes;
    let low = |scale: u8, least: u8| (scale & 63, least & 63);
    let high = |both: u8, scale: u8, least: u8| {
        ((both & 15) | (scale >> 6) << 4, (both >> 4) | (least >> 6) << 4)
    };
    [
        low(a, e),
        low(b, f),
        low(c, g),
        low(d, h),
        high(i, a, e),
        high(j, b, f),
        high(k, c, g),
        high(l, d, h),
    ]
}

/// Two halves of 128 numbers: low four bits, high two bits, scales, and one scale over all.
fn widen_q6k(block: &[u8; Q6K_BLOCK_BYTES], made: &mut Vec<f32>) {
    let (low, rest) = block.split_at(128);
    let (high, rest) = rest.split_at(64);
    let (scales, last) = rest.split_at(16);
    let Some(over) = last.first_chunk().map(|two| half(*two)) else { return };
    let halves = low.chunks_exact(64).zip(high.chunks_exact(32)).zip(scales.chunks_exact(8));
    for ((low, high), scales) in halves {
        let (first, second) = low.split_at(32);
        // Six bits are stored with 32 added, so that none is negative.
        let four = |byte: u8, high: u8| i16::from(byte & 15 | (high & 3) << 4) - 32;
        // A byte of `low` holds two numbers that stand 64 apart, a byte of `high` the top bits of
        // four that stand 32 apart.
        for (part, low) in [first, second, first, second].into_iter().enumerate() {
            let shift = part * 2;
            let scales = scales.iter().skip(part * 2).take(2).flat_map(|scale| [*scale; 16]);
            for ((byte, high), scale) in low.iter().zip(high).zip(scales) {
                let byte = if part < 2 { *byte } else { byte >> 4 };
                let step = over * f32::from(scale.cast_signed());
                made.push(step * f32::from(four(byte, high >> shift)));
            }
        }
    }
}

/// A float of sixteen bits.
pub(super) fn half(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let (sign, exponent, fraction) = (bits >> 15 << 31, bits >> 10 & 31, bits & 1023);
    match exponent {
        // Smaller than normal ones: units of 2^-24.
        0 => {
            let size =
                f32::from_bits(0x3380_0000) * f32::from(u16::try_from(fraction).unwrap_or(0));
            f32::from_bits(size.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        // 112 is the difference of the two exponent biases, 127 − 15.
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// Numbers of a packed block.
const BLOCK_VALUES: usize = 256;
const Q4K_BLOCK_BYTES: usize = 144;
const Q6K_BLOCK_BYTES: usize = 210;
