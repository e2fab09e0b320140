//! Reads JSON text into values with the strictness an upload deserves: no duplicate keys, no NUL characters, no
//! lone surrogates, no more than 64 levels. It knows nothing of seed documents.

use serde_json::{Map, Number, Value};

use super::problems::Problems;

/// How deep objects and lists may be nested.
pub(crate) const MAX_DEPTH: usize = 64;

/// Reads one JSON text. `Err` is a text that is not JSON at all; flaws with a place in an otherwise readable text
/// go to `problems`.
pub(crate) fn read(bytes: &[u8], problems: &mut Problems) -> Result<Value, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("The document is not UTF-8 text (byte {}).", error.valid_up_to()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { text, position: 0, path: Vec::new(), problems };
    let value = reader.value()?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.failure("text after the end of the document")),
    }
}

enum Step {
    Key(String),
    Index(usize),
}

struct Reader<'t, 'p> {
    text: &'t str,
    position: usize,
    path: Vec<Step>,
    problems: &'p mut Problems,
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.position += 1;
        }
    }

    fn failure(&self, what: &str) -> String {
        let before = &self.text.as_bytes()[..self.position.min(self.text.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|byte| **byte != b'\n').count();
        format!("The document is not JSON: {what} at line {line}, column {column}.")
    }

    fn unexpected(&self) -> String {
        match self.peek() {
            None => self.failure("it ends too early,"),
            Some(_) => self.failure("unexpected character"),
        }
    }

    fn place(&self) -> String {
        let mut place = String::from("$");
        for step in &self.path {
            match step {
                Step::Key(key) => place = super::problems::child(&place, key),
                Step::Index(index) => place.push_str(&format!("[{index}]")),
            }
        }
        place
    }

    fn report(&mut self, message: &str) {
        let place = self.place();
        self.problems.add(&place, message);
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.peek() == Some(byte) {
            self.position += 1;
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => self.string().map(Value::String),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.unexpected()),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, String> {
        if self.text.as_bytes()[self.position..].starts_with(word.as_bytes()) {
            self.position += word.len();
            Ok(value)
        } else {
            Err(self.unexpected())
        }
    }

    fn descend(&mut self, step: Step) -> Result<(), String> {
        self.path.push(step);
        if self.path.len() > MAX_DEPTH {
            return Err(format!(
                "The document is nested deeper than {MAX_DEPTH} levels, below {}.",
                self.place()
            ));
        }
        Ok(())
    }

    fn object(&mut self) -> Result<Value, String> {
        self.position += 1;
        let mut map = Map::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.position += 1;
            return Ok(Value::Object(map));
        }
        loop {
            self.skip_space();
            let key = self.string()?;
            self.skip_space();
            self.expect(b':')?;
            self.descend(Step::Key(key.clone()))?;
            let value = self.value()?;
            if map.contains_key(&key) {
                self.report("this key appears twice in its object");
            } else {
                map.insert(key, value);
            }
            self.path.pop();
            self.skip_space();
            match self.peek() {
                Some(b',') => self.position += 1,
                Some(b'}') => {
                    self.position += 1;
                    return Ok(Value::Object(map));
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn list(&mut self) -> Result<Value, String> {
        self.position += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.position += 1;
            return Ok(Value::Array(items));
        }
        loop {
            self.descend(Step::Index(items.len()))?;
            items.push(self.value()?);
            self.path.pop();
            self.skip_space();
            match self.peek() {
                Some(b',') => self.position += 1,
                Some(b']') => {
                    self.position += 1;
                    return Ok(Value::Array(items));
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.position;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.position += 1;
        }
        let digits = &self.text[start..self.position];
        match serde_json::from_str::<Number>(digits) {
            // The standard library's reading is exact to the last bit, which writing the number again relies on.
            Ok(number) if number.is_f64() => {
                let exact = digits.parse().ok().and_then(Number::from_f64);
                Ok(Value::Number(exact.unwrap_or(number)))
            }
            Ok(number) => Ok(Value::Number(number)),
            Err(error) if error.to_string().starts_with("number out of range") => {
                self.report("this number is too large");
                Ok(Value::Null)
            }
            Err(_) => {
                self.position = start;
                Err(self.failure("a malformed number"))
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect(b'"')?;
        let mut out = String::new();
        let mut run = self.position;
        loop {
            match self.peek() {
                Some(b'"') => {
                    out.push_str(&self.text[run..self.position]);
                    self.position += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    out.push_str(&self.text[run..self.position]);
                    self.position += 1;
                    let escaped = self.escape()?;
                    out.push(escaped);
                    run = self.position;
                }
                Some(0) => return Err(self.failure("a NUL character")),
                Some(byte) if byte < 0x20 => return Err(self.failure("a control character inside a text")),
                Some(_) => self.position += 1,
                None => return Err(self.failure("a text that never ends,")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let byte = self.peek().ok_or_else(|| self.unexpected())?;
        let plain = match byte {
            b'"' | b'\\' | b'/' => byte as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(),
            _ => return Err(self.failure("an unknown escape")),
        };
        self.position += 1;
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Result<char, String> {
        self.position += 1;
        let first = self.four_digits()?;
        if first == 0 {
            self.report("contains a NUL character");
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        if let Some(plain) = char::from_u32(first) {
            return Ok(plain);
        }
        if first < 0xDC00 && self.text.as_bytes()[self.position..].starts_with(b"\\u") {
            let rest = self.position;
            self.position += 2;
            let second = self.four_digits()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            // The second half is a character of its own: read it again from its backslash.
            self.position = rest;
        }
        self.report("contains half of a surrogate pair");
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn four_digits(&mut self) -> Result<u32, String> {
        let digits = self.text.as_bytes().get(self.position..self.position + 4);
        let Some(digits) = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit)) else {
            return Err(self.failure("a malformed \\u escape"));
        };
        let code = digits.iter().fold(0, |sum, digit| sum * 16 + (*digit as char).to_digit(16).unwrap_or(0));
        self.position += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str) -> (Result<Value, String>, Vec<String>) {
        let mut problems = Problems::default();
        let value = read(text.as_bytes(), &mut problems);
        (value, problems.into_list())
    }

    #[test]
    fn what_serde_reads_is_read_the_same_way() {
        for text in [
            r#"{"a": [1, -2.5, 1e3, true, false, null, "x\n\u00e9\ud83d\ude00\/"], "b": {}}"#,
            "[]",
            " 12 ",
            r#""""#,
            r#"{"": {"a b": []}}"#,
        ] {
            let (value, problems) = outcome(text);
            assert_eq!(value.unwrap(), serde_json::from_str::<Value>(text).unwrap());
            assert!(problems.is_empty());
        }
    }

    #[test]
    fn what_is_not_json_gets_one_message_with_its_place() {
        for (text, message) in [
            ("", "The document is not JSON: it ends too early, at line 1, column 1."),
            ("{\n \"a\": x}", "The document is not JSON: unexpected character at line 2, column 7."),
            ("{} {}", "The document is not JSON: text after the end of the document at line 1, column 4."),
            ("[01]", "The document is not JSON: a malformed number at line 1, column 2."),
            ("[1,]", "The document is not JSON: unexpected character at line 1, column 4."),
            ("\"a\u{0}\"", "The document is not JSON: a NUL character at line 1, column 3."),
        ] {
            assert_eq!(outcome(text).0.unwrap_err(), message, "{text}");
        }
        let mut problems = Problems::default();
        assert!(read(b"[\"\xff\"]", &mut problems).unwrap_err().contains("not UTF-8"));
    }

    #[test]
    fn endless_nesting_is_refused_without_exhausting_the_stack() {
        for bracket in ["[", "{\"a\":"] {
            let (value, _) = outcome(&bracket.repeat(5_000_000 / bracket.len()));
            assert!(value.unwrap_err().starts_with("The document is nested deeper than 64 levels, below $"));
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_named() {
        let (_, problems) = outcome(r#"{"a": [{"b": 1, "b": 2}]}"#);
        assert_eq!(problems, ["$.a[0].b: this key appears twice in its object"]);
    }

    #[test]
    fn nul_characters_and_lone_surrogates_are_named() {
        let (_, problems) = outcome(r#"{"a": "x\u0000", "b": ["\ud800", "\ud800\u0041", "\udc00"]}"#);
        assert_eq!(
            problems,
            [
                "$.a: contains a NUL character",
                "$.b[0]: contains half of a surrogate pair",
                "$.b[1]: contains half of a surrogate pair",
                "$.b[2]: contains half of a surrogate pair",
            ]
        );
    }

    #[test]
    fn a_number_beyond_all_bounds_is_named() {
        let (_, problems) = outcome(r#"{"a": 1e999}"#);
        assert_eq!(problems, ["$.a: this number is too large"]);
    }
}
