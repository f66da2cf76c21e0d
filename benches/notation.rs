//! How fast moves are read and written, form by form, and words of movetext told from prose.
//!
//! The moves are all legal ones of a middlegame, so that there is something to disambiguate. Throughput counts the bytes
//! of their texts.

use criterion::{BenchmarkId, Criterion, Throughput};
use pgndex::notation::{Form, Language, Reading, looks_like_move, read, write};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

const MIDDLEGAME: &str = "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB1QBPPP/2R2RK1 w - - 0 11";
const FORMS: [Form; 5] = [
    Form::San,
    Form::Long,
    Form::Uci,
    Form::Figurine,
    Form::Descriptive,
];
const PROSE: &str =
    "White is better here, since game2 of the match went 14...Rc8 and the d4-pawn fell e.p. was N";

fn middlegame() -> Chess {
    let fen: Fen = MIDDLEGAME.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard)
        .expect("a position")
}

fn main() {
    let pos = middlegame();
    let moves = pos.legal_moves();
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("notation");
    let german = Language::from_code("de");
    let spellings = FORMS
        .map(|form| (form, None))
        .into_iter()
        .chain([(Form::San, german)]);
    for (form, language) in spellings {
        let texts: Vec<String> = moves
            .iter()
            .map(|&m| write(m, &pos, form, language))
            .collect();
        let name = language.map_or_else(
            || form.to_string(),
            |language| format!("{form} {}", language.code()),
        );
        let reading = Reading {
            form: Some(form),
            language,
        };
        group.throughput(Throughput::Bytes(
            texts.iter().map(|text| text.len() as u64).sum(),
        ));
        group.bench_function(BenchmarkId::new("read", &name), |b| {
            b.iter(|| {
                texts
                    .iter()
                    .filter(|text| read(text, &pos, reading).is_ok())
                    .count()
            });
        });
        group.bench_function(BenchmarkId::new("write", &name), |b| {
            b.iter(|| {
                moves
                    .iter()
                    .map(|&m| write(m, &pos, form, language).len())
                    .sum::<usize>()
            });
        });
    }
    group.throughput(Throughput::Bytes(PROSE.len() as u64));
    group.bench_function("looks_like_move", |b| {
        b.iter(|| {
            PROSE
                .split(' ')
                .filter(|word| looks_like_move(word.as_bytes(), Reading::default()))
                .count()
        });
    });
    group.finish();
    criterion.final_summary();
}
