//! The slow twin of the reader: a lexer that goes byte by byte and knows no tags, and what becomes of its tokens.

use crate::model::game_result::GameResult;
use crate::notation::Reading;
use crate::parse::word::{self, Meaning};

/// What a token was written as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token {
    Comment,
    Number,
    Move,
    Open,
    Close,
    Glyph,
    UnknownGlyph,
    Sign,
    UnknownSign,
    Ruler,
    Junk,
    Markup,
    Marker(GameResult),
}

/// Those whose markers need no blank around them.
const RESULTS: [GameResult; 3] = [GameResult::White, GameResult::Black, GameResult::Draw];

/// The length of the blank beyond ASCII that stands at `at`; 0 if none does.
pub(super) fn slow_wide_blank(bytes: &[u8], at: usize) -> usize {
    const WIDE: &[char] = &[
        '\u{a0}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}', '\u{3000}',
    ];
    for c in WIDE.iter().copied().chain('\u{2000}'..='\u{200b}') {
        if bytes[at..].starts_with(c.to_string().as_bytes()) {
            return c.len_utf8();
        }
    }
    let mut end = at;
    while (at == 0 || bytes[at - 1] < 0x80) && end < bytes.len() && bytes[end] == 0xa0 {
        end += 1;
    }
    end - at
}

/// The length of the entity of HTML that begins the text; 0 if none does.
pub(super) fn slow_entity(text: &[u8]) -> usize {
    let text: String = text.iter().take(11).map(|b| char::from(*b)).collect();
    let Some((entity, _)) = text.split_once(';') else {
        return 0;
    };
    let Some(name) = entity.strip_prefix('&') else {
        return 0;
    };
    let name = name.strip_prefix('#').unwrap_or(name);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric());
    if is_name && (1..=8).contains(&name.len()) {
        entity.len() + 1
    } else {
        0
    }
}

fn slow_meaning(word: &[u8]) -> Meaning {
    if word::is_plain_move(word) {
        Meaning::Move
    } else {
        word::meaning(word, Reading::default())
    }
}

