//! Texts in other encodings than UTF-8, made UTF-8 block by block.
//!
//! What an encoding cannot say is not dropped and not replaced, or nobody would learn of it: a lone surrogate of UTF-16 is
//! written as the three bytes that UTF-8 would have for it, and a byte that means nothing as those of the surrogate
//! U+DC00 plus its value. Both are no UTF-8, so the reader reports the game and the place, and only the letter in
//! question is unknown.

use std::str::FromStr;

use encoding_rs::{Decoder, DecoderResult, REPLACEMENT, UTF_16BE, UTF_16LE};

/// An encoding that a text is said to be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextEncoding(&'static encoding_rs::Encoding);

impl TextEncoding {
    /// Its name in the WHATWG Encoding Standard, which is the same for all its labels.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

/// Reads a label of the WHATWG Encoding Standard, in any case.
impl FromStr for TextEncoding {
    type Err = String;

    fn from_str(label: &str) -> Result<TextEncoding, String> {
        match encoding_rs::Encoding::for_label(label.as_bytes()) {
            Some(encoding) if encoding != REPLACEMENT => Ok(TextEncoding(encoding)),
            _ => Err(format!(
                "no encoding is called {label:?}; known are the labels of the WHATWG Encoding Standard, like utf-8, \
                 windows-1252, iso-8859-2, windows-1251, koi8-r, ibm866 or gbk"
            )),
        }
    }
}

/// Makes UTF-8 of the blocks of one text.
pub(super) enum Transcoder {
    Utf16(Utf16),
    Other(Decoder),
}

impl Transcoder {
    pub(super) fn new(encoding: TextEncoding) -> Transcoder {
        if encoding.0 == UTF_16LE {
            Transcoder::utf16(u16::from_le_bytes)
        } else if encoding.0 == UTF_16BE {
            Transcoder::utf16(u16::from_be_bytes)
        } else {
            // A byte-order mark says more than whoever named the encoding of a whole archive.
            Transcoder::Other(encoding.0.new_decoder())
        }
    }

    pub(super) fn utf16(unit: fn([u8; 2]) -> u16) -> Transcoder {
        Transcoder::Utf16(Utf16 {
            unit,
            odd: None,
            high: None,
            is_begun: false,
        })
    }

    /// The next block in UTF-8.
    pub(super) fn block(&mut self, block: &[u8], is_last: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(block.len() + block.len() / 2);
        match self {
            Transcoder::Utf16(utf16) => utf16.block(block, is_last, &mut out),
            Transcoder::Other(decoder) => other(decoder, block, is_last, &mut out),
        }
        out
    }
}

/// UTF-16 on its way.
pub(super) struct Utf16 {
    unit: fn([u8; 2]) -> u16,
    /// The first byte of a unit whose second one is in the next block.
    odd: Option<u8>,
    /// The first half of a letter of two units.
    high: Option<u16>,
    is_begun: bool,
}

impl Utf16 {
    fn block(&mut self, block: &[u8], is_last: bool, out: &mut Vec<u8>) {
        let mut rest = block;
        if let (Some(first), [second, after @ ..]) = (self.odd, rest) {
            self.take((self.unit)([first, *second]), out);
            self.odd = None;
            rest = after;
        }
        let (units, odd) = rest.as_chunks::<2>();
        for &unit in units {
            self.take((self.unit)(unit), out);
        }
        self.odd = self.odd.or(odd.first().copied());
        if is_last {
            if let Some(high) = self.high.take() {
                push_surrogate(high, out);
            }
            if let Some(odd) = self.odd.take() {
                push_unknown(odd, out);
            }
        }
    }

    fn take(&mut self, unit: u16, out: &mut Vec<u8>) {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if is_first && unit == 0xfeff {
            return;
        }
        if let Some(high) = self.high.take() {
            if let Some(Ok(letter)) = char::decode_utf16([high, unit]).next() {
                push_char(letter, out);
                return;
            }
            push_surrogate(high, out);
        }
        match unit {
            0xd800..=0xdbff => self.high = Some(unit),
            0xdc00..=0xdfff => push_surrogate(unit, out),
            unit => push_char(
                char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER),
                out,
            ),
        }
    }
}

/// A block in any other encoding.
fn other(decoder: &mut Decoder, block: &[u8], is_last: bool, out: &mut Vec<u8>) {
    let mut text = String::new();
    let mut pos = 0;
    loop {
        let rest = &block[pos..];
        text.reserve(
            decoder
                .max_utf8_buffer_length_without_replacement(rest.len())
                .unwrap_or(4 * rest.len() + 16),
        );
        let (result, n_read) =
            decoder.decode_to_string_without_replacement(rest, &mut text, is_last);
        pos += n_read;
        out.extend_from_slice(text.as_bytes());
        text.clear();
        match result {
            DecoderResult::InputEmpty => return,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(len, n_after) => {
                // The first of the bytes may have been in the block before.
                let first = pos.checked_sub(usize::from(len) + usize::from(n_after));
                let byte = first.and_then(|first| block.get(first)).copied();
                push_unknown(byte.unwrap_or(u8::MAX), out);
            }
        }
    }
}

