//! A set of languages as one number, for what a game can be written in.
//!
//! Games are counted by the languages that they fit, so that a set has to be small and to be a key.

use super::Language;

/// A set of languages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageSet(u64);

impl LanguageSet {
    /// Adds a language.
    pub fn insert(&mut self, language: Language) {
        self.0 |= 1 << language.number();
    }

    /// Whether a language is in it.
    pub fn contains(self, language: Language) -> bool {
        self.0 >> language.number() & 1 == 1
    }

    /// Whether no language is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The languages, those first that more people speak.
    pub fn iter(self) -> impl Iterator<Item = Language> {
        let mut languages: Vec<Language> = Language::all().filter(|&l| self.contains(l)).collect();
        languages.sort_by_key(|l| l.rank());
        languages.into_iter()
    }

    /// That of its languages that most people speak.
    pub fn most_spoken(self) -> Option<Language> {
        self.iter().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_what_was_put_into_it_the_most_spoken_first() {
        let mut set = LanguageSet::default();
        assert!(set.is_empty() && set.most_spoken().is_none());
        for code in ["da", "sv", "de", "da"] {
            set.insert(Language::from_code(code).expect("a language"));
        }
        let codes: Vec<&str> = set.iter().map(Language::code).collect();
        assert_eq!(codes, ["de", "sv", "da"]);
        for language in Language::all() {
            let mut one = LanguageSet::default();
            one.insert(language);
            assert_eq!(one.most_spoken(), Some(language));
            assert_eq!(set.contains(language), codes.contains(&language.code()));
        }
    }
}
