//! The variations of a game as pgn-reader walks them, for the twin.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::variant::VariantPosition;

use super::twin::{Step, play};

/// The steps of all variations of a game, in the order in which these begin.
pub(super) fn variations(pgn: &[u8], start: &VariantPosition) -> Vec<Step> {
    struct Level {
        line: usize,
        branch: Option<u32>,
        ply: u32,
        pos: VariantPosition,
        previous: VariantPosition,
    }
    struct Walk {
        start: VariantPosition,
        lines: Vec<Vec<Step>>,
    }
    impl Visitor for Walk {
        type Tags = ();
        type Movetext = Vec<Level>;
        type Output = ();

        fn begin_tags(&mut self) -> ControlFlow<(), ()> {
            ControlFlow::Continue(())
        }

        fn tag(&mut self, (): &mut (), _name: &[u8], _value: RawTag<'_>) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Vec<Level>> {
            self.lines.push(Vec::new());
            let pos = self.start.clone();
            ControlFlow::Continue(vec![Level {
                line: 0,
                branch: None,
                ply: 0,
                previous: pos.clone(),
                pos,
            }])
        }

        fn san(&mut self, levels: &mut Vec<Level>, san: SanPlus) -> ControlFlow<()> {
            let level = levels.last_mut().expect("a level");
            let Ok(m) = san.san.to_move(&level.pos) else {
                return ControlFlow::Break(());
            };
            level.previous = level.pos.clone();
            level.pos = play(&level.previous, m);
            level.ply += 1;
            let step = Step::new(
                level.ply,
                level.line,
                Some((level.previous.clone(), Some(m))),
                level.pos.clone(),
            );
            self.lines[level.line].push(Step {
                branch: level.branch,
                ..step
            });
            ControlFlow::Continue(())
        }

        fn begin_variation(&mut self, levels: &mut Vec<Level>) -> ControlFlow<(), Skip> {
            let level = levels.last().expect("a level");
            let (pos, ply) = (level.previous.clone(), level.ply - 1);
            let branch = level.branch.or(Some(ply));
            levels.push(Level {
                line: self.lines.len(),
                branch,
                ply,
                previous: pos.clone(),
                pos,
            });
            self.lines.push(Vec::new());
            ControlFlow::Continue(Skip(false))
        }

        fn end_variation(&mut self, levels: &mut Vec<Level>) -> ControlFlow<()> {
            levels.pop();
            ControlFlow::Continue(())
        }

        fn end_game(&mut self, _levels: Vec<Level>) {}
    }
    let mut walk = Walk {
        start: start.clone(),
        lines: Vec::new(),
    };
    // An unclosed comment is an error to pgn-reader; what stood before it was told.
    drop(Reader::new(pgn).read_game(&mut walk));
    walk.lines.into_iter().skip(1).flatten().collect()
}
