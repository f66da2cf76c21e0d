//! How the games of an archive are to be read: all alike, or each in the language that it is in.
//!
//! A word is read in one way, which is a [`Reading`]; only a whole game can tell its own language. The two are two types,
//! so that no word is ever read in a language that nobody has settled.

use super::{Form, Language, Reading};

/// How games are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameReading {
    /// All in this way.
    Fixed(Reading),
    /// Each in English letters if these make it whole, else in those of the language that alone makes it whole; in this
    /// form, `None` for any.
    Auto(Option<Form>),
}

impl GameReading {
    /// The name of [`GameReading::Auto`] where the code of a language could stand.
    pub const AUTO: &str = "auto";

    /// How a game is read at first.
    pub fn first(self) -> Reading {
        match self {
            GameReading::Fixed(reading) => reading,
            GameReading::Auto(form) => Reading {
                form,
                language: None,
            },
        }
    }

    /// Whether a game that stops may be tried in other letters.
    pub fn is_auto(self) -> bool {
        matches!(self, GameReading::Auto(_))
    }

    /// The code of its letters, or `auto`; `None` for English.
    pub fn letters(self) -> Option<&'static str> {
        match self {
            GameReading::Fixed(reading) => reading.language.map(Language::code),
            GameReading::Auto(_) => Some(GameReading::AUTO),
        }
    }

    /// The reading with these [`GameReading::letters`]; `None` if they are of no language that is known.
    pub fn from_letters(form: Option<Form>, letters: Option<&str>) -> Option<GameReading> {
        Some(match letters {
            Some(GameReading::AUTO) => GameReading::Auto(form),
            Some(code) => GameReading::Fixed(Reading {
                form,
                language: Some(Language::from_code(code)?),
            }),
            None => GameReading::Fixed(Reading {
                form,
                language: None,
            }),
        })
    }
}

impl Default for GameReading {
    fn default() -> GameReading {
        GameReading::Fixed(Reading::default())
    }
}

impl From<Reading> for GameReading {
    fn from(reading: Reading) -> GameReading {
        GameReading::Fixed(reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_name_the_reading() {
        let codes = Language::all().skip(1).map(|l| Some(l.code()));
        for letters in codes.chain([None, Some(GameReading::AUTO)]) {
            for form in [None, Some(Form::Long)] {
                let reading = GameReading::from_letters(form, letters).expect("a reading");
                assert_eq!(reading.letters(), letters);
                assert_eq!(reading.first().form, form);
            }
        }
        assert_eq!(GameReading::from_letters(None, Some("xx")), None);
        assert_eq!(
            GameReading::from_letters(None, None),
            Some(GameReading::default())
        );
    }
}
