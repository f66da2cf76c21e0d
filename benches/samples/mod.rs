//! What the benches read: the games of `data-samples/`, repeated to a stated size.
//!
//! Only its `.pgn` files. pgn-reader skips what is special about the `.txt` files and would seem the faster for it: the
//! games after the unclosed comment of `broken.txt`, and the foreign moves of `german.txt` and `dutch.txt`. Finding out
//! that those six games are in foreign letters took a third of `replay` and more.

use std::fs;
use std::path::Path;

/// Size that most benches read: large beside any cache, small enough for a run in seconds.
pub(crate) const N_BYTES: usize = 4 << 20;

/// The sample games, over and over, in whole rounds: at least `n_bytes`.
pub(crate) fn repeated(n_bytes: usize) -> Vec<u8> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data-samples");
    let mut paths: Vec<_> = fs::read_dir(dir)
        .expect("the samples are part of the repository")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "pgn"))
        .collect();
    paths.sort();
    let round: Vec<u8> = paths
        .iter()
        .flat_map(|path| fs::read(path).expect("a readable file"))
        .collect();
    round.repeat(n_bytes.div_ceil(round.len()))
}
