//! Header text as it is compared: without case, accents and punctuation, as words or as a whole value.
//!
//! All tags live in one text field of the index, and every term begins with the name of its tag, so that any tag of any
//! archive can be searched and none needs a field of its own. For the tag `White "Kestrel, Gwen"` the terms are the
//! words `white␁kestrel` and `white␁gwen`, at adjacent positions, and the value `white␂kestrel, gwen␀Kestrel, Gwen`:
//! folded first, so that a prefix of it finds every spelling, and as written, so that the whole of it finds one.

use std::borrow::Cow;
use std::fmt::Write;

use deunicode::deunicode;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use xxhash_rust::xxh3::xxh3_64;

/// Name of the tokenizer in the schema.
pub(crate) const TAG_TOKENIZER: &str = "pgndex_tag";

const WORD: char = '\u{1}';
const VALUE: char = '\u{2}';
/// Longest word and longest value that are kept whole, in bytes.
const MAX_WORD: usize = 80;
const MAX_VALUE: usize = 200;

/// Text in lower case and in Latin letters without accents.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        if text.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        }
    } else {
        Cow::Owned(deunicode(text).to_ascii_lowercase())
    }
}

/// The words of folded text.
pub(crate) fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// The term of a folded word under a tag.
pub(crate) fn word_term(tag: &str, word: &str) -> String {
    let mut term = String::new();
    write_word(&mut term, &fold(tag), word);
    term
}

fn write_word(term: &mut String, folded_tag: &str, word: &str) {
    term.clear();
    term.push_str(folded_tag);
    term.push(WORD);
    term.push_str(&word[..word.len().min(MAX_WORD)]);
}

/// The beginning of the terms of all values that begin with `prefix`, in any spelling.
pub(crate) fn value_prefix(tag: &str, prefix: &str) -> String {
    format!("{}{VALUE}{}", fold(tag), value_fold(prefix.trim_start()))
}

/// The beginning of the terms of a whole value, in any spelling.
pub(crate) fn folded_value(tag: &str, value: &str) -> String {
    format!("{}{VALUE}{}\0", fold(tag), value_fold(value.trim()))
}

/// The term of a whole value, exactly as written.
pub(crate) fn value_term(tag: &str, value: &str) -> String {
    let mut term = String::new();
    write_value(&mut term, &fold(tag), value);
    term
}

fn write_value(term: &mut String, folded_tag: &str, value: &str) {
    term.clear();
    term.push_str(folded_tag);
    term.push(VALUE);
    let folded = value_fold(value.trim());
    term.push_str(&folded);
    term.push('\0');
    if value.len() <= MAX_VALUE {
        term.push_str(value);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(term, "{:016x}", xxh3_64(value.as_bytes()));
    }
}

/// A folded value with single blanks, cut to a length that a term can have.
fn value_fold(value: &str) -> String {
    let folded = fold(value);
    let mut out = String::with_capacity(folded.len().min(MAX_VALUE));
    for c in folded.chars().filter(char::is_ascii) {
        if out.len() >= MAX_VALUE {
            break;
        }
        let c = if c.is_ascii_whitespace() || c.is_ascii_control() {
            ' '
        } else {
            c
        };
        if c != ' ' || !out.ends_with(' ') {
            out.push(c);
        }
    }
    out
}

/// Tags whose whole values are searchable as well as their words.
pub(crate) fn has_value_terms(tag: &str) -> bool {
    matches!(
        tag,
        "White"
            | "Black"
            | "Event"
            | "Site"
            | "Round"
            | "ECO"
            | "Opening"
            | "TimeControl"
            | "Annotator"
            | "WhiteTeam"
            | "BlackTeam"
    )
}

/// Tags that have columns of their own and no terms.
pub(crate) fn has_column(tag: &[u8]) -> bool {
    matches!(
        tag,
        b"Result" | b"WhiteElo" | b"BlackElo" | b"Date" | b"UTCDate" | b"FEN"
    )
}

/// Makes terms of `Name NUL value`.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagTokenizer {
    token: Token,
    tag: String,
    folded: String,
}

/// The terms of one tag.
#[derive(Debug)]
pub(crate) struct TagTokens<'a> {
    tokenizer: &'a mut TagTokenizer,
    value: Option<&'a str>,
    at: usize,
    position: usize,
}

impl Tokenizer for TagTokenizer {
    type TokenStream<'a> = TagTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TagTokens<'a> {
        let (tag, value) = text.split_once('\0').unwrap_or(("", text));
        self.tag.clear();
        self.tag.push_str(&fold(tag));
        self.folded.clear();
        self.folded.push_str(&fold(value));
        // The words of an ECO code are asked for through its column.
        let at = if tag == "ECO" { self.folded.len() } else { 0 };
        TagTokens {
            tokenizer: self,
            value: has_value_terms(tag).then_some(value),
            at,
            position: 0,
        }
    }
}

impl TokenStream for TagTokens<'_> {
    fn advance(&mut self) -> bool {
        let TagTokenizer { token, tag, folded } = &mut *self.tokenizer;
        let bytes = folded.as_bytes();
        let start = self.at
            + bytes[self.at..]
                .iter()
                .take_while(|b| !b.is_ascii_alphanumeric())
                .count();
        let end = start
            + bytes[start..]
                .iter()
                .take_while(|b| b.is_ascii_alphanumeric())
                .count();
        self.at = end;
        if start < end {
            write_word(&mut token.text, tag, &folded[start..end]);
            token.position = self.position;
            self.position += 1;
            return true;
        }
        let Some(value) = self.value.take() else {
            return false;
        };
        write_value(&mut token.text, tag, value);
        token.position = self.position;
        true
    }

    fn token(&self) -> &Token {
        &self.tokenizer.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokenizer.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(tag: &str, value: &str) -> Vec<String> {
        let mut tokenizer = TagTokenizer::default();
        let text = format!("{tag}\0{value}");
        let mut stream = tokenizer.token_stream(&text);
        let mut terms = Vec::new();
        while stream.advance() {
            terms.push(stream.token().text.clone());
        }
        terms
    }

    #[test]
    fn a_value_is_its_words_and_itself() {
        assert_eq!(
            terms("White", "Kestrél,  Gwen "),
            [
                word_term("white", "kestrel"),
                word_term("white", "gwen"),
                value_term("white", "Kestrél,  Gwen ")
            ]
        );
        assert!(
            value_term("white", "KESTREL, Gwen").starts_with(&value_prefix("White", "Kestrel"))
        );
        assert!(
            value_term("white", "  Kestrel,  Gwen ")
                .starts_with(&value_prefix("White", "kestrel, g"))
        );
        assert!(!value_term("white", "Old Kestrel").starts_with(&value_prefix("White", "Kestrel")));
    }

    #[test]
    fn other_tags_have_words_only() {
        assert_eq!(
            terms("Annot8", "a-b"),
            [word_term("Annot8", "a"), word_term("annot8", "b")]
        );
        assert_eq!(terms("Event", ""), [value_term("Event", "")]);
    }

    #[test]
    fn accents_fold_in_either_form() {
        for text in ["Müller", "Mu\u{308}ller", "MÜLLER"] {
            assert_eq!(fold(text), "muller", "{text}");
        }
        assert_eq!(fold("Łoś Åsen Øyvind"), "los asen oyvind");
    }

    #[test]
    fn long_values_stay_within_a_term() {
        let long = "x".repeat(70_000);
        assert!(terms("Event", &long).iter().all(|term| term.len() < 600));
        assert_ne!(
            value_term("Event", &long),
            value_term("Event", &format!("{long}y"))
        );
    }
}
