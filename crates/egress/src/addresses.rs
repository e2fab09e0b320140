//! Which addresses are public: everybody can reach them, and they are not in a network behind this server. Pure;
//! `mod.rs` looks up the names.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are private, local, shared, reserved, for tests, for documentation or for multicast.
const CLOSED_V4: [([u8; 4], u32); 15] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// IPv6 networks within 2000::/3 that are not public. Outside of it no address is public.
const CLOSED_V6: [([u16; 3], u32); 4] = [
    // Assignments of the protocol itself, Teredo among them.
    ([0x2001, 0, 0], 23),
    ([0x2001, 0x0db8, 0], 32),
    // 6to4, which wraps an address of version 4.
    ([0x2002, 0, 0], 16),
    ([0x3fff, 0, 0], 20),
];

/// Whether an address may be called without an exception.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match wrapped(address) {
            Some(inner) => is_public_v4(inner),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    CLOSED_V4.iter().all(|(network, length)| {
        let mask = u32::MAX << (32 - length);
        bits & mask != u32::from_be_bytes(*network)
    })
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = address.to_bits();
    let within = |head: [u16; 3], length: u32| {
        let network = Ipv6Addr::new(head[0], head[1], head[2], 0, 0, 0, 0, 0).to_bits();
        bits >> (128 - length) == network >> (128 - length)
    };
    within([0x2000, 0, 0], 3) && !CLOSED_V6.iter().any(|(head, length)| within(*head, *length))
}

/// The IPv4 address that an IPv6 address leads to: mapped, or with the common NAT64 prefix.
fn wrapped(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = address.segments();
    let is_wrapped = matches!([a, b, c, d, e, f], [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0]);
    is_wrapped.then(|| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_anybody_are_public() {
        for text in ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00::1"] {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
        assert!(is_public("::ffff:8.8.8.8".parse().unwrap()), "it leads where 8.8.8.8 leads");
        assert!(is_public("64:ff9b::8.8.8.8".parse().unwrap()));
    }

    #[test]
    fn addresses_of_a_network_or_of_nobody_are_not() {
        let closed = [
            "0.0.0.0",
            "0.1.2.3",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.1.1.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:0808:0808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];
        for text in closed {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
    }
}
