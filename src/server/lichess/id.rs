//! Ids of games in the explorer API: eight characters out of 62, as clients expect them.
//!
//! The first tells the index, the other seven the number of the game there, so that a game is found again by its id
//! alone: the clients that ask for one cannot name an index.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Digits of the number.
const N_DIGITS: usize = 7;

/// A game of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameId {
    /// Place of the index among those that are served; only the first 62 can be told apart.
    pub(super) index: usize,
    /// Number of the game in the index.
    pub(super) number: u64,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [b'0'; 1 + N_DIGITS];
        digits[0] = DIGITS[self.index % DIGITS.len()];
        let mut rest = self.number;
        for digit in digits[1..].iter_mut().rev() {
            *digit = DIGITS[(rest % DIGITS.len() as u64) as usize];
            rest /= DIGITS.len() as u64;
        }
        digits
            .iter()
            .try_for_each(|&digit| write!(f, "{}", char::from(digit)))
    }
}

impl FromStr for GameId {
    type Err = ();

    fn from_str(text: &str) -> Result<GameId, ()> {
        let digit = |byte: u8| DIGITS.iter().position(|&digit| digit == byte).ok_or(());
        let (&first, rest) = text.as_bytes().split_first().ok_or(())?;
        if rest.len() != N_DIGITS {
            return Err(());
        }
        let mut number = 0;
        for &byte in rest {
            number = number * DIGITS.len() as u64 + digit(byte)? as u64;
        }
        Ok(GameId {
            index: digit(first)?,
            number,
        })
    }
}

impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_back() {
        for index in [0, 1, 61] {
            for number in [0, 1, 61, 62, 482_783, 62_u64.pow(7) - 1] {
                let id = GameId { index, number };
                assert_eq!(id.to_string().len(), 8);
                assert_eq!(id.to_string().parse(), Ok(id));
            }
        }
        for text in ["", "0000000", "000000000", "0000000-", "0000é00"] {
            assert_eq!(text.parse::<GameId>(), Err(()), "{text}");
        }
    }
}
