//! Runs the real server over HTTP and compares its answers.

#[cfg(test)]
mod agents;
#[cfg(test)]
mod approvals;
#[cfg(test)]
mod bomb;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod credentials;
#[cfg(test)]
mod document;
#[cfg(test)]
mod edge;
#[cfg(test)]
mod fresh;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod invitations;
#[cfg(test)]
mod judge;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod oidc;
#[cfg(test)]
mod onecall;
#[cfg(test)]
mod openfga;
#[cfg(test)]
mod otlp;
#[cfg(test)]
mod paced_judge;
#[cfg(test)]
mod page_view;
#[cfg(test)]
mod pressure;
#[cfg(test)]
mod private;
#[cfg(test)]
mod server;
#[cfg(test)]
mod streaming;
#[cfg(test)]
mod timestamps;
#[cfg(test)]
mod tlog;
#[cfg(test)]
mod tls;
#[cfg(test)]
mod together;
#[cfg(test)]
mod viewer;
#[cfg(test)]
mod way;
