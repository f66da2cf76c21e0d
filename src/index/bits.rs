//! Numbers of any width in a stream of bits: fixed width, Rice and Elias-gamma codes.
//!
//! The lowest bit of a byte comes first. A Rice code with parameter `k` is the quotient by `2^k` in unary (zeros ended
//! by a one) and the remainder in `k` bits: for gaps of mean `m` about `log2 m + 1.5` bits. An Elias-gamma code takes
//! one bit for 0, three for 1 and 2, and `2 log2 n + 1` in general: for numbers that are nearly always small.
//!
//! Readers never fail: past the end they read zeros and say so in [`BitReader::overrun`].

/// Appends to a byte buffer.
#[derive(Debug)]
pub(crate) struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    pending: u64,
    n_pending: u32,
}

/// Widest value of one write or read.
pub(crate) const MAX_WIDTH: u32 = 56;

impl<'a> BitWriter<'a> {
    /// Starts at a byte border, at the end of `out`.
    pub(crate) fn new(out: &'a mut Vec<u8>) -> BitWriter<'a> {
        BitWriter {
            out,
            pending: 0,
            n_pending: 0,
        }
    }

    /// Writes the low `width` bits of `value`; the others are zero.
    pub(crate) fn fixed(&mut self, value: u64, width: u32) {
        debug_assert!(width <= MAX_WIDTH && value >> width == 0);
        if self.n_pending + width >= u64::BITS {
            self.flush();
        }
        self.pending |= value << self.n_pending;
        self.n_pending += width;
    }

    /// Moves whole bytes to the buffer, as late as possible: several at once cost a fifth fewer instructions of an import's
    /// Rice codes than one by one.
    fn flush(&mut self) {
        let n_bytes = self.n_pending / 8;
        self.out
            .extend_from_slice(&self.pending.to_le_bytes()[..n_bytes as usize]);
        self.pending >>= 8 * n_bytes;
        self.n_pending -= 8 * n_bytes;
    }

    /// Writes a Rice code.
    pub(crate) fn rice(&mut self, value: u64, k: u32) {
        let mut quotient = value >> k;
        while quotient >= u64::from(MAX_WIDTH) {
            self.fixed(0, MAX_WIDTH);
            quotient -= u64::from(MAX_WIDTH);
        }
        let quotient = quotient as u32;
        if quotient + 1 + k <= MAX_WIDTH {
            self.fixed((1 | (value & mask(k)) << 1) << quotient, quotient + 1 + k);
        } else {
            self.fixed(1 << quotient, quotient + 1);
            self.fixed(value & mask(k), k);
        }
    }

    /// Writes an Elias-gamma code of a number below `2^27`.
    pub(crate) fn gamma(&mut self, value: u32) {
        let value = u64::from(value) + 1;
        let log = value.ilog2();
        self.fixed(1 << log, log + 1);
        self.fixed(value & mask(log), log);
    }

    /// Fills the last byte with zeros.
    pub(crate) fn finish(mut self) {
        self.flush();
        if self.n_pending > 0 {
            self.out.push(self.pending as u8);
        }
    }
}

/// Reads what a [`BitWriter`] wrote.
#[derive(Clone, Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> BitReader<'a> {
    /// Starts at bit `pos` of `bytes`.
    pub(crate) fn new(bytes: &'a [u8], pos: usize) -> BitReader<'a> {
        BitReader { bytes, pos }
    }

    /// The next 57 bits or more, zeros past the end.
    fn window(&self) -> u64 {
        let byte = self.pos >> 3;
        let word = match self.bytes.get(byte..byte + 8) {
            Some(word) => u64::from_le_bytes(word.try_into().unwrap_or_default()),
            None => {
                let mut word = [0; 8];
                if let Some(rest) = self.bytes.get(byte..) {
                    word[..rest.len()].copy_from_slice(rest);
                }
                u64::from_le_bytes(word)
            }
        };
        word >> (self.pos & 7)
    }

    /// Reads `width` bits.
    pub(crate) fn fixed(&mut self, width: u32) -> u64 {
        let value = self.window() & mask(width);
        self.pos += width as usize;
        value
    }

    /// Reads a Rice code.
    pub(crate) fn rice(&mut self, k: u32) -> u64 {
        let mut quotient = 0;
        loop {
            let zeros = self.window().trailing_zeros();
            if zeros < MAX_WIDTH {
                quotient += u64::from(zeros);
                self.pos += zeros as usize + 1;
                return quotient << k | self.fixed(k);
            }
            if self.overrun() {
                return 0;
            }
            quotient += u64::from(MAX_WIDTH);
            self.pos += MAX_WIDTH as usize;
        }
    }

    /// Reads an Elias-gamma code.
    pub(crate) fn gamma(&mut self) -> u32 {
        let log = self.window().trailing_zeros();
        if log > 27 {
            self.pos = usize::MAX >> 4;
            return 0;
        }
        self.pos += log as usize + 1;
        ((1 << log | self.fixed(log)) - 1) as u32
    }

    /// Whether more was read than there was.
    pub(crate) fn overrun(&self) -> bool {
        self.pos > self.bytes.len() * 8
    }
}

fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

/// The Rice parameter for `n` gaps that add up to `total`.
pub(crate) fn rice_parameter(total: u64, n: u64) -> u32 {
    // Shortest in the mean for geometric gaps: log2 of ln 2 times the mean gap.
    let mean = total as f64 / n.max(1) as f64 * std::f64::consts::LN_2;
    if mean <= 1.0 {
        0
    } else {
        (mean.log2().round() as u32).min(MAX_WIDTH)
    }
}

/// Appends a LEB128 number.
pub(crate) fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a LEB128 number off the front of `bytes`; `None` when it does not end.
pub(crate) fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Code {
        Fixed(u64, u32),
        Rice(u64, u32),
        Gamma(u32),
    }

    fn code() -> impl Strategy<Value = Code> {
        prop_oneof![
            (any::<u64>(), 0..=MAX_WIDTH).prop_map(|(v, w)| Code::Fixed(v & mask(w), w)),
            (0..400u64, 0..20u32, any::<u64>())
                .prop_map(|(q, k, r)| Code::Rice(q << k | r & mask(k), k)),
            (0..1u32 << 27).prop_map(Code::Gamma),
            (0..20u32).prop_map(Code::Gamma),
        ]
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(codes in prop::collection::vec(code(), 0..60)) {
            let mut out = Vec::new();
            let mut writer = BitWriter::new(&mut out);
            for code in &codes {
                match *code {
                    Code::Fixed(v, w) => writer.fixed(v, w),
                    Code::Rice(v, k) => writer.rice(v, k),
                    Code::Gamma(v) => writer.gamma(v),
                }
            }
            writer.finish();
            let mut reader = BitReader::new(&out, 0);
            for code in &codes {
                match *code {
                    Code::Fixed(v, w) => prop_assert_eq!(reader.fixed(w), v),
                    Code::Rice(v, k) => prop_assert_eq!(reader.rice(k), v),
                    Code::Gamma(v) => prop_assert_eq!(reader.gamma(), v),
                }
            }
            prop_assert!(!reader.overrun());
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..30), k in 0..20u32) {
            let mut reader = BitReader::new(&bytes, 0);
            for _ in 0..200 {
                reader.rice(k);
                reader.gamma();
            }
        }

        #[test]
        fn varints_round_trip(value in any::<u64>()) {
            let mut out = Vec::new();
            write_varint(&mut out, value);
            prop_assert_eq!(read_varint(&mut &out[..]), Some(value));
        }
    }
}
