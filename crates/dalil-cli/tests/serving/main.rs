//! Runs the real server over HTTP and compares what it answers.

#[cfg(test)]
mod approvals;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod edge;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod oidc;
#[cfg(test)]
mod server;
#[cfg(test)]
mod way;
