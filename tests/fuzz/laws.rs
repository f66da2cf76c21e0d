//! What must hold whatever the bytes, one function for each fuzz target; the integration tests run the same functions
//! over the seeds and over what fuzzing has found.

#![allow(dead_code, reason = "each fuzz target uses one function of this file")]

use std::collections::BTreeSet;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::OnceLock;

use pgndex::index::forged::{Table, read_forged};
use pgndex::model::fen::{FenUse, read_fen, same_position, write_fen};
use pgndex::model::playable::Playable;
use pgndex::model::variant::Variant;
use pgndex::notation::{self, Form, Language, MoveError, PlayedMove, Reading};
use pgndex::parse::header::read_header;
use pgndex::parse::{GameReader, RawGame};
use pgndex::replay::{Score, Scrutiny, play_variations, replay};
use pgndex::search::{Searcher, SortKey, SortOrder};
use pgndex::source::{self, Next, Opened, TextEnd, Texts};
use pgndex::split::split;
use shakmaty::Position;

/// A part of a source that reading told about: what it is, and the bytes that it covers.
type Told = (String, usize, usize);

/// Everything that reading tells, with offsets in the whole source.
fn told(bytes: &[u8], chunk_bytes: usize) -> Vec<Told> {
    let mut told = Vec::new();
    for chunk in split(bytes, chunk_bytes) {
        let base = chunk.start;
        let bytes = &bytes[chunk];
        let mut tell = |what: String, from: usize, to: usize| {
            assert!(from <= to && to <= bytes.len(), "{what} at {from}..{to}");
            told.push((what, base + from, base + to));
        };
        let mut reader = GameReader::new(bytes, Reading::default());
        let mut game = RawGame::default();
        while reader.read(&mut game) {
            let header = read_header(bytes, &mut game);
            let (reading, mut score) = (Reading::default(), Score::default());
            let scrutiny = Scrutiny::Everything;
            let replayed = replay(bytes, &mut game, &header, reading, scrutiny, &mut score);
            let lines = play_variations(bytes, &game, &header, reading);
            tell(
                format!("{replayed:?} and {} variations", lines.len()),
                game.range.start,
                game.range.end,
            );
            for tag in &game.tags {
                tell(
                    game.tag_value(bytes, tag).into_owned(),
                    tag.value.start,
                    tag.value.end,
                );
            }
            for word in &game.words {
                tell(
                    format!("{:?}", word.kind),
                    word.range().start,
                    word.range().end,
                );
            }
            for note in &game.notes {
                tell(
                    format!("{:?}", note.class),
                    note.offset,
                    note.offset + note.len as usize,
                );
            }
        }
        for note in reader.leftover_notes() {
            tell(
                format!("{:?}", note.class),
                note.offset,
                note.offset + note.len as usize,
            );
        }
    }
    told
}

/// Splitting never changes what is read and replayed (design, law 1), and nothing is read beyond the end.
///
/// The first byte chooses the size of chunks.
pub(crate) fn pgn(data: &[u8]) {
    let Some((&size, bytes)) = data.split_first() else {
        return;
    };
    let whole = told(bytes, usize::MAX);
    let parts = told(bytes, usize::from(size));
    assert_eq!(whole, parts, "chunks of {size} bytes");
}

