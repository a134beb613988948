//! Which events and spans are let through.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;

/// Crates that print hosts and addresses. Nothing opens them.
const SILENT: [&str; 6] = ["h2", "hyper", "hyper_util", "reqwest", "rustls", "tower"];

/// Sift at `level`, others at WARN, and the silent ones never. `tuning` reaches sift only.
pub(super) fn targets(level: LevelFilter, tuning: Option<&str>) -> Targets {
    let silent = SILENT.map(|name| (name, LevelFilter::OFF));
    let base = Targets::new().with_default(LevelFilter::WARN).with_targets(silent).with_target("sift", level);
    let directives = tuning.unwrap_or_default().split(',').filter_map(directive);
    directives.fold(base, |targets, (target, level)| targets.with_target(target, level))
}

/// `level` or `target=level`, if it is about sift.
fn directive(text: &str) -> Option<(&str, LevelFilter)> {
    let (target, level) = text.trim().split_once('=').unwrap_or(("sift", text.trim()));
    let about_sift = ["sift", "sift_layers", "sift_handlers"].contains(&target.split("::").next()?);
    // An empty level would parse, as ERROR.
    (about_sift && !level.is_empty()).then(|| Some((target, level.parse().ok()?))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn the_environment_tunes_sift_and_nothing_else() {
        let all =
            Some("trace,reqwest=trace,hyper_util::client=trace,sqlite=trace,=trace,siftx=trace,sift_layers=oops,sift=");
        for tuning in [None, Some(""), all] {
            let targets = targets(LevelFilter::INFO, tuning);
            let quiet =
                ["reqwest::connect", "hyper_util::client::legacy", "hyper::proto", "h2::codec", "rustls::client"];
            for target in quiet {
                assert!(!targets.would_enable(target, &Level::ERROR), "{target} under {tuning:?}");
            }
            for other in ["moka", "sqlite", "opentelemetry_sdk"] {
                assert!(targets.would_enable(other, &Level::WARN), "{other} under {tuning:?}");
                assert!(!targets.would_enable(other, &Level::INFO), "{other} under {tuning:?}");
            }
            for own in ["sift", "sift::stack", "sift_layers::observe", "sift_handlers"] {
                assert!(targets.would_enable(own, &Level::INFO), "{own} under {tuning:?}");
                assert_eq!(targets.would_enable(own, &Level::TRACE), tuning == all, "{own} under {tuning:?}");
            }
        }
        let one = targets(LevelFilter::INFO, Some("sift_layers::cache=debug"));
        assert!(
            one.would_enable("sift_layers::cache", &Level::DEBUG) && !one.would_enable("sift_layers", &Level::DEBUG)
        );
    }
}
