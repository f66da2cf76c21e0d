//! Archives of several files: each member that is a PGN file, compressed or not, is a text of its own, so that games keep
//! their file, an unclosed comment ends with it, and a member that is known already is recognised.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use sevenz_rust2::{ArchiveReader, Password};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::{Error, Result};
use crate::source::discover::{is_archive_name, is_text_name};
use crate::source::hash_file;
use crate::source::stream::{Done, Event, Gone, Outlet, TextEnd, Trouble, explain};

/// Most memory for a 7z dictionary, in KiB.
const SEVEN_ZIP_KIB: usize = 1 << 20;

/// What a member is, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    /// Not unpacked: a few kilobytes of archives in archives can hold petabytes. But games may be in it, so it is not left
    /// out without a word.
    Archive,
    Other,
}

impl Kind {
    /// Resource forks of macOS have the names of the files that they belong to.
    fn of(name: &str) -> Kind {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        if file.starts_with("._") || name.starts_with("__MACOSX/") {
            Kind::Other
        } else if is_text_name(file) {
            Kind::Text
        } else if is_archive_name(file) {
            Kind::Archive
        } else {
            Kind::Other
        }
    }
}

/// Sends the members of an archive, one by one.
struct Members<'a> {
    archive: &'a str,
    only: Option<usize>,
    n_texts: usize,
    out: &'a Outlet,
}

impl Members<'_> {
    /// Whether the next text is wanted.
    fn wants_next(&mut self) -> bool {
        self.n_texts += 1;
        self.only.is_none_or(|only| only + 1 == self.n_texts)
    }

    fn is_over(&self) -> bool {
        self.only.is_some_and(|only| only < self.n_texts)
    }

    fn name(&self, member: &str) -> String {
        format!("{}/{member}", self.archive)
    }

    /// Sends an archive in the archive, as a text that is lost.
    fn nested(&self, member: &str) -> Result<(), Gone> {
        let message = "an archive in an archive is not read; unpack it first";
        self.lost(member, Trouble::unsupported(message))
    }

    /// Sends a member that cannot be read.
    fn lost(&self, member: &str, trouble: Trouble) -> Result<(), Gone> {
        self.out.send(Event::Text(self.name(member)))?;
        self.out.send(Event::End(TextEnd::Cut(trouble)))
    }

    fn done(&self, path: &Path, trouble: Option<Trouble>) -> Result<(), Gone> {
        if self.only.is_some() {
            return Ok(());
        }
        match hash_file(path) {
            Ok(packed) => self.out.send(Event::Done(Done {
                packed: Some(packed),
                trouble,
            })),
            Err(error) => self.out.send(Event::Failed(error)),
        }
    }
}

/// Sends the texts of a zip archive in the order of its directory.
pub(super) fn zip(name: &str, path: &Path, only: Option<usize>, out: &Outlet) -> Result<(), Gone> {
    let mut members = Members {
        archive: name,
        only,
        n_texts: 0,
        out,
    };
    let file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(e) => return out.send(Event::Failed(Error::io(name, e))),
    };
    let Ok(mut archive) = ZipArchive::new(file) else {
        return salvage(members, path);
    };
    for idx in 0..archive.len() {
        let member = match archive.name_for_index(idx) {
            Some(Ok(member)) => member.into_owned(),
            _ => continue,
        };
        let kind = Kind::of(&member);
        if kind == Kind::Other || !members.wants_next() {
            continue;
        }
        match archive.by_index(idx) {
            _ if kind == Kind::Archive => members.nested(&member)?,
            Ok(mut reader) => out.text(members.name(&member), &mut reader)?,
            Err(e) => members.lost(&member, zip_trouble(&e))?,
        }
        if members.is_over() {
            break;
        }
    }
    members.done(path, None)
}

fn zip_trouble(error: &ZipError) -> Trouble {
    match error {
        ZipError::Io(e) => Trouble::truncated(explain(e)),
        ZipError::InvalidArchive(_) => Trouble::truncated(format!("damaged: {error}")),
        _ => Trouble::unsupported(format!("this member cannot be unpacked: {error}")),
    }
}

