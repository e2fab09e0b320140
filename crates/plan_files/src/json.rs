//! What a text in JSON holds: a seed document or plans in the simple format of the engine.

/// What the bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// One seed document.
    #[default]
    Seed,
    /// One plan in the engine's simple format; answered with one line of JSON.
    Simple,
    /// One such plan a line; answered with one line each.
    SimpleLines,
}

impl Format {
    /// What a file holds, by the keys of its outermost object: a seed document has a version or a program, a plan in the
    /// simple format has tasks of its own. What is neither is read as a seed document, whose errors are the clearer ones.
    pub fn of(bytes: &[u8]) -> Self {
        let Ok(serde_json::Value::Object(outermost)) = serde_json::from_slice(bytes) else {
            return Format::Seed;
        };
        let is_seed = ["schema_version", "program"].iter().any(|key| outermost.contains_key(*key));
        match !is_seed && outermost.contains_key("tasks") {
            true => Format::Simple,
            false => Format::Seed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn a_file_says_by_its_keys_what_it_is() {
        let of = |text: &str| Format::of(text.as_bytes());
        assert_eq!(of(r#"{"schema_version": "2.0", "tasks": []}"#), Format::Seed);
        assert_eq!(of(r#"{"program": {}, "projects": []}"#), Format::Seed);
        assert_eq!(of(r#"{"start": "2026-01-05", "tasks": []}"#), Format::Simple);
        assert_eq!(of("no JSON"), Format::Seed);
    }
}
