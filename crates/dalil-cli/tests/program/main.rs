//! Runs the real program and compares its whole output.

#[cfg(feature = "serve")]
#[cfg(test)]
mod agents;
#[cfg(test)]
mod archive;
#[cfg(test)]
mod bundle;
#[cfg(test)]
mod check;
#[cfg(feature = "live-sql")]
#[cfg(test)]
mod database_corpus;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod edge;
#[cfg(test)]
mod eval;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod help;
#[cfg(test)]
mod keep;
#[cfg(feature = "live-sql")]
#[cfg(test)]
mod live;
#[cfg(test)]
mod model;
#[cfg(test)]
mod newcomer;
#[cfg(feature = "pdf")]
#[cfg(test)]
mod pages;
#[cfg(test)]
mod pictures;
#[cfg(test)]
mod read;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod refusal;
#[cfg(test)]
mod report;
#[cfg(test)]
mod run;
#[cfg(test)]
mod store;
#[cfg(test)]
mod timestamp;
#[cfg(test)]
mod vectors;
#[cfg(test)]
mod verify;
