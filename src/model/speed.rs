//! The speed class of a time control.
//!
//! PGN standard, section 9.6.1, defines the tag; the classes are those of Lichess, by the estimated duration for one
//! player: base time plus 40 increments, in seconds.

use std::fmt;
use std::str::FromStr;

/// How fast a game was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    /// No time control, or one that says nothing about the duration.
    #[default]
    Unknown,
    /// Below 30 s.
    UltraBullet,
    /// Below 180 s.
    Bullet,
    /// Below 480 s.
    Blitz,
    /// Below 1500 s.
    Rapid,
    /// 1500 s and more.
    Classical,
    /// A day and more for a move.
    Correspondence,
}

impl Speed {
    /// All classes, in the order of their codes.
    pub const ALL: [Speed; 7] = [
        Speed::Unknown,
        Speed::UltraBullet,
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];

    /// The name in queries.
    pub fn as_str(self) -> &'static str {
        match self {
            Speed::Unknown => "unknown",
            Speed::UltraBullet => "ultrabullet",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }

    /// The class of the value of a TimeControl tag: `SECONDS`, `SECONDS+INCREMENT`, `MOVES/SECONDS`, and periods of
    /// these joined by `:`, of which the first counts. Anything else is unknown.
    pub fn from_time_control(text: &str) -> Speed {
        let first = text.trim().split(':').next().unwrap_or_default();
        let (moves, time) = match first.split_once('/') {
            Some((moves, time)) => match moves.parse::<u32>() {
                Ok(moves) if moves > 0 => (Some(moves), time),
                _ => return Speed::Unknown,
            },
            None => (None, first),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let (Ok(base), Ok(increment)) = (base.parse::<f64>(), increment.parse::<f64>()) else {
            return Speed::Unknown;
        };
        if !(base.is_finite() && increment.is_finite())
            || base < 0.0
            || increment < 0.0
            || base + increment == 0.0
        {
            return Speed::Unknown;
        }
        if moves.is_some_and(|moves| base / f64::from(moves) >= 43_200.0) {
            return Speed::Correspondence;
        }
        match base + 40.0 * increment {
            s if s < 30.0 => Speed::UltraBullet,
            s if s < 180.0 => Speed::Bullet,
            s if s < 480.0 => Speed::Blitz,
            s if s < 1500.0 => Speed::Rapid,
            _ => Speed::Classical,
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Speed {
    type Err = ();

    fn from_str(text: &str) -> Result<Speed, ()> {
        Speed::ALL
            .into_iter()
            .find(|s| s.as_str().eq_ignore_ascii_case(text))
            .ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_has_the_class_of_its_estimated_duration() {
        for (text, want) in [
            ("300+3", Speed::Blitz),
            ("600", Speed::Rapid),
            ("60+0", Speed::Bullet),
            ("15+0", Speed::UltraBullet),
            ("40/7200:3600", Speed::Classical),
            ("40/1500:40/1500", Speed::Classical),
            ("1/86400", Speed::Correspondence),
            ("-", Speed::Unknown),
            ("?", Speed::Unknown),
            ("*180", Speed::Unknown),
            ("5+0 min", Speed::Unknown),
            ("0/300:0.1", Speed::Unknown),
            (": 90 minutes for forty moves", Speed::Unknown),
        ] {
            assert_eq!(Speed::from_time_control(text), want, "{text}");
        }
    }
}
