//! Tag names that are repeated are told from those that only look alike, however many there are.

use proptest::prelude::*;

use crate::model::diagnostic::Class;
use crate::parse::read_games;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn the_first_of_each_name_counts_and_the_others_are_noted(
        names in prop::collection::vec("[A-H][a-c]?[a-c]", 1..300),
        line_end in prop::sample::select(&["\n", "\r\n", " "][..]),
    ) {
        let tags: Vec<String> = names.iter().map(|name| format!("[{name} \"x\"]{line_end}")).collect();
        let text = tags.concat();
        let mut wanted: Vec<&str> = Vec::new();
        for name in &names {
            if !wanted.contains(&name.as_str()) {
                wanted.push(name);
            }
        }
        let games = read_games(text.as_bytes());
        prop_assert_eq!(games.len(), 1);
        let found: Vec<&str> = games[0].tags.iter().map(|tag| &text[tag.name.clone()]).collect();
        let n_noted = games[0].notes.iter().filter(|note| note.class == Class::TagDuplicate).count();
        prop_assert_eq!(n_noted, names.len() - wanted.len());
        prop_assert_eq!(found, wanted);
    }
}
