//! Which addresses are public, as data: CIDR strings, parsed once.
//!
//! IPv4 is public unless denied, after IANA's special-purpose registry. IPv6 is public only within the space assigned to
//! public hosts, so that a range nobody has thought of is refused. Helpers such as `is_private` are left out on purpose: their meaning has
//! changed between versions of more than one language.

use ipnet::IpNet;
use std::{net::IpAddr, sync::LazyLock};

/// All of IPv4, and IPv6's global unicast space: its loopback, mapped, translated, local and multicast ranges lie
/// outside.
const ALLOWED: &[&str] = &["0.0.0.0/0", "2000::/3"];

/// IPv4 within [`ALLOWED`] that no public host has.
const DENIED_V4: &[&str] = &[
    "0.0.0.0/8",       // this network; connecting to 0.0.0.0 reaches loopback
    "10.0.0.0/8",      // private
    "100.64.0.0/10",   // shared by carriers; overlay networks
    "127.0.0.0/8",     // loopback
    "169.254.0.0/16",  // link local; metadata services of most clouds
    "172.16.0.0/12",   // private
    "192.0.0.0/24",    // protocol assignments
    "192.0.2.0/24",    // documentation
    "192.31.196.0/24", // AS112
    "192.52.193.0/24", // multicast tunnels (AMT)
    "192.88.99.0/24",  // 6to4 relays, deprecated
    "192.168.0.0/16",  // private
    "192.175.48.0/24", // AS112
    "198.18.0.0/15",   // benchmarks
    "198.51.100.0/24", // documentation
    "203.0.113.0/24",  // documentation
    "224.0.0.0/4",     // multicast
    "240.0.0.0/4",     // reserved, and broadcast
];

/// IPv6 within [`ALLOWED`] that no public host has.
const DENIED_V6: &[&str] = &[
    "2001::/23",         // protocol assignments; Teredo, benchmarks, ORCHID
    "2001:db8::/32",     // documentation
    "2002::/16",         // 6to4: an IPv4 address in disguise
    "2620:4f:8000::/48", // AS112
    "3fff::/20",         // documentation
];

/// Metadata services, which hand out credentials: denied before anything else is asked. An operator opens them by their
/// exact address only.
const METADATA: &[&str] = &[
    "169.254.0.0/16",     // AWS, GCP, Azure, DigitalOcean, OCI; ECS and EKS agents
    "168.63.129.16/32",   // Azure's host agent: public space that no registry lists
    "100.100.100.200/32", // Alibaba
    "192.0.0.192/32",     // OCI
    "fd00:ec2::/32",      // AWS
    "fd20:ce::/32",       // GCP
];

/// The parsed lists.
struct Table {
    allowed: Vec<IpNet>,
    denied: Vec<IpNet>,
    metadata: Vec<IpNet>,
}

/// A row that doesn't parse is no table, and no table denies everything.
static TABLE: LazyLock<Option<Table>> = LazyLock::new(|| Table::parse().ok());

/// Whether an address, in canonical form, is a public host's. Metadata services are another question.
pub(super) fn is_public(ip: IpAddr) -> bool {
    TABLE.as_ref().is_some_and(|table| holds(&table.allowed, ip) && !holds(&table.denied, ip))
}

/// Whether an address, in canonical form, is a metadata service's.
pub(super) fn is_metadata(ip: IpAddr) -> bool {
    TABLE.as_ref().is_none_or(|table| holds(&table.metadata, ip))
}

fn holds(nets: &[IpNet], ip: IpAddr) -> bool {
    nets.iter().any(|net| net.contains(&ip))
}

// === impl Table ===

impl Table {
    fn parse() -> Result<Self, ipnet::AddrParseError> {
        let parse = |rows: &[&str]| rows.iter().map(|row| row.parse()).collect::<Result<Vec<IpNet>, _>>();
        let denied = [parse(DENIED_V4)?, parse(DENIED_V6)?].concat();
        Ok(Self { allowed: parse(ALLOWED)?, denied, metadata: parse(METADATA)? })
    }
}
