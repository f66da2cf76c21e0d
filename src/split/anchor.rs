//! Places inside a text that mean the same whatever is before them, so that a walk may begin there.
//!
//! Whether a bracket begins a tag pair hangs on the comments before it, and those on all braces since the start of the
//! text. But no comment goes on after a `}`, whatever that one is: it closes a brace comment that it stands in, and
//! there is none if it stands elsewhere. Until the next `{` nothing but line comments, tag pairs and markup can begin.
//! Line comments and markup end with their line, and no tag pair goes on in a line that a bracket begins. So a `[` that begins a line after a `}`, with no `{` between them, is read as a bracket
//! of its own. It is an anchor; in a text without braces every such bracket is one.

use std::ops::Range;

use crate::split::lex;

/// The last anchor within `range`, which begins outside of everything, and after its first byte.
pub(super) fn last(bytes: &[u8], range: Range<usize>) -> Option<usize> {
    let mut end = range.end;
    loop {
        let brace = lex::last_brace(bytes, range.start..end);
        if brace.is_none_or(|at| bytes[at] == b'}') {
            let start = brace.unwrap_or(range.start);
            if let Some(at) = lex::last_line_bracket(bytes, start..end) {
                return Some(at);
            }
        }
        end = brace?;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::last;
    use crate::split::{Cut, Splitter, split};

    fn check(text: &str, want: Option<&str>) {
        let found = last(text.as_bytes(), 0..text.len());
        assert_eq!(found.map(|at| &text[at..]), want, "{text}");
    }

    #[test]
    fn an_anchor_is_a_bracket_after_a_line_end_that_no_comment_can_hide() {
        check("\n[A]\n[B]", Some("[B]"));
        check("{\n[A]\n[B]", None);
        check("\n[A] {\n[B]", Some("[A] {\n[B]"));
        check("{ {\n[A] }\n[B", Some("[B"));
        check("{ } [A] {\n[B", None);
        check("{ }\n[A] { }\n { [B", Some("[A] { }\n { [B"));
        check("[A", None);
        check("\r[A", None);
        check("}[A", None);
    }

    fn cuts(bytes: &[u8], mut splitter: Splitter) -> Vec<Cut> {
        let mut start = 0;
        std::iter::from_fn(|| {
            let cut = splitter.next_chunk(&bytes[start..])?;
            start += cut.len;
            Some(cut)
        })
        .collect()
    }

    /// Structure of every kind, over and over, with the games that make cuts.
    const PIECES: &[&str] = &[
        "{",
        "}",
        "{ [%clk 0:01] }",
        "{\n[A \"a\"]\n",
        "[",
        "]",
        "\"",
        "\\",
        ";",
        "%",
        "\n",
        "\n[",
        "\n%",
        "\r",
        "\r[B \"b\"]",
        " ",
        "e4",
        "<a x=\"",
        "&#8;",
        "[A\n\"",
        "[A \"a\"\n]",
        "[A \"}",
        "\n\"{\"]",
        "\n[A \"a\"]\n",
        "\n[Event \"b\"]\n",
        "\n[A \"wrapped",
        "\nvalue\"]",
        "\n[FEN “4k3/8",
        "\n[FEN 4k3/8 w e4",
        "[Event b]",
        "[Site \"b",
        "\n[Event \"b\"]\n\n1. e4 { x } 1-0\n",
        "\n[Event \"b\"]\n\n1. e4 e5 ; {\n1-0\n",
        "\n[Event \"b\"]\n\n1. e4 *\n[Event \"c\"]\n\n1. d4 Nf6\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8000) })]

        #[test]
        fn cuts_are_where_a_walk_through_all_makes_them(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)
        ) {
            let text = pieces.concat();
            for (chunk_bytes, max_bytes) in [(30, 60), (64, 100), (64, 200), (150, 1 << 20)] {
                let skipping = Splitter::with_max(chunk_bytes, max_bytes);
                let mut walking = Splitter::with_max(chunk_bytes, max_bytes);
                walking.skip_bytes = 0;
                prop_assert_eq!(
                    cuts(text.as_bytes(), skipping),
                    cuts(text.as_bytes(), walking),
                    "chunks of {} to {}", chunk_bytes, max_bytes
                );
            }
        }
    }

    #[test]
    fn a_chunk_ends_at_the_first_place_for_a_cut_after_its_least_size() {
        let game = "[Event \"a\"]\n[White \"b\"]\n\n1. e4 { [%clk 0:01] } e5 { x } 1-0\n\n";
        let text = game.repeat(50);
        for n_games in 1..20 {
            let ends: Vec<_> = split(text.as_bytes(), n_games * game.len() - 1)
                .map(|chunk| chunk.end)
                .collect();
            let ends_wanted: Vec<_> = (1..=50)
                .filter(|n| n % n_games == 0 || *n == 50)
                .map(|n| n * game.len())
                .collect();
            assert_eq!(ends, ends_wanted, "{n_games}");
        }
    }
}
