//! Wall-clock time that obeys paused time in tests.

use serde::{Deserialize, Serialize};
use std::{
    fmt,
    sync::LazyLock,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::time::Instant;

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The time now.
    pub fn now() -> Self {
        // The wall clock is read once and carried on by tokio's, so that a test that pauses time pauses freshness, too,
        // and a jump of the wall clock doesn't expire everything at once.
        static START: LazyLock<(SystemTime, Instant)> = LazyLock::new(|| (SystemTime::now(), Instant::now()));
        let now = START.0 + Instant::now().saturating_duration_since(START.1);
        Self(u64::try_from(now.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()).unwrap_or(u64::MAX))
    }

    /// How long ago this was, by `now`. `None` when it lies in the future: such a time can't be trusted.
    pub fn age(self, now: Self) -> Option<Duration> {
        now.0.checked_sub(self.0).map(Duration::from_millis)
    }
}

/// RFC 3339 in UTC, to the second: `2026-01-31T12:00:00Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        let (days, time) = (seconds / 86_400, seconds % 86_400);
        // Civil date from days, by eras of 400 years (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_reads_as_a_date() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (1_767_225_599_999, "2025-12-31T23:59:59Z"),
            (4_102_444_800_000, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(Timestamp(ms).to_string(), text);
        }
        assert_eq!(Timestamp(5).age(Timestamp(4)), None);
        assert_eq!(Timestamp(5).age(Timestamp(9)), Some(Duration::from_millis(4)));
    }

    #[tokio::test(start_paused = true)]
    async fn paused_time_pauses_the_wall_clock() {
        let before = Timestamp::now();
        tokio::time::advance(Duration::from_hours(24)).await;
        assert_eq!(before.age(Timestamp::now()), Some(Duration::from_hours(24)));
    }
}