/// Positions in which castling, promotion, en passant and crowded ranks are at hand, then drops, kings that are taken and
/// kings that are missing.
const POSITIONS: [(Variant, &str); 12] = [
    (
        Variant::Standard,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        Variant::Standard,
        "r3k2r/1bp1qpb1/p2p1np1/n2Np3/1p1NP3/2PB1Q2/PP1B1PPP/R3K2R b KQkq - 0 1",
    ),
    (
        Variant::Standard,
        "n1n1n3/PPPP4/N1N5/7k/K7/5n1n/4pppp/3N1N1N w - - 0 1",
    ),
    (Variant::Standard, "4k3/8/1Q3Q2/3Q4/1Q3Q2/8/8/4K3 w - - 0 1"),
    (Variant::Standard, "4k3/8/8/1pPpP3/4P3/8/8/4K2R w K d6 0 1"),
    (
        Variant::Standard,
        "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w KQkq - 0 1",
    ),
    (
        Variant::Crazyhouse,
        "r3k2r/1P3ppp/8/3Q~4/8/8/1p3PPP/R3K2R[QNPPqbnpp] w KQkq - 0 1",
    ),
    (
        Variant::Antichess,
        "8/PPP3pp/2k5/8/5K2/2K2K2/pp5P/8 w - - 0 1",
    ),
    (
        Variant::Atomic,
        "r3k2r/pP3ppp/2n2n2/8/4Q3/2N2N2/Pp2KPPP/R6R b kq - 0 1",
    ),
    (Variant::Horde, "4k2r/PPP2p1p/8/8/8/6p1/P1P5/P7 w k - 0 1"),
    (
        Variant::ThreeCheck,
        "r1bqkb1r/ppp2ppp/2n2n2/3pp1B1/2B1P3/5Q2/PPPP1PPP/RN2K1NR w KQkq - 1+3 0 1",
    ),
    (
        Variant::RacingKings,
        "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    ),
];

/// A text that is read as a move is a legal one, and every form writes it so that it is read again; a text that fits no
/// move as a pattern is none in a position either.
///
/// The first byte chooses the position, the second the letters.
pub(crate) fn notation(data: &[u8]) {
    let [position, letters, text @ ..] = data else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let (variant, fen) = POSITIONS[usize::from(*position) % POSITIONS.len()];
    let pos = read_fen(fen, variant, FenUse::Query)
        .expect("a position")
        .pos;
    let n_languages = Language::all().count();
    let language = Language::all().nth(usize::from(*letters) % (n_languages + 1));
    for form in Form::ALL.map(Some).into_iter().chain([None]) {
        let reading = Reading { form, language };
        let found = notation::read(text, &pos, reading);
        let pattern = notation::pattern(text, reading);
        if matches!(
            found,
            Err(MoveError::NotAMove | MoveError::ForeignLetters) | Ok(PlayedMove::Null)
        ) {
            continue;
        }
        assert!(pattern.is_ok(), "{text:?} is {found:?} and no pattern");
        let Ok(PlayedMove::Move(m)) = found else {
            continue;
        };
        assert!(pos.is_legal(m), "{text:?} is {m:?}");
        for written in Form::ALL {
            let reading = Reading {
                form: Some(written),
                language,
            };
            let spelled = notation::write(m, &pos, written, language);
            assert_eq!(
                notation::read(&spelled, &pos, reading),
                Ok(PlayedMove::Move(m)),
                "{text:?} written as {spelled:?}"
            );
        }
    }
    let _ = notation::looks_like_move(
        text.as_bytes(),
        Reading {
            form: None,
            language,
        },
    );
    notation::split_line(text);
}

/// A FEN that is read under the rules of a variant is written so that it is the same position again, and is one to play
/// on.
pub(crate) fn fen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for variant in Variant::ALL {
        for usage in [FenUse::Query, FenUse::Tag] {
            let Ok(read) = read_fen(text, variant, usage) else {
                continue;
            };
            let written = write_fen(&read.pos);
            // Rights that are told by files are those of Chess960, and are written as it writes them.
            let is_chess960 = read.pos.castles().mode().is_chess960();
            let of = match variant {
                Variant::Standard if is_chess960 => Variant::Chess960,
                _ => variant,
            };
            let again = read_fen(&written, of, usage);
            let again = again
                .unwrap_or_else(|e| panic!("{variant}: {text:?} is written as {written:?}: {e}"));
            assert!(
                same_position(&again.pos, &read.pos),
                "{variant}: {text:?} is written as {written:?}"
            );
            assert_eq!(write_fen(&again.pos), written);
            for m in read.pos.legal_moves() {
                let mut after = read.pos.clone();
                after.play_legal(m);
            }
        }
    }
}

/// A small index with games of several sources, variations among them.
fn searcher() -> &'static Searcher {
    static SEARCHER: OnceLock<Searcher> = OnceLock::new();
    SEARCHER.get_or_init(|| {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        // The fuzz targets are a package of their own, one folder further down.
        let found = ["tests/data", "../data"].map(|dir| tests.join(dir).join("index_v4"));
        let index = found
            .iter()
            .find(|dir| dir.is_dir())
            .expect("the frozen index");
        Searcher::open(index).expect("an index")
    })
}

/// A query is answered or refused, and the games that are counted are those that are listed.
pub(crate) fn query(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let reading = Reading::default();
    let order = SortOrder {
        key: SortKey::Id,
        descending: false,
    };
    let count = searcher().count(text, reading);
    let listed = searcher().hits(text, reading, order, 0, usize::MAX);
    match (count, listed) {
        (Ok((count, _)), Ok(listed)) => {
            assert_eq!(count.occurrences, listed.len() as u64, "{text:?}");
            let ids = listed.map(|hit| hit.expect("a sound index").id);
            let games: BTreeSet<u64> = ids.collect();
            assert_eq!(count.games, games.len() as u64, "{text:?}");
        }
        (Err(count), Err(listed)) => assert_eq!(count.to_string(), listed.to_string(), "{text:?}"),
        (count, listed) => panic!("{text:?}: {count:?} and {:?}", listed.err()),
    }
}

