//! Texts are read out of every container and encoding, and what was cut off or damaged is told.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::*;

/// All texts of a file with their names and ends, and what there is to say about the file.
fn texts(path: &Path) -> (Vec<(String, Vec<u8>, TextEnd)>, Done) {
    let mut texts = match open(path).expect("a file") {
        Opened::Mapped(source) => {
            let text = (source.name().to_owned(), source.to_vec(), TextEnd::Whole);
            return (vec![text], Done::default());
        }
        Opened::Texts(texts) => texts,
    };
    let mut all = Vec::new();
    loop {
        let mut text = match texts.next_text().expect("a readable file") {
            Next::Text(text) => text,
            Next::Done(done) => return (all, done),
        };
        let mut bytes = Vec::new();
        while let Some(block) = text.next_block().expect("a block") {
            bytes.extend(block);
        }
        let name = text.name().to_owned();
        all.push((name, bytes, text.end().expect("an end").clone()));
        texts = text.into_rest().expect("the rest");
    }
}

fn check(bytes: &[u8], expected: &[u8], class: Option<&str>) {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("written");
    let (texts, done) = texts(file.path());
    assert_eq!(texts.len(), 1);
    let (name, text, end) = &texts[0];
    assert_eq!(Path::new(name), file.path());
    assert!(
        text == expected,
        "{} bytes, expected {}",
        text.len(),
        expected.len()
    );
    match end {
        TextEnd::Whole => assert_eq!(None, class),
        TextEnd::Cut(trouble) => assert_eq!(Some(trouble.class), class),
    }
    if let Some(packed) = done.packed {
        assert_eq!(packed, hash_file(file.path()).expect("a hash"));
        assert_eq!(packed.bytes, bytes.len() as u64);
    }
}

/// A text that does not compress to nothing, of several blocks.
fn long_text() -> Vec<u8> {
    let mut state = 1_u32;
    let mut text = Vec::new();
    while text.len() < 700_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend(format!("{} ", state >> 8).into_bytes());
    }
    text
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text).expect("compressed");
    out.finish().expect("compressed")
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut out = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    out.write_all(text).expect("compressed");
    out.finish().expect("compressed")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(text, 1).expect("compressed")
}

fn xz(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut out = lzma_rust2::XzWriter::new(Vec::new(), options).expect("an encoder");
    out.write_all(text).expect("compressed");
    out.finish().expect("compressed")
}

type Packer = fn(&[u8]) -> Vec<u8>;

const PACKERS: [Packer; 4] = [gzip, bzip2, zstd, xz];

#[test]
fn members_and_frames_are_one_text_wherever_they_end() {
    let text = long_text();
    for pack in PACKERS {
        let (first, second) = text.split_at(300_001);
        let packed = [pack(first), pack(b""), pack(second)].concat();
        check(&packed, &text, None);
        check(&pack(b""), b"", None);
    }
}

#[test]
fn frames_that_hold_no_text_are_skipped() {
    let skippable = b"\x53\x2a\x4d\x18\x04\0\0\0abcd";
    let packed = [skippable, &zstd(b"1. e4 ")[..], skippable, &zstd(b"e5")].concat();
    check(&packed, b"1. e4 e5", None);
    check(skippable, b"", None);
}

#[test]
fn zeros_after_the_last_member_are_padding_and_other_bytes_are_damage() {
    for pack in [gzip, bzip2] {
        let padded = [pack(b"1. e4"), vec![0; 600]].concat();
        check(&padded, b"1. e4", None);
        let damaged = [pack(b"1. e4"), b"not a member at all".to_vec()].concat();
        check(&damaged, b"1. e4", Some("truncated_container"));
    }
}

#[test]
fn a_truncated_container_gives_what_came_before_the_cut() {
    let text = long_text();
    for pack in PACKERS {
        let (first, second) = text.split_at(400_000);
        let [first_packed, second_packed] = [pack(first), pack(second)];
        for cut in [1, 5, second_packed.len() / 2, second_packed.len() - 1] {
            let packed = [&first_packed[..], &second_packed[..cut]].concat();
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            file.write_all(&packed).expect("written");
            let (texts, _) = texts(file.path());
            let (_, got, end) = &texts[0];
            assert!(got.len() >= first.len() && text.starts_with(got));
            assert!(
                matches!(end, TextEnd::Cut(trouble) if trouble.class == "truncated_container"),
                "cut after {cut} bytes: {end:?}"
            );
        }
    }
}

