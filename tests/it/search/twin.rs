//! The slow obvious twin of search: every question is answered by looking at every ply of every game.
//!
//! It knows the games from the index's export and plays them with shakmaty (variations with pgn-reader); it shares no
//! code with the index, the query language or the move patterns. What a clause means is written down here a second time,
//! by a person who read the README of the query language and not its compiler.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use pgndex::notation::Reading;
use pgndex::search::{Searcher, performance};
use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::san::{SanPlus, Suffix};
use shakmaty::uci::UciMove;
use shakmaty::variant::{Variant as Rules, VariantPosition};
use shakmaty::{
    CastlingMode, CastlingSide, Color, EnPassantMode, File, Move, Position, PositionError, Rank,
    Role, Square,
};

use super::variations::variations;
use crate::support::BY_ID;

/// A position of a game, and how it came about.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Counted from the position that the game began with.
    pub(super) ply: u32,
    /// 0 for the main line.
    pub(super) line: usize,
    /// Where a variation, or the one that it is part of, leaves the main line.
    pub(super) branch: Option<u32>,
    /// The position before and the move, which is `None` for a null move; nothing at ply 0.
    pub(super) played: Option<(VariantPosition, Option<Move>)>,
    pub(super) pos: VariantPosition,
    pub(super) identity: String,
}

impl Step {
    pub(super) fn new(
        ply: u32,
        line: usize,
        played: Option<(VariantPosition, Option<Move>)>,
        pos: VariantPosition,
    ) -> Step {
        let identity = identity(&pos);
        Step {
            ply,
            line,
            branch: None,
            played,
            pos,
            identity,
        }
    }
}

/// The rules that go with the name of a variant.
pub(super) fn rules(variant: &str) -> Rules {
    match variant {
        "standard" | "chess960" => Rules::Chess,
        "threecheck" => Rules::ThreeCheck,
        name => Rules::from_uci(name).expect("a variant"),
    }
}

/// The position after a move. A dropped pawn neither advanced nor captured, so the clock goes on.
pub(super) fn play(before: &VariantPosition, m: Move) -> VariantPosition {
    let after = before.clone().play(m).expect("a legal move");
    if !(m.is_put() && m.role() == Role::Pawn) {
        return after;
    }
    let mut setup = after.to_setup(EnPassantMode::Always);
    setup.halfmoves = before.halfmoves() + 1;
    VariantPosition::from_setup(after.variant(), setup, after.castles().mode())
        .or_else(PositionError::ignore_impossible_check)
        .expect("a position")
}

/// The position after a null move.
fn passed(pos: &VariantPosition) -> VariantPosition {
    let mut setup = pos.to_setup(EnPassantMode::Legal);
    setup.halfmoves += 1;
    if setup.turn.is_black() {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.swap_turn();
    VariantPosition::from_setup(pos.variant(), setup, pos.castles().mode()).expect("no check")
}

/// A game, with all its positions in the order in which hits name them: the main line, then each variation.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) record: Value,
    pub(super) id: u64,
    pub(super) variant: String,
    pub(super) tags: BTreeMap<String, String>,
    pub(super) steps: Vec<Step>,
}

/// Which lines are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Main,
    Variations,
    All,
}

/// All games of an index.
pub(super) fn games(searcher: &Searcher) -> Vec<Game> {
    let mut games = Vec::new();
    let mut list = searcher
        .hits("*", Reading::default(), BY_ID, 0, usize::MAX)
        .expect("all games");
    while let Some(game) = list.next_game().expect("a game") {
        let record = serde_json::to_value(game.record()).expect("JSON");
        games.push(Game::new(record, game.bytes()));
    }
    games
}

