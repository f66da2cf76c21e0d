//! What an import says about games in letters of other languages, and which flag reads them.

use pgndex::ingest::{FittingLanguages, ForeignSource, ReadIn, RereadSource};

use crate::output::{grouped, shown};

/// What there is to say about the games of a source that were stopped for their letters.
///
/// Where each game was tried in its own language, that is no advice any more.
pub(crate) fn foreign(source: &ForeignSource, was_auto: bool) -> String {
    let n = source.games;
    let (are, all) = match n {
        1 => ("1 game is".to_owned(), "it".to_owned()),
        n => (
            format!("{} games are", grouped(n)),
            format!("all {}", grouped(n)),
        ),
    };
    let said = format!(
        "{}: {are} in letters of another language; ",
        shown(&source.source, 200)
    );
    let legal = |fit: &FittingLanguages| {
        let who = if fit.games == n {
            all.clone()
        } else {
            format!("{} of them", grouped(fit.games))
        };
        let verb = if fit.games == 1 { "is" } else { "are" };
        format!("{who} {verb} legal in {}", names(fit))
    };
    let Some((first, others)) = source.languages.split_first() else {
        return format!("{said}no language that is known makes a whole game of any");
    };
    let Some(language) = first.languages.first() else {
        return said;
    };
    let tied: Vec<String> = others
        .iter()
        .filter(|fit| fit.games == first.games)
        .map(names)
        .collect();
    let told = if tied.is_empty() {
        legal(first)
    } else {
        format!("{} and as many in {}", legal(first), tied.join(", in "))
    };
    // What reads the whole source in one language would lose its games in English.
    let advice = if !was_auto && (source.alone > first.games || source.alone == n && n < source.of)
    {
        "import again with --lang auto, which reads each game in its own".to_owned()
    } else if tied.is_empty() {
        format!("import again with --lang {}", language.code())
    } else {
        "they are read differently, and none is chosen: name one with --lang".to_owned()
    };
    format!("{said}{told}: {advice}")
}

/// What there is to say about a source that the index had in another reading.
pub(crate) fn reread(source: &RereadSource, how: &str) -> String {
    let name = shown(&source.source, 200);
    let (games, verb) = match source.games {
        1 => ("1 game".to_owned(), "replaces"),
        n => (format!("{} games", grouped(n)), "replace"),
    };
    format!("{name}: read again {how}: {games} {verb} those of the first import")
}

/// What there is to say of games that were read in a language of their own.
pub(crate) fn read_in(read: &[ReadIn], foreign: &[ForeignSource]) -> Option<String> {
    let (first, others) = read.split_first()?;
    let games = if first.games == 1 { "game" } else { "games" };
    let mut text = format!(
        "\nread {} {games} in {}",
        grouped(first.games),
        first.language.name()
    );
    for read in others {
        let games = grouped(read.games);
        text += &[", ", &games, " in ", read.language.name()].concat();
    }
    let n_left: u64 = foreign.iter().map(|source| source.games).sum();
    if n_left > 0 {
        text += &["; ", &grouped(n_left), " stayed unread"].concat();
    }
    Some(text)
}

/// `German (de), also sv da no`.
fn names(fit: &FittingLanguages) -> String {
    let Some((first, others)) = fit.languages.split_first() else {
        return String::new();
    };
    if others.is_empty() {
        return first.name().to_owned();
    }
    let others: Vec<&str> = others.iter().map(|l| l.code()).collect();
    format!(
        "{} ({}), also {}",
        first.name(),
        first.code(),
        others.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use pgndex::notation::Language;

    use super::*;

    fn check(games: u64, of: u64, alone: u64, fits: &[(&str, u64)], want: &str) {
        let fits = fits.iter().map(|&(codes, games)| FittingLanguages {
            languages: codes.split(' ').filter_map(Language::from_code).collect(),
            games,
        });
        let source = ForeignSource {
            source: "a.pgn".to_owned(),
            games,
            of,
            languages: fits.collect(),
            alone,
        };
        let text = foreign(&source, false);
        assert_eq!(text.strip_prefix("a.pgn: "), Some(want));
    }

    #[test]
    fn the_flag_that_reads_most_games_is_named() {
        check(
            3,
            3,
            2,
            &[("nl", 3), ("fi", 1)],
            "3 games are in letters of another language; all 3 are legal in Dutch: import again with --lang nl",
        );
        check(
            1,
            1,
            1,
            &[("de sv", 1)],
            "1 game is in letters of another language; it is legal in German (de), also sv: import again with --lang de",
        );
        check(
            5,
            5,
            5,
            &[("nl", 3), ("de", 2)],
            "5 games are in letters of another language; 3 of them are legal in Dutch: \
             import again with --lang auto, which reads each game in its own",
        );
        check(
            2,
            9,
            2,
            &[("nl", 2)],
            "2 games are in letters of another language; all 2 are legal in Dutch: \
             import again with --lang auto, which reads each game in its own",
        );
        check(
            2,
            2,
            0,
            &[("nl", 2), ("fi", 2)],
            "2 games are in letters of another language; all 2 are legal in Dutch and as many in Finnish: \
             they are read differently, and none is chosen: name one with --lang",
        );
        check(
            2,
            2,
            0,
            &[],
            "2 games are in letters of another language; no language that is known makes a whole game of any",
        );
    }
}
