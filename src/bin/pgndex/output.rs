//! Where text goes: results to a locked, buffered stdout, everything else to stderr, names made safe for a terminal.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::Context;

/// Standard output, buffered.
pub(crate) fn stdout() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(64 << 10, io::stdout().lock())
}

/// A file, or standard output without one.
pub(crate) fn file_or_stdout(path: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    Ok(match path {
        Some(path) => Box::new(BufWriter::new(
            File::create(path).with_context(|| path.display().to_string())?,
        )),
        None => Box::new(stdout()),
    })
}

/// Says something to the user on stderr. Nobody reads a closed stderr, so that failure is dropped.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether somebody watches stderr.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Text of an archive without control characters, cut to a width in characters.
pub(crate) fn shown(text: &str, width: usize) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if clean.chars().count() <= width {
        return clean;
    }
    clean
        .chars()
        .take(width.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// A number with its thousands set apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A table without borders; columns from `right_from` on are numbers.
pub(crate) fn table(head: &[&str], right_from: usize) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table
        .load_preset(comfy_table::presets::NOTHING)
        .set_header(head);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if i >= right_from {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    table
}

/// Writes a table, its lines without blanks at their ends.
pub(crate) fn write_table(table: &comfy_table::Table, out: &mut impl Write) -> io::Result<()> {
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
