//! Proofs over the real program and real stores: nothing lost, engines agree, tenants stay apart.

#[cfg(test)]
mod agree;
#[cfg(test)]
mod apart;
#[cfg(test)]
mod away;
#[cfg(test)]
mod burst;
#[cfg(test)]
mod crowd;
#[cfg(test)]
mod forged;
#[cfg(test)]
mod grown;
#[cfg(test)]
mod home;
#[cfg(test)]
mod lost;
#[cfg(test)]
mod rough;
#[cfg(test)]
mod scenario;
#[cfg(test)]
mod server;
