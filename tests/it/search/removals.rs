//! After a removal, everything answers as if the games that went had never been there (law 5), but for the numbers of
//! the others, which stay: while removed games are only marked, after a merge has left them out, and in both at once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pgndex::index::IndexStore;
use pgndex::ingest::{ImportOptions, Lines as Indexed};
use pgndex::notation::Reading;
use pgndex::search::{Consent, Searcher, remove};

use super::World;
use super::clauses::{self, Clauses};
use super::twin::{Lines, Query};
use crate::support::{
    self, ANNOTATED, ODD, PLAIN, Random, import_with, options, scratch, sound, write,
};

/// An index of sources that were imported one by one, so that each has a segment of its own.
fn world_of_segments(seed: u64, n_sources: usize, n_games: usize) -> World {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    for i in 0..n_sources {
        add_source(dir.path(), &index, seed + i as u64, n_games);
    }
    let searcher = Searcher::open(&index).expect("an index");
    let games = super::twin::games(&searcher);
    World {
        searcher,
        games,
        _dir: dir,
    }
}

fn add_source(dir: &Path, index: &Path, seed: u64, n_games: usize) {
    let recipe = [PLAIN, ANNOTATED, ODD][seed as usize % 3];
    let text = support::games(seed, n_games, recipe).concat();
    let options = ImportOptions {
        variations: Indexed::WithVariations,
        ..options(2)
    };
    let source = write(dir, &format!("{seed}.pgn"), text);
    import_with(index, &[source], &options);
}

impl World {
    fn index(&self) -> PathBuf {
        self.searcher.store().path().to_owned()
    }

    /// Removes what a query finds, from the index and from the games for the scan.
    fn remove(&mut self, query: &Query) -> usize {
        let text = query.text();
        let wanted: Vec<u64> = self
            .games
            .iter()
            .filter(|game| query.find(game).0)
            .map(|game| game.id)
            .collect();
        let dry = remove(&self.index(), &text, Reading::default(), Consent::DryRun);
        assert_eq!(dry.expect("a dry run").ids, wanted, "{text}, dry");
        let done = remove(&self.index(), &text, Reading::default(), Consent::All);
        let done = done.unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(done.ids, wanted, "{text}");
        self.games
            .retain(|game| wanted.binary_search(&game.id).is_err());
        assert_eq!(done.left, self.games.len() as u64);
        self.searcher = Searcher::open(&self.index()).expect("an index");
        wanted.len()
    }

    fn n_marked(&self) -> usize {
        let files = std::fs::read_dir(self.index()).expect("a directory");
        files
            .filter(|file| {
                let name = file.as_ref().expect("an entry").file_name();
                name.to_string_lossy().ends_with(".del")
            })
            .count()
    }

    /// Everything that can be asked, some of it drawn by lot.
    fn check_everything(&self, seed: u64) {
        let games = super::twin::games(&self.searcher);
        let records = |games: &[super::Game]| -> Vec<String> {
            games.iter().map(|game| game.record.to_string()).collect()
        };
        assert!(
            records(&games) == records(&self.games),
            "the games that are left are not as they were"
        );
        let manifest = self.searcher.store().manifest().clone();
        let verified = sound(&self.index());
        assert_eq!(manifest.n_games, self.games.len() as u64);
        assert_eq!(
            manifest.n_plies,
            self.games.iter().map(super::Game::plies).sum::<u64>()
        );
        assert_eq!(verified.partial, manifest.n_partial);

        let mut random = Random::new(seed);
        let mut clauses = Clauses::new(seed, &self.games);
        for pos in self.positions(&mut random, 25, "standard") {
            for lines in [Lines::Main, Lines::Variations, Lines::All] {
                let scoped = |query| Query::Beside(vec![Query::In(lines), query]);
                self.check(&scoped(clauses::position("fen", &pos)));
                self.check_explore(&pos, Some(&Query::In(lines)));
            }
            self.check(&clauses::position("fen", &pos));
            self.check(&clauses::board(&pos));
            self.check_explore(&pos, None);
            self.check_explore(&pos, Some(&clauses.query(1)));
        }
        for _ in 0..25 {
            let n = 1 + clauses.random.below(3);
            self.check(&clauses.moves(n));
            self.check(&clauses.header());
            self.check(&clauses.query(2));
        }
    }
}

