//! FENs as people and archives write them, read into positions.
//!
//! PGN standard, section 16.1. Counters may be missing, blanks may be underscores, castling letters may stand in any
//! order or name files (Shredder-FEN); castling rights and en passant squares that the board contradicts are dropped,
//! and the reader says so. What is left must be a legal position.
//!
//! In standard chess the letters KQkq mean a king on e1 or e8 and a rook in its corner, and are dropped without them (FIDE
//! Laws, article 3.8). Letters of files are taken at their word.
//!
//! Two variants have more to say. The pockets of crazyhouse follow the board, as `[Qnp]` or as a ninth rank, and a piece
//! that was a pawn is marked `~`; without pockets they are empty. The checks of three-check are those that are left
//! (`3+1`, before the counters) or those that were given (`+0+2`, after them); without either, none was given.

use shakmaty::fen::Fen;
use shakmaty::variant::{Variant as Rules, VariantPosition};
use shakmaty::{
    ByColor, CastlingMode, Color, EnPassantMode, Position, PositionError, PositionErrorKinds,
    RemainingChecks, Setup, Square,
};

use crate::model::playable::Playable;
use crate::model::variant::Variant;

/// A position read from a FEN, and what had to be dropped for it.
#[derive(Clone, Debug)]
pub struct FenPosition {
    /// The position.
    pub pos: VariantPosition,
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
    /// As a position to look at: anything after the side may be missing.
    Tag,
    /// The same from the FEN tag of a game, where rights that are none in standard chess are dropped. Who asks for a position
    /// may have copied one of Chess960, and must not be answered about another.
    Game,
}

impl From<VariantPosition> for FenPosition {
    /// A position for which nothing was dropped.
    fn from(pos: VariantPosition) -> FenPosition {
        FenPosition {
            pos,
            castling_dropped: false,
            ep_dropped: false,
        }
    }
}

