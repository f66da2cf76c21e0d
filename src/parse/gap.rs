//! What stands between the tag pairs of one section.

/// What stood between two tag pairs of one section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    BlankLine(usize),
    Text,
}

impl Gap {
    pub(super) fn or_text(self) -> Gap {
        if self == Gap::None { Gap::Text } else { self }
    }
}

/// Whether the line end at `at` is followed by an empty line.
pub(super) fn is_blank_line(bytes: &[u8], at: usize) -> bool {
    let line = at
        + if bytes[at..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
    let text = line
        + bytes[line.min(bytes.len())..]
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
    // The `\n` of a CRLF pair is reached on its own; what follows it was looked at from the `\r`.
    !(bytes[at] == b'\n' && at > 0 && bytes[at - 1] == b'\r')
        && matches!(bytes.get(text), Some(b'\n' | b'\r'))
}
