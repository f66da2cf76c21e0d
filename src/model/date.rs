//! Dates as PGN writes them: year, month and day, each of which may be unknown.
//!
//! PGN standard, section 8.1.1.3: `YYYY.MM.DD` with question marks for what is not known. A date is kept as the range
//! of days that it can mean, so that `1999.??.??` is the whole year 1999.

/// The days that a date can mean, first and last, each as the number `YYYYMMDD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateSpan {
    /// First day, `YYYYMMDD`.
    pub first: u32,
    /// Last day, `YYYYMMDD`; the 31st stands for the end of any month.
    pub last: u32,
}

/// What a Date tag says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagDate {
    /// A day, a month or a year.
    Known(DateSpan),
    /// Nothing: empty, `?`, `????.??.??`.
    Unknown,
    /// Text that is no date.
    Malformed,
}

impl DateSpan {
    /// The year of the first day.
    pub fn year(self) -> u32 {
        self.first / 10_000
    }

    /// The date in PGN form, `YYYY.MM.DD` with question marks.
    pub fn to_pgn(self) -> String {
        let part = |first: u32, last: u32| {
            if first == last {
                format!("{first:02}")
            } else {
                "??".to_owned()
            }
        };
        format!(
            "{:04}.{}.{}",
            self.year(),
            part(self.first / 100 % 100, self.last / 100 % 100),
            part(self.first % 100, self.last % 100)
        )
    }

    /// The last day of a range that a person wrote: the last day of a month counts as its 31st, as in [`DateSpan::last`].
    pub fn end_of_range(self) -> u32 {
        let day = self.last % 100;
        if day >= days_of_month(self.last) {
            self.last - day + 31
        } else {
            self.last
        }
    }

    /// Whether there is such a day, if it is one: the 30th of February is read as a day of that month, and is none.
    pub fn exists(self) -> bool {
        self.first < self.last || self.first % 100 <= days_of_month(self.first)
    }

    /// Reads a date that may leave out the day or the month: `2031`, `2031.03`, `2031.03.05`, also with `-` or `/`.
    pub fn parse(text: &str) -> Option<DateSpan> {
        match tag_date(text) {
            TagDate::Known(span) => Some(span),
            _ => None,
        }
    }
}

/// Reads the value of a Date tag.
pub fn tag_date(text: &str) -> TagDate {
    let text = text.trim();
    if text
        .bytes()
        .all(|b| matches!(b, b'?' | b'.' | b'-' | b'*' | b' '))
    {
        return TagDate::Unknown;
    }
    let mut parts = text.split(['.', '-', '/']);
    let year = match parts.next().map(str::trim) {
        Some(year) if year.len() == 4 => match year.parse::<u32>() {
            Ok(0) => return TagDate::Unknown,
            Ok(year) => year,
            Err(_)
                if year.contains('?') && year.bytes().all(|b| b == b'?' || b.is_ascii_digit()) =>
            {
                return TagDate::Unknown;
            }
            Err(_) => return TagDate::Malformed,
        },
        _ => return TagDate::Malformed,
    };
    let Ok(month) = date_part(parts.next(), 12) else {
        return TagDate::Malformed;
    };
    let Ok(day) = date_part(parts.next(), 31) else {
        return TagDate::Malformed;
    };
    if parts.next().is_some() {
        return TagDate::Malformed;
    }
    // A day of an unknown month narrows nothing that a range query could use.
    let day = if month.is_some() { day } else { None };
    TagDate::Known(DateSpan {
        first: year * 10_000 + month.unwrap_or(1) * 100 + day.unwrap_or(1),
        last: year * 10_000 + month.unwrap_or(12) * 100 + day.unwrap_or(31),
    })
}

/// How many days the month of a day has.
fn days_of_month(day: u32) -> u32 {
    let (year, month) = (day / 10_000, day / 100 % 100);
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn date_part(part: Option<&str>, most: u32) -> Result<Option<u32>, ()> {
    match part.map(str::trim) {
        None => Ok(None),
        Some(p) if p == "00" || p.bytes().all(|b| b == b'?') => Ok(None),
        Some(p) if p.len() <= 2 => match p.parse::<u32>() {
            Ok(n) if (1..=most).contains(&n) => Ok(Some(n)),
            _ => Err(()),
        },
        Some(_) => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, first: u32, last: u32) {
        assert_eq!(
            tag_date(text),
            TagDate::Known(DateSpan { first, last }),
            "{text}"
        );
    }

    #[test]
    fn a_date_is_the_range_of_days_it_can_mean() {
        check("1999.05.07", 19_990_507, 19_990_507);
        check("1999.05.??", 19_990_501, 19_990_531);
        check("1999.??.??", 19_990_101, 19_991_231);
        check("1999.??.07", 19_990_101, 19_991_231);
        check("1999", 19_990_101, 19_991_231);
        check(" 1999/5/7 ", 19_990_507, 19_990_507);
        for (text, exists) in [
            ("2031.02.28", true),
            ("2031.02.29", false),
            ("2032.02.29", true),
            ("2031.04.31", false),
            ("2031.02.??", true),
        ] {
            assert_eq!(
                DateSpan::parse(text).map(DateSpan::exists),
                Some(exists),
                "{text}"
            );
        }
        assert_eq!(tag_date("????.??.??"), TagDate::Unknown);
        assert_eq!(tag_date(""), TagDate::Unknown);
        for text in [
            "22 November 2000",
            "1999.13.01",
            "1999.02.32",
            "99.1.1",
            "1999.05.07.1",
        ] {
            assert_eq!(tag_date(text), TagDate::Malformed, "{text}");
        }
    }

    #[test]
    fn a_date_is_written_as_pgn_writes_it() {
        for text in ["1999.05.07", "1999.05.??", "1999.??.??"] {
            assert_eq!(
                DateSpan::parse(text).map(DateSpan::to_pgn).as_deref(),
                Some(text)
            );
        }
    }
}