impl Game {
    fn new(record: Value, pgn: &[u8]) -> Game {
        let text = |name: &str| record[name].as_str().expect("text").to_owned();
        let variant = text("variant");
        // Castling is written as in standard chess wherever king and rooks stand as there.
        let fen: Fen = text("start_fen").parse().expect("a FEN");
        let rules = rules(&variant);
        let start = [CastlingMode::Standard, CastlingMode::Chess960]
            .into_iter()
            .find_map(|mode| VariantPosition::from_setup(rules, fen.as_setup().clone(), mode).ok())
            .expect("a position");
        let mut steps = vec![Step::new(0, 0, None, start.clone())];
        for (uci, ply) in record["uci"].as_array().expect("moves").iter().zip(1..) {
            let before = steps.last().expect("a step").pos.clone();
            let uci: UciMove = uci.as_str().expect("a move").parse().expect("UCI");
            let (m, pos) = match uci {
                UciMove::Null => (None, passed(&before)),
                uci => {
                    let m = uci.to_move(&before).expect("a legal move");
                    (Some(m), play(&before, m))
                }
            };
            steps.push(Step::new(ply, 0, Some((before, m)), pos));
        }
        steps.extend(variations(pgn, &start));
        let tags = record["tags"].as_object().expect("tags").iter();
        let tags = tags
            .map(|(name, value)| (name.clone(), value.as_str().expect("text").to_owned()))
            .collect();
        Game {
            id: record["id"].as_u64().expect("a number"),
            variant,
            tags,
            steps,
            record,
        }
    }

    pub(super) fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    pub(super) fn result(&self) -> &str {
        self.record["result"].as_str().expect("text")
    }

    pub(super) fn plies(&self) -> u64 {
        self.record["plies"].as_u64().expect("a number")
    }

    pub(super) fn elo(&self, color: Color) -> Option<u64> {
        let tag = self.tag(if color.is_white() {
            "WhiteElo"
        } else {
            "BlackElo"
        });
        tag.trim_end_matches('?')
            .parse()
            .ok()
            .filter(|elo| (1..=4000).contains(elo))
    }

    pub(super) fn elo_sum(&self) -> Option<u64> {
        Some(self.elo(Color::White)? + self.elo(Color::Black)?)
    }

    pub(super) fn eco(&self) -> Option<String> {
        let eco = self.tag("ECO").to_uppercase();
        let eco = eco.get(..3)?;
        (eco.starts_with(|c| ('A'..='E').contains(&c)) && eco[1..].parse::<u8>().is_ok())
            .then(|| eco.to_owned())
    }

    /// First and last day that the date can mean.
    pub(super) fn days(&self) -> Option<(u32, u32)> {
        days(self.tag("Date")).or_else(|| days(self.tag("UTCDate")))
    }

    /// The steps of some lines, with the numbers by which hits are sorted.
    fn steps_in(&self, lines: Lines) -> impl Iterator<Item = (usize, &Step)> {
        self.steps
            .iter()
            .enumerate()
            .filter(move |(_, step)| match lines {
                Lines::Main => step.line == 0,
                Lines::Variations => step.line > 0,
                Lines::All => true,
            })
    }

    /// The hit that this game is at a step, or without one.
    pub(super) fn hit(&self, step: Option<usize>) -> Value {
        let step = step.map(|step| &self.steps[step]);
        let mut hit = json!({
            "id": self.id, "source": self.record["source"], "game": self.record["game"],
            "ply": step.map(|s| s.ply), "fen": step.map(|s| fen(&s.pos)),
            "white": self.tag("White"), "black": self.tag("Black"),
            "white_elo": self.elo(Color::White), "black_elo": self.elo(Color::Black), "result": self.result(),
            "date": self.tag("Date"), "event": self.tag("Event"), "eco": self.eco(), "plies": self.plies(),
        });
        if let Some(branch) = step.and_then(|step| step.branch) {
            // Keys are compared in their order, too.
            let keys = hit.as_object_mut().expect("an object");
            let mut ordered = serde_json::Map::new();
            for (key, value) in std::mem::take(keys) {
                let is_ply = key == "ply";
                ordered.insert(key, value);
                if is_ply {
                    ordered.insert("branch_ply".to_owned(), json!(branch));
                }
            }
            *keys = ordered;
        }
        hit
    }
}

