//! Clauses drawn by lot, each as the text of a query and as what it means.
//!
//! Values come from the games, so that most clauses find something; each is then written in one of the ways in which a
//! person could write it.

use std::collections::BTreeSet;

use shakmaty::san::SanPlus;
use shakmaty::variant::VariantPosition;
use shakmaty::{CastlingSide, Color, Move, Position, Role, Square};

use super::twin::{Game, Pattern, Query, days, fen, identity, sign};
use crate::support::Random;

/// Draws clauses about some games.
pub(super) struct Clauses<'a> {
    pub(super) random: Random,
    games: &'a [Game],
    /// Where moves are drawn from.
    variant: &'static str,
}

/// The position as a clause.
pub(super) fn position(field: &str, pos: &VariantPosition) -> Query {
    Query::Position(
        format!("{field}:\"{}\"", fen(pos)),
        BTreeSet::from([identity(pos)]),
    )
}

/// Its placement and side to move.
pub(super) fn board(pos: &VariantPosition) -> Query {
    let parts = identity(pos);
    let (board, side) = parts.split_at(parts.find(' ').expect("a side") + 2);
    let _ = side;
    Query::Board(format!("board:\"{board}\""), format!("{board} "))
}

/// Folded text: no case, no accents. Only the letters of the samples are known.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::new();
    for c in text.to_lowercase().chars() {
        match c {
            'á' | 'à' | 'ä' | 'å' => folded.push('a'),
            'é' | 'è' => folded.push('e'),
            'ó' | 'ö' | 'ø' => folded.push('o'),
            'ú' | 'ü' => folded.push('u'),
            'í' => folded.push('i'),
            'ł' => folded.push('l'),
            'ź' => folded.push('z'),
            'а'..='я' | 'ё' => {
                let latin = [
                    "a", "b", "v", "g", "d", "e", "zh", "z", "i", "i", "k", "l", "m", "n", "o",
                    "p", "r", "s", "t", "u", "f", "kh", "ts", "ch", "sh", "shch", "", "y", "", "e",
                    "iu", "ia",
                ];
                folded.push_str(if c == 'ё' {
                    "io"
                } else {
                    latin[c as usize - 'а' as usize]
                });
            }
            c => folded.push(c),
        }
    }
    folded
}

/// The words of a text, folded.
fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    folded
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Fields of text, and the tags that each stands for.
const TEXT: [(&str, &[&str]); 9] = [
    ("white", &["White"]),
    ("black", &["Black"]),
    ("player", &["White", "Black"]),
    ("event", &["Event"]),
    ("site", &["Site"]),
    ("round", &["Round"]),
    ("time_control", &["TimeControl"]),
    ("tag.WhiteTitle", &["WhiteTitle"]),
    ("", &["White", "Black", "Event", "Site"]),
];

impl<'a> Clauses<'a> {
    pub(super) fn new(seed: u64, games: &'a [Game]) -> Clauses<'a> {
        Clauses::of_variant(seed, games, "standard")
    }

    /// The same with moves from games of another variant.
    pub(super) fn of_variant(seed: u64, games: &'a [Game], variant: &'static str) -> Clauses<'a> {
        Clauses {
            random: Random::new(seed),
            games,
            variant,
        }
    }

