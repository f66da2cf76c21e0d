//! The parameters of the explorer API.
//!
//! Lists are one value with commas; the form `speeds[]=…&speeds[]=…` of its second version is read as well, because
//! clients that still use it would be given all games instead of those that they asked for. A list of everything is no
//! condition: who ticks all speeds means every game, also those of no known speed.

use std::ops::RangeInclusive;

use shakmaty::Color;
use shakmaty::uci::UciMove;
use shakmaty::variant::VariantPosition;

use crate::model::fen::{FenUse, read_fen};
use crate::model::playable::{Playable, start_of};
use crate::model::speed::Speed;
use crate::model::variant::Variant;
use crate::search::{Mode, Opening, opening_on};
use crate::server::failure::Failure;
use crate::server::lichess::response::{USUAL_SPEED, mode_name, speed_name};
use crate::server::params::Params;

/// Lowest mean rating of each group.
const GROUPS: [u16; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];
/// Groups of which top games are taken, from the highest down, as long as there is no gap in what is asked for.
const TOP_GROUPS: [u16; 3] = [GROUPS[8], GROUPS[7], GROUPS[6]];
/// Lowest mean rating of a top game when all groups are asked for.
pub(super) const TOP_RATING: u16 = TOP_GROUPS[2];
/// Years that may be asked for.
const YEARS: RangeInclusive<u32> = 1952..=3000;

/// A request.
pub(super) struct Request<'a>(pub(super) &'a Params);

/// The position that is asked about.
pub(super) struct Node {
    pub(super) pos: VariantPosition,
    pub(super) variant: Variant,
    /// The deepest named position on the way there.
    pub(super) opening: Option<Opening>,
}

/// Some of the rating groups, by their place in [`GROUPS`].
pub(super) struct RatingGroups([bool; GROUPS.len()]);