/// Some games by their numbers.
fn by_id(ids: impl IntoIterator<Item = u64>) -> Query {
    let ids: BTreeSet<u64> = ids.into_iter().collect();
    let text: Vec<String> = ids.iter().map(|id| format!("id:{id}")).collect();
    Query::Header(
        format!("({})", text.join(" OR ")),
        Box::new(move |game| ids.contains(&game.id)),
    )
}

#[test]
fn games_that_are_only_marked_are_gone() {
    let mut world = world_of_segments(600, 4, 150);
    let n_games = world.games.len() as u64;
    // One game in fifty: too few for any segment to be written anew.
    let ids: Vec<u64> = world.games.iter().map(|game| game.id).collect();
    let n_removed = world.remove(&by_id(ids.into_iter().step_by(50)));
    assert_eq!((n_removed, world.n_marked()), (12, 4));
    world.check_everything(600);
    // A second removal adds to the first.
    let ids: Vec<u64> = world.games.iter().map(|game| game.id).collect();
    world.remove(&by_id(ids.into_iter().skip(7).step_by(70)));
    assert_eq!(world.n_marked(), 4);
    world.check_everything(601);
    let manifest = IndexStore::open(&world.index())
        .expect("an index")
        .manifest()
        .clone();
    assert_eq!(manifest.n_removed(), n_games - world.games.len() as u64);
}

#[test]
fn a_merge_leaves_removed_games_out() {
    let mut world = world_of_segments(610, 6, 60);
    let ids: Vec<u64> = world.games.iter().map(|game| game.id).collect();
    world.remove(&by_id(ids.into_iter().skip(3).step_by(20)));
    assert_eq!(world.n_marked(), 6);
    let (index, removed) = (world.index(), world.searcher.store().manifest().n_removed());
    let bytes = |index: &Path| pgndex::index::PartSizes::of(index).expect("sizes").total;
    // Two more segments make eight, which are merged.
    let dir = index.parent().expect("a directory").to_owned();
    add_source(&dir, &index, 616, 60);
    add_source(&dir, &index, 617, 60);
    world.searcher = Searcher::open(&index).expect("an index");
    assert_eq!(world.n_marked(), 0);
    assert_eq!(sound(&index).segments, 1);
    let manifest = world.searcher.store().manifest().clone();
    assert_eq!(manifest.n_removed(), removed);
    let added = super::twin::games(&world.searcher).split_off(world.games.len());
    world.games.extend(added);
    world.check_everything(610);
    // Many games: the segment is written anew at once, and the space comes back.
    let before = bytes(&index);
    let ids: Vec<u64> = world.games.iter().map(|game| game.id).collect();
    world.remove(&by_id(ids.into_iter().step_by(2)));
    assert_eq!(world.n_marked(), 0);
    assert!(
        bytes(&index) < before * 2 / 3,
        "{before} bytes before, {} after",
        bytes(&index)
    );
    world.check_everything(611);
}

#[test]
fn what_a_query_finds_goes_and_nothing_else() {
    let mut world = world_of_segments(620, 5, 90);
    let mut n_rounds = 0;
    for seed in 0..40 {
        let query = Clauses::new(6200 + seed, &world.games).query(2);
        let n_found = world.games.iter().filter(|game| query.find(game).0).count();
        if n_found == 0 || n_found > world.games.len() / 4 {
            continue;
        }
        assert_eq!(world.remove(&query), n_found);
        n_rounds += 1;
        if n_rounds % 4 == 1 {
            world.check_everything(seed);
        }
    }
    assert!(n_rounds > 8, "only {n_rounds} removals");
    world.check_everything(629);
    // And all the rest.
    let all = Query::Header("*".to_owned(), Box::new(|_| true));
    world.remove(&all);
    assert_eq!(sound(&world.index()).games, 0);
    let searcher = Searcher::open(&world.index()).expect("an index");
    assert_eq!(super::twin::games(&searcher).len(), 0);
}