/// Tables of a segment that nobody wrote are read to their end or refused.
///
/// The first byte chooses the table, the second the number of games; the rest is a file whose checksums are set right.
pub(crate) fn tables(data: &[u8]) {
    let [table, n_games, bytes @ ..] = data else {
        return;
    };
    let table = match table % 3 {
        0 => Table::Games,
        1 => Table::Positions,
        _ => Table::Moves,
    };
    let _ = read_forged(table, bytes, u32::from(*n_games));
}

/// Most bytes that are taken out of a container: a few bytes can be packed gigabytes.
const MOST_UNPACKED: usize = 4 << 20;

/// What a container gave.
#[derive(Debug, Default, PartialEq, Eq)]
struct Unpacked {
    /// Name, bytes and end of each text; no end where [`MOST_UNPACKED`] stopped it.
    texts: Vec<(String, Vec<u8>, Option<TextEnd>)>,
    /// What was the matter with the whole.
    trouble: Option<String>,
}

fn unpacked(mut texts: Texts) -> Unpacked {
    let mut all = Unpacked::default();
    let mut room = MOST_UNPACKED;
    loop {
        let mut text = match texts.next_text() {
            Ok(Next::Text(text)) => text,
            Ok(Next::Done(done)) => {
                all.trouble = done.trouble.map(|trouble| trouble.message);
                return all;
            }
            Err(error) => {
                all.trouble = Some(error.to_string());
                return all;
            }
        };
        let mut bytes = Vec::new();
        while let Some(block) = text.next_block().expect("a file in memory is read") {
            assert!(block.len() <= 1 << 20, "a block of {} bytes", block.len());
            room = room.saturating_sub(block.len());
            bytes.extend(block);
            if room == 0 {
                all.texts.push((text.name().to_owned(), bytes, None));
                return all;
            }
        }
        let end = text.end().cloned();
        assert!(end.is_some());
        all.texts.push((text.name().to_owned(), bytes, end));
        texts = text.into_rest().expect("the end was seen");
    }
}

fn unpacked_stream(bytes: &[u8], name: &str) -> Unpacked {
    match Texts::of_reader(name.to_owned(), Box::new(Cursor::new(bytes.to_vec()))) {
        Ok(texts) => unpacked(texts),
        Err(error) => panic!("{error}"),
    }
}

fn pack(text: &[u8], how: u8) -> Vec<u8> {
    match how {
        0 => {
            let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(text).and_then(|()| out.finish())
        }
        1 => {
            let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            out.write_all(text).and_then(|()| out.finish())
        }
        _ => zstd::encode_all(text, 1),
    }
    .expect("memory takes it")
}

/// A container gives the same out of a file and out of a pipe, whatever its bytes; and of one that is cut, every byte that
/// was whole before the cut.
///
/// The first byte says whether the rest is a container, or how to make one of it; the second where to cut.
pub(crate) fn containers(data: &[u8]) {
    let [how, cut, bytes @ ..] = data else {
        return;
    };
    if how.is_multiple_of(4) {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(bytes).expect("written");
        let name = file.path().to_string_lossy().into_owned();
        let of_file = match source::open(file.path()) {
            Ok(Opened::Texts(texts)) => unpacked(texts),
            Ok(Opened::Mapped(source)) => Unpacked {
                texts: vec![(name.clone(), source.to_vec(), Some(TextEnd::Whole))],
                trouble: None,
            },
            Err(error) => panic!("{error}"),
        };
        assert_eq!(of_file, unpacked_stream(bytes, &name));
        return;
    }
    // Two members, so that something is whole wherever the second is cut.
    let how = how % 4 - 1;
    let middle = bytes.len() * usize::from(*cut) / 256;
    let (first, second) = bytes.split_at(middle);
    let (mut packed, second) = (pack(first, how), pack(second, how));
    let kept = second.len() * usize::from(cut.wrapping_mul(167)) / 256;
    packed.extend(&second[..kept]);
    let got = unpacked_stream(&packed, "cut");
    let (_, text, end) = &got.texts[0];
    // The text may be a container itself.
    if unpacked_stream(bytes, "cut")
        .texts
        .first()
        .is_none_or(|(_, text, _)| text != bytes)
    {
        return;
    }
    assert!(text.starts_with(first), "{} bytes of {middle}", text.len());
    assert!(bytes.starts_with(text));
    let is_cut =
        matches!(end, Some(TextEnd::Cut(trouble)) if trouble.class == "truncated_container");
    assert_eq!(is_cut, kept > 0, "{end:?}");
    packed.extend(&second[kept..]);
    let whole = unpacked_stream(&packed, "cut");
    assert!(whole.texts == [("cut".to_owned(), bytes.to_vec(), Some(TextEnd::Whole))]);
}
