//! Rating performance: the rating at which a score against some opponents would have been expected.
//!
//! FIDE Handbook, B.02, article 8: the average rating of the opponents plus the difference that table 8.1.1 gives for the
//! percentage scored.

/// Rating differences for 50 % to 100 %, table 8.1.1.
const DIFFERENCES: [u16; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The performance of `half_points` out of `games` against opponents whose ratings add up to `opponents`. `None` without
/// games.
pub fn performance(half_points: u64, games: u64, opponents: u64) -> Option<i64> {
    if games == 0 {
        return None;
    }
    let average = opponents as f64 / games as f64;
    // The table knows whole percentages; halves are rounded up, as article 8.1 has it for fractions.
    let percent = ((half_points as f64 * 50.0 / games as f64) + 0.5)
        .floor()
        .clamp(0.0, 100.0) as usize;
    let difference = if percent >= 50 {
        f64::from(DIFFERENCES[percent - 50])
    } else {
        -f64::from(DIFFERENCES[50 - percent])
    };
    Some((average + difference).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn performance_follows_the_table() {
        assert_eq!(performance(1, 1, 2400), Some(2400));
        assert_eq!(performance(2, 1, 2400), Some(3200));
        assert_eq!(performance(0, 1, 2400), Some(1600));
        assert_eq!(performance(3, 2, 4800), Some(2593));
        assert_eq!(performance(0, 0, 0), None);
    }
}
