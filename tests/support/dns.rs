//! A name server of the test's own, and a view of the system in which it is the only one.

use parking_lot::Mutex;
use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};
use tokio::net::UdpSocket;

/// Where it listens: an address of loopback that nothing else has.
const ADDRESS: &str = "127.0.0.153:53";

/// Answers every question about the names it knows. It stops when it is dropped.
pub struct Dns {
    names: Arc<Mutex<HashMap<String, Vec<IpAddr>>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Dns {
    /// Starts; or says why not, where a test has no right to a low port or to a mount of its own.
    pub async fn start() -> Option<Self> {
        let mounts = Command::new("unshare").args(["-m", "true"]).stderr(Stdio::null()).status();
        let Ok(socket) = UdpSocket::bind(ADDRESS).await else {
            eprintln!("skipped: no right to listen on {ADDRESS}");
            return None;
        };
        if !mounts.is_ok_and(|status| status.success()) {
            eprintln!("skipped: no right to a mount namespace");
            return None;
        }
        let names = Arc::<Mutex<HashMap<String, Vec<IpAddr>>>>::default();
        let known = names.clone();
        let task = tokio::spawn(async move {
            let mut question = [0; 512];
            while let Ok((length, asker)) = socket.recv_from(&mut question).await {
                let answer = answer(&question[..length], &known.lock());
                let _: Result<_, _> = socket.send_to(&answer, asker as SocketAddr).await;
            }
        });
        Some(Self { names, task })
    }

    pub fn put(&self, name: &str, addresses: &[&str]) {
        let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
        self.names.lock().insert(name.to_owned(), addresses);
    }

    /// A command whose process asks this server only.
    pub fn command(folder: &Path, program: &Path) -> Command {
        let resolv: PathBuf = folder.join("resolv.conf");
        std::fs::write(&resolv, format!("nameserver {}\n", ADDRESS.trim_end_matches(":53"))).unwrap();
        let mut command = Command::new("unshare");
        let script = "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\"";
        command.args(["-m", "sh", "-c", script]).arg(resolv).arg(program);
        command
    }
}

impl Drop for Dns {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The answer to one question: all addresses of the asked type, or the truth that there is no such name (RFC 1035 §4).
fn answer(question: &[u8], names: &HashMap<String, Vec<IpAddr>>) -> Vec<u8> {
    let (mut name, mut at) = (Vec::new(), 12);
    while question[at] != 0 {
        let end = at + 1 + usize::from(question[at]);
        name.push(String::from_utf8_lossy(&question[at + 1..end]).to_lowercase());
        at = end;
    }
    let (kind, end) = (question[at + 2], at + 5);
    let known = names.get(&name.join("."));
    let of_kind = |address: &&IpAddr| if address.is_ipv4() { kind == 1 } else { kind == 28 };
    let addresses: Vec<_> = known.into_iter().flatten().filter(of_kind).collect();
    let mut out = question[..2].to_vec();
    out.extend([0x85, if known.is_some() { 0 } else { 3 }, 0, 1, 0, addresses.len() as u8, 0, 0, 0, 0]);
    out.extend(&question[12..end]);
    for address in addresses {
        let octets = match address {
            IpAddr::V4(address) => address.octets().to_vec(),
            IpAddr::V6(address) => address.octets().to_vec(),
        };
        out.extend([0xC0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, octets.len() as u8]);
        out.extend(octets);
    }
    out
}
