//! One job: start a child, hear it out, see to its end.

use super::{
    config::{ChildEnd, PdfConfig, Sandbox},
    confine::SandboxReport,
    inside::{Preamble, Probe},
    spawn::{Group, failure, spawn},
    transcript::{Broken, Transcript},
    verdict::{Stop, verdict},
};
use crate::{ExtractError, Password, off_thread};
use std::{
    fs::File,
    io,
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{ChildStdin, Command},
    time::{Instant, timeout, timeout_at},
};

/// The most that a child may write, in bytes of JSON Lines.
const MAX_OUTPUT: usize = 64 << 20;
/// The longest line, in bytes.
const MAX_LINE: usize = 8 << 20;
/// Longer lines are parsed off the async threads.
const QUICK_LINE: usize = 256 << 10;
/// What a pipe holds, in bytes.
const BLOCK: usize = 64 << 10;
/// The longest time for a child that only says what confines it.
const PROBE_DEADLINE: Duration = Duration::from_secs(5);
/// The longest wait for a child that was killed.
const LAST_WAIT: Duration = Duration::from_secs(1);
/// Room for the line of a probe, in bytes.
const MAX_PROBE: u64 = 4 << 10;

/// What a child had to say that is worth keeping.
#[derive(Debug)]
pub(super) struct Heard {
    /// Its lines.
    pub(super) transcript: Transcript,
    /// Whether that is all it wanted to say.
    pub(super) whole: bool,
}

/// Has `pdf` read by a child. The file stands at its start.
pub(super) async fn read(config: &PdfConfig, pdf: File, password: Option<&Password>) -> Result<Heard, ExtractError> {
    let over = Instant::now() + config.deadline;
    let mut command = command(config);
    let fed = if let Some(password) = password {
        // Neither the command line nor the environment keeps a secret from other processes.
        command.arg("--preamble").stdin(Stdio::piped());
        Some((preamble(password)?, pdf))
    } else {
        command.stdin(pdf);
        None
    };
    let mut group = timeout_at(over, spawn(command)).await.map_err(|_| ExtractError::TimedOut)??;
    let mut transcript = Transcript::new(config.max_pages);
    let (end, worth) = if let Ok(ended) = timeout_at(over, converse(&mut group, fed, &mut transcript)).await {
        let (heard, status) = ended?;
        verdict(heard, status, &transcript)
    } else {
        group.kill();
        // One that even the kernel can't end yet is waited for in the background.
        let _ = timeout(LAST_WAIT, group.wait()).await;
        (ChildEnd::TimedOut, Err(ExtractError::TimedOut))
    };
    if let Some(hook) = &config.on_child_end {
        hook(end);
    }
    worth.map(|()| Heard { transcript, whole: end == ChildEnd::Ok })
}

/// Starts a child that reads nothing, and asks which of its locks hold. Nothing when it can't be started or answers
/// otherwise than it should.
pub async fn probe(config: &PdfConfig) -> Option<SandboxReport> {
    let mut command = command(config);
    command.arg("--probe").stdin(Stdio::null()).stderr(Stdio::null());
    let asked = async {
        let mut group = spawn(command).await.ok()?;
        let mut line = Vec::new();
        group.streams().1?.take(MAX_PROBE).read_to_end(&mut line).await.ok()?;
        let ended = group.wait().await.ok()?;
        ended.success().then(|| serde_json::from_slice::<Probe>(&line).ok())?
    };
    timeout(PROBE_DEADLINE, asked).await.ok()?.map(|probe| probe.sandbox)
}

/// Feeds the child and hears it out. All at once: a child that waits for one of its pipes must not stop the others.
async fn converse(
    group: &mut Group,
    fed: Option<(Vec<u8>, File)>,
    transcript: &mut Transcript,
) -> Result<(Result<(), Stop>, ExitStatus), ExtractError> {
    let (stdin, Some(stdout), Some(mut stderr)) = group.streams() else { return Err(ExtractError::Crashed) };
    let stdout = BufReader::with_capacity(BLOCK, stdout);
    let (heard, (), _) = tokio::join!(hear(group, stdout, transcript), feed(stdin, fed), discard(&mut stderr));
    let status = group.wait().await.map_err(|error| failure(&error))?;
    Ok((heard, status))
}

/// The command line of a child. An empty environment: nothing of the service's leaks, and no loader variable gets in.
fn command(config: &PdfConfig) -> Command {
    let mut command = Command::new(&config.program.path);
    command.args(&config.program.args).env_clear().stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["--max-pages", &config.max_pages.to_string()]);
    command.args(["--memory", &config.child_memory.to_string()]);
    command.args(["--parent", &std::process::id().to_string()]);
    if config.sandbox == Sandbox::Require {
        command.arg("--require-sandbox");
    }
    command
}