/// The slow lexer: the length of the token at `at`, and what it is. It goes byte by byte and knows no tags.
pub(super) fn slow_token(bytes: &[u8], at: usize, is_over: bool, depth: usize) -> (usize, Token) {
    let rest = &bytes[at..];
    let length_while = |from: usize, wanted: &dyn Fn(u8) -> bool| {
        let mut end = from;
        while end < rest.len() && wanted(rest[end]) {
            end += 1;
        }
        end
    };
    let is_line_end = |b: u8| b == b'\n' || b == b'\r';
    let mut line_start = at;
    while bytes[..line_start].ends_with(b"\xef\xbb\xbf") {
        line_start -= 3;
    }
    match rest[0] {
        b'{' => {
            return (
                rest.len().min(length_while(0, &|b| b != b'}') + 1),
                Token::Comment,
            );
        }
        b';' => return (length_while(0, &|b| !is_line_end(b)), Token::Comment),
        b'%' if is_line_end(bytes[line_start - 1]) => {
            return (length_while(0, &|b| !is_line_end(b)), Token::Comment);
        }
        b'$' => {
            let len = length_while(1, &|b| b.is_ascii_digit());
            let number = String::from_utf8_lossy(&rest[1..len]);
            let is_known = number.parse::<u64>().is_ok_and(|number| number <= 255);
            return (
                len,
                if is_known {
                    Token::Glyph
                } else {
                    Token::UnknownGlyph
                },
            );
        }
        b'<' => {
            let is_inside = |b: u8| !b"<>{[\r\n".contains(&b);
            let opens =
                rest.len() > 1 && (rest[1].is_ascii_alphabetic() || b"/!".contains(&rest[1]));
            let end = length_while(1, &is_inside);
            let is_closed = opens && rest.get(end) == Some(&b'>');
            return (if is_closed { end + 1 } else { 1 }, Token::Markup);
        }
        b'&' if slow_entity(rest) > 0 => return (slow_entity(rest), Token::Markup),
        b'(' if is_over => return (1, Token::Junk),
        b'(' if rest.starts_with(b"(=)") => return (3, Token::Sign),
        b'(' => return (1, Token::Open),
        b')' => return (1, Token::Close),
        _ => {}
    }
    let word_len = |from: usize| {
        let mut end = from;
        while end < rest.len()
            && !b" \t\n\r\x0b\x0c\0{}()[]<>;$\"*".contains(&rest[end])
            && slow_wide_blank(bytes, at + end) == 0
            && slow_entity(&rest[end..]) == 0
        {
            end += 1;
        }
        end
    };
    let mut len = word_len(0);
    {
        let digits = length_while(0, &|b| b.is_ascii_digit());
        let dots = length_while(digits, &|b| b == b'.');
        let mut dotted = 0;
        while let Some(c) = [".", "…"]
            .iter()
            .find(|c| rest[dotted..].starts_with(c.as_bytes()))
        {
            dotted += c.len();
        }
        if dotted > 0 && !is_over {
            return (dotted, Token::Number);
        }
        let is_bare =
            digits == len && digits <= 3 && !matches!(&rest[..len], b"0" | b"00" | b"000");
        let is_decimal = rest.starts_with(b"0.") && rest.get(2).is_some_and(u8::is_ascii_digit);
        for (spaced, result) in [(*b"1-0", GameResult::White), (*b"0-1", GameResult::Black)] {
            let mut signs = Vec::new();
            let mut end = 0;
            while end < rest.len() && signs.len() < 3 {
                if !b" \t".contains(&rest[end]) || signs.is_empty() {
                    signs.push(if rest[end] == b':' { b'-' } else { rest[end] });
                }
                end += 1;
            }
            let next = rest.get(end).copied().unwrap_or(b' ');
            if !is_over
                && signs == spaced
                && end > 3
                && !next.is_ascii_alphanumeric()
                && !b"-/.:".contains(&next)
            {
                return (end, Token::Marker(result));
            }
        }
        let number = if digits == 0 || is_decimal {
            0
        } else if dots > digits {
            dots
        } else if rest[digits..].starts_with("…".as_bytes()) {
            digits + "…".len()
        } else if is_bare {
            digits
        } else {
            0
        };
        if number > 0 {
            let is_numeral = !is_over && depth == 0 && rest.get(number) == Some(&b')');
            return (number + usize::from(is_numeral), Token::Number);
        }
        for result in RESULTS {
            let marker = result.as_str();
            let next = rest.get(marker.len()).copied().unwrap_or(b' ');
            if !is_over
                && rest.starts_with(marker.as_bytes())
                && !next.is_ascii_alphanumeric()
                && !b"-/.".contains(&next)
            {
                return (marker.len(), Token::Marker(result));
            }
        }
    }
    if len == 0 {
        len = 1;
    } else {
        len = slow_spaced(bytes, at, len).map_or(len, |end| word_len(end - at));
        while let Some(end) = slow_bracket(rest, len) {
            len = word_len(end);
        }
    }
    if !is_over {
        for result in RESULTS {
            let marker = result.as_str();
            if let Some(before) = rest[..len].strip_suffix(marker.as_bytes())
                && crate::split::lex::certainly_movetext(before)
            {
                len = before.len();
                break;
            }
        }
    }
    let token = match slow_meaning(&rest[..len]) {
        Meaning::Number => Token::Number,
        Meaning::Marker(result, _) => Token::Marker(result),
        Meaning::Annotation => Token::Sign,
        Meaning::UnknownAnnotation => Token::UnknownSign,
        Meaning::Ruler => Token::Ruler,
        Meaning::Move => Token::Move,
        Meaning::Junk => Token::Junk,
    };
    (len, token)
}

