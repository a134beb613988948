//! Starting children, and making sure that none outlives its job.

use crate::ExtractError;
use rustix::{
    io::Errno,
    process::{Pid, Signal, kill_process_group},
};
use std::{
    io,
    process::ExitStatus,
    sync::{OnceLock, mpsc},
    thread,
};
use tokio::{
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    runtime::Handle,
    sync::oneshot,
};

/// A child that leads a process group of its own. Dropped before its end, it takes the whole group with it.
#[derive(Debug)]
pub(super) struct Group {
    /// `None` only while it is being dropped.
    child: Option<Child>,
}

struct Order {
    command: Command,
    runtime: Handle,
    reply: oneshot::Sender<io::Result<Group>>,
}

/// Starts `command` in a process group of its own.
///
/// The command must stay within what `posix_spawn` can do (no `pre_exec`, no user, no directory): a fork copies the page
/// tables of the service, which takes a hundred times longer.
pub(super) async fn spawn(mut command: Command) -> Result<Group, ExtractError> {
    command.process_group(0).kill_on_drop(true);
    let (reply, started) = oneshot::channel();
    let order = Order { command, runtime: Handle::current(), reply };
    spawner().map_err(|error| failure(&error))?.send(order).map_err(|_| ExtractError::Crashed)?;
    started.await.map_err(|_| ExtractError::Crashed)?.map_err(|error| failure(&error))
}

/// What the failure to get a process, a pipe or memory is to a caller.
pub(super) fn failure(error: &io::Error) -> ExtractError {
    const SHORT: [Errno; 4] = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE];
    match Errno::from_io_error(error) {
        Some(errno) if SHORT.contains(&errno) => ExtractError::NoCapacity,
        _ => ExtractError::Crashed,
    }
}

/// The one thread that starts children. The death signal they ask for comes at the end of the thread that started them,
/// not of the process, and threads of a runtime come and go.
fn spawner() -> io::Result<&'static mpsc::Sender<Order>> {
    static SPAWNER: OnceLock<mpsc::Sender<Order>> = OnceLock::new();
    if let Some(spawner) = SPAWNER.get() {
        return Ok(spawner);
    }
    let (orders, inbox) = mpsc::channel::<Order>();
    thread::Builder::new().name("pdf-spawner".to_owned()).spawn(move || {
        for Order { mut command, runtime, reply } in inbox {
            let _runtime = runtime.enter();
            // A reply that nobody waits for any more is dropped here, and its child with it.
            let _ = reply.send(command.spawn().map(|child| Group { child: Some(child) }));
        }
    })?;
    // Of two threads started at once one loses its orders here, and ends without having started a child.
    Ok(SPAWNER.get_or_init(|| orders))
}

// === impl Group ===

impl Group {
    /// The standard streams, as far as they are pipes. To be asked once.
    pub(super) fn streams(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        self.child
            .as_mut()
            .map_or((None, None, None), |child| (child.stdin.take(), child.stdout.take(), child.stderr.take()))
    }

    /// Kills every process of the group. The leader has not been waited for, so the number is still its own.
    pub(super) fn kill(&self) {
        let leader = self.child.as_ref().and_then(Child::id).and_then(|id| Pid::from_raw(id.cast_signed()));
        if let Some(leader) = leader {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// Waits for the end of the leader.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        match &mut self.child {
            Some(child) => child.wait().await,
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        let Some(mut child) = self.child.take() else { return };
        // Without a runtime the child goes to tokio's own queue of orphans.
        if child.id().is_some()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(async move { child.wait().await });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_without_processes_descriptors_or_memory_is_out_of_capacity() {
        for errno in [libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE] {
            assert_eq!(failure(&io::Error::from_raw_os_error(errno)), ExtractError::NoCapacity);
        }
        for errno in [libc::ENOENT, libc::EACCES] {
            assert_eq!(failure(&io::Error::from_raw_os_error(errno)), ExtractError::Crashed);
        }
        assert_eq!(failure(&io::ErrorKind::InvalidData.into()), ExtractError::Crashed);
    }
}
