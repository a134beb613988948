//! What may be fetched, and what the operator opens besides.

use super::{name, table};
use crate::{caller::Class, error::Refusal, url::PageUrl};
use ipnet::{IpNet, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::Host;

/// The ports of the web.
const PORTS: [u16; 2] = [80, 443];

/// Ports that no setting opens: "none", SSH, mail, Redis, memcached. Their protocols take a request line for a command.
const NEVER: [u16; 9] = [0, 22, 25, 110, 143, 465, 587, 6379, 11211];

/// What may be fetched, for each class of callers. The default is the public web, and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    fleet: Egress,
    restricted: Egress,
}

/// What the operator opens for one class besides the public web.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Egress {
    /// Networks that are reached although they are not public. One that is wider than a single address opens no
    /// metadata service.
    pub allow_private: Vec<IpNet>,
    /// Ports besides 80 and 443.
    pub allow_ports: Vec<u16>,
    /// Names that are looked up although no public host has such a name. What they resolve to is judged all the same.
    /// They are the machine's own business, so they are looked up as they stand, with hosts file and search list.
    pub allow_names: Vec<String>,
    /// The prefix under which this network reaches IPv4 hosts (NAT64): addresses within it are judged by the IPv4
    /// address that they carry. Its length is one of 32, 40, 48, 56, 64 and 96.
    pub nat64_prefix: Option<Ipv6Net>,
}

// === impl Policy ===

impl Policy {
    /// The public web, and what each class may reach besides.
    pub fn new(fleet: Egress, restricted: Egress) -> Self {
        Self { fleet: fleet.normalized(), restricted: restricted.normalized() }
    }

    /// Judges an address before anything is looked up or connected. The scheme is [`PageUrl`]'s.
    pub fn check(&self, class: Class, url: &PageUrl) -> Result<(), Refusal> {
        let url = url.expose();
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::Userinfo);
        }
        let port = url.port_or_known_default().ok_or(Refusal::Port)?;
        if NEVER.contains(&port) || !(PORTS.contains(&port) || self.of(class).allow_ports.contains(&port)) {
            return Err(Refusal::Port);
        }
        let ip = match url.host().ok_or(Refusal::Name)? {
            Host::Domain(host) => return self.check_name(class, host),
            Host::Ipv4(ip) => IpAddr::V4(ip),
            Host::Ipv6(ip) => IpAddr::V6(ip),
        };
        if self.allows(class, ip) { Ok(()) } else { Err(Refusal::Address) }
    }

    /// Judges a literal address, what a name resolved to, or who answered.
    pub fn allows(&self, class: Class, ip: IpAddr) -> bool {
        let egress = self.of(class);
        let ip = egress.carried(ip.to_canonical());
        let opened = |net: &IpNet| net.contains(&ip);
        let opened_exactly = |net: &IpNet| net.prefix_len() == net.max_prefix_len() && net.contains(&ip);
        if table::is_metadata(ip) {
            return egress.allow_private.iter().any(opened_exactly);
        }
        egress.allow_private.iter().any(opened) || table::is_public(ip)
    }

    /// Whether the operator lists a name, which is then looked up as it stands.
    pub fn lists(&self, class: Class, host: &str) -> bool {
        let listed = &self.of(class).allow_names;
        let host = name::without_dot(host);
        listed.iter().any(|name| name.eq_ignore_ascii_case(host))
    }

    fn check_name(&self, class: Class, host: &str) -> Result<(), Refusal> {
        let sound = name::is_sound(host) && (self.lists(class, host) || name::is_public(host));
        if sound { Ok(()) } else { Err(Refusal::Name) }
    }

    fn of(&self, class: Class) -> &Egress {
        match class {
            Class::Fleet => &self.fleet,
            Class::Restricted => &self.restricted,
        }
    }
}

// === impl Egress ===

impl Egress {
    fn normalized(mut self) -> Self {
        for name in &mut self.allow_names {
            *name = name::without_dot(name).to_owned();
        }
        self
    }

    /// The IPv4 address that an address of the NAT64 prefix carries (RFC 6052), or the address itself.
    fn carried(&self, ip: IpAddr) -> IpAddr {
        match (ip, self.nat64_prefix) {
            (IpAddr::V6(v6), Some(prefix)) if prefix.contains(&v6) => embedded(v6, prefix).map_or(ip, IpAddr::V4),
            _ => ip,
        }
    }
}

/// The four bytes behind the prefix, without byte 8, which is reserved.
fn embedded(ip: Ipv6Addr, prefix: Ipv6Net) -> Option<Ipv4Addr> {
    let length @ (32 | 40 | 48 | 56 | 64 | 96) = prefix.prefix_len() else { return None };
    let mut behind = (0..16).zip(ip.octets()).skip(usize::from(length / 8)).filter(|(at, _)| *at != 8);
    let mut next = || behind.next().map(|(_, octet)| octet);
    Some(Ipv4Addr::new(next()?, next()?, next()?, next()?))
}
