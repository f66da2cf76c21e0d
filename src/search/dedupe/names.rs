//! Whether two spellings can be the same player: initials, order of names, accents, transliterations.
//!
//! A name is taken apart into words, and each word also into how it sounds: what languages and transcriptions write
//! differently (`Kortschnoj`, `Kortchnoi`, `Korchnoi`) is written one way. Two names are alike if they share a whole
//! word, one of the family name where a comma tells it, and no word of one stands against a word of the other: what is
//! left over may be on one side only. So `Carlsen, M`, `Magnus Carlsen` and `Carlsen` are alike, and `Polgar, Judit` and
//! `Polgar, Susan` are not. Being alike is not yet being the same: the evidence of the games decides.

use std::cmp::Ordering;

use crate::index::fold::{fold, words};

/// How well two names go together, better ones later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// Two players.
    Other,
    /// At least one of them is not known.
    Unknown,
    /// Alike, but a word is spelt in another way than transcriptions explain.
    Misspelt,
    /// Alike, but for initials, words that are left out, or transcription.
    Variant,
    /// The same words in another order.
    Reordered,
    /// The same, but for case, accents and punctuation.
    Same,
}

/// A player's name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// All words, folded, with blanks between them.
    folded: String,
    words: Vec<NameWord>,
    /// The letters that words begin with, a bit for each; all of them for an unknown name. Names that are alike share one.
    pub(super) letters: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct NameWord {
    text: String,
    sound: String,
    /// Whether a comma says that this is the family name.
    is_family: bool,
}

/// Words that say nothing of who it is, as long as there are others.
const TITLES: [&str; 12] = [
    "gm", "im", "fm", "cm", "wgm", "wim", "wfm", "wcm", "dr", "prof", "mr", "mrs",
];
/// Names of nobody.
const UNKNOWN: [&str; 8] = [
    "",
    "nn",
    "n n",
    "unknown",
    "anonymous",
    "white",
    "black",
    "noname",
];
/// Most words of a name that are compared.
const MOST_WORDS: usize = 8;

impl Name {
    pub(super) fn new(text: &str) -> Name {
        let folded: Vec<String> = words(&fold(text)).map(str::to_owned).collect();
        let folded = folded.join(" ");
        let mut name = Name {
            words: Vec::new(),
            letters: 0,
            folded,
        };
        let text = without_parentheses(text);
        let (family, given) = text.split_once(',').unwrap_or(("", &text));
        for (part, is_family) in [(family, true), (given, false)] {
            for word in words(&fold(part)) {
                name.words.push(NameWord {
                    text: word.to_owned(),
                    sound: sound(word),
                    is_family,
                });
            }
        }
        let is_title = |word: &NameWord| TITLES.contains(&word.text.as_str());
        if name.words.iter().any(|word| !is_title(word)) {
            name.words.retain(|word| !is_title(word));
        }
        name.words.truncate(MOST_WORDS);
        name.letters = if name.is_unknown() {
            u64::MAX
        } else {
            name.words
                .iter()
                .map(NameWord::letter)
                .fold(0, |a, b| a | b)
        };
        name
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.words.is_empty() || UNKNOWN.contains(&self.folded.as_str())
    }

    /// How the words sound that a name like this one can have in common with it, the longest first.
    pub(super) fn sounds(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.sound.as_str())
    }

    pub(super) fn compare(&self, other: &Name) -> Likeness {
        if self.is_unknown() || other.is_unknown() {
            return Likeness::Unknown;
        }
        // Words are paired greedily; which name comes first must not decide.
        match self.folded.cmp(&other.folded) {
            Ordering::Equal => Likeness::Same,
            Ordering::Less => self.pair(other),
            Ordering::Greater => other.pair(self),
        }
    }

    fn pair(&self, other: &Name) -> Likeness {
        let mut taken = [false; MOST_WORDS];
        let mut left: Vec<&NameWord> = Vec::new();
        let mut whole = Whole::default();
        let mut likeness = Likeness::Reordered;
        let free = |taken: &[bool; MOST_WORDS], fits: &dyn Fn(&NameWord) -> bool| {
            let mut others = other.words.iter().enumerate();
            others.find_map(|(i, theirs)| (!taken[i] && fits(theirs)).then_some(i))
        };
        // Equal words first, so that no initial takes the place of a whole name.
        for mine in &self.words {
            match free(&taken, &|theirs| mine.text == theirs.text) {
                Some(i) => {
                    taken[i] = true;
                    whole.found(mine, &other.words[i]);
                }
                None => left.push(mine),
            }
        }
        for (fits, at_best, is_whole) in [
            (
                NameWord::sounds_like as fn(&NameWord, &NameWord) -> bool,
                Likeness::Variant,
                true,
            ),
            (NameWord::is_misspelt, Likeness::Misspelt, true),
            (NameWord::is_shortened, Likeness::Variant, false),
        ] {
            left.retain(|mine| match free(&taken, &|theirs| fits(mine, theirs)) {
                Some(i) => {
                    taken[i] = true;
                    likeness = likeness.min(at_best);
                    if is_whole {
                        whole.found(mine, &other.words[i]);
                    }
                    false
                }
                None => true,
            });
        }
        let n_taken = taken.iter().filter(|taken| **taken).count();
        let theirs_left = n_taken < other.words.len();
        if !left.is_empty() && theirs_left || !whole.is_enough(self, other) {
            return Likeness::Other;
        }
        if !left.is_empty() || theirs_left {
            likeness = likeness.min(Likeness::Variant);
        }
        likeness
    }
}

