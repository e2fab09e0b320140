//! Texts as a terminal shows them: nothing that moves its cursor, and as wide as they will stand there.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text on one line, without what would drive a terminal or turn its direction.
pub(super) fn printable(text: &str) -> String {
    let drives = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|letter| if drives(letter) { ' ' } else { letter }).collect()
}

/// Columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// A text that is cut where it would take more columns than it may, and says so.
pub(super) fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut taken = 0;
    for letter in text.chars() {
        taken += letter.width().unwrap_or(0);
        if taken + 1 > most {
            break;
        }
        short.push(letter);
    }
    short + if most > 0 { "…" } else { "" }
}

/// A text with blanks behind it, up to so many columns.
pub(super) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// A text with blanks before it, up to so many columns.
pub(super) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_combining_letters_take_the_columns_that_they_take() {
        assert_eq!((width("設計"), width("e\u{301}"), width("Dig")), (4, 1, 3));
        assert_eq!(left("設計", 6), "設計  ");
        assert_eq!(right("7", 3), "  7");
        assert_eq!((cut("設計図面", 6), cut("設計図面", 8)), ("設計…".to_owned(), "設計図面".to_owned()));
    }

    #[test]
    fn nothing_in_a_name_drives_the_terminal() {
        assert_eq!(printable("\u{1b}[2JA\nB\u{202e}C\u{9b}D"), " [2JA B C D");
    }
}
