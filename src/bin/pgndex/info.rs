//! `pgndex info`

use std::io::Write;

use pgndex::index::{IndexStore, PartSizes};
use serde_json::json;

use crate::Outcome;
use crate::args::{Info, TextOrJson};
use crate::output::{grouped, shown, stdout};

pub(crate) fn run(args: &Info) -> anyhow::Result<Outcome> {
    let store = IndexStore::open(&args.index)?;
    let (manifest, sizes) = (store.manifest(), PartSizes::of(&args.index)?);
    let sources = || manifest.sources.iter().filter(|s| s.replaced_by.is_none());
    let mut out = stdout();
    if args.format == TextOrJson::Json {
        let sources: Vec<_> = sources()
            .map(|s| {
                json!({ "name": s.name, "bytes": s.bytes, "hash": s.hash, "games": s.n_games(),
                        "lang": s.language, "variations": s.variations })
            })
            .collect();
        let answer = json!({
            "format_version": manifest.format_version, "written_by": manifest.written_by, "games": manifest.n_games,
            "partial": manifest.n_partial, "rejected": manifest.n_rejected, "removed": manifest.n_removed(),
            "plies": manifest.n_plies,
            "sources": sources, "index_bytes": sizes,
        });
        serde_json::to_writer(&mut out, &answer)?;
        writeln!(out)?;
    } else {
        writeln!(
            out,
            "format {}, written by pgndex {}",
            manifest.format_version, manifest.written_by
        )?;
        writeln!(
            out,
            "{} games, {} of them cut at a bad move; {} left out, {} removed; {} plies",
            grouped(manifest.n_games),
            grouped(manifest.n_partial),
            grouped(manifest.n_rejected),
            grouped(manifest.n_removed()),
            grouped(manifest.n_plies)
        )?;
        writeln!(
            out,
            "{} bytes: games {}, positions {}, moves {}, tags {}, columns {}",
            grouped(sizes.total),
            grouped(sizes.games),
            grouped(sizes.positions),
            grouped(sizes.moves),
            grouped(sizes.tags),
            grouped(sizes.columns)
        )?;
        for source in sources() {
            let letters = source
                .language
                .as_ref()
                .map(|code| format!(", letters {code}"))
                .unwrap_or_default();
            writeln!(
                out,
                "{}: {} games, {} bytes{letters}",
                shown(&source.name, 200),
                grouped(source.n_games()),
                grouped(source.bytes)
            )?;
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
}