fn preamble(password: &Password) -> Result<Vec<u8>, ExtractError> {
    let preamble = Preamble { password: password.expose().to_owned() };
    let mut line = serde_json::to_vec(&preamble).map_err(|_| ExtractError::Crashed)?;
    line.push(b'\n');
    Ok(line)
}

/// Writes the preamble and the PDF. A child that has its answer may close the pipe early, so that is no fault.
async fn feed(stdin: Option<ChildStdin>, fed: Option<(Vec<u8>, File)>) {
    if let (Some(mut stdin), Some((preamble, pdf))) = (stdin, fed)
        && stdin.write_all(&preamble).await.is_ok()
    {
        let mut pdf = BufReader::with_capacity(BLOCK, tokio::fs::File::from_std(pdf));
        let _ = tokio::io::copy_buf(&mut pdf, &mut stdin).await;
    }
}

/// Reads the error stream to its end and keeps nothing: the child's own words name no more than a line of its source, and
/// those of a library may hold text.
async fn discard(stderr: &mut (impl AsyncRead + Unpin)) -> io::Result<u64> {
    tokio::io::copy(stderr, &mut tokio::io::sink()).await
}

/// Hears the child out, and ends it at once when it says what it may not.
async fn hear(group: &Group, stdout: impl AsyncBufRead + Unpin, transcript: &mut Transcript) -> Result<(), Stop> {
    let heard = lines(stdout, transcript).await;
    if heard.is_err() {
        group.kill();
    }
    heard
}

async fn lines(mut stdout: impl AsyncBufRead + Unpin, transcript: &mut Transcript) -> Result<(), Stop> {
    let (mut line, mut total) = (Vec::new(), 0);
    loop {
        let block = stdout.fill_buf().await.map_err(|_| Stop::Broken)?;
        if block.is_empty() {
            // Half a line is what a crash leaves behind; the status tells the rest.
            return Ok(());
        }
        let newline = block.iter().position(|&byte| byte == b'\n');
        let taken = newline.map_or(block.len(), |end| end + 1);
        total += taken;
        if total > MAX_OUTPUT || line.len() + taken > MAX_LINE {
            return Err(Stop::TooLarge);
        }
        line.extend_from_slice(&block[..taken]);
        stdout.consume(taken);
        if newline.is_some() {
            let parsed = if line.len() > QUICK_LINE {
                let line = std::mem::take(&mut line);
                off_thread(move || Ok(Transcript::parse(&line))).await.unwrap_or(Err(Broken))
            } else {
                Transcript::parse(&line)
            };
            parsed.and_then(|parsed| transcript.add(parsed)).map_err(|Broken| Stop::Broken)?;
            line.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn heard(output: &[u8]) -> (Result<(), Stop>, u32) {
        let mut transcript = Transcript::new(u32::MAX);
        let result = lines(output, &mut transcript).await;
        (result, transcript.count())
    }

    /// A page line of exactly `length` bytes, line end included.
    fn page(number: u32, length: usize) -> String {
        let frame = format!("{{\"page\":{number},\"text\":\"\"}}\n").len();
        format!("{{\"page\":{number},\"text\":\"{}\"}}\n", "a".repeat(length - frame))
    }

    #[tokio::test]
    async fn a_line_has_at_most_eight_mebibytes() {
        let meta = "{\"meta\":{\"pages\":1}}\n";
        for (length, expected) in
            [(MAX_LINE - 1, (Ok(()), 1)), (MAX_LINE, (Ok(()), 1)), (MAX_LINE + 1, (Err(Stop::TooLarge), 0))]
        {
            assert_eq!(heard(format!("{meta}{}", page(1, length)).as_bytes()).await, expected, "{length}");
        }
    }

    #[tokio::test]
    async fn all_lines_together_have_at_most_sixty_four_mebibytes() {
        let meta = "{\"meta\":{\"pages\":99}}\n";
        let whole: String =
            (1..=8).map(|number| page(number, MAX_LINE - if number == 8 { meta.len() } else { 0 })).collect();
        assert_eq!(heard(format!("{meta}{whole}").as_bytes()).await, (Ok(()), 8));
        assert_eq!(heard(format!("{meta}{whole}\n").as_bytes()).await, (Err(Stop::TooLarge), 8));
    }

    #[tokio::test]
    async fn half_a_line_and_a_broken_one_leave_the_lines_before() {
        let start = "{\"meta\":{\"pages\":9}}\n{\"page\":1,\"text\":\"a\"}\n";
        assert_eq!(heard(format!("{start}{{\"page\":2,\"te").as_bytes()).await, (Ok(()), 1));
        assert_eq!(
            heard(&[start.as_bytes(), b"{\"page\":2,\"text\":\"\xFF\"}\n"].concat()).await,
            (Err(Stop::Broken), 1)
        );
    }
}
