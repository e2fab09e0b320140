//! One Rust file for the rules: its text, its code without comments and literals, the lines of its tests, and its
//! written exceptions.

use std::ops::RangeInclusive;

use super::mask::code_only;

/// A Rust source file.
pub(crate) struct Source {
    /// Relative to the repository root, with forward slashes.
    pub(crate) path: String,
    /// As it is on disk.
    pub(crate) text: String,
    /// The same, with comments and the inside of literals blanked.
    pub(crate) code: String,
    line_starts: Vec<usize>,
    tests: Vec<RangeInclusive<usize>>,
}

impl Source {
    /// Scans a file once for every rule.
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let (path, text) = (path.into(), text.into());
        let code = code_only(&text);
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        let mut source = Self { path, text, code, line_starts, tests: Vec::new() };
        source.tests = source.test_items();
        source
    }

    /// The line, counted from one, that an offset stands on.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset)
    }

    /// The offset after the brace that closes the one at `open`.
    pub(crate) fn end_of_block(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (at, byte) in self.code.bytes().enumerate().skip(open) {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// Whether the line belongs to a test: its file, its module or its function.
    pub(crate) fn is_test(&self, line: usize) -> bool {
        is_test_path(&self.path) || self.tests.iter().any(|lines| lines.contains(&line))
    }

    /// Whether `// tidy: allow(rule) because …` stands above the line or above its attributes.
    pub(crate) fn is_excused(&self, line: usize, rule: &str) -> bool {
        let marker = format!("// tidy: allow({rule}) because ");
        (1..line)
            .rev()
            .map(|above| self.line(above).trim())
            .take_while(|text| text.starts_with("//") || text.starts_with("#["))
            .any(|text| text.strip_prefix(&marker).is_some_and(|reason| reason.len() > 10))
    }

    fn line(&self, number: usize) -> &str {
        let start = self.line_starts[number - 1];
        let end = self.line_starts.get(number).copied().unwrap_or(self.text.len());
        &self.text[start..end]
    }

    /// The lines of every item under `#[cfg(test)]` or a test attribute.
    fn test_items(&self) -> Vec<RangeInclusive<usize>> {
        ["#[cfg(test)]", "#[cfg(any(test", "#[cfg(all(test", "#[test]", "::test]", "::test("]
            .iter()
            .flat_map(|attribute| self.code.match_indices(attribute))
            .filter_map(|(at, _)| {
                let open = at + self.code[at..].find(['{', ';'])?;
                let end = self.end_of_block(open)?;
                Some(self.line_of(at)..=self.line_of(end))
            })
            .collect()
    }
}

fn is_test_path(path: &str) -> bool {
    let mut folders = path.split('/').collect::<Vec<_>>();
    let file = folders.pop().unwrap_or_default();
    let in_folder = folders.iter().any(|folder| matches!(*folder, "tests" | "benches" | "examples"));
    in_folder || file == "tests.rs" || file.ends_with("_tests.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n";

    #[test]
    fn knows_which_lines_are_tests() {
        let source = Source::new("crates/x/src/lib.rs", TEXT);
        let tests: Vec<usize> = (1..=6).filter(|line| source.is_test(*line)).collect();
        assert_eq!(tests, [2, 3, 4, 5]);
        assert!(Source::new("crates/x/tests/a.rs", TEXT).is_test(1));
        assert!(Source::new("crates/x/src/tests.rs", TEXT).is_test(1));
    }

    #[test]
    fn a_test_module_in_its_own_file_hides_nothing_after_it() {
        let source = Source::new("crates/x/src/lib.rs", "#[cfg(test)]\nmod tests;\nfn a() {}\n");
        assert!(!source.is_test(3));
    }

    #[test]
    fn an_exception_needs_a_reason_and_a_place() {
        let excused = |text: &str, line| Source::new("a.rs", text).is_excused(line, "status");
        assert!(excused("// tidy: allow(status) because the table is one table\n#[x]\nfn a() {}", 3));
        assert!(!excused("// tidy: allow(status) because \nfn a() {}", 2));
        assert!(!excused("// tidy: allow(engine) because it is an engine\nfn a() {}", 2));
        assert!(!excused("// tidy: allow(status) because it is an edge\n\nfn a() {}", 3));
    }
}