/// Which whole words two names have in common: whether there is one, by whether it is of the family name of the first,
/// times two, plus whether it is of that of the second.
#[derive(Default)]
struct Whole([bool; 4]);

impl Whole {
    fn found(&mut self, mine: &NameWord, theirs: &NameWord) {
        // A letter is no name, unless a comma says so.
        if mine.text.len() >= 2 || mine.is_family || theirs.is_family {
            self.0[usize::from(mine.is_family) * 2 + usize::from(theirs.is_family)] = true;
        }
    }

    /// Family names are compared with each other where both are known.
    fn is_enough(&self, mine: &Name, theirs: &Name) -> bool {
        let knows = |name: &Name| name.words.iter().any(|word| word.is_family);
        let [neither, of_theirs, of_mine, of_both] = self.0;
        match (knows(mine), knows(theirs)) {
            (true, true) => of_both,
            (true, false) => of_mine,
            (false, true) => of_theirs,
            (false, false) => neither,
        }
    }
}

impl NameWord {
    /// The letter that it begins with, as a bit.
    fn letter(&self) -> u64 {
        let first = self.sound.bytes().next().unwrap_or(b'0');
        match first {
            b'a'..=b'z' => 1 << (first - b'a'),
            digit => 1 << (26 + digit % 10),
        }
    }

    fn has_digits(&self) -> bool {
        self.text.bytes().any(|b| b.is_ascii_digit())
    }

    fn sounds_like(&self, other: &NameWord) -> bool {
        self.sound == other.sound && !self.has_digits() && !other.has_digits()
    }

    /// Spelt with a letter more, less or another one; two in long words. Accounts that differ by a number are two.
    fn is_misspelt(&self, other: &NameWord) -> bool {
        let (a, b) = (self.sound.as_bytes(), other.sound.as_bytes());
        let longer = a.len().max(b.len());
        if a.len().min(b.len()) < 4
            || a.first() != b.first()
            || self.has_digits()
            || other.has_digits()
        {
            return false;
        }
        distance(a, b) <= if longer >= 8 { 2 } else { 1 }
    }

    /// Whether one is an initial or the beginning of the other.
    fn is_shortened(&self, other: &NameWord) -> bool {
        if self.has_digits() || other.has_digits() || self.text == other.text {
            return false;
        }
        let begins = |a: &str, b: &str| a.starts_with(b) || b.starts_with(a);
        begins(&self.text, &other.text) || begins(&self.sound, &other.sound)
    }
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0u32;
    let kept = |c: &char| {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                return false;
            }
            _ => {}
        }
        depth == 0
    };
    text.chars().filter(kept).collect()
}

/// What is written in several ways, and the one that stands for all. Longer ones come before their parts.
const SOUNDS: [(&str, &str); 24] = [
    ("schtsch", "s"),
    ("shch", "s"),
    ("tsch", "q"),
    ("tch", "q"),
    ("sch", "s"),
    ("sh", "s"),
    ("ch", "q"),
    ("cz", "q"),
    ("sz", "s"),
    ("zh", "z"),
    ("kh", "h"),
    ("ph", "f"),
    ("th", "t"),
    ("ck", "k"),
    ("ts", "q"),
    ("tz", "q"),
    ("ae", "a"),
    ("oe", "o"),
    ("ue", "u"),
    ("ou", "u"),
    ("c", "k"),
    ("w", "v"),
    ("y", "i"),
    ("j", "i"),
];

