//! Calibration: what the file of the model says about reading its scores.

use serde::Deserialize;

use super::weigh::{Calibration, Line};
use crate::model::{Damaged, Model};

#[derive(Deserialize)]
struct Written {
    support: Moved,
    contradiction: Moved,
}

#[derive(Deserialize)]
struct Moved {
    slope: f64,
    bias: f64,
}

/// The calibration of a model.
pub(super) fn read(model: &Model) -> Result<Calibration, Damaged> {
    let text = model.metadata("calibration").unwrap_or_default();
    let written: Written = serde_json::from_str(text).map_err(|error| {
        Damaged::new("calibration", "a slope and a bias for each output", error.to_string())
    })?;
    let line = |Moved { slope, bias }: &Moved| Line { slope: *slope, bias: *bias };
    Ok(Calibration { support: line(&written.support), contradiction: line(&written.contradiction) })
}
