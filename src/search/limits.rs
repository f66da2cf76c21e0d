//! What a question may cost, for those who answer strangers.
//!
//! A command that takes long is its user's own choice. A server must get its threads back, so it asks a searcher that
//! looks at the clock between the steps of its work and gives up by itself: nothing can stop a thread from outside.

use std::time::Instant;

use tantivy_query_grammar::{UserInputAst, UserInputLeaf};

use crate::error::{Error, Result};
use crate::search::Searcher;

/// How much a question may cost. By default, anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Most clauses of a query.
    pub most_clauses: Option<usize>,
}

impl Searcher {
    /// The same index at the same commit, asked within limits.
    #[must_use]
    pub fn limited(&self, limits: Limits) -> Searcher {
        Searcher {
            limits,
            ..self.clone()
        }
    }

    /// Gives up once the time is over.
    pub(crate) fn check_time(&self) -> Result<()> {
        match self.limits.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Error::TooSlow),
            _ => Ok(()),
        }
    }

    /// Refuses a query of more clauses than it may have: each can hold lists of every ply of the index in memory.
    pub(crate) fn check_clauses(&self, ast: &UserInputAst) -> Result<()> {
        match self.limits.most_clauses {
            Some(most) if n_clauses(ast) > most => Err(Error::Query {
                column: 1,
                message: format!("more than {most} clauses"),
            }),
            _ => Ok(()),
        }
    }
}

fn n_clauses(ast: &UserInputAst) -> usize {
    match ast {
        UserInputAst::Clause(clauses) => clauses.iter().map(|(_, inner)| n_clauses(inner)).sum(),
        UserInputAst::Boost(inner, _) => n_clauses(inner),
        UserInputAst::Leaf(leaf) => match &**leaf {
            UserInputLeaf::Set { elements, .. } => elements.len(),
            _ => 1,
        },
    }
}
