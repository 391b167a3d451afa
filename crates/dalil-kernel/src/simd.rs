//! Sixteen floats side by side, and the functions of them that are not exact everywhere.
//!
//! A processor's vectors may be four, eight or sixteen wide; each lane goes
//! through the same operations in the same order on all of them.

#[cfg(test)]
mod tests;

/// How many floats stand side by side.
pub const LANES: usize = 16;

/// Sixteen floats.
pub type Lanes = [f32; LANES];

/// Sums lane by lane.
#[inline(always)]
pub fn add(one: Lanes, other: Lanes) -> Lanes {
    std::array::from_fn(|lane| one[lane] + other[lane])
}

/// The sum, as a tree of halves: 8 and 8, 4 and 4, 2 and 2, 1 and 1.
#[inline(always)]
pub fn sum(lanes: Lanes) -> f32 {
    let mut lanes = lanes;
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

/// The largest; a lane that is not a number does not count unless it is the first.
#[inline(always)]
pub fn max(lanes: Lanes) -> f32 {
    lanes.into_iter().fold(lanes[0], larger)
}

/// The larger of two; the second if either is not a number.
#[inline(always)]
pub fn larger(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// The nearest integer, halves to the even one; exact below 2^22 in size.
#[inline(always)]
pub fn round(value: f32) -> i32 {
    (value + ROUNDING_SHIFT).to_bits().wrapping_sub(ROUNDING_SHIFT.to_bits()).cast_signed()
}

/// e to the power of `value`, to two units in the last place.
///
/// Below −87 it is e^−87, which is lost in any sum that holds a one.
#[inline(always)]
pub fn exp(value: f32) -> f32 {
    let value = larger(if value < 88.0 { value } else { 88.0 }, -87.0);
    let shifted = value * std::f32::consts::LOG2_E + ROUNDING_SHIFT;
    let whole = shifted - ROUNDING_SHIFT;
    let rest = value - whole * LN_2_HIGH - whole * LN_2_LOW;
    let mut power = EXP_COEFFICIENTS[0];
    for term in &EXP_COEFFICIENTS[1..] {
        power = power * rest + term;
    }
    let bits = shifted.to_bits().wrapping_sub(ROUNDING_SHIFT.to_bits()).wrapping_add(127) << 23;
    power * f32::from_bits(bits)
}

/// The error function, to 4·10⁻⁷: a quotient of polynomials up to ±4, then ±1.
#[inline(always)]
pub fn erf(value: f32) -> f32 {
    let value = larger(if value < 4.0 { value } else { 4.0 }, -4.0);
    let square = value * value;
    let (mut above, mut below) = (ERF_NUMERATOR[0], ERF_DENOMINATOR[0]);
    for term in &ERF_NUMERATOR[1..] {
        above = above * square + term;
    }
    for term in &ERF_DENOMINATOR[1..] {
        below = below * square + term;
    }
    value * above / below
}

/// Adding it leaves no bits for a fraction.
const ROUNDING_SHIFT: f32 = 12_582_912.0;
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;
/// 1/6!, 1/5! … 1/0!, from the highest power down.
const EXP_COEFFICIENTS: [f32; 7] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
const ERF_NUMERATOR: [f32; 7] = [
    -2.726_142_3e-10,
    2.770_681_4e-8,
    -2.101_024e-6,
    -5.692_506_4e-5,
    -7.349_906_3e-4,
    -2.954_6e-3,
    -1.609_603_3e-2,
];
const ERF_DENOMINATOR: [f32; 5] =
    [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329_2e-3, -1.426_473_9e-2];
