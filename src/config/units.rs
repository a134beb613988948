//! Durations and sizes as people write them.

use std::time::Duration;

/// `500ms`, `20s`, `10m`, `24h`, `7d`; a number alone counts seconds.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let of = |seconds| number.checked_mul(seconds).map(Duration::from_secs);
    match unit {
        "ms" => Some(Duration::from_millis(number)),
        "" | "s" => of(1),
        "m" | "min" => of(60),
        "h" => of(3600),
        "d" => of(86_400),
        _ => None,
    }
}

/// `64KiB`, `384MiB`, `1GiB`, `5MB`; a number alone counts bytes.
pub(super) fn size(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let factor = match unit {
        "" | "B" => 1,
        "kB" | "KB" => 1000,
        "KiB" => 1 << 10,
        "MB" => 1000 * 1000,
        "MiB" => 1 << 20,
        "GB" => 1000 * 1000 * 1000,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(factor)
}

/// A duration in the largest unit that shows it whole.
pub(super) fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [(86_400, "d"), (3600, "h"), (60, "m")];
    match units.into_iter().find(|(unit, _)| seconds > 0 && seconds.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{}{name}", seconds / unit),
        None => format!("{seconds}s"),
    }
}

/// A size in the largest unit that shows it whole.
pub(super) fn show_size(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{}{name}", bytes / unit),
        None => format!("{bytes}B"),
    }
}

fn split(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_written() {
        for (text, ms) in [
            ("500ms", Some(500)),
            ("20s", Some(20_000)),
            (" 20 s ", Some(20_000)),
            ("20", Some(20_000)),
            ("10m", Some(600_000)),
            ("24h", Some(86_400_000)),
            ("7d", Some(604_800_000)),
            ("0s", Some(0)),
            ("", None),
            ("s", None),
            ("-1s", None),
            ("1.5h", None),
            ("20 parsecs", None),
            ("18446744073709551615d", None),
            ("99999999999999999999s", None),
        ] {
            assert_eq!(duration(text).map(|duration| duration.as_millis()), ms, "{text:?}");
        }
    }

    #[test]
    fn sizes_read_as_written() {
        for (text, bytes) in [
            ("1GiB", Some(1 << 30)),
            ("384MiB", Some(384 << 20)),
            ("5 MB", Some(5_000_000)),
            ("64KiB", Some(65_536)),
            ("104857600", Some(104_857_600)),
            ("0", Some(0)),
            ("1mib", None),
            ("1TiB", None),
            ("", None),
            ("18446744073709551615GiB", None),
        ] {
            assert_eq!(size(text), bytes, "{text:?}");
        }
    }

    #[test]
    fn what_is_shown_can_be_read_again() {
        for text in ["0s", "90s", "2m", "1h", "365d"] {
            assert_eq!(show_duration(duration(text).unwrap()), text);
        }
        for text in ["0B", "1025B", "64KiB", "384MiB", "1GiB"] {
            assert_eq!(show_size(size(text).unwrap()), text);
        }
    }
}
