//! A removal that is killed has removed everything or nothing, and readers go on reading what they opened.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use pgndex::notation::Reading;
use pgndex::search::{Consent, Searcher, remove};

use super::{end, exported, start};
use crate::support::{
    PLAIN, arg, copy_dir, explore, export, games, import_with, options, scratch, sound, write,
};

#[test]
fn a_killed_removal_removed_all_or_nothing() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    for i in 0..4 {
        let source = write(
            dir.path(),
            &format!("{i}.pgn"),
            games(460 + i, 600, PLAIN).concat(),
        );
        import_with(&index, &[source], &options(1));
    }
    let before = exported(&index);
    let whole = dir.path().join("whole.idx");
    copy_dir(&index, &whole);
    // A third of all games, so that segments are written anew as well.
    let removal = |index: &Path| start(&["remove", arg(index), "plies:<20", "--yes"]);
    let started = Instant::now();
    assert_eq!(end(removal(&whole)).0, Some(0));
    let elapsed = started.elapsed();
    let after = exported(&whole);
    assert!(after.len() < before.len());
    let n_kills = 10;
    let mut seen = BTreeSet::new();
    for i in 0..=n_kills {
        let index = dir.path().join(format!("{i}.idx"));
        copy_dir(&dir.path().join("games.idx"), &index);
        let mut killed = removal(&index);
        std::thread::sleep(elapsed.mul_f64(f64::from(i) / f64::from(n_kills)));
        killed.kill().expect("it dies");
        killed.wait().expect("it is dead");
        sound(&index);
        let found = exported(&index);
        assert!(
            found == before || found == after,
            "killed after {i}/{n_kills}: a state that was never committed"
        );
        seen.insert(found == before);
        let (code, message) = end(removal(&index));
        assert!(
            code == Some(i32::from(found == after)),
            "killed after {i}/{n_kills}: {message}"
        );
        assert!(exported(&index) == after, "killed after {i}/{n_kills}");
        sound(&index);
    }
    assert!(seen.contains(&true), "the kills came too late");
}

#[test]
fn a_searcher_answers_from_its_commit_whatever_is_removed_meanwhile() {
    let dir = scratch();
    let source = write(dir.path(), "games.pgn", games(470, 400, PLAIN).concat());
    let index = dir.path().join("games.idx");
    import_with(&index, &[source], &options(1));
    let searcher = Searcher::open(&index).expect("an index");
    let before = (export(&searcher), explore(&searcher, None, None));
    // Few games, which are marked; then many, after which the segment is written anew and its files are gone.
    for query in ["id:[3 TO 9]", "id:[20 TO 300]"] {
        remove(&index, query, Reading::default(), Consent::All).expect("a removal");
        std::thread::sleep(Duration::from_millis(10));
        assert!(
            (export(&searcher), explore(&searcher, None, None)) == before,
            "the answers changed"
        );
    }
    assert_eq!(sound(&index).games, 400 - 7 - 281);
}
