//! An import for which there is no room fails with one line, leaves the last commit and no litter, and works when there is
//! room again.
//!
//! The room is made small by a limit on the size of files, which needs no rights and no file system of its own: a write
//! beyond it fails as one to a full disk does. At which file that happens depends on the limit, so there are many.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{end, exported};
use crate::index::files_are_those_of_the_segments;
use crate::support::{ODD, PLAIN, arg, games, import_with, options, scratch, sound, write};

/// Runs the program with files of at most so many KiB.
fn with_room(kib: u32, args: &[&str]) -> (Option<i32>, String) {
    // The signal that would end the process is ignored, and so the write fails.
    let script = "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"";
    let child = Command::new("bash")
        .args(["-c", script, "bash", &kib.to_string()])
        .arg(env!("CARGO_BIN_EXE_pgndex"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash is there");
    end(child)
}

#[track_caller]
fn fails_for_want_of_room(outcome: &(Option<i32>, String), what: &str) {
    let (code, message) = outcome;
    assert_eq!(*code, Some(2), "{what}: {message}");
    assert_eq!(message.lines().count(), 1, "{what}: {message}");
    assert!(
        message.matches("File too large").count() == 1
            && message.contains(".idx")
            && !message.contains("panicked"),
        "{what}: {message}"
    );
}

#[test]
fn an_import_without_room_leaves_the_last_commit_and_works_later() {
    let dir = scratch();
    let first = write(dir.path(), "first.pgn", games(450, 40, ODD).concat());
    let second = write(dir.path(), "second.pgn", games(451, 1500, PLAIN).concat());
    let whole = dir.path().join("whole.idx");
    import_with(&whole, std::slice::from_ref(&first), &options(1));
    let before = exported(&whole);
    import_with(&whole, std::slice::from_ref(&second), &options(1));
    let after = exported(&whole);
    let mut n_failures = 0;
    for kib in [1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512] {
        let index = dir.path().join(format!("{kib}.idx"));
        import_with(&index, std::slice::from_ref(&first), &options(1));
        let import = ["import", arg(&index), arg(&second), "--threads", "2"];
        let outcome = with_room(kib, &import);
        if outcome.0 == Some(0) {
            // A merge that finds no room is left for later.
            assert!(exported(&index) == after, "{kib} KiB");
        } else {
            n_failures += 1;
            fails_for_want_of_room(&outcome, &format!("{kib} KiB"));
            assert!(exported(&index) == before, "{kib} KiB changed the index");
            files_are_those_of_the_segments(&index, 1);
        }
        sound(&index);
        import_with(&index, std::slice::from_ref(&second), &options(1));
        assert!(exported(&index) == after, "{kib} KiB: another index later");
        let n_segments = sound(&index).segments;
        files_are_those_of_the_segments(&index, n_segments);
    }
    assert!(n_failures >= 8, "only {n_failures} imports found no room");
}

#[test]
fn a_new_index_without_room_can_be_made_later() {
    let dir = scratch();
    let source = write(dir.path(), "games.pgn", games(452, 300, PLAIN).concat());
    for kib in [0, 1, 2, 3, 8, 40] {
        let index = dir.path().join(format!("{kib}.idx"));
        let outcome = with_room(kib, &["import", arg(&index), arg(&source)]);
        fails_for_want_of_room(&outcome, &format!("{kib} KiB"));
        import_with(&index, std::slice::from_ref(&source), &options(1));
        assert_eq!(sound(&index).games, 300, "{kib} KiB");
    }
}

#[test]
fn a_removal_without_room_removes_nothing() {
    let dir = scratch();
    let source = write(dir.path(), "games.pgn", games(453, 2000, PLAIN).concat());
    let index = dir.path().join("games.idx");
    import_with(&index, std::slice::from_ref(&source), &options(1));
    let before = exported(&index);
    for kib in [0, 1] {
        let outcome = with_room(kib, &["remove", arg(&index), "id:[3 TO 9]"]);
        fails_for_want_of_room(&outcome, &format!("{kib} KiB"));
        assert!(exported(&index) == before, "{kib} KiB");
        sound(&index);
    }
    // Room for the list of deletions, but not for the segment without the games: that is left for later.
    let (code, message) = with_room(16, &["remove", arg(&index), "id:[0 TO 999]", "--yes"]);
    assert_eq!(code, Some(0), "{message}");
    assert_eq!(sound(&index).games, 1000);
    import_again(&index, dir.path());
    assert_eq!(sound(&index).games, 1040);
    let n_marked = fs::read_dir(&index)
        .expect("a directory")
        .filter(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            name.to_string_lossy().ends_with(".del")
        })
        .count();
    assert_eq!(n_marked, 0, "the next writer merges");
}

fn import_again(index: &Path, dir: &Path) {
    let source = write(dir, "more.pgn", games(454, 40, PLAIN).concat());
    import_with(index, &[source], &options(1));
}
