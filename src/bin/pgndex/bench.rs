//! `pgndex bench`
use crate::Outcome;
use crate::args::Bench;
pub(crate) fn run(_args: &Bench) -> anyhow::Result<Outcome> { anyhow::bail!("soon") }