/// Reads the members of a zip archive whose directory, at its end, is damaged or missing: each member has a header of
/// its own.
fn salvage(mut members: Members<'_>, path: &Path) -> Result<(), Gone> {
    let (out, archive) = (members.out, members.archive);
    let failed = |e| Event::Failed(Error::io(archive, e));
    let mut file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(e) => return out.send(failed(e)),
    };
    loop {
        let header = match LocalHeader::read(&mut file) {
            Ok(Some(header)) => header,
            Ok(None) => break,
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(e) => return out.send(failed(e)),
        };
        let start = match file.stream_position() {
            Ok(start) => start,
            Err(e) => return out.send(failed(e)),
        };
        let kind = Kind::of(&header.name);
        let mut wanted = kind != Kind::Other && members.wants_next();
        let name = members.name(&header.name);
        let packed = (&mut file).take(header.packed_bytes.unwrap_or(u64::MAX));
        if wanted && kind == Kind::Archive {
            members.nested(&header.name)?;
            wanted = false;
        }
        match (header.method, header.packed_bytes) {
            (Method::Deflated, n_bytes) => {
                let mut reader = flate2::bufread::DeflateDecoder::new(packed);
                if wanted {
                    out.text(name, &mut reader)?;
                } else if n_bytes.is_none() {
                    // Only the decoder knows where such a member ends.
                    let _ = io::copy(&mut reader, &mut io::sink());
                }
            }
            (Method::Stored, Some(rest)) if wanted => {
                let mut reader = Exactly {
                    reader: packed,
                    rest,
                };
                out.text(name, &mut reader)?;
            }
            _ if wanted => {
                let message = "the archive's directory is damaged, and this member cannot be \
                               unpacked without it";
                members.lost(&header.name, Trouble::unsupported(message))?;
            }
            _ => {}
        }
        if members.is_over() {
            break;
        }
        let skipped = match header.packed_bytes {
            Some(n_bytes) => file.seek(SeekFrom::Start(start.saturating_add(n_bytes))),
            None => skip_descriptor(&mut file),
        };
        if let Err(e) = skipped {
            return out.send(failed(e));
        }
    }
    let trouble = "the archive's directory, at its end, is damaged or missing";
    members.done(path, Some(Trouble::truncated(trouble)))
}

/// What stands before a member.
struct LocalHeader {
    name: String,
    method: Method,
    /// `None` when it stands after the member, or does not fit.
    packed_bytes: Option<u64>,
}

#[derive(Clone, Copy)]
enum Method {
    Stored,
    Deflated,
    Other,
}

const LOCAL_HEADER: &[u8; 4] = b"PK\x03\x04";

impl LocalHeader {
    /// Reads a header; `None` when something else stands there.
    fn read(reader: &mut impl Read) -> io::Result<Option<LocalHeader>> {
        let mut fixed = [0; 30];
        reader.read_exact(&mut fixed)?;
        if !fixed.starts_with(LOCAL_HEADER) {
            return Ok(None);
        }
        let u16_at = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let u32_at = |at: usize| u32::from(u16_at(at)) | u32::from(u16_at(at + 2)) << 16;
        let flags = u16_at(6);
        let mut name = vec![0; usize::from(u16_at(26))];
        reader.read_exact(&mut name)?;
        let mut extra = vec![0; usize::from(u16_at(28))];
        reader.read_exact(&mut extra)?;
        let is_encrypted = flags & 1 != 0;
        let size_follows = flags & 8 != 0;
        Ok(Some(LocalHeader {
            name: String::from_utf8_lossy(&name).into_owned(),
            method: match u16_at(8) {
                0 if !is_encrypted => Method::Stored,
                8 if !is_encrypted => Method::Deflated,
                _ => Method::Other,
            },
            packed_bytes: match u32_at(18) {
                u32::MAX => zip64_packed_bytes(&extra),
                _ if size_follows => None,
                n_bytes => Some(u64::from(n_bytes)),
            },
        }))
    }
}

