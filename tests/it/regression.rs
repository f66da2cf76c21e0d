//! Bugs that were, one test each, with the story above it.