/// Days of `YYYY`, `YYYY.MM` and `YYYY.MM.DD`, as `YYYYMMDD`.
pub(super) fn days(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(|part| part.parse::<u32>().ok());
    let year = parts.next()??;
    let Some(Some(month)) = parts.next() else {
        return Some((year * 10_000 + 101, year * 10_000 + 1231));
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = [
        31,
        if leap { 29 } else { 28 },
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ][month as usize - 1];
    let day = parts.next().flatten();
    let at = |day: u32| year * 10_000 + month * 100 + day;
    Some((at(day.unwrap_or(1)), at(day.unwrap_or(last))))
}

/// What makes two positions the same.
pub(super) fn identity(pos: &VariantPosition) -> String {
    let fen = Fen::from_position(pos, EnPassantMode::Legal).to_string();
    let counters = fen.rmatch_indices(' ').nth(1).expect("two counters").0;
    fen[..counters].to_owned()
}

/// The sign of a move that led to a position: 1 for check, 2 for mate and for what else ends a game of a variant.
pub(super) fn sign(after: &VariantPosition) -> u8 {
    match Suffix::from_position(after) {
        None => 0,
        Some(Suffix::Check) => 1,
        Some(Suffix::Checkmate) => 2,
    }
}

/// A FEN as it is printed: in pockets the queens come first.
pub(super) fn fen(pos: &VariantPosition) -> String {
    let fen = Fen::from_position(pos, EnPassantMode::Always).to_string();
    let Some((board, rest)) = fen.split_once('[') else {
        return fen;
    };
    let (pockets, rest) = rest.split_once(']').expect("a bracket");
    let sorted: String = "QRBNPqrbnp"
        .chars()
        .flat_map(|piece| pockets.chars().filter(move |&c| c == piece))
        .collect();
    format!("{board}[{sorted}]{rest}")
}

/// What a move looks like in a query. Nothing is said about what is `None`.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub(super) color: Option<Color>,
    pub(super) role: Option<Role>,
    pub(super) from_file: Option<File>,
    pub(super) from_rank: Option<Rank>,
    pub(super) to: Option<Square>,
    /// Whether the move must be a capture, or must not be one.
    pub(super) capture: Option<bool>,
    pub(super) promotion: Option<Role>,
    pub(super) castling: Option<CastlingSide>,
    /// Squares alone may mean castling too.
    pub(super) coordinates: bool,
    /// A drop, and not a piece that moves.
    pub(super) drop: bool,
    /// 1 for a check sign, 2 for a mate sign.
    pub(super) check: u8,
}

impl Pattern {
    fn fits(&self, before: &VariantPosition, m: Option<Move>, after: &VariantPosition) -> bool {
        let Some(m) = m else { return false };
        if sign(after) < self.check || self.color.is_some_and(|color| color != before.turn()) {
            return false;
        }
        if let Move::Castle { king, rook } = m {
            let side = if rook > king {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            let to = Square::from_coords(side.king_to_file(), king.rank());
            let squares = self.coordinates
                && self.from_file == Some(king.file())
                && self.from_rank == Some(king.rank())
                && (self.to == Some(to) || self.to == Some(rook));
            return self.castling == Some(side) || squares;
        }
        let Some(from) = m.from() else {
            return self.drop && self.role == Some(m.role()) && self.to == Some(m.to());
        };
        !self.drop
            && self.castling.is_none()
            && self.role.is_none_or(|role| role == m.role())
            && self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
            && self.to.is_none_or(|to| to == m.to())
            && self.capture.is_none_or(|capture| capture == m.is_capture())
            && self.promotion == m.promotion()
    }
}

/// A query, as text and as what it means.
pub(super) enum Query {
    Header(String, Box<dyn Fn(&Game) -> bool>),
    /// Positions by their identities.
    Position(String, BTreeSet<String>),
    /// Placement and side to move.
    Board(String, String),
    Moves(String, Vec<Pattern>),
    Variant(&'static str),
    In(Lines),
    /// All of these, with AND between them.
    And(Vec<Query>),
    /// All of these, with nothing between them.
    Beside(Vec<Query>),
    Or(Vec<Query>),
    Not(Box<Query>),
}

impl Query {
    pub(super) fn text(&self) -> String {
        let joined = |queries: &[Query], with: &str| {
            format!(
                "({})",
                queries
                    .iter()
                    .map(Query::text)
                    .collect::<Vec<_>>()
                    .join(with)
            )
        };
        match self {
            Query::Header(text, _)
            | Query::Position(text, _)
            | Query::Board(text, _)
            | Query::Moves(text, _) => text.clone(),
            Query::Variant(name) => format!("variant:{name}"),
            Query::In(lines) => format!("in:{lines:?}").to_lowercase(),
            Query::And(queries) => joined(queries, " AND "),
            Query::Beside(queries) => joined(queries, " "),
            Query::Or(queries) => joined(queries, " OR "),
            Query::Not(query) => format!("(NOT {})", query.text()),
        }
    }

