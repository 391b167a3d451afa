//! Where requests come from.

use std::net::IpAddr;

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerAddress(pub(crate) IpAddr);

impl PeerAddress {
    /// The name of an address in shares and rates.
    pub(crate) fn name(peer: Option<Self>) -> String {
        let network = peer.map(|Self(address)| network(address).to_string());
        format!("address:{}", network.as_deref().unwrap_or("unknown"))
    }
}

/// The network that counts as one address: of IPv6 the first 64 bits, which one subscriber has to
/// itself.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let bits = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(bits.into())
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}
