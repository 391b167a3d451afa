//! Outlines of paths: which points are inside of them.

/// The closed lines that a path is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct PathOutline {
    lines: Vec<Vec<[f32; 2]>>,
    points: usize,
    /// Whether it has more points than are kept: then its inside is unknown.
    is_cut: bool,
    /// Whether a point inside of two of its lines is outside (the even-odd rule).
    pub(super) even_odd: bool,
}

impl PathOutline {
    /// Begins another line.
    pub(super) fn start(&mut self, point: [f32; 2]) {
        if self.lines.len() < MAX_PATH_LINES {
            self.lines.push(Vec::new());
        } else {
            self.is_cut = true;
        }
        self.go(point);
    }

    /// Adds a line to a point.
    pub(super) fn go(&mut self, point: [f32; 2]) {
        if self.points == MAX_PATH_POINTS {
            self.is_cut = true;
            return;
        }
        if self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        if let Some(line) = self.lines.last_mut() {
            line.push(point);
            self.points += 1;
        }
    }

    /// Adds a curve.
    pub(super) fn curve(&mut self, [one, two, end]: [[f32; 2]; 3]) {
        let from = self.last().unwrap_or(one);
        for step in 1..=CURVE_STEPS {
            let at = f32::from(step) / f32::from(CURVE_STEPS);
            let back = 1.0 - at;
            let share =
                [back * back * back, 3.0 * back * back * at, 3.0 * back * at * at, at * at * at];
            let side = |from: f32, one: f32, two: f32, end: f32| {
                let [a, b, c, d] = share;
                a * from + b * one + c * two + d * end
            };
            self.go([side(from[0], one[0], two[0], end[0]), side(from[1], one[1], two[1], end[1])]);
        }
    }

    /// Where the last line has come to.
    pub(super) fn last(&self) -> Option<[f32; 2]> {
        self.lines.last()?.last().copied()
    }

    /// Whether its inside is unknown.
    pub(super) fn is_unknown(&self) -> bool {
        self.is_cut
    }

    /// Whether all of it is one box, up to how lines drift.
    pub(super) fn is_box(&self) -> bool {
        let [line] = self.lines.as_slice() else { return false };
        let straight = |pair: &[[f32; 2]]| {
            matches!(pair, [a, b] if (a[0] - b[0]).abs() < MAX_EDGE_DRIFT_POINTS
                || (a[1] - b[1]).abs() < MAX_EDGE_DRIFT_POINTS)
        };
        matches!(line.len(), 4 | 5) && line.windows(2).all(straight) && !self.is_cut
    }

    /// The straight parts of its lines.
    pub(super) fn segments(&self) -> impl Iterator<Item = [[f32; 2]; 2]> {
        self.lines
            .iter()
            .flat_map(|line| line.iter().zip(line.iter().skip(1)))
            .map(|(a, b)| [*a, *b])
    }

    /// Whether a point is inside (PDF 32000, 8.5.3.3).
    pub(super) fn holds(&self, [x, y]: [f32; 2]) -> bool {
        let mut winding = 0_i32;
        let mut crossings = 0_u32;
        for line in &self.lines {
            let next = line.iter().skip(1).chain(line.first());
            for ([ax, ay], [bx, by]) in line.iter().zip(next) {
                if (*ay <= y) == (*by <= y) {
                    continue;
                }
                if ax + (y - ay) / (by - ay) * (bx - ax) > x {
                    winding += if by > ay { 1 } else { -1 };
                    crossings += 1;
                }
            }
        }
        if self.even_odd { crossings % 2 == 1 } else { winding != 0 }
    }

    /// How much it costs to ask.
    pub(super) fn cost(&self) -> usize {
        self.points.max(1)
    }
}

const CURVE_STEPS: u8 = 8;
/// Points that lie on one line, in points of the page.
const MAX_EDGE_DRIFT_POINTS: f32 = 0.1;
const MAX_PATH_LINES: usize = 1000;
const MAX_PATH_POINTS: usize = 4096;
