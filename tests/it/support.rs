//! What the tests of indexing, searching and the command line share: games drawn by lot, imports, answers as text.
//!
//! Everything that is drawn is drawn from a seed, so that a failure comes back. Games begin in a narrow tree of openings,
//! because positions that many games share are stored in another way than positions of one game, and both must be met.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pgndex::export::write_ndjson;
use pgndex::index::{Verified, verify};
use pgndex::ingest::{ImportOptions, ImportSummary, Lines, Progress, import};
use pgndex::notation::Reading;
use pgndex::search::{Explorer, Searcher, SortKey, SortOrder};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Chess, Move, Position};

/// Numbers that look random and come back with their seed (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Each seed draws other numbers; the environment variable `PGNDEX_SEED` moves all of them, to try others.
    pub(crate) fn new(seed: u64) -> Random {
        let shift = std::env::var("PGNDEX_SEED").ok();
        let shift = shift
            .and_then(|shift| shift.parse::<u64>().ok())
            .unwrap_or(0);
        Random(seed.wrapping_add(shift << 32))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// What drawn games are like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub(crate) most_plies: usize,
    /// Variations, comments and glyphs between the moves.
    pub(crate) annotated: bool,
    /// Games that are cut or left out, Chess960, positions to begin from, null moves.
    pub(crate) odd: bool,
    /// Games of every variant.
    pub(crate) variants: bool,
}

pub(crate) const PLAIN: Recipe = Recipe {
    most_plies: 60,
    annotated: false,
    odd: false,
    variants: false,
};
pub(crate) const ODD: Recipe = Recipe {
    most_plies: 90,
    annotated: false,
    odd: true,
    variants: false,
};
pub(crate) const ANNOTATED: Recipe = Recipe {
    most_plies: 24,
    annotated: true,
    odd: false,
    variants: false,
};

pub(crate) const VARIANTS: Recipe = Recipe {
    most_plies: 70,
    annotated: true,
    odd: false,
    variants: true,
};

/// Variants as their tags name them, and positions to begin from, none for the usual one.
const STARTS_OF_VARIANTS: [(&str, Variant, &str); 15] = [
    ("Standard", Variant::Chess, ""),
    ("Crazyhouse", Variant::Crazyhouse, ""),
    ("Crazyhouse", Variant::Crazyhouse, ""),
    (
        "crazyhouse",
        Variant::Crazyhouse,
        "r3k2r/1P3ppp/8/3Q~4/8/8/1p3PPP/R3K2R[QNPPqbnpp] w KQkq - 0 1",
    ),
    ("Antichess", Variant::Antichess, ""),
    (
        "Giveaway",
        Variant::Antichess,
        "8/P5p1/2k5/8/5K2/2K5/p6P/8 w - - 0 1",
    ),
    ("Atomic", Variant::Atomic, ""),
    ("Horde", Variant::Horde, ""),
    ("King of the Hill", Variant::KingOfTheHill, ""),
    ("Racing Kings", Variant::RacingKings, ""),
    (
        "racingkings",
        Variant::RacingKings,
        "8/k1K5/8/1r4R1/8/8/8/8 w - - 0 1",
    ),
    ("Three-check", Variant::ThreeCheck, ""),
    (
        "3check",
        Variant::ThreeCheck,
        "r3k2r/1bp1qpb1/p2p1np1/n2Np3/1p1NP3/2PB1Q2/PP1B1PPP/R3K2R b KQkq - 1+2 0 1",
    ),
    (
        "Chess960",
        Variant::Chess,
        "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1",
    ),
    (
        "Chess960",
        Variant::Chess,
        "1r1kr2r/p2pp2p/8/8/8/8/P2PP2P/1R1KR2R w EBeb - 0 1",
    ),
];

const PLAYERS: [&str; 14] = [
    "Kestrel, Gwen",
    "kestrel, gwen",
    "Kestrel, G",
    "Kestrelova, Anna",
    "Müller, Jörg",
    "Mueller, Jorg",
    "Réti, Richard",
    "van der Berg, Jan",
    "Berg, Emanuel",
    "O'Brien, Sean",
    "Иванов, Пётр",
    "Sørensen, Åse",
    "AI level 8",
    "?",
];
const EVENTS: [&str; 7] = [
    "Club Night",
    "Open 2031",
    "The \\\"Big\\\" One",
    "Café de la Régence",
    "Berg Open",
    "casual game",
    "?",
];
const SITES: [&str; 5] = [
    "Łódź",
    "New York",
    "https://example.org/Ab3dEf9h",
    "?",
    "Night Hall 7",
];
const DATES: [&str; 12] = [
    "1999.05.07",
    "1999.05.??",
    "1999.??.??",
    "2000.02.29",
    "2031.02.??",
    "2031.03.31",
    "2031.04.??",
    "2031.12.31",
    "????.??.??",
    "2030.11.05",
    "1999.12.31",
    "2031.01.01",
];
const ELOS: [&str; 10] = [
    "2400", "2401", "1", "4000", "2733", "0", "-", "", "1850?", "2399",
];
const ECOS: [&str; 7] = ["B90", "B99", "C00", "A00", "E99", "b92", "B33x"];
const TIME_CONTROLS: [&str; 6] = ["300+3", "60+0", "15", "40/7200:3600", "1/86400", "-"];
const RESULTS: [&str; 7] = ["1-0", "1-0", "0-1", "1/2-1/2", "1/2-1/2", "*", "0-1"];
const STARTS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 b - - 0 40",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 9",
];
const STARTS_960: [&str; 2] = [
    "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

/// Games of a recipe, each as PGN.
pub(crate) fn games(seed: u64, n_games: usize, recipe: Recipe) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..n_games).map(|_| game(&mut random, recipe)).collect()
}

