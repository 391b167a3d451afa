//! Calibration: what the file of the model says about reading its scores.

use serde::Deserialize;

use super::combine::{FastCalibration, PlattScaling};
use crate::model::{FastModel, ModelFileError};

#[derive(Deserialize)]
struct CalibrationJson {
    support: PlattScalingJson,
    contradiction: PlattScalingJson,
}

#[derive(Deserialize)]
struct PlattScalingJson {
    slope: f64,
    bias: f64,
}

/// The calibration of a model.
pub(super) fn read(model: &FastModel) -> Result<FastCalibration, ModelFileError> {
    // Without the key the empty text fails to parse, which is the error to report.
    let text = model.metadata("calibration").unwrap_or_default();
    let written: CalibrationJson = serde_json::from_str(text).map_err(|error| {
        ModelFileError::new("calibration", "a slope and a bias for each output", error.to_string())
    })?;
    let line = |PlattScalingJson { slope, bias }: &PlattScalingJson| PlattScaling {
        slope: *slope,
        bias: *bias,
    };
    Ok(FastCalibration {
        support: line(&written.support),
        contradiction: line(&written.contradiction),
    })
}
