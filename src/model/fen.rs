//! FENs as people and archives write them, read into positions.
//!
//! PGN standard, section 16.1. Counters may be missing, blanks may be underscores, castling letters may stand in any
//! order or name files (Shredder-FEN); castling rights and en passant squares that the board contradicts are dropped,
//! and the reader says so. What is left must be a legal position.

use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError, PositionErrorKinds,
    Setup,
};

/// A position read from a FEN, and what had to be dropped for it; by default, the start position.
#[derive(Clone, Debug, Default)]
pub struct FenPosition {
    /// The position.
    pub pos: Chess,
    /// Castling rights that the board contradicts were dropped.
    pub castling_dropped: bool,
    /// An en passant square that the board contradicts was dropped.
    pub ep_dropped: bool,
}

/// How a FEN came to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenUse {
    /// From a query: board, side, castling and en passant are asked for, counters do not matter.
    Query,
    /// From a FEN tag: anything after the side may be missing.
    Tag,
}

/// Reads a FEN.
///
/// # Errors
///
/// One clause that says what is wrong with it.
pub fn read_fen(text: &str, usage: FenUse) -> Result<FenPosition, String> {
    let text = if text.contains('_') {
        text.replace('_', " ")
    } else {
        text.to_owned()
    };
    let mut fields: Vec<&str> = text.split_ascii_whitespace().collect();
    // An empty pocket is how some programs mark a crazyhouse board; on this board it means nothing.
    if let Some(board) = fields.first_mut() {
        *board = board.strip_suffix("[]").unwrap_or(board);
    }
    let wanted = if usage == FenUse::Query { 4 } else { 2 };
    if fields.len() < wanted {
        return Err(match usage {
            FenUse::Query => "board, side to move, castling and en passant are wanted (board: searches the board alone)",
            FenUse::Tag => "board and side to move are wanted",
        }
        .to_owned());
    }
    match usage {
        FenUse::Query => fields.truncate(4),
        FenUse::Tag => fields.truncate(6),
    }
    let board = shakmaty::Board::from_ascii_board_fen(fields[0].as_bytes())
        .map_err(|_| "the board is not eight ranks of pieces and digits".to_owned())?;
    let mut setup = Setup {
        board,
        ..Setup::empty()
    };
    setup.turn = match fields[1] {
        "w" | "W" => shakmaty::Color::White,
        "b" | "B" => shakmaty::Color::Black,
        other => return Err(format!("side to move is {other:?}, not w or b")),
    };
    // Each field is tried alone, so that a bad one costs no more than itself.
    let with = |castling: &str, ep: &str| -> Option<Setup> {
        let side = if setup.turn.is_white() { "w" } else { "b" };
        let fen = format!("{} {side} {castling} {ep} 0 1", fields[0]);
        Fen::from_ascii(fen.as_bytes()).ok().map(Setup::from)
    };
    let mut castling_dropped = false;
    let mut ep_dropped = false;
    if let Some(castling) = fields.get(2).filter(|&&f| f != "-") {
        match with(castling, "-") {
            Some(read) => setup.castling_rights = read.castling_rights,
            None => castling_dropped = true,
        }
    }
    if let Some(ep) = fields.get(3).filter(|&&f| f != "-") {
        match ep.to_ascii_lowercase().parse() {
            Ok(square) => setup.ep_square = Some(square),
            Err(_) => ep_dropped = true,
        }
    }
    if let Some(halfmoves) = fields.get(4).and_then(|f| f.parse().ok()) {
        setup.halfmoves = halfmoves;
    }
    if let Some(fullmoves) = fields.get(5).and_then(|f| f.parse().ok()) {
        setup.fullmoves = fullmoves;
    }
    let mode = CastlingMode::detect(&setup);
    let pos = Chess::from_setup(setup, mode).or_else(
        #[expect(
            clippy::result_large_err,
            reason = "shakmaty's error carries the position it repairs"
        )]
        |error| {
            let kinds = error.kinds();
            castling_dropped |= kinds.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS);
            ep_dropped |= kinds.contains(PositionErrorKinds::INVALID_EP_SQUARE);
            error
                .ignore_invalid_castling_rights()
                .or_else(PositionError::ignore_invalid_ep_square)
                .or_else(PositionError::ignore_too_much_material)
                .or_else(PositionError::ignore_impossible_check)
        },
    );
    match pos {
        Ok(pos) => Ok(FenPosition {
            pos,
            castling_dropped,
            ep_dropped,
        }),
        Err(error) => Err(describe(error.kinds())),
    }
}