/// Reads a FEN under the rules of a variant.
///
/// # Errors
///
/// One clause that says what is wrong with it.
pub fn read_fen(text: &str, variant: Variant, usage: FenUse) -> Result<FenPosition, String> {
    let rules = variant.rules();
    let mut fields: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == '_')
        .filter(|field| !field.is_empty())
        .collect();
    let checks = take_checks(&mut fields);
    let wanted = if usage == FenUse::Query { 4 } else { 2 };
    if fields.len() < wanted {
        return Err(match usage {
            FenUse::Query => "board, side to move, castling and en passant are wanted (board: searches the board alone)",
            FenUse::Tag | FenUse::Game => "board and side to move are wanted",
        }
        .to_owned());
    }
    match usage {
        FenUse::Query => fields.truncate(4),
        FenUse::Tag | FenUse::Game => fields.truncate(6),
    }
    let (board, pocket) = split_pocket(fields[0]);
    fields[0] = board;
    let mut setup = Fen::from_ascii(board.as_bytes())
        .map_err(|_| "the board is not eight ranks of pieces and digits".to_owned())?
        .into_setup();
    setup.remaining_checks = checks.filter(|_| rules == Rules::ThreeCheck);
    if rules == Rules::Crazyhouse {
        let pockets = format!("8/8/8/8/8/8/8/8[{pocket}]");
        setup.pockets = Fen::from_ascii(pockets.as_bytes())
            .map_err(|_| "the pockets hold something else than pieces".to_owned())?
            .into_setup()
            .pockets;
    } else if !pocket.is_empty() {
        return Err(format!(
            "there are pockets behind the board, which {variant} has not"
        ));
    }
    setup.turn = match fields[1] {
        "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
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
        if usage == FenUse::Game && variant == Variant::Standard && !names_files(castling) {
            let usual = setup.castling_rights & usual_corners(&setup.board);
            castling_dropped |= usual != setup.castling_rights;
            setup.castling_rights = usual;
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
    let pos = VariantPosition::from_setup(rules, setup, mode).or_else(
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
                .or_else(|error| match rules {
                    // In this race no king ever stands in check, and nobody would know how to get out of it.
                    Rules::RacingKings => Err(error),
                    _ => error.ignore_impossible_check(),
                })
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

/// Whether castling rights are written with letters of files.
fn names_files(castling: &str) -> bool {
    castling
        .chars()
        .any(|c| matches!(c.to_ascii_lowercase(), 'a'..='h'))
}

/// The corners whose rooks can castle in standard chess, by where the kings stand.
fn usual_corners(board: &shakmaty::Board) -> shakmaty::Bitboard {
    let mut corners = shakmaty::Bitboard::EMPTY;
    for (color, king, rooks) in [
        (Color::White, Square::E1, [Square::A1, Square::H1]),
        (Color::Black, Square::E8, [Square::A8, Square::H8]),
    ] {
        if board.king_of(color) == Some(king) {
            corners.extend(rooks);
        }
    }
    corners
}

/// What a FEN without a Variant tag says of Chess960.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chess960Hint {
    /// Nothing.
    None,
    /// Its castling rights name files, and are those of Chess960.
    Files,
    /// Its castling rights say KQkq, and the king of each of these colours could castle in Chess960 and never in standard
    /// chess, because it does not stand on the e-file. A castling move of that side proves that Chess960 was meant. With
    /// the king on e1 or e8 nothing proves it: the rights may as well be a mistake.
    IfCastling(ByColor<bool>),
}

/// What a FEN says of Chess960, and whose turn it is; `None` if it is no position.
pub fn chess960_hint(text: &str) -> Option<(Chess960Hint, Color)> {
    let pos = read_fen(text, Variant::Chess960, FenUse::Tag).ok()?.pos;
    let castles = pos.castles();
    let turn = pos.turn();
    if castles.is_empty() || castles.mode() == CastlingMode::Standard {
        return Some((Chess960Hint::None, turn));
    }
    let castling = text
        .split(|c: char| c.is_whitespace() || c == '_')
        .filter(|field| !field.is_empty())
        .nth(2);
    if castling.is_some_and(names_files) {
        return Some((Chess960Hint::Files, turn));
    }
    let is_elsewhere = ByColor::new_with(|color| {
        let king = pos.board().king_of(color);
        castles.has_color(color) && king.is_some_and(|king| king.file() != shakmaty::File::E)
    });
    let hint = if is_elsewhere.white || is_elsewhere.black {
        Chess960Hint::IfCastling(is_elsewhere)
    } else {
        Chess960Hint::None
    };
    Some((hint, turn))
}

/// Takes the checks of three-check out of the fields, which moves those behind them to their usual places.
fn take_checks(fields: &mut Vec<&str>) -> Option<ByColor<RemainingChecks>> {
    let at = (4..fields.len().min(7)).find(|&at| fields[at].contains('+'))?;
    let field = fields.remove(at);
    let fen = format!("8/8/8/8/8/8/8/8 w - - {field} 0 1");
    let fen = if field.starts_with('+') {
        format!("8/8/8/8/8/8/8/8 w - - 0 1 {field}")
    } else {
        fen
    };
    Fen::from_ascii(fen.as_bytes())
        .ok()?
        .into_setup()
        .remaining_checks
}

/// Parts the board of a crazyhouse FEN from the pockets behind it, written `[Qp]` or as a ninth rank.
fn split_pocket(field: &str) -> (&str, &str) {
    if let Some((board, pocket)) = field.split_once('[')
        && let Some(pocket) = pocket.strip_suffix(']')
    {
        return (board, pocket);
    }
    match field.match_indices('/').nth(7) {
        Some((at, _)) => (&field[..at], &field[at + 1..]),
        None => (field, ""),
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
        (
            PositionErrorKinds::VARIANT | PositionErrorKinds::IMPOSSIBLE_CHECK,
            "this variant has no such position",
        ),
    ];
    causes
        .iter()
        .find(|(kind, _)| kinds.intersects(*kind))
        .map_or("not a legal position", |(_, text)| text)
        .to_owned()
}

/// The FEN of a position with the en passant square after every double push (PGN standard, section 16.1.3.4), and what
/// lies in the pockets from queens to pawns, as other programs print it.
pub fn write_fen(pos: &impl Position) -> String {
    with_sorted_pockets(Fen::from_position(pos, EnPassantMode::Always).to_string())
}

/// The same without counters, as EPD has it, with the en passant square only if a capture is legal: the identity of a
/// position.
pub fn write_epd(pos: &impl Position) -> String {
    with_sorted_pockets(shakmaty::fen::Epd::from_position(pos, EnPassantMode::Legal).to_string())
}

fn with_sorted_pockets(fen: String) -> String {
    let (Some(open), Some(close)) = (fen.find('['), fen.find(']')) else {
        return fen;
    };
    let mut pieces: Vec<char> = fen[open + 1..close].chars().collect();
    pieces.sort_by_key(|&piece| "QRBNPqrbnp".find(piece));
    let pockets: String = pieces.into_iter().collect();
    [&fen[..=open], &pockets, &fen[close..]].concat()
}

/// Whether two positions of one variant are the same for a search (FIDE Laws, article 9.2.3).
pub fn same_position(a: &impl Playable, b: &impl Playable) -> bool {
    a.board() == b.board()
        && a.turn() == b.turn()
        && a.castles().castling_rights() == b.castles().castling_rights()
        && a.promoted() == b.promoted()
        && a.pockets() == b.pockets()
        && a.remaining_checks() == b.remaining_checks()
        && a.legal_ep_square() == b.legal_ep_square()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::playable::start_of;

    fn epd(text: &str) -> Result<String, String> {
        read_fen(text, Variant::Standard, FenUse::Query).map(|read| write_epd(&read.pos))
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
        let text = "4k3/8/8/8/8/8/4P3/4K3 w KQkq e6 0 1";
        let read = read_fen(text, Variant::Standard, FenUse::Tag).expect("a position");
        assert!(read.castling_dropped && read.ep_dropped);
        assert_eq!(write_epd(&read.pos), "4k3/8/8/8/8/8/4P3/4K3 w - -");
    }

    #[test]
    fn rights_without_king_and_rook_in_place_are_dropped_in_standard_chess_alone() {
        let dropped = |text: &str, variant| {
            let read = read_fen(text, variant, FenUse::Game).expect("a position");
            let epd = write_epd(&read.pos);
            let rights = epd.split(' ').nth(2).expect("rights").to_owned();
            (rights, read.castling_dropped, read.pos.castles().mode())
        };
        let text = "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3KR2 w KQkq - 0 1";
        let standard = CastlingMode::Standard;
        assert_eq!(
            dropped(text, Variant::Standard),
            ("Qkq".into(), true, standard)
        );
        let read = dropped(text, Variant::Chess960);
        assert_eq!(read, ("KQkq".into(), false, CastlingMode::Chess960));
        let usual = text.replace("R3KR2", "R3K2R");
        assert_eq!(
            dropped(&usual, Variant::Standard),
            ("KQkq".into(), false, standard)
        );
        let text = "1r1kr2r/p2pp2p/8/8/8/8/P2PP2P/1R1KR2R w KQkq - 0 1";
        assert_eq!(
            dropped(text, Variant::Standard),
            ("-".into(), true, standard)
        );
    }

    #[test]
    fn only_files_and_kings_elsewhere_say_chess960() {
        let hint = |text: &str| chess960_hint(text).map(|(hint, _)| hint);
        let board = "1r1kr2r/p2pp2p/8/8/8/8/P2PP2P/1R2K2R";
        let black = Chess960Hint::IfCastling(ByColor {
            white: false,
            black: true,
        });
        assert_eq!(hint(&format!("{board} w Kkq - 0 1")), Some(black));
        assert_eq!(
            hint(&format!("{board} w HBhb - 0 1")),
            Some(Chess960Hint::Files)
        );
        assert_eq!(
            hint("r3k2r/8/8/8/8/8/8/R3KR2 w KQkq - 0 1"),
            Some(Chess960Hint::None)
        );
        assert_eq!(
            hint("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"),
            Some(Chess960Hint::None)
        );
        assert_eq!(hint("r3k2r/8/8/8/8/8/8/R3K2R x"), None);
    }

    /// Checks a FEN under the rules of a variant against how it is printed; `None` if it is refused.
    fn check(variant: Variant, text: &str, want: Option<&str>) {
        let read = read_fen(text, variant, FenUse::Tag);
        let written = read.as_ref().map(|read| write_fen(&read.pos));
        assert_eq!(written.ok().as_deref(), want, "{text}: {read:?}");
    }

    #[test]
    fn pockets_and_promoted_pieces_are_read_in_both_spellings() {
        let want = "r1bqk2r/ppp2ppp/2n5/4p3/2B1P3/5Q~2/PPPP1PPP/R1B1K2R[NNPbn] w KQkq - 0 9";
        for text in [
            want,
            "r1bqk2r/ppp2ppp/2n5/4p3/2B1P3/5Q~2/PPPP1PPP/R1B1K2R/nPNNb w KQkq - 0 9",
            "r1bqk2r/ppp2ppp/2n5/4p3/2B1P3/5Q~2/PPPP1PPP/R1B1K2R[nNbNP]_w_KQkq_-_0_9",
        ] {
            let read = read_fen(text, Variant::Crazyhouse, FenUse::Tag).expect("a position");
            let again = read_fen(want, Variant::Crazyhouse, FenUse::Tag).expect("a position");
            assert!(same_position(&read.pos, &again.pos), "{text}");
            assert_eq!(write_fen(&read.pos), want);
        }
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let empty = format!("{start}[] w KQkq - 0 1");
        for pocket in ["", "[]", "/"] {
            let text = format!("{start}{pocket} w KQkq - 0 1");
            check(Variant::Crazyhouse, &text, Some(&empty));
        }
        check(
            Variant::Crazyhouse,
            &format!("{start}[Qx] w KQkq - 0 1"),
            None,
        );
        check(Variant::Standard, &format!("{start}[Q] w KQkq - 0 1"), None);
    }

    #[test]
    fn checks_are_read_in_both_spellings() {
        let board = "r1bq1bnr/pppp1kpp/2n5/4p3/4P3/8/PPPP1PPP/RNBQK1NR w KQ -";
        for checks in ["2+3 1 5", "1 5 +1+0"] {
            let want = format!("{board} 2+3 1 5");
            check(
                Variant::ThreeCheck,
                &format!("{board} {checks}"),
                Some(&want),
            );
        }
        check(
            Variant::ThreeCheck,
            &format!("{board} 1 5"),
            Some(&format!("{board} 3+3 1 5")),
        );
        check(
            Variant::Standard,
            &format!("{board} 2+3 1 5"),
            Some(&format!("{board} 1 5")),
        );
        let query = |checks: &str| {
            let text = format!("{board} {checks}");
            let read = read_fen(&text, Variant::ThreeCheck, FenUse::Query).expect("a position");
            write_epd(&read.pos)
        };
        assert_eq!(query("2+3"), query("7 9 +1+0"));
        assert_ne!(query("2+3"), query(""));
    }

    #[test]
    fn what_is_legal_depends_on_the_variant() {
        for (variant, text) in [
            (Variant::Antichess, "8/1K6/8/8/8/7p/5K2/8 w - - 0 4"),
            (
                Variant::Atomic,
                "rn3bnr/1p2p1pp/p1p2p2/3p4/8/4P3/PPPP1PPP/RNBQKB1R b KQ - 0 5",
            ),
            (
                Variant::Horde,
                "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
            ),
        ] {
            check(variant, text, Some(text));
            check(Variant::Standard, text, None);
        }
        check(
            Variant::ThreeCheck,
            "4k3/8/8/8/8/8/8/4K3 w - - 0+0 0 1",
            None,
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

        /// What is no position must be refused before somebody plays on it, and what is one comes back as it is written.
        #[test]
        fn a_damaged_fen_is_refused_or_means_what_it_is_written_as(
            which in 0..Variant::ALL.len(),
            damage in prop::collection::vec((any::<u16>(), 0..5_u8, "[kqrbnpKQRBNP1-8/~\\[\\]+ wb-]"), 0..6),
            plies in prop::collection::vec(any::<u8>(), 0..8),
        ) {
            let variant = Variant::ALL[which];
            let mut fen = write_fen(&start_of(variant));
            for (at, how, with) in damage {
                let at = usize::from(at) % fen.len();
                match how {
                    0 => fen.insert_str(at, &with),
                    1 => drop(fen.remove(at)),
                    _ => fen.replace_range(at..=at, &with),
                }
            }
            for usage in [FenUse::Tag, FenUse::Query] {
                let Ok(read) = read_fen(&fen, variant, usage) else { continue };
                let mut pos = read.pos;
                for &choice in &plies {
                    let written = write_fen(&pos);
                    let again = read_fen(&written, variant, FenUse::Tag);
                    prop_assert!(again.is_ok(), "{} gives {}: {:?}", fen, written, again);
                    let again = again.expect("checked").pos;
                    prop_assert!(same_position(&again, &pos), "{} gives {}", fen, written);
                    let moves = pos.legal_moves();
                    let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
                    shakmaty::san::Suffix::from_position(&pos);
                    pos.play_legal(m);
                }
            }
        }
    }
}