    fn game(&mut self) -> &'a Game {
        &self.games[self.random.below(self.games.len())]
    }

    /// Any clause about headers.
    pub(super) fn header(&mut self) -> Query {
        match self.random.below(12) {
            0..=3 => self.words(),
            4 | 5 => self.raw(),
            6 | 7 => self.number(),
            8 => self.date(),
            9 => self.eco(),
            10 => self.present(),
            _ => self.choice(),
        }
    }

    /// A query of header and chess clauses, as deep as wanted.
    pub(super) fn query(&mut self, depth: usize) -> Query {
        if depth == 0 || self.random.one_in(4) {
            return match self.random.below(8) {
                0 | 1 => {
                    let n = 1 + self.random.below(2);
                    self.moves(n)
                }
                2 => {
                    // A position of another variant is none that every scope could be asked for.
                    let steps = loop {
                        let game = self.game();
                        if matches!(&game.variant[..], "standard" | "chess960") {
                            break &game.steps;
                        }
                    };
                    let pos = steps[self.random.below(steps.len())].pos.clone();
                    if self.random.one_in(3) {
                        board(&pos)
                    } else {
                        position("fen", &pos)
                    }
                }
                3 if self.random.one_in(3) => {
                    Query::Variant(self.random.pick(&["standard", "chess960"]))
                }
                _ => self.header(),
            };
        }
        let n = 2 + self.random.below(2);
        let inner = |clauses: &mut Clauses<'_>| (0..n).map(|_| clauses.query(depth - 1)).collect();
        match self.random.below(8) {
            0 | 1 => Query::And(inner(self)),
            2 | 3 => Query::Beside(inner(self)),
            4..=6 => Query::Or(inner(self)),
            _ => Query::Not(Box::new(self.query(depth - 1))),
        }
    }

    fn words(&mut self) -> Query {
        let (field, tags) = self.random.pick(&TEXT);
        let value = self.game().tag(self.random.pick(tags)).to_owned();
        let all: Vec<&str> = value
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .collect();
        if all.is_empty() {
            return self.words();
        }
        let first = self.random.below(all.len());
        let n = 1 + self.random.below((all.len() - first).min(2));
        let mut text = all[first..first + n].join(self.random.pick(&[" ", ", ", "-"]));
        match self.random.below(3) {
            0 => text = text.to_uppercase(),
            1 => text = fold(&text),
            _ => {}
        }
        let mut prefix = self.random.one_in(3);
        if prefix {
            let cut = text
                .char_indices()
                .nth(text.chars().count().saturating_sub(1))
                .map_or(0, |(at, _)| at);
            text.truncate(cut);
            // An operator or a separator at the end would not be the beginning of a word.
            prefix = text.ends_with(char::is_alphanumeric);
        }
        if !text.ends_with(char::is_alphanumeric) {
            return self.words();
        }
        let is_plain = text.chars().all(char::is_alphanumeric)
            && !["AND", "OR", "NOT", "TO", "IN"].contains(&text.as_str());
        let mut query = if is_plain && self.random.one_in(2) {
            text.clone()
        } else {
            quoted(&text)
        };
        if prefix {
            query.push('*');
        }
        let query = if field.is_empty() {
            query
        } else {
            format!("{field}:{query}")
        };
        let wanted = words(&text);
        let fits = move |value: &str| {
            let have = words(value);
            have.windows(wanted.len()).any(|run| {
                let (last, before) = (run.len() - 1, &run[..run.len() - 1]);
                let ends = if prefix {
                    run[last].starts_with(&wanted[last])
                } else {
                    run[last] == wanted[last]
                };
                ends && before == &wanted[..last]
            })
        };
        Query::Header(
            query,
            Box::new(move |game| tags.iter().any(|tag| fits(game.tag(tag)))),
        )
    }

    /// Whole values, and beginnings of values.
    fn raw(&mut self) -> Query {
        let (field, tags) = TEXT[self.random.below(7)];
        let value = self.game().tag(self.random.pick(tags)).to_owned();
        if value.is_empty() {
            return self.raw();
        }
        if self.random.one_in(2) {
            let query = format!("{field}.raw:{}", quoted(&value));
            return Query::Header(
                query,
                Box::new(move |game| tags.iter().any(|tag| game.tag(tag) == value)),
            );
        }
        let n = 1 + self.random.below(value.chars().count());
        let mut start: String = value.chars().take(n).collect();
        if self.random.one_in(3) {
            start = start.to_uppercase();
        }
        let query = format!("{field}.raw:{}*", quoted(&start));
        let start = fold(&start);
        let fits = move |value: &str| !value.is_empty() && fold(value).starts_with(&start);
        Query::Header(
            query,
            Box::new(move |game| tags.iter().any(|tag| fits(game.tag(tag)))),
        )
    }

    /// A number or a range of numbers.
    pub(super) fn number(&mut self) -> Query {
        type Values = fn(&Game) -> Vec<u64>;
        // The mean is compared without rounding, so both sides are doubled.
        let (field, values, scale): (_, Values, u64) = match self.random.below(6) {
            0 => (
                "white_elo",
                |game| game.elo(Color::White).into_iter().collect(),
                1,
            ),
            1 => (
                "black_elo",
                |game| game.elo(Color::Black).into_iter().collect(),
                1,
            ),
            2 => (
                "elo",
                |game| {
                    Color::ALL
                        .into_iter()
                        .filter_map(|color| game.elo(color))
                        .collect()
                },
                1,
            ),
            3 => ("mean_elo", |game| game.elo_sum().into_iter().collect(), 2),
            4 => ("plies", |game| vec![game.plies()], 1),
            _ => ("id", |game| vec![game.id], 1),
        };
        let mut draw = || {
            let near = self
                .games
                .get(self.random.below(self.games.len().max(1)))
                .map(values)
                .unwrap_or_default();
            let near = near.first().map_or(2400, |value| value / scale);
            (near + self.random.below(3) as u64).saturating_sub(1)
        };
        let (a, b) = (draw(), draw());
        let (low, high) = (a.min(b), a.max(b));
        let (first, last) = (low * scale, high * scale);
        let (text, values_in) = match self.random.below(8) {
            0 => (format!("[{low} TO {high}]"), first..last + 1),
            1 => (format!("{{{low} TO {high}}}"), first + 1..last),
            2 => (format!("[{low} TO {high}}}"), first..last),
            3 => (format!("[{low} TO *]"), first..u64::MAX),
            4 => (format!("[* TO {high}]"), 0..last + 1),
            5 => (format!(">={low}"), first..u64::MAX),
            6 => (format!("<{high}"), 0..last),
            _ => (low.to_string(), first..first + 1),
        };
        let holds = move |game: &Game| values(game).iter().any(|n| values_in.contains(n));
        Query::Header(format!("{field}:{text}"), Box::new(holds))
    }

    fn date(&mut self) -> Query {
        const DAYS: [&str; 12] = [
            "1999",
            "1999.05",
            "1999.05.07",
            "2000.02.29",
            "2031.02.28",
            "2031.03",
            "2031.03.30",
            "2031.12.31",
            "2031",
            "1850",
            "2000",
            "1914.07.31",
        ];
        let (a, b) = (self.random.pick(&DAYS), self.random.pick(&DAYS));
        let span = |text| days(text).expect("a date");
        let years = self.random.one_in(3);
        let (field, a, b) = if years {
            ("year", &a[..4], &b[..4])
        } else {
            ("date", a, b)
        };
        let (text, first, last) = match self.random.below(5) {
            0 => (format!("[{a} TO {b}]"), span(a).0, span(b).1),
            1 => (format!("{{{a} TO {b}}}"), span(a).1 + 1, span(b).0 - 1),
            2 => (format!("[{a} TO *]"), span(a).0, u32::MAX),
            3 => (format!("[* TO {b}]"), 0, span(b).1),
            _ => (a.to_owned(), span(a).0, span(a).1),
        };
        let holds = move |game: &Game| {
            game.days()
                .is_some_and(|days| days.0 >= first && days.1 <= last)
        };
        Query::Header(format!("{field}:{text}"), Box::new(holds))
    }

    fn eco(&mut self) -> Query {
        let (text, low, high) = self.random.pick(&[
            ("B90", "B90", "B90"),
            ("b92", "B92", "B92"),
            ("B9", "B90", "B99"),
            ("B9*", "B90", "B99"),
            ("C", "C00", "C99"),
            ("[B33 TO B92]", "B33", "B92"),
            ("[A TO B]", "A00", "B99"),
            ("*", "A00", "E99"),
        ]);
        let holds = move |game: &Game| {
            game.eco()
                .is_some_and(|eco| (low..=high).contains(&eco.as_str()))
        };
        Query::Header(format!("eco:{text}"), Box::new(holds))
    }

    /// Whether there is a value at all.
    fn present(&mut self) -> Query {
        let (text, holds): (&str, fn(&Game) -> bool) = self.random.pick(&[
            (
                "white_elo:*",
                (|game| game.elo(Color::White).is_some()) as fn(&Game) -> bool,
            ),
            ("mean_elo:*", |game| game.elo_sum().is_some()),
            ("date:*", |game| game.days().is_some()),
            ("tag.WhiteTitle:*", |game| {
                game.tags.contains_key("WhiteTitle")
            }),
            ("eco:*", |game| game.eco().is_some()),
        ]);
        Query::Header(text.to_owned(), Box::new(holds))
    }

    /// One of a few values.
    fn choice(&mut self) -> Query {
        let (text, holds): (&str, fn(&Game) -> bool) = self.random.pick(&[
            (
                "result:1-0",
                (|game| game.result() == "1-0") as fn(&Game) -> bool,
            ),
            ("result:\"1/2-1/2\"", |game| game.result() == "1/2-1/2"),
            ("result:\"½-½\"", |game| game.result() == "1/2-1/2"),
            ("result:\"*\"", |game| game.result() == "*"),
            ("speed:blitz", |game| game.tag("TimeControl") == "300+3"),
            ("speed:bullet", |game| game.tag("TimeControl") == "60+0"),
            ("speed:ultrabullet", |game| game.tag("TimeControl") == "15"),
            ("speed:Classical", |game| {
                game.tag("TimeControl") == "40/7200:3600"
            }),
            ("speed:correspondence", |game| {
                game.tag("TimeControl") == "1/86400"
            }),
            ("speed:unknown", |game| {
                matches!(game.tag("TimeControl"), "" | "-")
            }),
            ("status:partial", |game| game.record["status"] == "partial"),
            ("status:ok", |game| game.record["status"] == "ok"),
            ("source:drawn", |game| {
                game.record["source"]
                    .as_str()
                    .is_some_and(|name| name.ends_with("drawn.pgn"))
            }),
            ("source:\"first drawn\"", |game| {
                game.record["source"]
                    .as_str()
                    .is_some_and(|name| name.ends_with("first drawn.pgn"))
            }),
            ("source:CLASSICS", |game| {
                game.record["source"]
                    .as_str()
                    .is_some_and(|name| name.ends_with("classics.pgn"))
            }),
            ("source:nowhere", |_| false),
            ("*", |_| true),
        ]);
        Query::Header(text.to_owned(), Box::new(holds))
    }

    /// Moves that follow each other somewhere, each written in one of several ways.
    pub(super) fn moves(&mut self, n: usize) -> Query {
        let (game, first) = loop {
            let game = self.game();
            let first = self.random.below(game.steps.len());
            let run = game.steps.get(first..first + n).unwrap_or_default();
            let is_run = run
                .iter()
                .all(|step| step.line == run[0].line && matches!(step.played, Some((_, Some(_)))));
            if is_run && !run.is_empty() && game.variant == self.variant {
                break (game, first);
            }
        };
        let side = self.random.one_in(3);
        let (mut texts, mut patterns, mut color) = (Vec::new(), Vec::new(), None);
        for step in &game.steps[first..first + n] {
            let Some((before, Some(m))) = &step.played else {
                unreachable!("chosen above")
            };
            let (text, mut pattern) = self.written(before, *m, &step.pos);
            color = color.or(side.then_some(before.turn()));
            pattern.color = side.then_some(before.turn());
            texts.push(text);
            patterns.push(pattern);
        }
        let field = if n > 1 || self.random.one_in(4) {
            "moves"
        } else {
            "move"
        };
        let side = color.map_or("", |color| if color.is_white() { "w." } else { "b." });
        Query::Moves(
            format!("{side}{field}:{}", quoted(&texts.join(" "))),
            patterns,
        )
    }

    fn written(
        &mut self,
        before: &VariantPosition,
        m: Move,
        after: &VariantPosition,
    ) -> (String, Pattern) {
        let sign = |pattern: &mut Pattern| {
            pattern.check = sign(after);
            ["", "+", "#"][usize::from(pattern.check)]
        };
        let mut pattern = Pattern::default();
        if let Move::Castle { king, rook } = m {
            let side = if rook > king {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            let to = Square::from_coords(side.king_to_file(), king.rank());
            if self.random.one_in(2) {
                pattern.coordinates = true;
                (pattern.from_file, pattern.from_rank) = (Some(king.file()), Some(king.rank()));
                let to = if self.random.one_in(2) { to } else { rook };
                pattern.to = Some(to);
                return (format!("{king}{to}"), pattern);
            }
            pattern.castling = Some(side);
            let text = if side.is_king_side() {
                ["O-O", "0-0"]
            } else {
                ["O-O-O", "0-0-0"]
            };
            return (self.random.pick(&text).to_owned(), pattern);
        }
        let (to, role) = (m.to(), m.role());
        pattern.to = Some(to);
        let Some(from) = m.from() else {
            (pattern.drop, pattern.role) = (true, Some(role));
            let text = match (role, self.random.one_in(2)) {
                (Role::Pawn, true) => format!("@{to}"),
                _ => format!("{}@{to}", role.upper_char()),
            };
            let sign = sign(&mut pattern);
            return (text + sign, pattern);
        };
        pattern.promotion = m.promotion();
        match self.random.below(4) {
            0 => {
                pattern.coordinates = true;
                (pattern.from_file, pattern.from_rank) = (Some(from.file()), Some(from.rank()));
                let promotion = m
                    .promotion()
                    .map(|role| role.char())
                    .into_iter()
                    .collect::<String>();
                (format!("{from}{to}{promotion}"), pattern)
            }
            1 => {
                (pattern.from_file, pattern.from_rank) = (Some(from.file()), Some(from.rank()));
                (pattern.role, pattern.capture) = (Some(role), Some(m.is_capture()));
                let letter = if role == Role::Pawn {
                    String::new()
                } else {
                    role.upper_char().to_string()
                };
                let promotion = m
                    .promotion()
                    .map(|role| format!("={}", role.upper_char()))
                    .unwrap_or_default();
                let text = format!(
                    "{letter}{from}{}{to}{promotion}",
                    if m.is_capture() { 'x' } else { '-' }
                );
                let sign = sign(&mut pattern);
                (text + sign, pattern)
            }
            _ => {
                let san = SanPlus::from_move(before.clone(), m).san;
                pattern.role = Some(role);
                let mut text = san.to_string();
                match san {
                    shakmaty::san::San::Normal {
                        file,
                        rank,
                        capture,
                        ..
                    } => {
                        pattern.capture = capture.then_some(true);
                        (pattern.from_file, pattern.from_rank) = (file, rank);
                        if role == Role::Pawn {
                            // `e4` is the pawn that goes straight ahead.
                            pattern.from_file = Some(from.file());
                        }
                    }
                    other => unreachable!("{other} is neither castling nor a drop"),
                }
                if self.random.one_in(2) {
                    text += sign(&mut pattern);
                }
                if self.random.one_in(5) {
                    text += "!?";
                }
                (text, pattern)
            }
        }
    }
}
