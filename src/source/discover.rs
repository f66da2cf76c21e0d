//! Which files the arguments of an import mean.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// What stands after `.pgn` in the name of a compressed text.
const COMPRESSED: &[&str] = &["zst", "gz", "bz2", "xz"];
/// Archives, which may hold texts.
const ARCHIVES: &[&str] = &["zip", "7z"];

/// Whether a name, in a directory or an archive, promises a text: `.pgn` or `.pgn.zst` and its like, in any case.
pub(super) fn is_text_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = COMPRESSED
        .iter()
        .find_map(|ext| name.strip_suffix(ext)?.strip_suffix('.'))
        .unwrap_or(&name);
    name.strip_suffix(".pgn").is_some()
}

/// Whether a name promises an archive.
pub(super) fn is_archive_name(name: &str) -> bool {
    let ext = name.rsplit_once('.').map(|(_, ext)| ext);
    ext.is_some_and(|ext| ARCHIVES.iter().any(|known| ext.eq_ignore_ascii_case(known)))
}

fn is_source_name(name: &str) -> bool {
    is_text_name(name) || is_archive_name(name)
}

/// The files that the arguments of an import mean, in order: directories are walked, and their PGN files, compressed or
/// not, and archives sorted by path; a file that is named is taken whatever its name.
///
/// # Errors
///
/// When an argument does not exist or a directory that is named cannot be read. What cannot be read within a directory is
/// left to who opens it: a broken link to a source, a directory without permission.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            found.push(path.clone());
            continue;
        }
        let metadata = fs::metadata(path).map_err(|e| Error::io(path, e))?;
        if !metadata.is_dir() {
            found.push(path.clone());
            continue;
        }
        for entry in walkdir::WalkDir::new(path)
            .follow_links(true)
            .sort_by_file_name()
        {
            let entry = match entry {
                Ok(entry) => entry,
                // The directory that a loop of links comes back to is being walked already.
                Err(e) if e.loop_ancestor().is_some() => continue,
                Err(e) => match e.path().filter(|_| e.depth() > 0) {
                    // Who opens it is told why that fails.
                    Some(at) => {
                        if !at.is_symlink() || is_source_name(&at.to_string_lossy()) {
                            found.push(at.to_owned());
                        }
                        continue;
                    }
                    None => {
                        let at = e.path().unwrap_or(path).to_owned();
                        let unknown = || std::io::Error::other("it cannot be walked");
                        return Err(Error::io(at, e.into_io_error().unwrap_or_else(unknown)));
                    }
                },
            };
            let is_source = is_source_name(&entry.file_name().to_string_lossy());
            if is_source && !entry.file_type().is_dir() {
                found.push(entry.into_path());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_means_its_pgn_files_and_archives_in_order() {
        let dir = tempfile::tempdir().expect("a directory");
        fs::create_dir(dir.path().join("sub")).expect("a directory");
        fs::create_dir(dir.path().join("folder.pgn")).expect("a directory");
        let names = [
            "b.pgn",
            "a.PGN",
            "notes.txt",
            "sub/c.pgn",
            "d.pgn.zst",
            "e.pgn.GZ",
            "f.pgn.bz2",
            "g.pgn.xz",
            "h.zip",
            "i.7z",
            "j.zst",
            "pgn",
            "k.pgn.txt",
        ];
        for name in names {
            fs::write(dir.path().join(name), name).expect("a file");
        }
        let found = discover(&[dir.path().to_owned()]).expect("files");
        let names: Vec<_> = found
            .iter()
            .map(|p| p.strip_prefix(dir.path()).expect("inside").to_owned())
            .collect();
        let expected = [
            "a.PGN",
            "b.pgn",
            "d.pgn.zst",
            "e.pgn.GZ",
            "f.pgn.bz2",
            "g.pgn.xz",
            "h.zip",
            "i.7z",
            "sub/c.pgn",
        ];
        assert_eq!(names, expected.map(PathBuf::from));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_loop_or_lead_nowhere_keep_nothing_else_from_being_found() {
        use std::os::unix::fs::symlink;

        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("sub")).expect("a directory");
        fs::write(at("sub/a.pgn"), "a").expect("a file");
        fs::write(at("z.pgn"), "z").expect("a file");
        symlink("..", at("sub/loop")).expect("a link");
        symlink("nowhere", at("broken.pgn")).expect("a link");
        symlink("nowhere", at("broken.txt")).expect("a link");
        symlink("z.pgn", at("linked.pgn")).expect("a link");
        let found = discover(&[dir.path().to_owned()]).expect("files");
        let expected = ["broken.pgn", "linked.pgn", "sub/a.pgn", "z.pgn"];
        assert_eq!(found, expected.map(at));
        assert!(discover(&[at("nowhere")]).is_err());
    }
}
