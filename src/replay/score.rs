//! A played game as text: canonical SAN and UCI of each ply, and how the words of a source differ from them.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::variant::VariantPosition;

use crate::model::diagnostic::Class;
use crate::model::move_token::Check;
use crate::model::playable::Playable;
use crate::model::position_key::PositionKey;
use crate::notation::PlayedMove;
use crate::replay::PlyVisitor;

/// The canonical SAN of a move (PGN standard, section 8.2.3), with `+` or `#`.
pub fn canonical_san<P: Playable>(before: &P, played: PlayedMove, after: &P) -> String {
    match played {
        PlayedMove::Null => "--".to_owned(),
        PlayedMove::Move(m) => SanPlus {
            san: San::from_move(before, m),
            suffix: Suffix::from_position(after),
        }
        .to_string(),
    }
}

/// The move in UCI, castling as the king's move in standard chess and as king takes rook in Chess960.
pub fn uci(before: &impl Playable, played: PlayedMove) -> String {
    match played {
        PlayedMove::Null => "0000".to_owned(),
        PlayedMove::Move(m) => m.to_uci(before.castles().mode()).to_string(),
    }
}

pub(super) fn check_spelling<P: Playable>(
    text: &[u8],
    before: &P,
    played: PlayedMove,
    after: &P,
    mut say: impl FnMut(Class),
) {
    if played == PlayedMove::Null {
        return;
    }
    let canonical = canonical_san(before, played, after);
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end_matches(['!', '?']);
    if text == canonical {
        return;
    }
    let marks = |san: &str| san.len() - san.trim_end_matches(['+', '#']).len();
    let (body, suffix) = text.split_at(text.len() - marks(text));
    let (canonical_body, canonical_suffix) =
        canonical.split_at(canonical.len() - marks(&canonical));
    if body != canonical_body {
        say(Class::NonstandardSan);
    }
    if suffix != canonical_suffix {
        say(Class::BadCheckSuffix);
    }
}

/// A whole game as text: what exports and hits are made of.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Canonical SAN of each ply.
    pub san: Vec<String>,
    /// UCI of each ply.
    pub uci: Vec<String>,
    /// The move of each ply.
    pub moves: Vec<PlayedMove>,
    /// The position of each ply, from ply 0.
    pub positions: Vec<VariantPosition>,
}

impl PlyVisitor for Score {
    fn start(&mut self, pos: &impl Playable, _key: PositionKey) {
        *self = Score {
            positions: vec![pos.clone().into()],
            ..Score::default()
        };
    }

    fn before(&mut self, pos: &impl Playable, played: PlayedMove) {
        self.san.push(match played {
            PlayedMove::Move(m) => San::from_move(pos, m).to_string(),
            PlayedMove::Null => "--".to_owned(),
        });
        self.uci.push(uci(pos, played));
        self.moves.push(played);
    }

    fn after(&mut self, pos: &impl Playable, played: PlayedMove, _key: PositionKey, check: Check) {
        if let (PlayedMove::Move(_), Some(san)) = (played, self.san.last_mut()) {
            match check {
                Check::None => {}
                Check::Check => san.push('+'),
                Check::Mate => san.push('#'),
            }
        }
        self.positions.push(pos.clone().into());
    }
}
