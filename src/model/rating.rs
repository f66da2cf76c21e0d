//! Ratings (Elo) as tags write them.
//!
//! PGN standard, section 9.1.2: a number, or `-` for an unrated player. Zero means unrated too, and never enters an
//! average or a range.

/// Highest rating that is taken for one.
pub const MAX_RATING: u16 = 4000;

/// What an Elo tag says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagRating {
    /// A rating from 1 to [`MAX_RATING`].
    Rated(u16),
    /// Nothing: empty, `-`, `?`, `0`.
    Unrated,
    /// Text that is no number.
    NotNumeric,
    /// A number above [`MAX_RATING`].
    OutOfRange,
}

/// Reads the value of WhiteElo or BlackElo. A question mark after the number (a provisional rating) is accepted.
pub fn tag_rating(text: &str) -> TagRating {
    let text = text.trim();
    if matches!(text, "" | "-" | "?" | "--" | "*") {
        return TagRating::Unrated;
    }
    let digits = text.strip_suffix('?').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return TagRating::NotNumeric;
    }
    match digits.parse::<u16>() {
        Ok(0) => TagRating::Unrated,
        Ok(rating) if rating <= MAX_RATING => TagRating::Rated(rating),
        _ => TagRating::OutOfRange,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_a_plain_number_within_reason() {
        for (text, want) in [
            ("2400", TagRating::Rated(2400)),
            (" 2450 ", TagRating::Rated(2450)),
            ("2400?", TagRating::Rated(2400)),
            ("4000", TagRating::Rated(4000)),
            ("0", TagRating::Unrated),
            ("-", TagRating::Unrated),
            ("", TagRating::Unrated),
            ("-50", TagRating::NotNumeric),
            ("2500.5", TagRating::NotNumeric),
            ("Elo=1234", TagRating::NotNumeric),
            ("99999", TagRating::OutOfRange),
            ("4001", TagRating::OutOfRange),
        ] {
            assert_eq!(tag_rating(text), want, "{text}");
        }
    }
}
