//! Matrices: where drawing lands on a page.

/// An affine map, as the six numbers of a content stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct AffineMatrix(pub(super) [f64; 6]);

impl AffineMatrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn shift(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// The matrix that applies `inner` and then `self`.
    pub(super) fn after(self, inner: Self) -> Self {
        let Self([a, b, c, d, e, f]) = self;
        let Self([p, q, r, s, t, u]) = inner;
        Self([
            a * p + c * q,
            b * p + d * q,
            a * r + c * s,
            b * r + d * s,
            a * t + c * u + e,
            b * t + d * u + f,
        ])
    }

    /// The same as `after` of a shift.
    pub(super) fn moved(self, x: f64, y: f64) -> Self {
        let Self([a, b, c, d, e, f]) = self;
        Self([a, b, c, d, a * x + c * y + e, b * x + d * y + f])
    }

    /// What `inner` and then `self` do, if they turn and scale as `like` does.
    pub(super) fn after_like(self, inner: Self, like: Self) -> Self {
        let Self([.., x, y]) = inner;
        let Self([.., e, f]) = self.moved(x, y);
        let Self([a, b, c, d, ..]) = like;
        Self([a, b, c, d, e, f])
    }

    pub(super) fn point(self, x: f64, y: f64) -> [f32; 2] {
        let Self([a, b, c, d, e, f]) = self;
        [narrow(a * x + c * y + e), narrow(b * x + d * y + f)]
    }

    /// How much longer it makes lines, in the middle of all ways.
    pub(super) fn scale(self) -> f32 {
        let Self([a, b, c, d, _, _]) = self;
        narrow((a * d - b * c).abs().sqrt())
    }

    /// Whether boxes stay boxes: it turns by right angles only.
    pub(super) fn keeps_upright(self) -> bool {
        let Self([a, b, c, d, _, _]) = self;
        let is_flat = |one: f64, other: f64| one.hypot(other) <= MAX_TURN_SHARE * self.longest();
        is_flat(a, d) || is_flat(b, c)
    }

    /// The longest of its two arrows.
    fn longest(self) -> f64 {
        let Self([a, b, c, d, _, _]) = self;
        a.hypot(b).max(c.hypot(d))
    }

    /// Where an arrow points; an arrow has no place.
    pub(super) fn arrow(self, x: f64, y: f64) -> [f32; 2] {
        let Self([a, b, c, d, _, _]) = self;
        [narrow(a * x + c * y), narrow(b * x + d * y)]
    }
}

/// The length of an arrow.
pub(super) fn length([x, y]: [f32; 2]) -> f32 {
    narrow((f64::from(x) * f64::from(x) + f64::from(y) * f64::from(y)).sqrt())
}

#[expect(clippy::cast_possible_truncation, reason = "places on a page need no more than an f32")]
pub(super) fn narrow(value: f64) -> f32 {
    value as f32
}

/// Half a degree, by which the side of a page leaves its box by half a line.
const MAX_TURN_SHARE: f64 = 0.01;