impl Request<'_> {
    pub(super) fn node(&self) -> Result<Node, Failure> {
        let variant = self.0.variant()?;
        let mut pos = match self.0.get("fen") {
            None => start_of(variant),
            Some(fen) => {
                read_fen(fen, variant, FenUse::Tag)
                    .map_err(|reason| Failure::bad_request(format!("fen: {reason}")))?
                    .pos
            }
        };
        let mut positions = vec![pos.clone()];
        for text in self.list("play").unwrap_or_default() {
            let played = text.parse::<UciMove>().ok();
            let played = played.and_then(|uci| uci.to_move(&pos).ok());
            let played = played.ok_or_else(|| {
                Failure::bad_request(format!(
                    "play: `{text}` is no legal move at ply {}",
                    positions.len()
                ))
            })?;
            pos.play_legal(played);
            positions.push(pos.clone());
        }
        Ok(Node {
            opening: opening_on(&positions, variant),
            pos,
            variant,
        })
    }

    /// The parts of a list; `None` when the list is not there, which is not the same as an empty one.
    fn list(&self, name: &str) -> Option<Vec<&str>> {
        let repeated = format!("{name}[]");
        let mut values: Vec<&str> = self.0.raw(name).into_iter().collect();
        values.extend(self.0.all(&repeated));
        let is_there = !values.is_empty();
        let parts = values
            .iter()
            .flat_map(|value| value.split(','))
            .map(str::trim);
        is_there.then(|| parts.filter(|part| !part.is_empty()).collect())
    }

    /// Values of a list out of a few that have names; `None` for all of them.
    fn choice<T: Copy + PartialEq>(
        &self,
        name: &str,
        all: &[(&str, T)],
    ) -> Result<Option<Vec<T>>, Failure> {
        let Some(parts) = self.list(name) else {
            return Ok(None);
        };
        let mut chosen = Vec::new();
        for part in parts {
            let known = all.iter().find(|(known, _)| *known == part);
            let &(_, value) = known
                .ok_or_else(|| Failure::bad_request(format!("{name}: there is no `{part}`")))?;
            if !chosen.contains(&value) {
                chosen.push(value);
            }
        }
        Ok((chosen.len() < all.len()).then_some(chosen))
    }

    pub(super) fn speeds(&self) -> Result<Option<Vec<Speed>>, Failure> {
        let known = Speed::ALL
            .into_iter()
            .filter(|speed| *speed != Speed::Unknown);
        let all: Vec<(&str, Speed)> = known.map(|speed| (speed_name(speed), speed)).collect();
        let mut chosen = self.choice("speeds", &all)?;
        if let Some(speeds) = &mut chosen
            && speeds.contains(&USUAL_SPEED)
        {
            speeds.push(Speed::Unknown);
        }
        Ok(chosen)
    }

    pub(super) fn modes(&self) -> Result<Option<Vec<Mode>>, Failure> {
        let all = [Mode::Rated, Mode::Casual].map(|mode| (mode_name(mode), mode));
        self.choice("modes", &all)
    }

    /// The groups that were asked for; any rating stands for its group.
    pub(super) fn rating_groups(&self) -> Result<Option<RatingGroups>, Failure> {
        let Some(parts) = self.list("ratings") else {
            return Ok(None);
        };
        let mut groups = [false; GROUPS.len()];
        for part in parts {
            let rating: u16 = part
                .parse()
                .map_err(|_| Failure::bad_request(format!("ratings: `{part}` is no rating")))?;
            let group = GROUPS.partition_point(|&lowest| lowest <= rating);
            groups[group - 1] = true;
        }
        Ok((!groups.iter().all(|&chosen| chosen)).then_some(RatingGroups(groups)))
    }

    /// A year.
    pub(super) fn year(&self, name: &str) -> Result<Option<u32>, Failure> {
        let Some(text) = self.0.get(name) else {
            return Ok(None);
        };
        let year = text.trim().parse().ok().filter(|year| YEARS.contains(year));
        year.map(Some).ok_or_else(|| {
            Failure::bad_request(format!("{name}: `{text}` is no year from 1952 to 3000"))
        })
    }

    /// A month, YYYYMM.
    pub(super) fn month(&self, name: &str) -> Result<Option<u32>, Failure> {
        let Some(text) = self.0.get(name) else {
            return Ok(None);
        };
        let parts = text.trim().split_once(['-', '/']);
        let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() <= 4);
        let month = parts.and_then(|(year, month)| {
            let year = number(year).filter(|year| YEARS.contains(year))?;
            let month = number(month).filter(|month| (1..=12).contains(month))?;
            Some(year * 100 + month)
        });
        month.map(Some).ok_or_else(|| {
            Failure::bad_request(format!("{name}: `{text}` is no month like 2024-01"))
        })
    }

    /// How many moves or games are wanted at most.
    pub(super) fn count(&self, name: &str) -> Result<Option<usize>, Failure> {
        self.0.number(name, u32::MAX as usize)
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, Failure> {
        match self.0.get(name) {
            None | Some("false" | "False" | "off" | "0" | "no") => Ok(false),
            Some("true" | "True" | "on" | "1" | "yes") => Ok(true),
            Some(text) => Err(Failure::bad_request(format!(
                "{name}: `{text}` is neither true nor false"
            ))),
        }
    }

    /// Whose games, and with which colour.
    pub(super) fn player(&self) -> Result<(String, Color), Failure> {
        let name = self.0.required("player")?;
        let color = match self.0.required("color")? {
            "white" => Color::White,
            "black" => Color::Black,
            other => {
                return Err(Failure::bad_request(format!(
                    "color: `{other}` is neither white nor black"
                )));
            }
        };
        Ok((name.trim().to_owned(), color))
    }
}

impl RatingGroups {
    /// The mean ratings of these groups.
    pub(super) fn ranges(&self) -> Vec<RangeInclusive<u16>> {
        let ends = GROUPS[1..].iter().map(|next| next - 1).chain([u16::MAX]);
        let groups = GROUPS.into_iter().zip(ends).zip(self.0);
        groups
            .filter(|(_, chosen)| *chosen)
            .map(|((first, last), _)| first..=last)
            .collect()
    }

