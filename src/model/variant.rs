//! The rules a game was played by, from its Variant tag.

use std::fmt;
use std::str::FromStr;

use shakmaty::variant::Variant as Rules;

/// A chess variant. Each is a scope of its own: its games never enter the statistics of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Standard chess, also from a given position.
    #[default]
    Standard,
    /// Chess960 (Fischer random), also double Chess960.
    Chess960,
    /// Crazyhouse.
    Crazyhouse,
    /// Antichess (giveaway).
    Antichess,
    /// Atomic.
    Atomic,
    /// Horde.
    Horde,
    /// King of the hill.
    KingOfTheHill,
    /// Racing kings.
    RacingKings,
    /// Three-check.
    ThreeCheck,
}

impl Variant {
    /// All variants, in the order of their codes.
    pub const ALL: [Variant; 9] = [
        Variant::Standard,
        Variant::Chess960,
        Variant::Crazyhouse,
        Variant::Antichess,
        Variant::Atomic,
        Variant::Horde,
        Variant::KingOfTheHill,
        Variant::RacingKings,
        Variant::ThreeCheck,
    ];

    /// The name in queries and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
            Variant::Crazyhouse => "crazyhouse",
            Variant::Antichess => "antichess",
            Variant::Atomic => "atomic",
            Variant::Horde => "horde",
            Variant::KingOfTheHill => "kingofthehill",
            Variant::RacingKings => "racingkings",
            Variant::ThreeCheck => "threecheck",
        }
    }

    /// The variant with this code, its position in [`Variant::ALL`].
    pub fn from_code(code: u8) -> Option<Variant> {
        Variant::ALL.get(usize::from(code)).copied()
    }

    /// The rules by which it is played. Chess960 differs from standard chess in where it begins.
    pub fn rules(self) -> Rules {
        match self {
            Variant::Standard | Variant::Chess960 => Rules::Chess,
            Variant::Crazyhouse => Rules::Crazyhouse,
            Variant::Antichess => Rules::Antichess,
            Variant::Atomic => Rules::Atomic,
            Variant::Horde => Rules::Horde,
            Variant::KingOfTheHill => Rules::KingOfTheHill,
            Variant::RacingKings => Rules::RacingKings,
            Variant::ThreeCheck => Rules::ThreeCheck,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Reads the value of a Variant tag. Case, blanks, hyphens and punctuation do not matter; the names of several
/// programs are known, with or without `chess` behind them.
impl FromStr for Variant {
    type Err = ();

    fn from_str(text: &str) -> Result<Variant, ()> {
        let folded: String = text
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let short = folded.strip_suffix("chess");
        named(&folded).or_else(|| named(short?)).ok_or(())
    }
}

/// The variant that a folded name means.
fn named(folded: &str) -> Option<Variant> {
    Some(match folded {
        "" | "chess" | "normal" | "regular" | "orthodox" | "classic" | "classical"
        | "fromposition" => Variant::Standard,
        "fischerandom"
        | "fischerrandom"
        | "chess9lx"
        | "960"
        | "frc"
        | "dfrc"
        | "doublechess960"
        | "doublefischerandom"
        | "doublefischerrandom"
        | "chess960double" => Variant::Chess960,
        "zh" | "house" => Variant::Crazyhouse,
        "anti" | "giveaway" | "suicide" => Variant::Antichess,
        "koth" => Variant::KingOfTheHill,
        "racing" => Variant::RacingKings,
        "3check" | "3checks" | "threechecks" => Variant::ThreeCheck,
        folded => return Variant::ALL.into_iter().find(|v| v.as_str() == folded),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_several_programs_are_known() {
        for (text, want) in [
            ("Standard", Variant::Standard),
            ("From Position", Variant::Standard),
            ("", Variant::Standard),
            ("Regular", Variant::Standard),
            ("Classic", Variant::Standard),
            ("Orthodox", Variant::Standard),
            ("Normal", Variant::Standard),
            ("Standard Chess", Variant::Standard),
            ("?", Variant::Standard),
            ("Chess 960", Variant::Chess960),
            ("Fischerandom", Variant::Chess960),
            ("Three-check", Variant::ThreeCheck),
            ("King of the Hill", Variant::KingOfTheHill),
            ("kingOfTheHill", Variant::KingOfTheHill),
            ("Racing Kings", Variant::RacingKings),
            ("Antichess", Variant::Antichess),
            ("Anti chess", Variant::Antichess),
            ("Give away chess", Variant::Antichess),
            ("3-check", Variant::ThreeCheck),
            ("Crazy House", Variant::Crazyhouse),
            ("Horde chess", Variant::Horde),
            ("Fischer Random Chess", Variant::Chess960),
        ] {
            assert_eq!(text.parse(), Ok(want), "{text}");
        }
        for text in [
            "Bughouse",
            "Seirawan",
            "Losers",
            "Atomic960",
            "Los Alamos chess",
        ] {
            assert_eq!(text.parse::<Variant>(), Err(()), "{text}");
        }
        for variant in Variant::ALL {
            assert_eq!(variant.as_str().parse(), Ok(variant));
            assert_eq!(Variant::from_code(variant as u8), Some(variant));
        }
    }
}
