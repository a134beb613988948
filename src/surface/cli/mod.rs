//! The command line (api.md §6): content to stdout, notes and progress to stderr, and an exit status for each ending.

mod cache;
mod doctor;
mod extract;
mod fetch;
mod mcp;
mod remote;
mod serve;

use super::respond::{Failure, meaning};
use crate::config::{self, ConfigError, Loaded};
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::{
    ffi::OsString,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Reads documents for AI agents: fetches a URL or reads a file, and shows the view that fits a context window.
#[derive(Debug, Parser)]
#[command(name = "sift", version, about, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    /// The configuration file; else `SIFT_CONFIG`, else sift/config.toml in the configuration folder of the user.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve /v1/fetch and /v2/scrape over HTTP.
    Serve,
    /// Fetch a URL and print a view of the document.
    ///
    /// Works alone, with a cache of its own; with `SIFT_URL` (and `SIFT_TOKEN`) set, asks that server.
    Fetch(fetch::FetchArgs),
    /// Print a view of local files (`-` = standard input).
    Extract(extract::ExtractArgs),
    /// Look into the cache, or clear it.
    #[command(subcommand)]
    Cache(cache::CacheCommand),
    /// Serve an agent over the Model Context Protocol, on standard input and output.
    Mcp,
    /// Check what sift needs, and print the effective configuration.
    Doctor,
    /// Print a completion script.
    Completions {
        /// For which shell.
        shell: clap_complete::Shell,
    },
    /// The child that reads one PDF: standard input to JSON Lines.
    #[command(hide = true, disable_help_flag = true)]
    Pdftext {
        /// Read by the child itself.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// What both `fetch` and `extract` can show of a document.
#[derive(Clone, Debug, Default, Args)]
struct ViewArgs {
    /// Pages to show: 3, 3-7, 3-, or a list of these; a PDF's own labels work, too: iv-x.
    #[arg(long, value_name = "PAGES")]
    pages: Option<String>,
    /// Show the lines that match a pattern, with their pages.
    #[arg(long, value_name = "PATTERN")]
    grep: Option<String>,
    /// Show the places that answer a question or have these words.
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["pages", "grep", "offset"])]
    search: Option<String>,
    /// How many places a search shows, 10 by default.
    #[arg(long, value_name = "N", requires = "search")]
    top_k: Option<u32>,
    /// Skip so many characters: the continuation of a cut answer.
    #[arg(long, value_name = "N")]
    offset: Option<u64>,
    /// Print JSON: one object a line.
    #[arg(long)]
    json: bool,
    /// Opens an encrypted PDF.
    #[arg(long, value_name = "P")]
    password: Option<String>,
    /// HTML: the whole cleaned page, and not the main content only.
    #[arg(long)]
    whole: bool,
}

/// Runs the command line. `arguments` begin with the program's name.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    // The child takes its own arguments, and must not do anything before it is confined.
    if arguments.get(1).is_some_and(|command| command == "pdftext") {
        return ExitCode::from(sift_handlers::pdf::child_main(arguments.into_iter().skip(2)));
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()) * 2);
        }
    };
    let done = match cli.command {
        Command::Serve => serve::run(cli.config.as_deref()),
        Command::Fetch(args) => fetch::run(cli.config.as_deref(), &args),
        Command::Extract(args) => extract::run(cli.config.as_deref(), &args),
        Command::Cache(command) => cache::run(cli.config.as_deref(), command),
        Command::Mcp => mcp::run(cli.config.as_deref()),
        Command::Doctor => doctor::run(cli.config.as_deref()),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "sift", &mut io::stdout());
            Ok(0)
        }
        Command::Pdftext { .. } => Ok(2),
    };
    match done {
        Ok(status) => ExitCode::from(status),
        Err(End::Failed(failure)) => {
            complain(&failure);
            ExitCode::from(meaning(failure.error).exit)
        }
        Err(End::Start(status, error)) => {
            say(&format!("{error:#}"));
            ExitCode::from(status)
        }
        // Whoever read our output has enough of it.
        Err(End::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(End::Output(error)) => {
            say(&format!("can't write the output: {error}"));
            ExitCode::from(1)
        }
    }
}

/// Why a command ended early.
#[derive(Debug)]
enum End {
    /// The document.
    Failed(Failure),
    /// The configuration or the start, with the exit status of `sysexits.h`.
    Start(u8, anyhow::Error),
    /// Standard output.
    Output(io::Error),
}

/// `EX_CONFIG`: the configuration, or what it asks for, can't be used.
const EX_CONFIG: u8 = 78;
/// `EX_TEMPFAIL`: another process is in the way.
const EX_TEMPFAIL: u8 = 75;

impl From<Failure> for End {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<ConfigError> for End {
    fn from(error: ConfigError) -> Self {
        Self::Start(EX_CONFIG, error.into())
    }
}

impl From<anyhow::Error> for End {
    fn from(error: anyhow::Error) -> Self {
        Self::Start(EX_CONFIG, error)
    }
}

/// The configuration in force for this process.
fn load(path: Option<&Path>) -> Result<Loaded, End> {
    Ok(config::load(path, &|name| std::env::var(name).ok())?)
}

/// A runtime for one command.
fn runtime() -> Result<tokio::runtime::Runtime, End> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// Content, and nothing else.
fn print(text: &str) -> Result<(), End> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Notes and progress. A closed stderr is no reason to stop.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "sift: {text}");
}

/// An error, with the next thing to try.
fn complain(failure: &Failure) {
    let colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let (red, plain) = if colour { ("\x1b[31m", "\x1b[0m") } else { ("", "") };
    let hint = failure.hint();
    let hint = if hint.is_empty() { String::new() } else { format!(" (hint: {hint})") };
    say(&format!("{red}{}{plain}{hint}", failure.message()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
