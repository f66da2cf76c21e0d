//! tantivy's numbers of variable length: seven bits a byte, the lowest first, the high bit set on the last one.
//!
//! Files of ours have the more usual form, with the high bit on all bytes but the last (`bits.rs`).

/// Appends a number.
pub(super) fn write_vint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 1 << 7 {
        out.push(number as u8 & 0x7f);
        number >>= 7;
    }
    out.push(short_vint(number as u8));
}

/// The only byte of a number below 128.
pub(super) fn short_vint(number: u8) -> u8 {
    number | 0x80
}

/// Bytes that a number takes.
pub(super) fn n_vint_bytes(number: u64) -> u64 {
    u64::from((number | 1).ilog2() / 7 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_is_the_sum_of_its_bytes(bits in 1..=64u32, any: u64) {
            let number = any >> (64 - bits);
            let mut bytes = Vec::new();
            write_vint(&mut bytes, number);
            prop_assert_eq!(bytes.len() as u64, n_vint_bytes(number));
            let (last, others) = bytes.split_last().expect("a byte");
            prop_assert!(last & 0x80 != 0 && others.iter().all(|byte| byte & 0x80 == 0));
            let value = |(i, byte): (u32, &u8)| u128::from(byte & 0x7f) << (7 * i);
            prop_assert_eq!((0..).zip(&bytes).map(value).sum::<u128>(), u128::from(number));
        }
    }
}
