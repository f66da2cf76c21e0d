//! From the text of a query to what tantivy runs.
//!
//! The grammar is tantivy's: AND, OR, NOT, parentheses, quotes, ranges. Clauses without an operator between them must all
//! match, as a person who writes `white:carlsen black:anand` means it. Chess clauses are answered on the spot and join the
//! query as lists of games; those that count for a match also say where in the games it is.

use std::borrow::Cow;

use shakmaty::Color;
use tantivy::query::{AllQuery, BooleanQuery, Occur, Query};
use tantivy_query_grammar::{
    Delimiter, LenientError, Occur as AstOccur, UserInputAst, UserInputLeaf, UserInputLiteral,
    parse_query_lenient,
};

use crate::error::{Error, Result};
use crate::index::GamesQuery;
use crate::model::variant::Variant;
use crate::notation::Reading;
use crate::search::Searcher;
use crate::search::chess::{
    Scope, Sought, line_end, match_moves, match_positions, query_board, query_fen, read_patterns,
};
use crate::search::fields::{DEFAULT_TAGS, FIELDS, any, field_of, tags_of};
use crate::search::matches::Matches;
use crate::search::position::LineScope;

/// A query, ready to run.
pub(crate) struct Compiled {
    pub(crate) query: Box<dyn Query>,
    /// Where the chess clauses that count for a match did match; `None` without such clauses.
    pub(crate) places: Option<Matches>,
    /// How ambiguous letters were read, for the user.
    pub(crate) notes: Vec<String>,
    pub(crate) scope: Scope,
}

/// What a query is, before anything is looked up.
pub(crate) enum Plan {
    /// One position and nothing else, in each variant of the scope: answered from the position index alone.
    Position(Sought, Scope),
    /// No condition but the variant.
    Everything(Scope),
    /// Anything else.
    General,
}

struct Compiler<'a> {
    searcher: &'a Searcher,
    text: &'a str,
    reading: Reading,
    scope: Scope,
    places: Option<Matches>,
    notes: Vec<String>,
}

/// The syntax tree of a query, and what is wrong with it. Every text of a query is parsed here.
pub(crate) fn parse(text: &str) -> (UserInputAst, Vec<LenientError>) {
    parse_query_lenient(&straight_quotes(text))
}

/// The text with typographic quotes round a value, which word processors and telephones make of plain ones, as plain
/// ones. What stands inside plain quotes is a value and stays. One character is put for one, so that columns hold.
fn straight_quotes(text: &str) -> Cow<'_, str> {
    let is_curly = |c: char| matches!(c, '“' | '”' | '„' | '‟' | '«' | '»');
    if !text.contains(is_curly) {
        return Cow::Borrowed(text);
    }
    let mut in_plain = false;
    let mut last = ' ';
    let straight = text.chars().map(|c| {
        in_plain ^= c == '"' && last != '\\';
        last = c;
        if is_curly(c) && !in_plain { '"' } else { c }
    });
    Cow::Owned(straight.collect())
}

/// Parses the text of a query and recognises the simplest ones.
pub(crate) fn plan(text: &str, reading: Reading) -> Result<Plan> {
    if text.trim().is_empty() {
        return Ok(Plan::Everything(Scope::standard()));
    }
    let text = &*straight_quotes(text);
    let (ast, errors) = parse_query_lenient(text);
    if let Some(error) = errors.first() {
        let column = text
            .get(..error.pos)
            .map_or(error.pos, |before| before.chars().count())
            + 1;
        return Err(Error::Query {
            column,
            message: error.message.clone(),
        });
    }
    let scope = scope_of(text, &ast)?;
    if let Some(literal) = only_literal(&ast)
        && literal.slop == 0
        && !literal.prefix
    {
        let field = literal.field_name.as_deref().unwrap_or_default();
        if field == "fen" {
            let sought = scope.under_each(|variant| query_fen(&literal.phrase, variant))?;
            return Ok(Plan::Position(sought, scope));
        }
        if field == "line" {
            let sought = scope.under_each(|variant| line_end(&literal.phrase, variant, reading))?;
            return Ok(Plan::Position(sought, scope));
        }
        if field == "variant" && literal.phrase.parse::<Variant>().is_ok() {
            return Ok(Plan::Everything(scope));
        }
    }
    Ok(Plan::General)
}

