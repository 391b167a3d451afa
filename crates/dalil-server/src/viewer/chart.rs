//! Small charts, drawn on the server: places are shares of the width, so that they fit a phone and a
//! wide window, and text keeps its size. On a page from right to left they run from right to left.

use dalil_evidence::ledger::request::LedgerGate;
use dalil_evidence::policy::MIN_HIGH_STAKES_CONFIDENCE;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_phrasebook::{Phrase, ledger_view};
use dalil_proof::score::Score;

#[cfg(test)]
mod tests;

/// Confidences as dots on a line, with the least that a decision with high stakes must have.
pub(super) struct ConfidenceChart {
    pub(super) dots: Vec<ConfidenceDot>,
    pub(super) gate: ChartMark,
    /// Where the line begins and ends.
    pub(super) ends: [ChartMark; 2],
    pub(super) said: Phrase,
    /// The names of the items below the gate.
    pub(super) below: Vec<String>,
    /// The height that the dots need, in pixels.
    pub(super) height: usize,
}

/// One confidence.
pub(super) struct ConfidenceDot {
    pub(super) label: String,
    pub(super) address: String,
    pub(super) mark: ChartMark,
    /// From the top, in pixels.
    pub(super) y: usize,
    pub(super) is_below: bool,
}

/// A place along a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChartMark {
    /// In hundredths of a percent of the width, from the left.
    x: u32,
    /// The text beside it.
    pub(super) value: String,
}

impl ChartMark {
    /// The place of a share of a chart, along the direction of reading.
    fn of(units: u32, value: String, w: &'static ViewerTexts) -> Self {
        // A margin on both sides, or the first and the last dot would be cut in half.
        let along = MARGIN + units * (WIDTH - 2 * MARGIN) / WIDTH;
        let x = if w.dir == "rtl" { WIDTH - along } else { along };
        Self { x, value }
    }

    /// The side of its text, so that a long one stays inside.
    pub(super) fn side(&self) -> &'static str {
        if self.x < WIDTH / 2 { "left" } else { "right" }
    }

    /// As a length of SVG.
    pub(super) fn x(&self) -> String {
        format!("{}.{:02}%", self.x / 100, self.x % 100)
    }
}

impl ConfidenceChart {
    /// The chart of things with a name, an address and a confidence; none without any.
    pub(super) fn of(
        things: impl IntoIterator<Item = (String, String, Score)>,
        w: &'static ViewerTexts,
    ) -> Option<Self> {
        let gate = MIN_HIGH_STAKES_CONFIDENCE;
        let mut stacks = [0_usize; SLOTS];
        let mut dots = Vec::new();
        let mut below = Vec::new();
        for (label, address, score) in things {
            // Dots with nearly the same confidence are stacked.
            let slot = usize::from(score.units()) * (SLOTS - 1) / usize::from(Score::ONE.units());
            let level = stacks.get_mut(slot).map_or(0, |taken| {
                *taken += 1;
                *taken - 1
            });
            let value = format!("{}%", score.percent());
            if score < gate {
                below.push(format!("{label} {value}"));
            }
            let mark = ChartMark::of(u32::from(score.units()), value, w);
            dots.push(ConfidenceDot { label, address, mark, y: level, is_below: score < gate });
        }
        let levels = dots.iter().map(|dot| dot.y).max()?;
        for dot in &mut dots {
            dot.y = TOP + (levels - dot.y) * DOT_STEP;
        }
        let value = format!("{}%", gate.percent());
        let said =
            ledger_view::confidences_that_reach(dots.len() - below.len(), dots.len(), &value);
        let gate = ChartMark::of(u32::from(gate.units()), value, w);
        let ends = [(0, "0%"), (WIDTH, "100%")]
            .map(|(units, value)| ChartMark::of(units, value.to_owned(), w));
        Some(Self { dots, gate, ends, said, below, height: TOP + levels * DOT_STEP })
    }