/// The size in the extra field of large members, where it stands after the unpacked size.
fn zip64_packed_bytes(mut extra: &[u8]) -> Option<u64> {
    while let [id0, id1, len0, len1, rest @ ..] = extra {
        let len = usize::from(u16::from_le_bytes([*len0, *len1]));
        let field = rest.get(..len)?;
        if [*id0, *id1] == [1, 0] {
            return Some(u64::from_le_bytes(field.get(8..16)?.try_into().ok()?));
        }
        extra = &rest[len..];
    }
    None
}

/// Goes to the next header, over the sizes that follow a member.
fn skip_descriptor(file: &mut BufReader<File>) -> io::Result<u64> {
    // Checksum and two sizes of eight bytes at most, with or without a signature.
    const LONGEST: usize = 4 + 4 + 8 + 8;
    let start = file.stream_position()?;
    let mut bytes = Vec::new();
    file.by_ref()
        .take((LONGEST + LOCAL_HEADER.len()) as u64)
        .read_to_end(&mut bytes)?;
    let next = memchr::memmem::find(&bytes, LOCAL_HEADER).unwrap_or(bytes.len());
    file.seek(SeekFrom::Start(start + next as u64))
}

/// A reader that must not end before so many bytes.
struct Exactly<R> {
    reader: R,
    rest: u64,
}

impl<R: Read> Read for Exactly<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.rest -= n as u64;
        if n == 0 && self.rest > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(n)
    }
}

/// Sends the texts of a 7z archive in its own order.
pub(super) fn seven_zip(
    name: &str,
    path: &Path,
    only: Option<usize>,
    out: &Outlet,
) -> Result<(), Gone> {
    let mut members = Members {
        archive: name,
        only,
        n_texts: 0,
        out,
    };
    let file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(e) => return out.send(Event::Failed(Error::io(name, e))),
    };
    let archive = ArchiveReader::new_with_memory_limit(file, Password::empty(), SEVEN_ZIP_KIB);
    let mut archive = match archive {
        Ok(archive) => archive,
        // Sizes and names stand at the end of such an archive: without it nothing can be found.
        Err(e) => return members.done(path, Some(seven_zip_trouble(&e))),
    };
    // One decoder beside the workers, whatever the number of cores, so that memory is bounded.
    archive.set_thread_count(1);
    let n_texts = archive.archive().files.iter();
    let n_texts = n_texts
        .filter(|entry| !entry.is_directory && Kind::of(&entry.name) != Kind::Other)
        .count();
    let mut gone = false;
    let read = archive.for_each_entries(|entry, reader| {
        let kind = Kind::of(&entry.name);
        if entry.is_directory || kind == Kind::Other || !members.wants_next() {
            return Ok(!members.is_over());
        }
        if kind == Kind::Archive {
            gone = members.nested(&entry.name).is_err();
            return Ok(!gone && !members.is_over());
        }
        let mut watched = Watched {
            reader,
            failed: false,
        };
        gone = out.text(members.name(&entry.name), &mut watched).is_err();
        // Behind the damage nothing of the same block can be unpacked; other blocks can.
        Ok(!gone && !members.is_over() && !watched.failed)
    });
    if gone {
        return Err(Gone);
    }
    let trouble = read.err().map(|e| seven_zip_trouble(&e)).or_else(|| {
        let n_lost = n_texts.saturating_sub(members.n_texts);
        (n_lost > 0).then(|| Trouble::truncated(format!("7z: {n_lost} members lie behind damage")))
    });
    members.done(path, trouble)
}

fn seven_zip_trouble(error: &sevenz_rust2::Error) -> Trouble {
    use sevenz_rust2::Error as E;
    match error {
        E::PasswordRequired
        | E::MaybeBadPassword(_)
        | E::Unsupported(_)
        | E::UnsupportedCompressionMethod(_)
        | E::UnsupportedVersion { .. }
        | E::ExternalUnsupported
        | E::MaxMemLimited { .. } => Trouble::unsupported(format!("7z: {error}")),
        _ => Trouble::truncated(format!(
            "7z: the archive ends too early or is damaged: {error}"
        )),
    }
}

/// Remembers whether reading failed.
struct Watched<'a> {
    reader: &'a mut dyn Read,
    failed: bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer);
        self.failed |= read
            .as_ref()
            .is_err_and(|e| e.kind() != io::ErrorKind::Interrupted);
        read
    }
}
