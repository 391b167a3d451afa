//! Runs the real program and compares everything it says.

#[cfg(test)]
mod bundle;
#[cfg(test)]
mod run;
#[cfg(test)]
mod vectors;