    /// The vertical position of the line below the dots.
    pub(super) fn line(&self) -> usize {
        self.height + DOT_STEP / 2
    }

    /// The height of the whole chart.
    pub(super) fn whole(&self) -> usize {
        self.line() + LABEL_ROOM
    }

    /// The vertical position of the values under the line.
    pub(super) fn labels(&self) -> usize {
        self.line() + LABEL_ROOM - 4
    }
}

/// The coverage of one question, check by check, with the least that the gate asks for.
pub(super) struct CoverageChart {
    pub(super) points: Vec<CoveragePoint>,
    /// From the top, in pixels.
    pub(super) gate_y: u32,
    pub(super) gate: String,
    pub(super) said: Phrase,
}

/// The coverage of one check.
pub(super) struct CoveragePoint {
    pub(super) mark: ChartMark,
    pub(super) y: u32,
    pub(super) at: String,
    pub(super) record: u64,
    /// Whether its value is shown beside it, where there is room for all.
    pub(super) has_label: bool,
    pub(super) is_below: bool,
}

impl CoverageChart {
    /// The chart of checks in order of time: when, the coverage and the record of each. None for
    /// less than two that had something to check.
    pub(super) fn of(
        checks: impl IntoIterator<Item = (String, Option<f64>, u64)>,
        w: &'static ViewerTexts,
    ) -> Option<Self> {
        let known = checks.into_iter().filter_map(|(at, coverage, record)| {
            Some((at, coverage.and_then(Score::new)?, record))
        });
        let known: Vec<(String, Score, u64)> = known.collect();
        let (first, last) = match known.as_slice() {
            [first, .., last] => (first.1, last.1),
            _ => return None,
        };
        let gate = LedgerGate::usual().min_coverage;
        let (count, steps) = (known.len(), u32::try_from(known.len() - 1).ok()?);
        let points = known.into_iter().enumerate().map(|(place, (at, score, record))| {
            let place = u32::try_from(place).unwrap_or(steps);
            let mark = ChartMark::of(place * WIDTH / steps, format!("{}%", score.percent()), w);
            let has_label = count <= MAX_LABELLED || place == 0 || place == steps;
            CoveragePoint { mark, y: height(score), at, record, has_label, is_below: score < gate }
        });
        let percent = |score: Score| format!("{}%", score.percent());
        Some(Self {
            points: points.collect(),
            gate_y: height(gate),
            gate: percent(gate),
            said: ledger_view::coverage_of_checks(
                count,
                percent(first),
                percent(last),
                percent(gate),
            ),
        })
    }

    /// The points, two by two, for the lines between them.
    pub(super) fn segments(&self) -> impl Iterator<Item = (&CoveragePoint, &CoveragePoint)> {
        self.points.iter().zip(self.points.iter().skip(1))
    }

    /// The first and the last check.
    pub(super) fn ends(&self) -> Vec<&CoveragePoint> {
        self.points.first().into_iter().chain(self.points.last()).collect()
    }
}

impl CoveragePoint {
    /// The vertical position of its value.
    pub(super) fn label_y(&self) -> u32 {
        self.y.saturating_sub(10)
    }

    /// The day of the check.
    pub(super) fn day(&self) -> &str {
        self.at.get(..10).unwrap_or(&self.at)
    }
}

/// The distance of a share from the top, below the room for its value.
fn height(score: Score) -> u32 {
    TOP_ROOM + PLOT_HEIGHT - u32::from(score.units()) * PLOT_HEIGHT / u32::from(Score::ONE.units())
}

/// A width, in hundredths of a percent; a share has as many units.
const WIDTH: u32 = 10_000;
const MARGIN: u32 = 600;
/// How many places beside each other dots have.
const SLOTS: usize = 41;
const DOT_STEP: usize = 14;
const TOP: usize = 22;
const LABEL_ROOM: usize = 22;
const PLOT_HEIGHT: u32 = 100;
const TOP_ROOM: u32 = 22;
/// How many values fit beside each other on a phone.
const MAX_LABELLED: usize = 6;