#[test]
fn damage_is_found_by_checksums() {
    let text = b"[Event \"x\"]\n\n1. e4 e5 1-0\n".repeat(50);
    for pack in [gzip, bzip2] {
        let mut packed = pack(&text);
        // The checksum of the whole stands in the last eight bytes.
        let at = packed.len() - 6;
        packed[at] ^= 0x55;
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(&packed).expect("written");
        let (texts, _) = texts(file.path());
        assert!(matches!(texts[0].2, TextEnd::Cut(_)));
    }
}

#[test]
fn utf_16_becomes_utf_8_in_containers_too() {
    let text = "[White \"Müller\"]\n[Black \"Пётр\"]\n\n1. e4 ♘f6 *\n".repeat(5000);
    let units = || text.encode_utf16();
    let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
    for (bom, bytes) in [
        (&b"\xff\xfe"[..], little.clone()),
        (b"\xfe\xff", big),
        (b"", little),
    ] {
        let bytes = [bom, &bytes].concat();
        check(&bytes, text.as_bytes(), None);
        check(&gzip(&bytes), text.as_bytes(), None);
        check(&zstd(&bytes), text.as_bytes(), None);
    }
}

#[test]
fn empty_files_and_plain_text_are_read() {
    check(b"", b"", None);
    check(b"[Event \"x\"]", b"[Event \"x\"]", None);
}

#[test]
fn what_cannot_be_read_is_named() {
    for (bytes, class, name) in [
        (
            &b"Rar!\x1a\x07\x01\x00 and more"[..],
            "unsupported_container",
            "RAR",
        ),
        (
            b"\xff\xfe\0\0[\0\0\0E\0\0\0",
            "unsupported_encoding",
            "UTF-32",
        ),
    ] {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(bytes).expect("written");
        let error = Source::read_whole(file.path()).expect_err("refused");
        let message = error.to_string();
        assert!(
            message.contains(class) && message.contains(name),
            "{message}"
        );
        check(&gzip(bytes), b"", Some(class));
    }
}

/// A zip archive in which sizes stand before the members, or after them.
fn zip_of(members: &[(&str, &[u8])], streamed: bool) -> Vec<u8> {
    let options = zip::write::SimpleFileOptions::default();
    let mut bytes = Vec::new();
    if streamed {
        let mut out = zip::ZipWriter::new_stream(&mut bytes);
        for (name, text) in members {
            out.start_file(*name, options).expect("a member");
            out.write_all(text).expect("a member");
        }
        out.finish().expect("an archive");
    } else {
        let mut out = zip::ZipWriter::new(std::io::Cursor::new(&mut bytes));
        for (name, text) in members {
            out.start_file(*name, options).expect("a member");
            out.write_all(text).expect("a member");
        }
        out.finish().expect("an archive");
    }
    bytes
}

fn write(dir: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, bytes).expect("a file");
    path
}

#[test]
fn each_pgn_member_of_a_zip_archive_is_a_text() {
    let packed = gzip(b"1. d4 *");
    let members: &[(&str, &[u8])] = &[
        ("z/first.pgn", b"1. e4 *"),
        ("readme.txt", b"no games"),
        ("b.PGN", b""),
        ("__MACOSX/z/._first.pgn", b"\0\x05\x16\x07"),
        ("z/._first.pgn", b"\0\x05\x16\x07"),
        ("c.pgn.gz", &packed),
        ("d.pgn.txt", b"1. c4 *"),
    ];
    let dir = tempfile::tempdir().expect("a directory");
    for streamed in [false, true] {
        let bytes = zip_of(members, streamed);
        let path = write(dir.path(), "a.zip", &bytes);
        let (texts, done) = texts(&path);
        let expected = [
            ("z/first.pgn", "1. e4 *"),
            ("b.PGN", ""),
            ("c.pgn.gz", "1. d4 *"),
        ];
        let expected = expected.map(|(name, text)| {
            let name = format!("{}/{name}", path.display());
            (name, text.as_bytes().to_vec(), TextEnd::Whole)
        });
        assert_eq!(texts, expected);
        assert_eq!(done.trouble, None);
        assert_eq!(done.packed, Some(hash_file(&path).expect("a hash")));
    }
}