fn describe(kinds: PositionErrorKinds) -> String {
    let causes = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (
            PositionErrorKinds::TOO_MANY_KINGS,
            "there are too many kings",
        ),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            "a pawn stands on the first or last rank",
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side that is not to move is in check",
        ),
    ];
    causes
        .iter()
        .find(|(kind, _)| kinds.contains(*kind))
        .map_or("not a legal position", |(_, text)| text)
        .to_owned()
}

/// The FEN of a position with the en passant square after every double push (PGN standard, section 16.1.3.4).
pub fn write_fen(pos: &Chess) -> String {
    Fen::from_position(pos, EnPassantMode::Always).to_string()
}

/// The same without counters, as EPD has it, with the en passant square only if a capture is legal: the identity of a
/// position.
pub fn write_epd(pos: &Chess) -> String {
    shakmaty::fen::Epd::from_position(pos, EnPassantMode::Legal).to_string()
}

/// Whether two positions are the same for a search (FIDE Laws, article 9.2.3).
pub fn same_position(a: &Chess, b: &Chess) -> bool {
    a.board() == b.board()
        && a.turn() == b.turn()
        && a.castles().castling_rights() == b.castles().castling_rights()
        && a.legal_ep_square() == b.legal_ep_square()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epd(text: &str) -> Result<String, String> {
        read_fen(text, FenUse::Query).map(|read| write_epd(&read.pos))
    }

    #[test]
    fn forms_of_one_position_are_one_position() {
        let want = epd("rnbqkb1r/pppp1ppp/5n2/4p3/2P5/6P1/PP1PPPBP/RNBQK1NR b KQkq - 2 3");
        for text in [
            "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/6P1/PP1PPPBP/RNBQK1NR b KQkq -",
            "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/6P1/PP1PPPBP/RNBQK1NR b KQkq - 0 0",
            "  rnbqkb1r/pppp1ppp/5n2/4p3/2P5/6P1/PP1PPPBP/RNBQK1NR   b   KQkq   - ",
            "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/6P1/PP1PPPBP/RNBQK1NR_b_KQkq_-_2_3",
            "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/6P1/PP1PPPBP/RNBQK1NR b QKqk - 2 3",
            "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/6P1/PP1PPPBP/RNBQK1NR b HAha - 2 3",
            "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/6P1/PP1PPPBP/RNBQK1NR[] b KQkq - 2 3",
        ] {
            assert_eq!(epd(text), want, "{text}");
        }
        assert!(want.is_ok());
    }

    #[test]
    fn a_superfluous_en_passant_square_is_no_part_of_the_position() {
        assert_eq!(
            epd("rnbqkbnr/pp1p1ppp/4p3/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq c6 0 3"),
            epd("rnbqkbnr/pp1p1ppp/4p3/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3")
        );
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP",
            "",
        ] {
            assert!(epd(text).is_err(), "{text}");
        }
    }

    #[test]
    fn impossible_rights_are_dropped_and_said_so() {
        let read =
            read_fen("4k3/8/8/8/8/8/4P3/4K3 w KQkq e6 0 1", FenUse::Tag).expect("a position");
        assert!(read.castling_dropped && read.ep_dropped);
        assert_eq!(write_epd(&read.pos), "4k3/8/8/8/8/8/4P3/4K3 w - -");
    }
}
