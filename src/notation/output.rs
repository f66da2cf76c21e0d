//! How a user wants to see moves: a form and, where it has letters, a language.

use shakmaty::Position;

use super::{Form, Language, PlayedMove, write};

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputNotation {
    /// The form.
    pub form: Form,
    /// Piece letters; none for English.
    pub language: Option<Language>,
}

impl std::str::FromStr for OutputNotation {
    type Err = String;

    /// Reads a form, `long`, a language, `de`, or both as `long:de`. The same everywhere that a user names an output.
    fn from_str(text: &str) -> Result<OutputNotation, String> {
        let language = |code: &str| Language::from_code(code);
        match text.split_once(':') {
            Some((form, code)) => Ok(OutputNotation {
                form: form.parse().map_err(|e| format!("{e}"))?,
                language: Some(language(code).ok_or_else(|| format!("`{code}` is no language"))?),
            }),
            None => match language(text) {
                Some(language) => Ok(OutputNotation {
                    form: Form::San,
                    language: Some(language),
                }),
                None => Ok(OutputNotation {
                    form: text
                        .parse()
                        .map_err(|e| format!("{e}, or a language code"))?,
                    language: None,
                }),
            },
        }
    }
}

impl OutputNotation {
    /// A move in this notation.
    pub fn write<P: Position + Clone>(self, played: PlayedMove, before: &P) -> String {
        match played {
            PlayedMove::Move(m) => write(m, before, self.form, self.language),
            PlayedMove::Null => "--".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_a_language_or_both() {
        let parse = |text: &str| {
            text.parse::<OutputNotation>()
                .map(|n| (n.form, n.language.map(Language::code)))
        };
        assert_eq!(parse("long"), Ok((Form::Long, None)));
        assert_eq!(parse("de"), Ok((Form::San, Some("de"))));
        assert_eq!(parse("long:de"), Ok((Form::Long, Some("de"))));
        assert_eq!(parse("fide"), Ok((Form::Fide, None)));
        assert_eq!(parse("fide:nl"), Ok((Form::Fide, Some("nl"))));
        assert!(parse("xx").is_err());
        assert!(parse("long:xx").is_err());
    }
}
