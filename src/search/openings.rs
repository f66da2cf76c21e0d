//! Names of openings, by position, so that a transposition has the name of the line it led into.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Serialize;
use shakmaty::san::San;
use shakmaty::variant::VariantPosition;
use shakmaty::{Bitboard, CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup};

use crate::model::playable::Playable;
use crate::model::position_key::PositionKey;
use crate::model::variant::Variant;

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Opening {
    /// ECO code.
    pub eco: &'static str,
    /// Name.
    pub name: &'static str,
}

const FILES: [&str; 5] = [
    include_str!("openings/a.tsv"),
    include_str!("openings/b.tsv"),
    include_str!("openings/c.tsv"),
    include_str!("openings/d.tsv"),
    include_str!("openings/e.tsv"),
];

static BY_POSITION: LazyLock<HashMap<PositionKey, Opening>> = LazyLock::new(|| {
    let rows = FILES.iter().flat_map(|file| file.lines().skip(1));
    rows.filter_map(|row| {
        let mut columns = row.split('\t');
        let opening = Opening {
            eco: columns.next()?,
            name: columns.next()?,
        };
        let mut pos = Chess::default();
        for word in columns
            .next()?
            .split(' ')
            .filter(|word| !word.ends_with('.'))
        {
            let san = San::from_ascii(word.trim_end_matches(['+', '#']).as_bytes()).ok()?;
            pos.play_unchecked(san.to_move(&pos).ok()?);
        }
        Some((PositionKey::of(&pos, Variant::Standard), opening))
    })
    .collect()
});

/// The name of exactly this position.
pub fn opening_of<P: Playable>(pos: &P) -> Option<Opening> {
    BY_POSITION
        .get(&PositionKey::of(pos, Variant::Standard))
        .copied()
}

/// The name of the last named one of some positions, by the rules of a variant. The variants that begin like standard
/// chess and move like it share its names; what else belongs to their positions has no part in a name.
pub fn opening_on(positions: &[VariantPosition], variant: Variant) -> Option<Opening> {
    let is_named = matches!(
        variant,
        Variant::Standard | Variant::Crazyhouse | Variant::ThreeCheck | Variant::KingOfTheHill
    );
    let as_standard = |pos: &VariantPosition| {
        let setup = Setup {
            promoted: Bitboard::EMPTY,
            pockets: None,
            remaining_checks: None,
            ..pos.to_setup(EnPassantMode::Legal)
        };
        opening_of(&Chess::from_setup(setup, CastlingMode::Standard).ok()?)
    };
    positions
        .iter()
        .rev()
        .filter(|_| is_named)
        .find_map(as_standard)
}

/// The name of a position, or of the last named position on the way to it.
pub fn opening_after<'a, P: Playable + 'a>(
    positions: impl DoubleEndedIterator<Item = &'a P>,
) -> Option<Opening> {
    positions.rev().find_map(opening_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_a_position() {
        let rows: usize = FILES.iter().map(|file| file.lines().skip(1).count()).sum();
        assert!(
            BY_POSITION.len() * 100 > rows * 99,
            "{} of {rows}",
            BY_POSITION.len()
        );
        assert!(rows > 3000);
    }

    #[test]
    fn a_transposition_has_the_name_of_its_line() {
        let after = |line: &str| {
            let mut positions = vec![Chess::default()];
            for word in line.split(' ') {
                let mut pos = positions.last().expect("a position").clone();
                pos.play_unchecked(
                    San::from_ascii(word.as_bytes())
                        .expect("SAN")
                        .to_move(&pos)
                        .expect("legal"),
                );
                positions.push(pos);
            }
            opening_after(positions.iter()).map(|o| o.name)
        };
        assert_eq!(after("e4 e5 Nf3 Nc6 Bb5"), Some("Ruy Lopez"));
        assert_eq!(after("Nf3 Nc6 e4 e5 Bb5"), Some("Ruy Lopez"));
    }
}