    /// Lowest mean rating of a top game; `None` when none of these games is one.
    pub(super) fn top(&self) -> Option<u16> {
        let has = |group: u16| {
            let place = GROUPS.iter().position(|&lowest| lowest == group);
            place.is_some_and(|place| self.0[place])
        };
        TOP_GROUPS
            .into_iter()
            .take_while(|&group| has(group))
            .last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a query string says, or that it says nothing that can be read.
    macro_rules! read {
        ($query:expr, $method:ident($($argument:expr)?)) => {
            Request(&Params::new(Some(&$query))).$method($($argument)?).map_err(drop)
        };
    }

    #[test]
    fn lists_have_commas_or_brackets_and_all_is_no_condition() {
        let speeds = |query: &str| read!(query, speeds());
        let two = Ok(Some(vec![Speed::Blitz, Speed::UltraBullet]));
        assert_eq!(speeds("speeds=blitz,ultraBullet"), two);
        assert_eq!(speeds("speeds[]=blitz&speeds[]=ultraBullet"), two);
        assert_eq!(speeds("speeds%5B%5D=blitz&speeds%5B%5D=ultraBullet"), two);
        assert_eq!(speeds(""), Ok(None));
        assert_eq!(speeds("speeds="), Ok(Some(vec![])));
        assert_eq!(
            speeds("speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence"),
            Ok(None)
        );
        assert_eq!(
            speeds("speeds=classical"),
            Ok(Some(vec![Speed::Classical, Speed::Unknown]))
        );
        assert!(speeds("speeds=hyper").is_err());
        assert!(speeds("speeds=unknown").is_err());
    }

    #[test]
    fn any_rating_stands_for_its_group() {
        let groups = |query: &str| {
            let groups = read!(query, rating_groups()).expect("groups");
            groups.map(|groups| (groups.ranges(), groups.top()))
        };
        assert_eq!(groups("ratings=1600,1700"), Some((vec![1600..=1799], None)));
        assert_eq!(
            groups("ratings=3000"),
            Some((vec![2500..=u16::MAX], Some(2500)))
        );
        let top = |query: &str| groups(query).map(|(_, top)| top);
        assert_eq!(top("ratings=2200,2500"), Some(Some(2200)));
        assert_eq!(top("ratings=2000,2500"), Some(Some(2500)));
        assert_eq!(top("ratings=1800,2000,2200,2500"), Some(Some(2000)));
        assert_eq!(
            groups("ratings=0,1000,1200,1400,1600,1800,2000,2200,2500"),
            None
        );
        assert_eq!(groups("ratings="), Some((vec![], None)));
        for query in ["ratings=x", "ratings=-1", "ratings=1600.5", "ratings=70000"] {
            assert!(read!(query, rating_groups()).is_err(), "{query}");
        }
    }

    #[test]
    fn months_and_years_are_read_leniently_and_bounded() {
        let month = |text: &str| {
            read!(&format!("since={text}"), month("since"))
                .ok()
                .flatten()
        };
        for text in ["2024-01", "2024-1", "2024/1", "2024/01"] {
            assert_eq!(month(text), Some(202_401), "{text}");
        }
        for text in [
            "2024", "2024-13", "2024-0", "1951-12", "3001-01", "x-1", "2024-1-1",
        ] {
            assert_eq!(month(text), None, "{text}");
        }
        let year = |text: &str| {
            read!(&format!("since={text}"), year("since"))
                .ok()
                .flatten()
        };
        assert_eq!((year("1952"), year("3000")), (Some(1952), Some(3000)));
        for text in ["1951", "3001", "2024-01", "x"] {
            assert_eq!(year(text), None, "{text}");
        }
        assert_eq!(read!("since=", year("since")), Ok(None));
    }

    #[test]
    fn flags_are_what_python_and_browsers_send() {
        for (text, want) in [
            ("True", true),
            ("1", true),
            ("yes", true),
            ("False", false),
            ("0", false),
            ("", false),
        ] {
            assert_eq!(read!(&format!("history={text}"), flag("history")), Ok(want));
        }
        assert!(read!("history=maybe", flag("history")).is_err());
    }
}
