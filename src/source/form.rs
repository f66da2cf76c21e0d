//! What a file is, by its first bytes: text in some encoding, a container, or something that is not read. Names of files
//! decide nothing, because archives are renamed, and standard input has no name.

use std::io::{self, Read};

/// What some bytes begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Text.
    Text(Encoding),
    /// One compressed text.
    Compressed(Compression),
    /// A zip archive of several files.
    Zip,
    /// A 7z archive of several files.
    SevenZip,
    /// Something that is not read.
    Unsupported {
        /// `unsupported_container` or `unsupported_encoding`.
        class: &'static str,
        /// Its name.
        name: &'static str,
    },
}

/// How text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-8 or Windows-1252: which one is decided for each value and comment.
    Utf8,
    /// UTF-16, least significant byte first.
    Utf16Le,
    /// UTF-16, most significant byte first.
    Utf16Be,
}

/// How a text is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Zstd,
    Gzip,
    Bzip2,
    Xz,
}

impl Compression {
    pub(super) fn name(self) -> &'static str {
        match self {
            Compression::Zstd => "zstd",
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
        }
    }
}

/// How many bytes tell what a file is.
pub(super) const FIRST_BYTES: usize = 8;

/// The first bytes of a reader, fewer if there are fewer.
pub(super) fn first_bytes(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(FIRST_BYTES);
    super::read_up_to(reader, &mut bytes, FIRST_BYTES)?;
    Ok(bytes)
}

/// What the bytes begin.
pub(super) fn form(first: &[u8]) -> Form {
    let unsupported = |class, name| Form::Unsupported { class, name };
    match first {
        // A zstd file may begin with frames that hold no text.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            Form::Compressed(Compression::Zstd)
        }
        [0x1f, 0x8b, ..] => Form::Compressed(Compression::Gzip),
        // After the size of blocks comes a block, or the end of a stream without any.
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..]
        | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => Form::Compressed(Compression::Bzip2),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Form::Compressed(Compression::Xz),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, b'P', b'K', 3, 4] => {
            Form::Zip
        }
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Form::SevenZip,
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => unsupported("unsupported_container", "RAR"),
        [4, 0x22, 0x4d, 0x18, ..] => unsupported("unsupported_container", "LZ4"),
        [b'L', b'Z', b'I', b'P', ..] => unsupported("unsupported_container", "lzip"),
        [0x1f, 0x9d, ..] => unsupported("unsupported_container", "compress (.Z)"),
        [b'M', b'S', b'C', b'F', 0, 0, 0, 0] => unsupported("unsupported_container", "cabinet"),
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => {
            unsupported("unsupported_encoding", "UTF-32")
        }
        // Without a byte-order mark too: no other text begins with letters and NULs by turns.
        [0xff, 0xfe, ..] | [1..=0x7f, 0, 1..=0x7f, 0, ..] => Form::Text(Encoding::Utf16Le),
        [0xfe, 0xff, ..] | [0, 1..=0x7f, 0, 1..=0x7f, ..] => Form::Text(Encoding::Utf16Be),
        _ => Form::Text(Encoding::Utf8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known_by_their_first_bytes() {
        assert_eq!(form(b""), Form::Text(Encoding::Utf8));
        assert_eq!(form(b"[Event "), Form::Text(Encoding::Utf8));
        assert_eq!(form(b"\xef\xbb\xbf[Even"), Form::Text(Encoding::Utf8));
        assert_eq!(form(b"[\0E\0v\0e\0"), Form::Text(Encoding::Utf16Le));
        assert_eq!(form(b"\xfe\xff\0[\0E\0v"), Form::Text(Encoding::Utf16Be));
        assert_eq!(form(b"PK\x03\x04\x14\0\0\0"), Form::Zip);
        // Words that begin like a container are text.
        assert_eq!(form(b"PKnight "), Form::Text(Encoding::Utf8));
        assert_eq!(form(b"BZhukov "), Form::Text(Encoding::Utf8));
        assert_eq!(form(b"7z. b2 b"), Form::Text(Encoding::Utf8));
    }
}