/// A folded word as it sounds, roughly: the same for most transcriptions of one name.
fn sound(word: &str) -> String {
    let mut sound = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let (from, to) = SOUNDS
            .iter()
            .find(|(from, _)| rest.starts_with(from))
            .map_or((&rest[..first.len_utf8()], None), |(from, to)| {
                (*from, Some(*to))
            });
        let to = to.unwrap_or(from);
        rest = &rest[from.len()..];
        if !sound.ends_with(to) || first.is_ascii_digit() {
            sound.push_str(to);
        }
    }
    // Smirnoff, Smirnow, Smirnov.
    if sound.len() > 3 && sound.ends_with("of") {
        sound.pop();
        sound.push('v');
    }
    sound
}

/// Letters that have to be changed, added or taken away.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, want: Likeness) {
        let (x, y) = (Name::new(a), Name::new(b));
        assert_eq!(x.compare(&y), want, "{a} / {b}");
        assert_eq!(y.compare(&x), want, "{b} / {a}");
        if want > Likeness::Unknown {
            assert_ne!(x.letters & y.letters, 0, "{a} / {b} share no letter");
        }
    }

    #[test]
    fn case_accents_and_punctuation_make_no_difference() {
        for other in ["carlsen,magnus", "CARLSEN  MAGNUS", "Cárlsen, Magnus"] {
            check("Carlsen, Magnus", other, Likeness::Same);
        }
        check("Иванов, Пётр", "ivanov, piotr", Likeness::Same);
    }

    #[test]
    fn initials_order_and_missing_names_are_variants() {
        check("Carlsen, Magnus", "Magnus Carlsen", Likeness::Reordered);
        for other in [
            "Carlsen, M",
            "M. Carlsen",
            "Carlsen M",
            "Carlsen",
            "GM Carlsen, M.",
        ] {
            check("Carlsen, Magnus", other, Likeness::Variant);
        }
        check("Petrosian, Tigran V", "Petrosian, T", Likeness::Variant);
        check(
            "Suetin, Alexey S",
            "Suetin Alexey S (RUS)",
            Likeness::Reordered,
        );
        check("Van Wely,L", "Loek van Wely", Likeness::Variant);
        check(
            "Brinck-Claussen, Bjorn",
            "Brinck Claussen, B",
            Likeness::Variant,
        );
        check("Wei Yi", "Wei, Yi", Likeness::Same);
    }

    #[test]
    fn transcriptions_are_variants() {
        for (a, b) in [
            ("Kortschnoj, Viktor", "Kortchnoi, V"),
            ("Kortschnoj, Viktor", "Korchnoi Viktor"),
            ("Jussupow, Artur", "Yusupov, A"),
            ("Gurewitsch", "Gurevich, Mikhail"),
            ("Müller, Jörg", "Mueller, Joerg"),
            ("Nimzowitsch, Aron", "Nimzovich, A"),
            ("Azmaiparashvili, Zurab", "Azmayparashvili, Z"),
        ] {
            check(a, b, Likeness::Variant);
        }
        for (a, b) in [
            ("Georgadze, G", "Giorgadze, Giorgi"),
            ("Bogoljubow, Efim", "Bogolubov, Efim"),
            ("Nakamura, Hikaru", "Nakamuro, Hikaru"),
        ] {
            check(a, b, Likeness::Misspelt);
        }
    }

    #[test]
    fn other_players_are_others() {
        for (a, b) in [
            ("Polgar, Judit", "Polgar, Susan"),
            ("Sokolov, Ivan", "Sokolov, A"),
            ("Petrosian, Tigran V", "Petrosian, A"),
            ("Kasparov, Garry", "Karpov, G"),
            ("Loewy, Leopold Sr", "Loewy, Leopold Jr"),
            ("Smith, J", "Jones, S"),
            ("Carlsen, Magnus", "Magnus, Carl"),
            ("player1", "player2"),
            ("player1", "player"),
            ("AI level 8", "AI level 7"),
            ("Ivanov, Sergey", "Smirnov, Sergey"),
        ] {
            check(a, b, Likeness::Other);
        }
    }

    #[test]
    fn nobody_is_unknown() {
        for nobody in ["?", "", "NN", "N.N.", "  "] {
            check("Carlsen, Magnus", nobody, Likeness::Unknown);
        }
    }

    #[test]
    fn any_text_is_compared_without_a_panic() {
        let texts = [
            "(((",
            "a,b,c,d,e,f,g,h,i,j,k,l",
            ",,",
            "ß",
            "日本",
            "\u{0}",
            "((a)b)",
        ];
        for a in texts {
            for b in texts {
                let (x, y) = (Name::new(a), Name::new(b));
                assert_eq!(x.compare(&y), y.compare(&x), "{a} / {b}");
            }
        }
    }
}