fn game(random: &mut Random, recipe: Recipe) -> String {
    let mut text = String::new();
    let mut tag =
        |name: &str, value: &str| writeln!(text, "[{name} \"{value}\"]").expect("a string");
    tag("Event", random.pick(&EVENTS));
    tag("Site", random.pick(&SITES));
    let date = random.pick(&DATES);
    tag("Date", date);
    if date.starts_with('?') && random.one_in(2) {
        tag("UTCDate", "2031.03.15");
    }
    tag(
        "Round",
        &format!("{}.{}", random.below(3) + 1, random.below(2) + 1),
    );
    tag("White", random.pick(&PLAYERS));
    tag("Black", random.pick(&PLAYERS));
    let result = random.pick(&RESULTS);
    tag("Result", result);
    for name in ["WhiteElo", "BlackElo"] {
        if !random.one_in(4) {
            tag(name, random.pick(&ELOS));
        }
    }
    if !random.one_in(3) {
        tag("ECO", random.pick(&ECOS));
    }
    if !random.one_in(3) {
        tag("TimeControl", random.pick(&TIME_CONTROLS));
    }
    if random.one_in(3) {
        tag("WhiteTitle", random.pick(&["GM", "WGM", "F M"]));
    }
    let mut start = VariantPosition::default();
    let mut last_word = None;
    if recipe.odd {
        match random.below(24) {
            0 | 1 => {
                let fen = random.pick(&STARTS);
                tag("SetUp", "1");
                tag("FEN", fen);
                start = position(fen, CastlingMode::Standard).into();
            }
            2 => {
                let fen = random.pick(&STARTS_960);
                tag("Variant", "Chess960");
                tag("SetUp", "1");
                tag("FEN", fen);
                start = position(fen, CastlingMode::Chess960).into();
            }
            3 => last_word = Some("Zz9"),
            4 if random.one_in(3) => tag("FEN", "no position at all"),
            5 => last_word = Some("--"),
            _ => {}
        }
    }
    if recipe.variants {
        let (name, rules, fen) = random.pick(&STARTS_OF_VARIANTS);
        tag("Variant", name);
        start = VariantPosition::new(rules);
        if !fen.is_empty() {
            tag("SetUp", "1");
            tag("FEN", fen);
            let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
            let mode = CastlingMode::detect(&setup);
            start = VariantPosition::from_setup(rules, setup, mode).expect("a position");
        }
    }
    let n_plies = if random.one_in(30) {
        0
    } else {
        random.below(recipe.most_plies) + 1
    };
    let mut words = Words {
        random,
        annotated: recipe.annotated,
        words: Vec::new(),
    };
    let moves = words.playout(&start, n_plies);
    let end = words.line(&start, &moves, 0);
    words
        .words
        .extend(last_word.filter(|_| !end.is_check()).map(str::to_owned));
    words.words.push(result.to_owned());
    text.push('\n');
    let mut column = 0;
    for word in &words.words {
        if column > 0 && column + word.len() > 78 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
        }
        text.push_str(word);
        column += word.len() + 1;
    }
    text.push_str("\n\n");
    text
}

/// The movetext of a game, word by word.
struct Words<'a> {
    random: &'a mut Random,
    annotated: bool,
    words: Vec<String>,
}

