//! Eight bytes looked at together: which of them are a given sign, which are at least one, and where the first is.
//!
//! Names and values of tags have some ten letters, and a comment with a clock's time no more than twenty. A loop over so
//! few ends at another place each time, which no processor foresees, and the vectors of `memchr` are set up for longer
//! searches. Eight bytes in a register need neither. A set of them is a [`Marks`]: the highest bit of each byte that
//! belongs to it.

/// The lowest bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// How many times eight bytes are looked at before `memchr` goes on.
const MOST: usize = 8;

/// Eight bytes, the first one lowest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eight(u64);

/// Which of eight bytes: the highest bit of each.
pub(super) type Marks = u64;

impl Eight {
    /// Those that begin at `at`. `None` if there are fewer.
    #[inline]
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Eight> {
        let eight = bytes.get(at..)?.first_chunk()?;
        Some(Eight(u64::from_le_bytes(*eight)))
    }

    /// The bytes that are ASCII.
    #[inline]
    pub(super) fn ascii(self) -> Marks {
        !self.0
    }

    /// The bytes that are `least` or more, a sign of ASCII. What it says of bytes beyond ASCII means nothing, and nothing
    /// but the marks is of use in what it returns.
    #[inline]
    pub(super) fn at_least(self, least: u8) -> Marks {
        // Without its highest bit no byte carries into the next.
        (self.0 & !HIGH) + ONES * u64::from(0x80 - least)
    }

    /// The same bytes with capital letters made small. Some signs become others, but none a letter.
    #[inline]
    #[must_use]
    pub(super) fn to_lower(self) -> Eight {
        Eight(self.0 | (ONES * 0x20))
    }

    /// The bytes that are `sign`, with the same limits.
    #[inline]
    pub(super) fn equal(self, sign: u8) -> Marks {
        self.at_least(sign) ^ self.at_least(sign + 1)
    }
}

/// How many bytes stand before the first mark; eight if there is none.
#[inline]
pub(super) fn before_first(marks: Marks) -> usize {
    ((marks & HIGH).trailing_zeros() / 8) as usize
}

/// The first marked byte at or after `at`. Else a place before which none is marked: so many of them went by that
/// `memchr` is the better one to go on, or fewer than eight are left.
#[inline]
pub(super) fn find(
    bytes: &[u8],
    at: usize,
    marked: impl Fn(Eight) -> Marks,
) -> Result<usize, usize> {
    let mut pos = at;
    for _ in 0..MOST {
        let Some(eight) = Eight::at(bytes, pos) else {
            break;
        };
        let len = before_first(marked(eight));
        pos += len;
        if len < 8 {
            return Ok(pos);
        }
    }
    Err(pos)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what is said of each of eight bytes, whatever its neighbours are.
    fn check(marks: impl Fn(Eight) -> Marks, wanted: impl Fn(u8) -> bool) {
        for neighbour in [0, 1, b'!', b'_', b'a', 0x7f, 0x80, 0xff] {
            for byte in 0..=0xff {
                for idx in 0..8 {
                    let mut bytes = [neighbour; 8];
                    bytes[idx] = byte;
                    let eight = Eight::at(&bytes, 0).expect("eight bytes");
                    let is_marked = (marks(eight) & eight.ascii()) >> (8 * idx + 7) & 1 == 1;
                    assert_eq!(is_marked, wanted(byte), "{byte} at {idx} among {neighbour}");
                }
            }
        }
    }

    #[test]
    fn marks_are_where_the_signs_are() {
        for sign in 0..0x7f {
            check(|eight| eight.at_least(sign), |b| b.is_ascii() && b >= sign);
            check(|eight| eight.equal(sign), |b| b == sign);
        }
        check(
            |eight| {
                let eight = eight.to_lower();
                eight.at_least(b'a') ^ eight.at_least(b'{')
            },
            |b| b.is_ascii_alphabetic(),
        );
    }

    #[test]
    fn the_first_mark_is_found_unless_it_is_far_or_too_near_the_end() {
        let marked = |eight: Eight| eight.equal(b'x') & eight.ascii();
        for len in 0..100 {
            for x in 0..len {
                let mut bytes = vec![b'.'; len];
                bytes[x] = b'x';
                match find(&bytes, 0, marked) {
                    Ok(found) => assert_eq!(found, x),
                    Err(stop) => assert!(stop <= x && (stop == 8 * MOST || stop + 8 > len)),
                }
            }
            assert_eq!(find(&vec![b'.'; len], len, marked), Err(len));
        }
    }
}
