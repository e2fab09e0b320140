//! The one table of letters that are searched as others, and the form in which the index and requests have a text. The
//! function of PostgreSQL in `schema/text_index.postgres.sql` is written from this table; a test compares them.

use unicode_normalization::UnicodeNormalization;

/// Letters in lower case that no decomposition takes apart, and what is searched for them.
pub const LETTERS: [(char, &str); 24] = [
    ('ł', "l"),
    ('ø', "o"),
    ('đ', "d"),
    ('ð', "d"),
    ('ħ', "h"),
    ('ı', "i"),
    ('ŋ', "n"),
    ('ŧ', "t"),
    ('ĸ', "k"),
    ('ƒ', "f"),
    ('ɨ', "i"),
    ('ƀ', "b"),
    ('ɓ', "b"),
    ('ɗ', "d"),
    ('ƙ', "k"),
    ('ə', "e"),
    ('ς', "σ"),
    ('ґ', "г"),
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('þ', "th"),
    ('ǝ', "e"),
    ('ȼ', "c"),
];

/// Marks that stand behind their letter.
const MARKS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// A text in lower case, without marks and ligatures, and with the letters of the table replaced.
pub fn plain(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let bare = text.nfkd().filter(|letter| !MARKS.contains(letter)).nfc();
    let mut plain = String::with_capacity(text.len());
    for letter in bare.flat_map(char::to_lowercase).filter(|letter| !MARKS.contains(letter)) {
        match LETTERS.iter().find(|(known, _)| *known == letter) {
            Some((_, other)) => plain.push_str(other),
            None => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_searched_without_marks_ligatures_and_letters_of_one_language() {
        for (text, expected) in [
            ("Łódź ØRSTED Đorđe Straße STRASSE", "lodz orsted dorde strasse strasse"),
            ("Œuvre Æther Þór Iğdır ﬁnal", "oeuvre aether thor igdir final"),
            ("ЁЛКА Ελλάδα ΟΔΟΣ οδός", "елка ελλαδα οδοσ οδοσ"),
            ("e\u{301}té İzmir ẞ", "ete izmir ss"),
            ("がく 한국", "がく 한국"),
        ] {
            let normal: String = expected.nfkd().filter(|letter| !MARKS.contains(letter)).nfc().collect();
            assert_eq!(plain(text), normal, "{text}");
        }
    }

    /// PostgreSQL cannot call this table, so its function has it written out.
    #[test]
    fn the_function_of_postgresql_has_this_table() {
        let text = include_str!("../../../schema/text_index.postgres.sql");
        let single = LETTERS.iter().filter(|(_, other)| other.chars().count() == 1);
        let (from, to): (String, String) = single.map(|(known, other)| (*known, *other)).unzip();
        assert!(text.contains(&format!("'{from}', '{to}'")), "'{from}', '{to}'");
        for (known, other) in LETTERS.iter().filter(|(_, other)| other.chars().count() > 1) {
            assert!(text.contains(&format!("'{known}', '{other}'")), "{known}");
        }
    }
}