fn only_literal(ast: &UserInputAst) -> Option<&UserInputLiteral> {
    match ast {
        UserInputAst::Leaf(leaf) => match &**leaf {
            UserInputLeaf::Literal(literal) => Some(literal),
            _ => None,
        },
        UserInputAst::Clause(clauses) => match &clauses[..] {
            [(None | Some(AstOccur::Must | AstOccur::Should), only)] => only_literal(only),
            _ => None,
        },
        UserInputAst::Boost(inner, _) => only_literal(inner),
    }
}

/// Compiles and answers the chess clauses of a query.
pub(crate) fn compile(
    searcher: &Searcher,
    text: &str,
    ast: &UserInputAst,
    reading: Reading,
) -> Result<Compiled> {
    searcher.check_clauses(ast)?;
    let scope = scope_of(text, ast)?;
    let mut compiler = Compiler {
        searcher,
        text,
        reading,
        scope,
        places: None,
        notes: Vec::new(),
    };
    let query = compiler.ast(ast, true)?;
    let Compiler {
        places,
        notes,
        scope,
        ..
    } = compiler;
    Ok(Compiled {
        query,
        places,
        notes,
        scope,
    })
}

/// The scope that a query names: its variants, and whether it asks for variations.
fn scope_of(text: &str, ast: &UserInputAst) -> Result<Scope> {
    let mut scope = Scope {
        variants: Vec::new(),
        lines: LineScope::Main,
    };
    collect_scope(text, ast, &mut scope)?;
    if scope.variants.is_empty() {
        scope.variants.push(Variant::Standard);
    }
    // A variant that is named twice is not counted twice.
    scope.variants.sort_unstable();
    scope.variants.dedup();
    Ok(scope)
}

