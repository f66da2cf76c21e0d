//! The names of the notations.
//!
//! A form says how a move is spelled, a [`Language`](super::Language) which letters name the pieces in it. Several
//! names mean one form where neither reader nor writer tells them apart: abbreviated algebraic is loose SAN.

use std::fmt;
use std::str::FromStr;

/// A way to spell moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Short algebraic, written as PGN export SAN and read loosely: `Nf3`, `ed4`, `c:d4`, `0-0`.
    San,
    /// Short algebraic as the Laws of Chess print it, read like SAN: `0-0`, `exd6 e.p.`, `d8Q`.
    Fide,
    /// Long algebraic: `Ng1-f3`, `e5xd4`.
    Long,
    /// Coordinates as chess engines speak them: `g1f3`, `e7e8q`.
    Uci,
    /// SAN with chess glyphs instead of letters: `♘f3`.
    Figurine,
    /// English descriptive: `N-KB3`, `PxP`.
    Descriptive,
    /// ICCF numeric: `7163`.
    Iccf,
    /// Spanish descriptive: `C3AR`, `P4R`.
    SpanishDescriptive,
    /// Smith: coordinates with the captured piece, `e4d5p`.
    Smith,
}

impl Form {
    /// Every form, in the order of the documentation.
    pub const ALL: [Form; 9] = [
        Form::San,
        Form::Fide,
        Form::Long,
        Form::Uci,
        Form::Figurine,
        Form::Descriptive,
        Form::Iccf,
        Form::SpanishDescriptive,
        Form::Smith,
    ];

    /// The name that [`Form::from_str`] reads and that is printed.
    pub fn name(self) -> &'static str {
        match self {
            Form::San => "san",
            Form::Fide => "fide",
            Form::Long => "long",
            Form::Uci => "uci",
            Form::Figurine => "figurine",
            Form::Descriptive => "descriptive",
            Form::Iccf => "iccf",
            Form::SpanishDescriptive => "spanish-descriptive",
            Form::Smith => "smith",
        }
    }

    /// What a person calls it.
    pub fn title(self) -> &'static str {
        match self {
            Form::San => "Standard algebraic",
            Form::Fide => "FIDE algebraic",
            Form::Long => "Long algebraic",
            Form::Uci => "UCI",
            Form::Figurine => "Figurine",
            Form::Descriptive => "English descriptive",
            Form::Iccf => "ICCF numeric",
            Form::SpanishDescriptive => "Spanish descriptive",
            Form::Smith => "Smith",
        }
    }

    /// Whether the letters of a [`Language`](super::Language) appear in the form.
    pub fn has_letters(self) -> bool {
        matches!(self, Form::San | Form::Fide | Form::Long)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown notation `{0}`: use san, fide, long, uci, figurine, descriptive, iccf, spanish-descriptive or smith"
)]
pub struct UnknownForm(String);

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(name: &str) -> Result<Form, UnknownForm> {
        Ok(match name.trim().to_ascii_lowercase().as_str() {
            "san" | "algebraic" | "abbreviated" | "short" | "letters" => Form::San,
            "fide" => Form::Fide,
            "long" | "lan" => Form::Long,
            "uci" | "coordinate" => Form::Uci,
            "figurine" | "fan" => Form::Figurine,
            "descriptive" | "english-descriptive" => Form::Descriptive,
            "iccf" | "numeric" => Form::Iccf,
            "spanish-descriptive" | "spanish" => Form::SpanishDescriptive,
            "smith" => Form::Smith,
            _ => return Err(UnknownForm(name.to_owned())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_read_back() {
        for form in Form::ALL {
            assert_eq!(form.to_string().parse(), Ok(form));
        }
        assert_eq!("FIDE".parse(), Ok(Form::Fide));
        assert_eq!("abbreviated".parse(), Ok(Form::San));
        assert!("morse".parse::<Form>().is_err());
    }
}
