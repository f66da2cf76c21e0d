//! The query string of a request, and how its values are read.
//!
//! Names that nobody asks for are ignored, as the explorer API has it, and an empty value is the same as none. Of a name
//! that is there twice the first one counts.

use std::str::FromStr;

use crate::model::variant::Variant;
use crate::notation::{Language, OutputNotation, Reading};
use crate::server::failure::Failure;

pub(super) struct Params(Vec<(String, String)>);

impl Params {
    /// Reads a query string; `+` and `%20` are blanks, and what is not UTF-8 becomes U+FFFD.
    pub(super) fn new(query: Option<&str>) -> Params {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        Params(pairs.into_owned().collect())
    }

    /// A value as it stands, even when it is empty.
    pub(super) fn raw(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(have, _)| have == name)
            .map(|(_, value)| value.as_str())
    }

    /// All values of a name.
    pub(super) fn all(&self, name: &str) -> Vec<&str> {
        self.0
            .iter()
            .filter(|(have, _)| have == name)
            .map(|(_, value)| value.as_str())
            .collect()
    }

    /// A value that is not empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.raw(name).filter(|value| !value.trim().is_empty())
    }

    /// A value that must be there.
    pub(super) fn required(&self, name: &str) -> Result<&str, Failure> {
        self.get(name)
            .ok_or_else(|| Failure::bad_request(format!("`{name}` is missing")))
    }

    /// A whole number, at most `most`.
    pub(super) fn number(&self, name: &str, most: usize) -> Result<Option<usize>, Failure> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        let digits = text.trim();
        digits
            .parse()
            .ok()
            .filter(|n| *n <= most && digits.bytes().all(|b| b.is_ascii_digit()))
            .map(Some)
            .ok_or_else(|| {
                Failure::bad_request(format!("`{name}` is no number from 0 to {most}: `{text}`"))
            })
    }

    /// A value that its type can read.
    pub(super) fn parsed<T: FromStr<Err: std::fmt::Display>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, Failure> {
        let parse = |text: &str| {
            text.parse()
                .map_err(|e| Failure::bad_request(format!("`{name}`: {e}")))
        };
        self.get(name).map(parse).transpose()
    }

    /// How moves in the request are written: `lang`, and `form` for who wants only one form read.
    pub(super) fn reading(&self) -> Result<Reading, Failure> {
        let language = |code: &str| {
            Language::from_code(code.trim()).ok_or_else(|| {
                Failure::bad_request(format!(
                    "`lang`: `{code}` is no language code that is known"
                ))
            })
        };
        Ok(Reading {
            form: self.parsed("form")?,
            language: self.get("lang").map(language).transpose()?,
        })
    }

    /// The rules; those of standard chess by default.
    pub(super) fn variant(&self) -> Result<Variant, Failure> {
        let known = |name: &str| {
            name.parse()
                .map_err(|()| Failure::bad_request(format!("`variant`: `{name}` is not known")))
        };
        self.get("variant").map_or(Ok(Variant::Standard), known)
    }

    /// How moves are shown.
    pub(super) fn notation(&self) -> Result<Option<OutputNotation>, Failure> {
        self.parsed("notation")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded_and_the_first_one_counts() {
        let params = Params::new(Some("fen=a+b%20c&x=&fen=d&y=%C3%A9&z[]=1&z[]=2&%"));
        assert_eq!(params.get("fen"), Some("a b c"));
        assert_eq!((params.raw("x"), params.get("x")), (Some(""), None));
        assert_eq!(params.get("y"), Some("é"));
        assert_eq!(params.all("z[]"), ["1", "2"]);
        assert!(params.required("x").is_err());
        assert_eq!(Params::new(None).get("fen"), None);
    }

    #[test]
    fn numbers_have_bounds() {
        let number = |text: &str| Params::new(Some(text)).number("n", 20).ok();
        assert_eq!(number("n=20"), Some(Some(20)));
        assert_eq!(number("n="), Some(None));
        for text in [
            "n=21",
            "n=-1",
            "n=%2B1",
            "n=1.5",
            "n=x",
            "n=99999999999999999999",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
