//! The second law.