fn collect_scope(text: &str, ast: &UserInputAst, scope: &mut Scope) -> Result<()> {
    match ast {
        UserInputAst::Clause(clauses) => {
            for (occur, inner) in clauses {
                if *occur != Some(AstOccur::MustNot) {
                    collect_scope(text, inner, scope)?;
                }
            }
        }
        UserInputAst::Boost(inner, _) => collect_scope(text, inner, scope)?,
        UserInputAst::Leaf(leaf) => {
            let UserInputLeaf::Literal(literal) = &**leaf else {
                return Ok(());
            };
            match literal.field_name.as_deref() {
                Some("variant") => scope.variants.extend(literal.phrase.parse::<Variant>()),
                Some("in") => {
                    scope.lines = match literal.phrase.as_str() {
                        "main" => LineScope::Main,
                        "variations" => LineScope::Variations,
                        "all" => LineScope::All,
                        other => {
                            return Err(error_at(
                                text,
                                other,
                                format!("in:{other} is none of main, variations, all"),
                            ));
                        }
                    };
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// An error about a part of the query.
fn error_at(text: &str, part: &str, message: String) -> Error {
    let column = text
        .find(part)
        .map_or(1, |at| text[..at].chars().count() + 1);
    Error::Query { column, message }
}

impl Compiler<'_> {
    fn ast(&mut self, ast: &UserInputAst, counts: bool) -> Result<Box<dyn Query>> {
        match ast {
            UserInputAst::Boost(inner, _) => self.ast(inner, counts),
            UserInputAst::Leaf(leaf) => self.leaf(leaf, counts),
            UserInputAst::Clause(clauses) => {
                let mut compiled = Vec::new();
                let mut either = Vec::new();
                let is_beside = clauses.iter().any(|(occur, _)| occur.is_none());
                for (occur, inner) in clauses {
                    match occur {
                        None | Some(AstOccur::Must) => {
                            compiled.push((Occur::Must, self.ast(inner, counts)?));
                        }
                        Some(AstOccur::Should) => either.push(self.ast(inner, counts)?),
                        Some(AstOccur::MustNot) => {
                            compiled.push((Occur::MustNot, self.excluded(inner)?));
                        }
                    }
                }
                // `a OR b c` wants one of the first two and the third; tantivy would let the third alone decide.
                if is_beside && !either.is_empty() {
                    compiled.push((Occur::Must, any(either)));
                } else {
                    compiled.extend(either.into_iter().map(|query| (Occur::Should, query)));
                }
                // What is only excluded is excluded from everything.
                if compiled.iter().all(|(occur, _)| *occur == Occur::MustNot) {
                    compiled.push((Occur::Must, Box::new(AllQuery)));
                }
                Ok(Box::new(BooleanQuery::new(compiled)))
            }
        }
    }

    /// The games of a clause that is excluded, as a list. tantivy asks what it excludes about games before the first
    /// match as well, which its ranges and phrases do not expect: they panic in a debug build.
    fn excluded(&mut self, ast: &UserInputAst) -> Result<Box<dyn Query>> {
        let query = self.ast(ast, false)?;
        let docs = self.searcher.matching(&*query)?;
        let ids = self.searcher.segment_ids();
        Ok(Box::new(GamesQuery::new(&ids, docs)))
    }

    fn leaf(&mut self, leaf: &UserInputLeaf, counts: bool) -> Result<Box<dyn Query>> {
        match leaf {
            UserInputLeaf::All => Ok(Box::new(AllQuery)),
            UserInputLeaf::Literal(literal) => self.literal(literal, counts),
            UserInputLeaf::Range {
                field,
                lower,
                upper,
            } => {
                let field = field_of(field.as_deref().unwrap_or_default());
                match self.searcher.range_clause(field, lower, upper) {
                    Some(query) => query.map_err(|e| self.error(field, e)),
                    None => Err(self.error(field, format!("`{field}` has no ranges; these have: date year eco elo white_elo black_elo mean_elo plies id"))),
                }
            }
            UserInputLeaf::Set { field, elements } => {
                let mut queries = Vec::new();
                for element in elements {
                    let literal = UserInputLiteral {
                        field_name: field.clone(),
                        phrase: element.clone(),
                        delimiter: Delimiter::None,
                        slop: 0,
                        prefix: false,
                    };
                    queries.push(self.literal(&literal, counts)?);
                }
                Ok(any(queries))
            }
            UserInputLeaf::Exists { field } => {
                use std::ops::Bound::Unbounded;
                use tantivy_query_grammar::UserInputBound::Unbounded as Open;
                let field = field_of(field);
                if let Some(tags) = tags_of(field) {
                    let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
                    let query = self.searcher.has_tag(&tags);
                    return query.map_err(|e| self.error(field, e));
                }
                if field == "eco" {
                    return Ok(self.searcher.column_range(
                        crate::index::schema::Column::Eco,
                        Unbounded,
                        Unbounded,
                    ));
                }
                match self.searcher.range_clause(field, &Open, &Open) {
                    Some(query) => query.map_err(|e| self.error(field, e)),
                    None => {
                        Err(self.error(field, format!("cannot ask whether `{field}` is there")))
                    }
                }
            }
            UserInputLeaf::Regex { field, .. } => {
                let field = field.clone().unwrap_or_default();
                Err(self.error(
                    &field,
                    "regular expressions are not searched for".to_owned(),
                ))
            }
        }
    }

    fn literal(&mut self, literal: &UserInputLiteral, counts: bool) -> Result<Box<dyn Query>> {
        self.searcher.check_time()?;
        let mut text = literal.phrase.as_str();
        let mut prefix = literal.prefix;
        // The grammar knows a prefix only after quotes; `kes*` means the same.
        if literal.delimiter == Delimiter::None
            && let Some(stem) = text.strip_suffix('*').filter(|stem| !stem.is_empty())
        {
            (text, prefix) = (stem, true);
        }
        if literal.slop > 0 {
            let message = "`~` after a phrase is not understood; its words must be neighbours";
            return Err(self.error(text, message.to_owned()));
        }
        let Some(field) = literal.field_name.as_deref() else {
            return self
                .searcher
                .text(&DEFAULT_TAGS, text, prefix)
                .map_err(|e| self.error(text, e));
        };
        if let Some(places) = self.chess(field, text)? {
            let query = places.as_query(&self.searcher.segment_ids());
            if counts {
                match &mut self.places {
                    Some(all) => all.union(places),
                    none => *none = Some(places),
                }
            }
            return Ok(Box::new(query));
        }
        let (name, raw) = field
            .strip_suffix(".raw")
            .map_or((field_of(field), false), |name| (name, true));
        match name {
            "in" => return Ok(Box::new(AllQuery)),
            "source" => {
                let query = self.searcher.sources(text, raw, prefix);
                return query.map_err(|e| self.error(field, e));
            }
            _ => {}
        }
        if let Some(tags) =
            tags_of(name).or_else(|| (raw && name == "eco").then(|| vec!["ECO".to_owned()]))
        {
            let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
            let query = if raw {
                self.searcher.raw(&tags, text, prefix)
            } else {
                self.searcher.text(&tags, text, prefix)
            };
            return query.map_err(|e| self.error(field, e));
        }
        match self.searcher.column_clause(name, text, prefix) {
            Some(query) if !raw => query.map_err(|e| self.error(field, e)),
            _ => Err(self.error(
                field,
                format!("there is no field `{field}`; the fields are: {FIELDS}"),
            )),
        }
    }

    /// The matches of a chess clause; `None` when the field is none.
    fn chess(&mut self, field: &str, text: &str) -> Result<Option<Matches>> {
        let (side, clause) = match field.split_once('.') {
            Some(("w", clause)) => (Some(Color::White), clause),
            Some(("b", clause)) => (Some(Color::Black), clause),
            _ => (None, field),
        };
        let sought = match clause {
            "fen" => self.scope.under_each(|variant| query_fen(text, variant))?,
            "board" => {
                let boards = self
                    .scope
                    .under_each(|variant| query_board(text, variant))?;
                let each = boards.into_iter().flat_map(|(variant, positions)| {
                    positions.into_iter().map(move |pos| (variant, pos))
                });
                each.collect()
            }
            "line" => {
                let reading = self.reading;
                self.scope
                    .under_each(|variant| line_end(text, variant, reading))?
            }
            "move" | "moves" => {
                let patterns = read_patterns(text, side, self.reading, &mut self.notes)
                    .map_err(|message| error_at(self.text, text, message))?;
                if clause == "move" && patterns.len() != 1 {
                    let message =
                        format!("`{text}` is not one move; moves:\"…\" searches a sequence");
                    return Err(error_at(self.text, text, message));
                }
                return match_moves(self.searcher, &patterns, &self.scope).map(Some);
            }
            _ => return Ok(None),
        };
        if side.is_some() {
            return Err(self.error(
                field,
                format!("`{clause}` has no side; w. and b. go with move and moves"),
            ));
        }
        match_positions(self.searcher, &sought, self.scope.lines).map(Some)
    }

    fn error(&self, part: &str, message: String) -> Error {
        error_at(self.text, part, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curly_quotes_are_quotes_but_not_inside_plain_ones() {
        for (text, straight) in [
            ("move:“Sf3”", "move:\"Sf3\""),
            (
                "line:„1. e4 e5“ AND white:bo",
                "line:\"1. e4 e5\" AND white:bo",
            ),
            (
                "event:\"the “open”\" move:”e4”",
                "event:\"the “open”\" move:\"e4\"",
            ),
            ("event:\"a \\\" “b”\"", "event:\"a \\\" “b”\""),
            ("white:carlsen", "white:carlsen"),
        ] {
            assert_eq!(straight_quotes(text), straight);
        }
        assert_eq!(parse("move:“Sf3”").0, parse("move:\"Sf3\"").0);
    }
}