#[test]
fn a_zip_archive_without_its_end_gives_the_members_before_the_cut() {
    let text = long_text();
    let members: &[(&str, &[u8])] = &[
        ("a.pgn", b"1. e4 *"),
        ("notes.txt", b"nothing"),
        ("b.pgn", &text),
        ("c.pgn", b"1. d4 *"),
    ];
    let dir = tempfile::tempdir().expect("a directory");
    for streamed in [false, true] {
        let bytes = zip_of(members, streamed);
        // Without the directory all members are there; in the middle of the long one, it is cut.
        for (len, n_texts, is_cut) in [(bytes.len() - 30, 3, false), (bytes.len() / 2, 2, true)] {
            let path = write(dir.path(), "cut.zip", &bytes[..len]);
            let (texts, done) = texts(&path);
            assert_eq!(texts.len(), n_texts, "streamed: {streamed}");
            assert_eq!(
                (&texts[0].1[..], &texts[0].2),
                (&b"1. e4 *"[..], &TextEnd::Whole)
            );
            assert!(text.starts_with(&texts[1].1) && texts[1].1.len() > 100_000);
            assert_eq!(matches!(texts[1].2, TextEnd::Cut(_)), is_cut);
            assert_eq!(done.trouble.expect("trouble").class, "truncated_container");
        }
    }
}

#[test]
fn a_member_can_be_read_again() {
    let text = long_text();
    let members: &[(&str, &[u8])] = &[("a.pgn", b"1. e4 *"), ("b.pgn", &text)];
    let dir = tempfile::tempdir().expect("a directory");
    let path = write(dir.path(), "a.zip", &zip_of(members, false));
    let Opened::Texts(texts) = open(&path).expect("an archive") else {
        panic!("an archive is no text");
    };
    let next = |texts: Texts| match texts.next_text().expect("a text") {
        Next::Text(text) => text,
        Next::Done(done) => panic!("{done:?}"),
    };
    let first = next(texts);
    let second = next(first.into_rest().expect("the rest"));
    let name = second.name().to_owned();
    let (mut again, rest) = second.restart().expect("again");
    assert_eq!(again.name(), name);
    let rest = rest.expect("an archive").next_text().expect("its end");
    assert!(matches!(
        rest,
        Next::Done(Done {
            packed: Some(_),
            ..
        })
    ));
    let mut bytes = Vec::new();
    while let Some(block) = again.next_block().expect("a block") {
        bytes.extend(block);
    }
    assert!(bytes == text);
}

/// A 7z archive, solid or with a block for each member.
fn seven_zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out =
        sevenz_rust2::ArchiveWriter::new(std::io::Cursor::new(Vec::new())).expect("an archive");
    for (name, text) in members {
        let entry = sevenz_rust2::ArchiveEntry::new_file(name);
        out.push_archive_entry(entry, Some(*text))
            .expect("a member");
    }
    out.finish().expect("an archive").into_inner()
}

#[test]
fn each_pgn_member_of_a_7z_archive_is_a_text() {
    let text = long_text();
    let members: &[(&str, &[u8])] = &[
        ("z/first.pgn", b"1. e4 *"),
        ("readme.txt", b"no games"),
        ("b.PGN", &text),
        ("c.pgn", b"1. d4 *"),
    ];
    let dir = tempfile::tempdir().expect("a directory");
    let bytes = seven_zip(members);
    let path = write(dir.path(), "a.7z", &bytes);
    let (all, done) = texts(&path);
    let name = |member: &str| format!("{}/{member}", path.display());
    let whole = |member: &str, text: &[u8]| (name(member), text.to_vec(), TextEnd::Whole);
    let expected = [
        whole("z/first.pgn", b"1. e4 *"),
        whole("b.PGN", &text),
        whole("c.pgn", b"1. d4 *"),
    ];
    assert!(
        all == expected,
        "{:?}",
        all.iter().map(|t| &t.0).collect::<Vec<_>>()
    );
    assert_eq!(done.trouble, None);

    // Names and sizes stand at the end of the archive.
    let path = write(dir.path(), "cut.7z", &bytes[..bytes.len() - 20]);
    let (all, done) = texts(&path);
    assert_eq!(all.len(), 0);
    assert_eq!(done.trouble.expect("trouble").class, "truncated_container");

    // Damage in one block leaves the others alone.
    let mut damaged = bytes.clone();
    damaged[1000] ^= 0x55;
    let path = write(dir.path(), "damaged.7z", &damaged);
    let (all, _) = texts(&path);
    let cut: Vec<bool> = all.iter().map(|t| matches!(t.2, TextEnd::Cut(_))).collect();
    assert_eq!(cut, [false, true, false]);
}
