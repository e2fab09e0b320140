//! Blanks everything that is not code: comments and the inside of string and character literals become spaces.
//! Offsets and line numbers do not change. It is a scanner, not a parser of Rust.

/// The text with everything but code blanked; it has the same length in bytes and the same lines.
pub(crate) fn code_only(text: &str) -> String {
    let mut scanner = Scanner { bytes: text.as_bytes(), code: Vec::with_capacity(text.len()) };
    while scanner.position() < scanner.bytes.len() {
        scanner.step();
    }
    // Only whole characters are blanked, each byte by a space, so this is UTF-8 as the input was.
    String::from_utf8_lossy(&scanner.code).into_owned()
}

struct Scanner<'a> {
    bytes: &'a [u8],
    code: Vec<u8>,
}

impl Scanner<'_> {
    fn position(&self) -> usize {
        self.code.len()
    }

    fn at(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position() + ahead).copied().unwrap_or(0)
    }

    fn keep(&mut self, count: usize) {
        let from = self.position();
        let to = (from + count).min(self.bytes.len());
        self.code.extend_from_slice(&self.bytes[from..to]);
    }

    fn blank(&mut self, count: usize) {
        let from = self.position();
        let to = (from + count).min(self.bytes.len());
        self.code.extend(self.bytes[from..to].iter().map(|&byte| if byte == b'\n' { byte } else { b' ' }));
    }

    fn step(&mut self) {
        match (self.at(0), self.at(1)) {
            (b'/', b'/') => self.line_comment(),
            (b'/', b'*') => self.block_comment(),
            (b'"', _) => self.string(),
            (b'\'', _) => self.quote(),
            (first, _) if is_word(first) => self.word(),
            _ => self.keep(1),
        }
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.position()..];
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.blank(length);
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.position() < self.bytes.len() {
            match (self.at(0), self.at(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.blank(2);
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.blank(2);
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.blank(1),
            }
        }
    }

    fn string(&mut self) {
        self.keep(1);
        while self.position() < self.bytes.len() {
            match self.at(0) {
                b'\\' => self.blank(2),
                b'"' => return self.keep(1),
                _ => self.blank(1),
            }
        }
    }

    /// A character literal, or the tick of a lifetime or label.
    fn quote(&mut self) {
        if self.at(1) == b'\\' {
            self.keep(1);
            self.blank(2);
            while self.position() < self.bytes.len() && self.at(0) != b'\'' {
                self.blank(1);
            }
            return self.keep(1);
        }
        let width = character_width(self.at(1));
        self.keep(1);
        if self.at(width) == b'\'' {
            self.blank(width);
            self.keep(1);
        }
    }

    /// An identifier or number, taken whole so that its last letter is not read as a string prefix.
    fn word(&mut self) {
        let rest = &self.bytes[self.position()..];
        let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        let is_raw_prefix = matches!(&rest[..length], b"r" | b"br" | b"cr");
        self.keep(length);
        if is_raw_prefix {
            self.raw_string();
        }
    }

    /// After `r`: the hashes and the string; what has no quote after its hashes is a raw identifier.
    fn raw_string(&mut self) {
        let rest = &self.bytes[self.position()..];
        let hashes = rest.iter().take_while(|&&byte| byte == b'#').count();
        if rest.get(hashes) != Some(&b'"') {
            return;
        }
        let mut end = vec![b'"'];
        end.resize(hashes + 1, b'#');
        let content = &rest[hashes + 1..];
        let length = content.windows(end.len()).position(|window| window == end).unwrap_or(content.len());
        self.keep(hashes + 1);
        self.blank(length);
        self.keep(end.len());
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn character_width(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::code_only;

    #[test]
    fn blanks_comments_and_keeps_lines() {
        assert_eq!(code_only("a // { b\nc /* { /* } */ \n */ d"), "a       \nc              \n    d");
    }

    #[test]
    fn blanks_strings_with_escapes() {
        assert_eq!(code_only(r#"f("a\"{", b"}")"#), r#"f("    ", b" ")"#);
    }

    #[test]
    fn blanks_raw_strings_and_leaves_raw_identifiers() {
        assert_eq!(code_only(r###"r#"a"{"# + r#fn + r"\" }"###), r###"r#"   "# + r#fn + r" " }"###);
    }

    #[test]
    fn a_word_that_ends_in_r_starts_no_raw_string() {
        assert_eq!(code_only(r#"for"\"{""#), r#"for"   ""#);
    }

    #[test]
    fn tells_characters_from_lifetimes() {
        assert_eq!(code_only("fn f<'a>(x: &'a str) { '{' }"), "fn f<'a>(x: &'a str) { ' ' }");
        assert_eq!(code_only(r"['\'', '\u{7b}', 'é', b'{', '\\']"), r"['  ', '      ', '  ', b' ', '  ']");
        assert_eq!(code_only("'outer: loop { break 'outer; }"), "'outer: loop { break 'outer; }");
    }

    #[test]
    fn an_unfinished_literal_ends_with_the_file() {
        assert_eq!(code_only("\"ab"), "\"  ");
        assert_eq!(code_only("r#\"ab\""), "r#\"   ");
        assert_eq!(code_only("'"), "'");
    }
}
