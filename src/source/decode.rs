//! Decoders of compressed texts, each of several members: what `cat a.gz b.gz` or a parallel compressor writes is one
//! text, and a decoder that stops after the first member loses the rest without a word.

use std::io::{self, BufRead, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;

use crate::source::form::Compression;

/// Largest window of a zstd frame, as a power of two: the one of `zstd --long=31`. Its pages are touched only as far as
/// a frame's text fills them.
const ZSTD_WINDOW_LOG: u32 = 31;

/// A decoder of all members.
pub(super) fn decoder<'a>(
    compression: Compression,
    reader: Box<dyn BufRead + 'a>,
) -> io::Result<Box<dyn Read + 'a>> {
    Ok(match compression {
        Compression::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(reader)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG)?;
            Box::new(decoder)
        }
        Compression::Gzip => Box::new(Members::Gzip(Box::new(GzDecoder::new(reader)))),
        Compression::Bzip2 => Box::new(Members::Bzip2(BzDecoder::new(reader))),
        Compression::Xz => Box::new(XzReader::new(reader, true)),
    })
}

/// The members of a gzip or bzip2 file, one after the other. The decoders of these crates for several members take zeros
/// at the end, with which tapes and some downloads are padded, for a damaged member.
enum Members<R> {
    Gzip(Box<GzDecoder<R>>),
    Bzip2(BzDecoder<R>),
    Over,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = match self {
                Members::Gzip(member) => member.read(buffer)?,
                Members::Bzip2(member) => member.read(buffer)?,
                Members::Over => return Ok(0),
            };
            if n > 0 || buffer.is_empty() {
                return Ok(n);
            }
            *self = match std::mem::replace(self, Members::Over) {
                Members::Gzip(member) => after_padding(member.into_inner())?
                    .map_or(Members::Over, |reader| {
                        Members::Gzip(Box::new(GzDecoder::new(reader)))
                    }),
                Members::Bzip2(member) => after_padding(member.into_inner())?
                    .map_or(Members::Over, |reader| {
                        Members::Bzip2(BzDecoder::new(reader))
                    }),
                Members::Over => return Ok(0),
            };
        }
    }
}

/// The reader at the next byte that is not zero, if there is one.
fn after_padding<R: BufRead>(mut reader: R) -> io::Result<Option<R>> {
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let n_zeros = bytes.iter().take_while(|b| **b == 0).count();
        let is_next = n_zeros < bytes.len();
        reader.consume(n_zeros);
        if is_next {
            return Ok(Some(reader));
        }
    }
}
