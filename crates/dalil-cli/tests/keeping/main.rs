//! Proofs over the real program and real stores: nothing lost, engines agree, tenants stay apart.

#[cfg(test)]
mod burst;
#[cfg(test)]
mod home;
#[cfg(test)]
mod lost;
