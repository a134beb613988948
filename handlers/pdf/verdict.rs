//! What the end of a child means.

use super::{config::ChildEnd, inside::status, transcript::Transcript};
use crate::ExtractError;
use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

/// Why the parent stopped listening before the child had ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A line that is too long, or too much of everything.
    TooLarge,
    /// A line that isn't the protocol.
    Broken,
}

/// How the child ended, and what its pages are worth.
///
/// What came before a crash, a kill or a broken line is a salvage when a page of it has text.
pub(super) fn verdict(
    heard: Result<(), Stop>,
    status: ExitStatus,
    transcript: &Transcript,
) -> (ChildEnd, Result<(), ExtractError>) {
    let end = match (heard, status.code().and_then(|code| u8::try_from(code).ok()), status.signal()) {
        (Err(Stop::TooLarge), ..) => ChildEnd::TooLarge,
        (Err(Stop::Broken), ..) => ChildEnd::Protocol,
        (_, Some(status::OK), _) if transcript.ended => ChildEnd::Ok,
        (_, Some(status::OK), _) => ChildEnd::Protocol,
        (_, Some(status::ENCRYPTED), _) => return (ChildEnd::Refused, Err(ExtractError::Encrypted)),
        (_, Some(status::UNREADABLE), _) => return (ChildEnd::Refused, Err(ExtractError::Unreadable)),
        (_, Some(status::UNCONFINED), _) => ChildEnd::Unconfined,
        (_, _, Some(libc::SIGSYS)) => ChildEnd::PolicyKill,
        (_, _, Some(libc::SIGKILL)) => ChildEnd::Killed,
        (_, _, Some(libc::SIGXCPU)) => ChildEnd::TimedOut,
        _ => ChildEnd::Crashed,
    };
    (end, worth(end, transcript))
}

fn worth(end: ChildEnd, transcript: &Transcript) -> Result<(), ExtractError> {
    match end {
        ChildEnd::TooLarge => Err(ExtractError::TooLarge),
        ChildEnd::TimedOut => Err(ExtractError::TimedOut),
        ChildEnd::Unconfined => Err(ExtractError::SandboxUnavailable),
        _ if transcript.pages.iter().any(|page| page.chars() > 0) => Ok(()),
        // A page that failed may have had text, so only a whole document of blank pages is a scan.
        ChildEnd::Ok if !transcript.pages.is_empty() && transcript.pages.iter().all(|page| page.error.is_none()) => {
            Err(ExtractError::NoTextLayer)
        }
        // The next try may end better, so this is no verdict on the document.
        ChildEnd::Killed | ChildEnd::PolicyKill => Err(ExtractError::TooComplex),
        _ => Err(ExtractError::Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const META: &str = r#"{"meta":{"pages":2}}"#;
    const TEXT: &str = r#"{"page":1,"text":"a"}"#;
    const BLANK: &str = r#"{"page":1,"text":" \n"}"#;
    const BLANK_2: &str = r#"{"page":2,"text":""}"#;
    const FAILED: &str = r#"{"page":1,"error":"damaged"}"#;
    const FAILED_2: &str = r#"{"page":2,"error":"damaged"}"#;
    const END: &str = r#"{"end":{"pages":2}}"#;

    fn judge(lines: &[&str], heard: Result<(), Stop>, raw: i32) -> (ChildEnd, Result<(), ExtractError>) {
        let mut transcript = Transcript::new(2000);
        for line in lines {
            transcript.add(Transcript::parse(line.as_bytes()).unwrap()).unwrap();
        }
        verdict(heard, ExitStatus::from_raw(raw), &transcript)
    }

    fn exit(code: u8) -> i32 {
        i32::from(code) << 8
    }

    #[test]
    fn every_end_has_one_meaning() {
        use ChildEnd as E;
        use ExtractError as X;
        let stop = |stop| Err(stop);
        for (lines, heard, raw, end, result) in [
            (&[META, TEXT, BLANK_2, END][..], Ok(()), exit(0), E::Ok, Ok(())),
            (&[META, BLANK, BLANK_2, END], Ok(()), exit(0), E::Ok, Err(X::NoTextLayer)),
            (&[META, FAILED, BLANK_2, END], Ok(()), exit(0), E::Ok, Err(X::Unreadable)),
            (&[META, FAILED, FAILED_2, END], Ok(()), exit(0), E::Ok, Err(X::Unreadable)),
            (&[META, TEXT, FAILED_2, END], Ok(()), exit(0), E::Ok, Ok(())),
            (&[META, TEXT], Ok(()), exit(0), E::Protocol, Ok(())),
            (&[META, BLANK], Ok(()), exit(0), E::Protocol, Err(X::Unreadable)),
            (&[META], Ok(()), exit(0), E::Protocol, Err(X::Unreadable)),
            (&[], Ok(()), exit(0), E::Protocol, Err(X::Unreadable)),
            (&[META, TEXT], Ok(()), exit(3), E::Refused, Err(X::Encrypted)),
            (&[META, TEXT], Ok(()), exit(4), E::Refused, Err(X::Unreadable)),
            (&[], Ok(()), exit(78), E::Unconfined, Err(X::SandboxUnavailable)),
            (&[META, TEXT], Ok(()), exit(101), E::Crashed, Ok(())),
            (&[META], Ok(()), exit(101), E::Crashed, Err(X::Unreadable)),
            (&[META, TEXT], Ok(()), exit(71), E::Crashed, Ok(())),
            (&[META, TEXT], Ok(()), libc::SIGABRT, E::Crashed, Ok(())),
            (&[META, TEXT], Ok(()), libc::SIGSEGV, E::Crashed, Ok(())),
            (&[META, TEXT], Ok(()), libc::SIGKILL, E::Killed, Ok(())),
            (&[], Ok(()), libc::SIGKILL, E::Killed, Err(X::TooComplex)),
            (&[META, TEXT], Ok(()), libc::SIGSYS, E::PolicyKill, Ok(())),
            (&[META, TEXT], Ok(()), libc::SIGXCPU, E::TimedOut, Err(X::TimedOut)),
            (&[META, TEXT], stop(Stop::TooLarge), libc::SIGKILL, E::TooLarge, Err(X::TooLarge)),
            (&[META, TEXT], stop(Stop::Broken), libc::SIGKILL, E::Protocol, Ok(())),
            (&[META, TEXT, BLANK_2, END], stop(Stop::Broken), exit(0), E::Protocol, Ok(())),
        ] {
            assert_eq!(judge(lines, heard, raw), (end, result), "{lines:?} {heard:?} {raw}");
        }
    }
}
