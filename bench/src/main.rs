//! One task of the Rust side: `dalil-bench TASK INPUT OUTPUT`.
//!
//! Prints one line of JSON with the median of each step in seconds, and leaves its
//! result in OUTPUT, so that `bench/run` can compare it with the result of the
//! Python side.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write as _};

use crate::measure::{BenchFigures, cpu_seconds, peak_kb};

mod bundle;
mod judge;
mod limits;
mod mask;
mod measure;
mod packs;
mod rank;
mod read;
mod records;
mod retrieve;
mod sources;
mod store;
mod verify;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, input, output] = arguments.as_slice() else {
        return Err("expected TASK INPUT OUTPUT".into());
    };
    let (mut figures, made) = run(task, &fs::read(input)?)?;
    figures.push(("cpu", cpu_seconds()?));
    figures.push(("peak_kb", peak_kb()?));
    let figures: Vec<String> =
        figures.iter().map(|(name, value)| format!("\"{name}\":{value:e}")).collect();
    writeln!(io::stdout(), "{{{}}}", figures.join(","))?;
    File::create(output)?.write_all(&made)?;
    Ok(())
}

fn run(task: &str, input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    match task {
        "bundle" => bundle::measure(input),
        "judge" => judge::measure(input),
        "limits" => limits::measure(input),
        "mask" => mask::measure(input),
        "packs" => packs::measure(input),
        "rank" => rank::measure(input),
        "read" => read::measure(input),
        "records" => records::measure(input),
        "retrieve" => retrieve::measure(input),
        "sources" => sources::measure(input),
        "store" => store::measure(input),
        "verify" => verify::measure(input),
        other => Err(format!("expected a task, found `{other}`").into()),
    }
}
