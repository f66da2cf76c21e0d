//! What can be said on the command line. Defaults live here; the library has none.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use pgndex::model::variant::Variant;
use pgndex::notation::{Form, GameReading, Language, OutputNotation, Reading};
use pgndex::search::{DedupeMode, SortOrder};
use pgndex::source::TextEncoding;

/// Index archives of chess games (PGN) and find positions, moves and players in them.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Add the games of PGN files to an index, which is made if it does not exist.
    Import(Import),
    /// Find games by position, moves and header.
    Search(Search),
    /// Show what was played from a position, and how it went.
    Explore(Explore),
    /// Write games of an index to a file.
    Export(Export),
    /// Rewrite the moves of a PGN file in another notation or language.
    Convert(Convert),
    /// Show one move in every notation.
    Move(Move),
    /// Take games out of an index.
    Remove(Remove),
    /// Find games that are there more than once, and keep the best of each.
    Dedupe(Dedupe),
    /// Say what an index holds.
    Info(Info),
    /// Check an index against its checksums and against a replay of every game.
    Verify(Verify),
    /// Answer over HTTP: a web page, an API, and the API of the Lichess opening explorer.
    #[cfg(feature = "server")]
    Serve(Serve),
    /// Measure how fast archives are read, replayed, indexed and searched on this machine.
    Bench(Bench),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Import {
    /// Directory of the index.
    pub(crate) index: PathBuf,
    /// PGN files (also .zst, .gz, .bz2, .xz, .zip, .7z), directories of them, or - for standard input.
    #[arg(required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// Language of the piece letters: de, nl, fr, ...; auto reads each game in English or in the one language that makes it
    /// whole.
    #[arg(long, value_parser = letters)]
    pub(crate) lang: Option<Letters>,
    /// The only notation to read: san, long, uci, descriptive, iccf, ... [default: auto, any of them].
    #[arg(long, value_parser = notation)]
    pub(crate) notation: Option<Notation>,
    /// Encoding of texts that are neither UTF-8, UTF-16 nor Windows-1252: iso-8859-2, windows-1251, koi8-r, ibm866, gbk, ...
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<TextEncoding>,
    /// Number of threads [default: one for each core].
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// Memory for what is being indexed, like 512MiB or 4GiB; with less than 32MiB for each thread, fewer are used.
    #[arg(long, default_value = "2GiB", value_parser = memory)]
    pub(crate) memory: u64,
    /// Write everything there is to say about the games to this file, one JSON object a line.
    #[arg(long)]
    pub(crate) report: Option<PathBuf>,
    /// Commit nothing if any game or move would be lost.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Index variations too, as a scope of their own (in:variations, in:all).
    #[arg(long)]
    pub(crate) variations: bool,
    /// Form of the summary.
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Search {
    /// Directory of the index.
    pub(crate) index: PathBuf,
    /// What to look for, like 'white:carlsen move:"Bxh7+" date:[2010 TO 2020]'.
    pub(crate) query: String,
    /// The only notation to read in the query, as for import [default: auto, any of them].
    #[arg(long, value_parser = notation)]
    pub(crate) notation: Option<Notation>,
    /// Language of the piece letters in the query.
    #[arg(long, value_parser = language)]
    pub(crate) lang: Option<Language>,
    /// Show at most this many hits.
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
    /// Leave out this many hits first.
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
    /// Order: id, date, white_elo, black_elo, mean_elo, plies or eco; -date for the latest first.
    #[arg(long, default_value = "id", allow_hyphen_values = true)]
    pub(crate) sort: SortOrder,
    /// Only count.
    #[arg(long)]
    pub(crate) count: bool,
    /// How moves are shown: a notation (long, figurine, ...), a language (de, nl, ...) or both (long:de).
    #[arg(long)]
    pub(crate) output_notation: Option<OutputNotation>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = SearchFormat::Text)]
    pub(crate) format: SearchFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Explore {
    /// Directory of the index.
    pub(crate) index: PathBuf,
    /// The position [default: the start position].
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// Moves to play from there, like "1. e4 e5 2. Nf3" or e2e4,e7e5.
    #[arg(long)]
    pub(crate) play: Option<String>,
    /// Only games that match this query.
    #[arg(long)]
    pub(crate) filter: Option<String>,
    /// How moves are shown: a notation (long, figurine, ...), a language (de, nl, ...) or both (long:de).
    #[arg(long)]
    pub(crate) output_notation: Option<OutputNotation>,
    /// The only notation to read in the query, as for import [default: auto, any of them].
    #[arg(long, value_parser = notation)]
    pub(crate) notation: Option<Notation>,
    /// Language of the piece letters.
    #[arg(long, value_parser = language)]
    pub(crate) lang: Option<Language>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// Directory of the index.
    pub(crate) index: PathBuf,
    /// Only games that match this query.
    pub(crate) query: Option<String>,
    /// The file to write [default: standard output].
    #[arg(short, long)]
    pub(crate) output: Option<PathBuf>,
    /// How moves are written in pgn and csv: a notation, a language or both (long:de) [pgn default: as they were].
    #[arg(long)]
    pub(crate) output_notation: Option<OutputNotation>,
    /// The only notation to read in the query, as for import [default: auto, any of them].
    #[arg(long, value_parser = notation)]
    pub(crate) notation: Option<Notation>,
    /// Language of the piece letters in the query.
    #[arg(long, value_parser = language)]
    pub(crate) lang: Option<Language>,
    /// Form of the games.
    #[arg(long, value_enum, default_value_t = ExportFormat::Pgn)]
    pub(crate) format: ExportFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Convert {
    /// The PGN file, or - for standard input.
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
    /// The notation to write: a form (san, fide, long, uci, figurine, descriptive, iccf, spanish-descriptive, smith), a
    /// language (de, nl, ...) or both (long:de).
    #[arg(long)]
    pub(crate) to: OutputNotation,
    /// The only notation to read [default: any].
    #[arg(long, value_parser = notation)]
    pub(crate) from: Option<Notation>,
    /// Language of the piece letters to read; auto reads each game in English or in the one language that makes it whole.
    #[arg(long, value_parser = letters)]
    pub(crate) lang: Option<Letters>,
    /// Language of the piece letters to write.
    #[arg(long, value_parser = language)]
    pub(crate) to_lang: Option<Language>,
    /// Encoding of texts that are neither UTF-8, UTF-16 nor Windows-1252: iso-8859-2, windows-1251, koi8-r, ibm866, gbk, ...
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<TextEncoding>,
    /// Number of threads [default: one for each core].
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Move {
    /// The move, in any notation.
    pub(crate) text: String,
    /// The position [default: the start position].
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// The rules: standard, chess960, crazyhouse, antichess, atomic, horde, kingofthehill, racingkings or threecheck.
    #[arg(long, default_value = "standard", value_parser = variant)]
    pub(crate) variant: Variant,
    /// How the move is written: san, long, uci, figurine, descriptive, iccf [default: any of them].
    #[arg(long, value_parser = notation)]
    pub(crate) notation: Option<Notation>,
    /// Language of the piece letters.
    #[arg(long, value_parser = language)]
    pub(crate) lang: Option<Language>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Remove {
    /// Directory of the index.
    pub(crate) index: PathBuf,
    /// The games to remove, as for search.
    pub(crate) query: String,
    /// Only show what would go.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Remove more than one game in a hundred.
    #[arg(long)]
    pub(crate) yes: bool,
    /// The only notation to read in the query, as for import [default: auto, any of them].
    #[arg(long, value_parser = notation)]
    pub(crate) notation: Option<Notation>,
    /// Language of the piece letters in the query.
    #[arg(long, value_parser = language)]
    pub(crate) lang: Option<Language>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Dedupe {
    /// Directory of the index.
    pub(crate) index: PathBuf,
    /// What counts as the same game; each finds what the one before finds, and more.
    #[arg(long, value_enum, default_value_t = Mode::Exact)]
    pub(crate) mode: Mode,
    /// Only show the groups, the survivor first.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

/// What counts as the same game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// The same moves and players, but for case and accents.
    Exact,
    /// Also names in other spellings.
    Near,
    /// Also games that are the beginning of another.
    Embedded,
}

impl From<Mode> for DedupeMode {
    fn from(mode: Mode) -> DedupeMode {
        match mode {
            Mode::Exact => DedupeMode::Exact,
            Mode::Near => DedupeMode::Near,
            Mode::Embedded => DedupeMode::Embedded,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Info {
    /// Directory of the index.
    pub(crate) index: PathBuf,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// Directory of the index.
    pub(crate) index: PathBuf,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[cfg(feature = "server")]
#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
    /// Directories of the indexes; each is named by its directory without the ending, the first one answers by default.
    #[arg(required = true)]
    pub(crate) indexes: Vec<PathBuf>,
    /// The port to listen on; 0 for any free one.
    #[arg(long, default_value_t = 9002)]
    pub(crate) port: u16,
    /// The address to listen on. Everybody who can reach it can read the games; 0.0.0.0 is every network of this machine.
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) bind: std::net::IpAddr,
    /// Seconds that an answer may take.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) timeout: u64,
    /// Number of answers that are worked on at once [default: one for each core].
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// PGN files.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Number of threads [default: one for each core].
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// How often each stage is run; the median counts.
    #[arg(long, default_value_t = 5)]
    pub(crate) runs: usize,
    /// Memory for what is being indexed.
    #[arg(long, default_value = "2GiB", value_parser = memory)]
    pub(crate) memory: u64,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub(crate) format: TextOrJson,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchFormat {
    Text,
    Json,
    Ndjson,
    Csv,
    Pgn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    Pgn,
    Ndjson,
    Csv,
    Epd,
}

/// A notation to read: one form, or any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notation(pub(crate) Option<Form>);

/// How moves are read.
pub(crate) fn reading(notation: Option<Notation>, language: Option<Language>) -> Reading {
    Reading {
        form: notation.and_then(|n| n.0),
        language,
    }
}

/// Whose piece letters the games of an archive have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    Of(Language),
    Auto,
}

/// How the games of an archive are read.
pub(crate) fn game_reading(notation: Option<Notation>, letters: Option<Letters>) -> GameReading {
    let language = match letters {
        Some(Letters::Auto) => return GameReading::Auto(notation.and_then(|n| n.0)),
        Some(Letters::Of(language)) => Some(language),
        None => None,
    };
    // English is what is read without a language; the two are one reading.
    reading(notation, language.filter(|&l| l != Language::ENGLISH)).into()
}

fn letters(code: &str) -> Result<Letters, String> {
    if code == GameReading::AUTO {
        return Ok(Letters::Auto);
    }
    language(code).map(Letters::Of)
}

fn notation(name: &str) -> Result<Notation, String> {
    if name == "auto" {
        return Ok(Notation(None));
    }
    name.parse::<Form>()
        .map(|form| Notation(Some(form)))
        .map_err(|e| e.to_string())
}

/// One worker for each core that this process may use.
pub(crate) fn threads(wanted: Option<usize>) -> usize {
    wanted
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
        .max(1)
}

fn language(code: &str) -> Result<Language, String> {
    Language::from_code(code).ok_or_else(|| {
        let codes: Vec<&str> = Language::all().map(Language::code).collect();
        format!("known languages are {}", codes.join(" "))
    })
}

fn variant(name: &str) -> Result<Variant, String> {
    name.parse().map_err(|()| {
        let names: Vec<&str> = Variant::ALL.into_iter().map(Variant::as_str).collect();
        format!("known variants are {}", names.join(" "))
    })
}

fn memory(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let scale: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err("a size is a number with KiB, MiB or GiB".to_owned()),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "a size begins with a number".to_owned())?;
    number
        .checked_mul(scale)
        .filter(|&bytes| bytes >= 64 << 20)
        .ok_or_else(|| "at least 64MiB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(memory("2GiB"), Ok(2 << 30));
        assert_eq!(memory("512 MiB"), Ok(512 << 20));
        assert!(memory("2").is_err());
        assert!(memory("much").is_err());
    }
}