    /// The variants and the lines that chess clauses of this query look at.
    pub(super) fn scope(&self) -> (Vec<&'static str>, Lines) {
        fn collect(query: &Query, variants: &mut Vec<&'static str>, scope: &mut Lines) {
            match query {
                Query::Variant(name) => variants.push(*name),
                Query::In(lines) => *scope = *lines,
                Query::And(inner) | Query::Beside(inner) | Query::Or(inner) => {
                    inner
                        .iter()
                        .for_each(|query| collect(query, variants, scope));
                }
                _ => {}
            }
        }
        let (mut variants, mut lines) = (Vec::new(), Lines::Main);
        collect(self, &mut variants, &mut lines);
        if variants.is_empty() {
            variants.push("standard");
        }
        (variants, lines)
    }

    /// Whether a game matches, and at which steps a chess clause does that was not excluded.
    pub(super) fn find(&self, game: &Game) -> (bool, BTreeSet<usize>) {
        let (variants, lines) = self.scope();
        let lines = variants.contains(&game.variant.as_str()).then_some(lines);
        self.find_in(game, lines)
    }

    fn find_in(&self, game: &Game, lines: Option<Lines>) -> (bool, BTreeSet<usize>) {
        let by_step = |fits: &dyn Fn(usize, &Step) -> bool| {
            let steps: BTreeSet<usize> = lines
                .iter()
                .flat_map(|&lines| game.steps_in(lines))
                .filter(|&(i, step)| fits(i, step))
                .map(|(i, _)| i)
                .collect();
            (!steps.is_empty(), steps)
        };
        let all = |queries: &[Query]| {
            let found: Vec<_> = queries
                .iter()
                .map(|query| query.find_in(game, lines))
                .collect();
            let steps = found
                .iter()
                .flat_map(|(_, steps)| steps.iter().copied())
                .collect();
            (
                found.iter().all(|(matches, _)| *matches),
                found.iter().any(|(matches, _)| *matches),
                steps,
            )
        };
        match self {
            Query::Header(_, holds) => (holds(game), BTreeSet::new()),
            Query::Variant(name) => (game.variant == *name, BTreeSet::new()),
            Query::In(_) => (true, BTreeSet::new()),
            Query::Position(_, wanted) => by_step(&|_, step| wanted.contains(&step.identity)),
            Query::Board(_, wanted) => by_step(&|_, step| step.identity.starts_with(wanted)),
            Query::Moves(_, patterns) => by_step(&|last, step| {
                let Some(first) = (last + 1).checked_sub(patterns.len()) else {
                    return false;
                };
                game.steps[first].line == step.line
                    && patterns
                        .iter()
                        .zip(&game.steps[first..=last])
                        .all(|(pattern, step)| {
                            step.played
                                .as_ref()
                                .is_some_and(|(before, m)| pattern.fits(before, *m, &step.pos))
                        })
            }),
            Query::And(queries) | Query::Beside(queries) => {
                let (matches, _, steps) = all(queries);
                (matches, steps)
            }
            Query::Or(queries) => {
                let (_, matches, steps) = all(queries);
                (matches, steps)
            }
            Query::Not(query) => (!query.find_in(game, lines).0, BTreeSet::new()),
        }
    }

    /// All hits, in the order of import.
    pub(super) fn hits<'a>(&self, games: &'a [Game]) -> Vec<(&'a Game, Option<usize>)> {
        let mut hits = Vec::new();
        for game in games {
            match self.find(game) {
                (true, steps) if steps.is_empty() => hits.push((game, None)),
                (true, steps) => hits.extend(steps.into_iter().map(|step| (game, Some(step)))),
                (false, _) => {}
            }
        }
        hits
    }