impl Words<'_> {
    fn playout(&mut self, start: &VariantPosition, n_plies: usize) -> Vec<Move> {
        let mut pos = start.clone();
        let mut moves = Vec::new();
        if self.random.one_in(12) && *start == VariantPosition::default() {
            // The start position comes back, so that a game has it more than once.
            for san in ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(1 + self.random.below(2)) {
                let m = san
                    .parse::<SanPlus>()
                    .expect("SAN")
                    .san
                    .to_move(&pos)
                    .expect("a legal move");
                pos.play_unchecked(m);
                moves.push(m);
            }
        }
        for ply in 0..n_plies {
            let legal = pos.legal_moves();
            if legal.is_empty() {
                break;
            }
            let choice = match ply {
                0..6 => ply * 7 + [0, 0, 0, 0, 0, 0, 3, 3, 3, 11][self.random.below(10)],
                _ => self.random.below(legal.len()),
            };
            let m = legal[choice % legal.len()];
            pos.play_unchecked(m);
            moves.push(m);
        }
        moves
    }

    fn line(&mut self, start: &VariantPosition, moves: &[Move], depth: usize) -> VariantPosition {
        let mut pos = start.clone();
        let mut numbered = false;
        for &m in moves {
            if pos.turn().is_white() || !numbered {
                let dots = if pos.turn().is_white() { "." } else { "..." };
                self.words.push(format!("{}{dots}", pos.fullmoves()));
                numbered = true;
            }
            let before = pos.clone();
            self.words
                .push(SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string());
            if !self.annotated {
                continue;
            }
            if self.random.one_in(9) {
                self.words.push(
                    self.random
                        .pick(&["$1", "{better is 1. e4 (e5)}", "{[%clk 0:05:00]}"])
                        .to_owned(),
                );
                numbered = false;
            }
            while depth < 3 && self.random.one_in(6) {
                let n_plies = self.random.below(4) + 1;
                let mut other = Vec::new();
                let mut at = before.clone();
                for _ in 0..n_plies {
                    let legal = at.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    let m = legal[self.random.below(legal.len().min(5))];
                    at.play_unchecked(m);
                    other.push(m);
                }
                self.words.push("(".to_owned());
                self.line(&before, &other, depth + 1);
                self.words.push(")".to_owned());
                numbered = false;
            }
        }
        pos
    }
}

/// The position of a FEN.
pub(crate) fn position(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>()
        .expect("a FEN")
        .into_position(mode)
        .expect("a position")
}

/// A sample of `data-samples/`.
pub(crate) fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data-samples")
        .join(name)
}

/// A directory that is gone after the test.
pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// Writes a file into a directory and says where.
pub(crate) fn write(dir: &Path, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, text).expect("a file is written");
    path
}

/// Options of an import that needs no more than a test has.
pub(crate) fn options(threads: usize) -> ImportOptions {
    ImportOptions {
        threads,
        memory_bytes: 1 << 30,
        reading: Reading::default().into(),
        encoding: None,
        variations: Lines::Main,
        strict: false,
    }
}

/// Imports sources into an index.
pub(crate) fn import_with(
    index: &Path,
    sources: &[PathBuf],
    options: &ImportOptions,
) -> ImportSummary {
    import(index, sources, options, None, &Progress::default()).expect("an import")
}

/// An index of games given as text, made on one thread.
pub(crate) fn index_of(dir: &Path, text: &str, variations: Lines) -> PathBuf {
    let (source, index) = (write(dir, "games.pgn", text), dir.join("games.idx"));
    import_with(
        &index,
        &[source],
        &ImportOptions {
            variations,
            ..options(1)
        },
    );
    index
}

/// Checks an index and says what was seen.
pub(crate) fn sound(index: &Path) -> Verified {
    verify(index, |_| ()).expect("the index is sound")
}

pub(crate) const BY_ID: SortOrder = SortOrder {
    key: SortKey::Id,
    descending: false,
};

/// Hits of a query as lines of JSON.
pub(crate) fn hits(
    searcher: &Searcher,
    query: &str,
    sort: SortOrder,
    offset: usize,
    limit: usize,
) -> Vec<String> {
    let hits = searcher.hits(query, Reading::default(), sort, offset, limit);
    let hits = hits.unwrap_or_else(|e| panic!("{query}: {e}"));
    hits.map(|hit| json(&hit.unwrap_or_else(|e| panic!("{query}: {e}"))))
        .collect()
}

/// The counts of a query as JSON.
pub(crate) fn count(searcher: &Searcher, query: &str) -> String {
    json(
        &searcher
            .count(query, Reading::default())
            .unwrap_or_else(|e| panic!("{query}: {e}"))
            .0,
    )
}

/// Opening statistics as JSON.
pub(crate) fn explore(searcher: &Searcher, fen: Option<&str>, filter: Option<&str>) -> String {
    let question = Explorer {
        fen,
        filter,
        ..Explorer::default()
    };
    json(
        &searcher
            .explore(&question)
            .unwrap_or_else(|e| panic!("{fen:?} {filter:?}: {e}")),
    )
}

/// All games of an index as lines of JSON.
pub(crate) fn export(searcher: &Searcher) -> String {
    let mut out = Vec::new();
    let mut games = searcher
        .hits("*", Reading::default(), BY_ID, 0, usize::MAX)
        .expect("all games");
    while let Some(game) = games.next_game().expect("a game") {
        write_ndjson(game, &mut out).expect("a line");
    }
    String::from_utf8(out).expect("JSON is UTF-8")
}

pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("JSON")
}

/// Copies the files of a directory.
pub(crate) fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

/// The program, to be run among the samples, so that their names are short and the same everywhere.
pub(crate) fn pgndex(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgndex"));
    command
        .args(args)
        .current_dir(sample(""))
        .env_remove("NO_COLOR");
    command
}

/// A path as an argument.
pub(crate) fn arg(path: &Path) -> &str {
    path.to_str().expect("temporary paths are UTF-8")
}