/// Where the bracket ends that belongs to the word before it.
fn slow_bracket(rest: &[u8], len: usize) -> Option<usize> {
    let open = match rest.get(len..len + 2) {
        Some(b" (") => len + 1,
        _ if rest.get(len) == Some(&b'(') => len,
        _ => return None,
    };
    let mut close = open + 1;
    while *rest.get(close)? != b')' {
        close += 1;
    }
    let inner = &rest[open + 1..close];
    if inner.len() > 7 {
        return None;
    }
    let is_promotion = open == len
        && b"18=".contains(&rest[len - 1])
        && inner.len() == 1
        && inner[0].is_ascii_alphabetic();
    let belongs = match (
        std::str::from_utf8(&rest[..len]),
        std::str::from_utf8(inner),
    ) {
        (Ok(word), Ok(inner)) => crate::notation::bracket_belongs(word, inner),
        _ => false,
    };
    (is_promotion || belongs).then_some(close + 1)
}

/// Where the move ends whose signs stand apart and whose first word has this length.
fn slow_spaced(bytes: &[u8], at: usize, len: usize) -> Option<usize> {
    let blanks = |from: usize| {
        let mut end = from;
        while end < bytes.len()
            && (b" \t\n\r\x0b\x0c\0".contains(&bytes[end]) || slow_wide_blank(bytes, end) > 0)
        {
            end += slow_wide_blank(bytes, end).max(1);
        }
        let text = String::from_utf8_lossy(&bytes[from..end]).replace("\r\n", "\n");
        if text.split(['\r', '\n']).count() > 2 {
            from
        } else {
            end
        }
    };
    let dash = |at: usize| {
        let dashes = ["-", "‐", "‑", "‒", "–", "—", "―", "−"];
        let found = dashes
            .iter()
            .find(|d| bytes[at..].starts_with(d.as_bytes()));
        match bytes.get(at) {
            Some(0x96 | 0x97) => 1,
            _ => found.map_or(0, |d| d.len()),
        }
    };
    let ends_word = |at: usize| {
        at >= bytes.len()
            || b" \t\n\r\x0b\x0c\0{}()[]<>;$\"*".contains(&bytes[at])
            || slow_wide_blank(bytes, at) > 0
            || slow_entity(&bytes[at..]) > 0
    };
    let castling = || {
        let zero = bytes[at];
        let (mut end, mut n_zeros, mut spaced) = (at + 1, 1, false);
        while dash(blanks(end)) > 0 {
            let sign = blanks(end);
            let next = blanks(sign + dash(sign));
            if n_zeros == 3 || bytes.get(next) != Some(&zero) {
                return None;
            }
            spaced |= sign != end || next != sign + dash(sign);
            end = next + 1;
            n_zeros += 1;
        }
        let goes_on = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
        (n_zeros > 1 && spaced && !goes_on).then_some(end)
    };
    if b"0Oo".contains(&bytes[at])
        && let Some(end) = castling()
    {
        return Some(end);
    }
    let mover = &bytes[at..at + len];
    let is_mover =
        mover[0].is_ascii_uppercase() && len <= 3 && mover.iter().all(u8::is_ascii_alphanumeric)
            || len == 3 && mover.starts_with(b"\xe2\x99");
    let is_mover = is_mover && !word::is_plain_move(mover);
    let mut sign = at + len;
    while bytes.get(sign) == Some(&b' ') {
        sign += 1;
    }
    let sign_len = match bytes.get(sign) {
        Some(b'x' | b'X' | b':') => 1,
        Some(0xc3) if bytes[sign..].starts_with("×".as_bytes()) => 2,
        Some(_) => dash(sign),
        None => 0,
    };
    if !is_mover || sign == at + len || sign_len == 0 {
        return None;
    }
    let target = blanks(sign + sign_len);
    if target == sign + sign_len || !bytes.get(target).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let mut end = target;
    while !ends_word(end) {
        end += 1;
    }
    let is_move = crate::notation::looks_like_move(&bytes[at..end], Reading::default());
    (end > target && end <= target + 8 && is_move).then_some(end)
}