fn push_char(letter: char, out: &mut Vec<u8>) {
    out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Writes a surrogate as UTF-8 would, if it had any.
fn push_surrogate(unit: u16, out: &mut Vec<u8>) {
    let [high, low] = unit.to_be_bytes();
    out.extend([
        0xe0 | high >> 4,
        0x80 | (high & 0xf) << 2 | low >> 6,
        0x80 | low & 0x3f,
    ]);
}

/// Writes a byte that means nothing.
fn push_unknown(byte: u8, out: &mut Vec<u8>) {
    push_surrogate(0xdc00 | u16::from(byte), out);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A text in blocks of a size.
    fn transcoded(mut transcoder: Transcoder, bytes: &[u8], size: usize) -> Vec<u8> {
        let mut out = Vec::new();
        for block in bytes.chunks(size) {
            out.extend(transcoder.block(block, false));
        }
        out.extend(transcoder.block(b"", true));
        out
    }

    /// Without surrogates, each of which is one letter that is not known.
    fn lossy(bytes: &[u8]) -> String {
        let mut text = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at] == 0xed && bytes[at + 1] >= 0xa0 {
                text.extend("\u{fffd}".bytes());
                at += 3;
            } else {
                text.push(bytes[at]);
                at += 1;
            }
        }
        String::from_utf8(text).expect("UTF-8 but for surrogates")
    }

    #[test]
    fn labels_are_read_and_others_refused() {
        for (label, name) in [
            ("iso-8859-2", "ISO-8859-2"),
            ("LATIN2", "ISO-8859-2"),
            ("windows-1251", "windows-1251"),
            ("koi8-r", "KOI8-R"),
            ("ibm866", "IBM866"),
            ("gbk", "GBK"),
        ] {
            assert_eq!(
                label.parse::<TextEncoding>().map(TextEncoding::name),
                Ok(name)
            );
        }
        for label in ["", "klingon", "iso-2022-kr"] {
            assert!(label.parse::<TextEncoding>().is_err(), "{label}");
        }
    }

    #[test]
    fn letters_of_other_encodings_are_read() {
        let check = |label: &str, bytes: &[u8], want: &[u8]| {
            let encoding: TextEncoding = label.parse().expect("a label");
            for size in 1..=bytes.len() {
                let found = transcoded(Transcoder::new(encoding), bytes, size);
                assert_eq!(found, want, "{label} in blocks of {size}");
            }
        };
        check(
            "iso-8859-2",
            b"\xb9koda, \xa9koda",
            "škoda, Škoda".as_bytes(),
        );
        check("windows-1251", b"\xcf\xe5\xf8\xea\xe0", "Пешка".as_bytes());
        check("gbk", b"\xc6\xe5 1. e4", "棋 1. e4".as_bytes());
        check(
            "utf-8",
            b"\xef\xbb\xbfM\xc3\xbcller \xfc",
            b"M\xc3\xbcller \xed\xb3\xbc",
        );
        check("utf-16le", b"a\0\0\xd8b\0", b"a\xed\xa0\x80b");
        check(
            "utf-16be",
            b"\xfe\xff\0a\xdc\x01\xd8\x3c\xdf\x00\0",
            b"a\xed\xb0\x81\xf0\x9f\x8c\x80\xed\xb0\x80",
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

        /// Wherever blocks end, a text is what the library reads that knows all encodings, but for what is unknown.
        #[test]
        fn blocks_are_read_as_the_whole_is(
            bytes in prop::collection::vec(prop::sample::select(&[0, 0x0a, b'a', 0xd8, 0xdc, 0xdf, 0x81, 0xfe, 0xff, 0xe5][..]), 0..40),
            size in 1..12_usize,
            label in prop::sample::select(&["utf-16le", "utf-16be", "utf-8", "gbk", "windows-1251", "shift_jis"][..]),
        ) {
            let encoding: TextEncoding = label.parse().expect("a label");
            let mut bytes = bytes;
            if label.starts_with("utf-16") {
                // Half a letter and half a unit at the end are two losses here and one there.
                bytes.truncate(bytes.len() & !1);
            }
            let found = transcoded(Transcoder::new(encoding), &bytes, size);
            let want = if label.starts_with("utf-16") {
                encoding.0.decode_with_bom_removal(&bytes).0
            } else {
                encoding.0.decode(&bytes).0
            };
            prop_assert_eq!(lossy(&found), want);
        }
    }
}