    pub(super) fn count(&self, games: &[Game]) -> Value {
        let hits = self.hits(games);
        let mut found: Vec<&Game> = hits.iter().map(|(game, _)| *game).collect();
        found.dedup_by_key(|game| game.id);
        let mut count = results(&found);
        count.insert("occurrences".to_owned(), json!(hits.len()));
        Value::Object(count)
    }
}

fn results(games: &[&Game]) -> serde_json::Map<String, Value> {
    let with = |result: &str| games.iter().filter(|game| game.result() == result).count();
    let counts = json!({
        "games": games.len(), "white": with("1-0"), "draws": with("1/2-1/2"), "black": with("0-1"), "unknown": with("*"),
    });
    counts.as_object().expect("an object").clone()
}

/// Opening statistics of a position over the games that match a filter, without the opening's name.
pub(super) fn explore(games: &[Game], pos: &VariantPosition, filter: Option<&Query>) -> Value {
    let (variants, lines) = filter.map_or((vec!["standard"], Lines::Main), Query::scope);
    let wanted = identity(pos);
    let mut reached: Vec<&Game> = Vec::new();
    let mut by_move: BTreeMap<String, Vec<&Game>> = BTreeMap::new();
    for game in games {
        if !variants.contains(&game.variant.as_str())
            || filter.is_some_and(|filter| !filter.find(game).0)
        {
            continue;
        }
        let mut nexts = BTreeSet::new();
        let mut here = false;
        for (i, _) in game
            .steps_in(lines)
            .filter(|(_, step)| step.identity == wanted)
        {
            here = true;
            let next = game
                .steps
                .get(i + 1)
                .filter(|next| next.line == game.steps[i].line);
            if let Some((before, Some(m))) = next.and_then(|next| next.played.as_ref()) {
                nexts.insert(m.to_uci(before.castles().mode()).to_string());
            }
        }
        reached.extend(here.then_some(game));
        for next in nexts {
            by_move.entry(next).or_default().push(game);
        }
    }
    let mut moves: Vec<Value> = by_move
        .iter()
        .map(|(uci, games)| explored_move(pos, uci, games))
        .collect();
    moves.sort_by_key(|row| (Reverse(row["games"].as_u64()), row["uci"].to_string()));
    let mut top = reached.clone();
    let rating =
        |game: &Game| game.elo(Color::White).unwrap_or(0) + game.elo(Color::Black).unwrap_or(0);
    top.sort_by_key(|game| (Reverse(rating(game)), game.id));
    let top: Vec<Value> = top.iter().take(10).map(|game| game.hit(None)).collect();
    let mut answer = results(&reached);
    answer.insert("fen".to_owned(), json!(fen(pos)));
    answer.insert("moves".to_owned(), json!(moves));
    answer.insert("top_games".to_owned(), json!(top));
    Value::Object(answer)
}

fn explored_move(pos: &VariantPosition, uci: &str, games: &[&Game]) -> Value {
    let m = uci
        .parse::<UciMove>()
        .expect("UCI")
        .to_move(pos)
        .expect("a legal move");
    let (us, them) = (pos.turn(), !pos.turn());
    let rated: Vec<u64> = games.iter().filter_map(|game| game.elo(us)).collect();
    let average = rated.iter().sum::<u64>() as f64 / rated.len() as f64;
    let (mut half_points, mut n_scored, mut opponents) = (0, 0, 0);
    for game in games {
        let points = match game.result() {
            "1-0" => 2 * u64::from(us.is_white()),
            "0-1" => 2 * u64::from(us.is_black()),
            "1/2-1/2" => 1,
            _ => continue,
        };
        if let Some(elo) = game.elo(them) {
            half_points += points;
            n_scored += 1;
            opponents += elo;
        }
    }
    let mut row = results(games);
    row.insert("uci".to_owned(), json!(uci));
    row.insert(
        "san".to_owned(),
        json!(SanPlus::from_move(pos.clone(), m).to_string()),
    );
    row.insert("rated_games".to_owned(), json!(rated.len()));
    row.insert(
        "average_rating".to_owned(),
        json!((!rated.is_empty()).then(|| (average * 10.0).round() / 10.0)),
    );
    row.insert(
        "performance".to_owned(),
        json!(performance(half_points, n_scored, opponents)),
    );
    row.insert(
        "last_played".to_owned(),
        json!(
            games
                .iter()
                .filter_map(|game| game.days())
                .map(|(day, _)| day / 10_000)
                .max()
        ),
    );
    Value::Object(row)
}
