//! The number of passed, failed and skipped tests, read from the output of `cargo test` and
//! other runners.

use std::fmt;

/// Counts of tests and steps.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Passed.
    pub(crate) passed: usize,
    /// Failed.
    pub(crate) failed: usize,
    /// Skipped.
    pub(crate) skipped: usize,
}

impl Tally {
    /// Adds another count to this one.
    pub(crate) fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// Reads `test result: ok. 3 passed; 0 failed; 1 ignored; …`; any other line is none.
    pub(crate) fn from_test_result(line: &str) -> Option<Self> {
        let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let mut tally = Self::default();
        for part in counts.split(';') {
            let Some((number, what)) = part.trim().split_once(' ') else { continue };
            let Ok(number) = number.parse() else { continue };
            match what {
                "passed" => tally.passed = number,
                "failed" => tally.failed = number,
                "ignored" => tally.skipped = number,
                _ => {}
            }
        }
        Some(tally)
    }

    /// Reads `Tests  1 failed | 69 passed (70)`, as Vitest and our stories print it; any other line is none.
    pub(crate) fn from_tests_line(line: &str) -> Option<Self> {
        let counts = line.trim().strip_prefix("Tests  ")?;
        let mut tally = Self::default();
        for part in counts.split('|') {
            let mut words = part.split_whitespace();
            let (Some(number), Some(what)) = (words.next(), words.next()) else { continue };
            let Ok(number) = number.parse() else { continue };
            match what {
                "passed" => tally.passed = number,
                "failed" => tally.failed = number,
                "skipped" | "todo" => tally.skipped += number,
                _ => {}
            }
        }
        Some(tally)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(formatter, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_result_line() {
        let line = "test result: FAILED. 12 passed; 2 failed; 3 ignored; 0 measured; 9 filtered out; finished in 0.01s";
        let expected = Tally { passed: 12, failed: 2, skipped: 3 };
        assert_eq!(Tally::from_test_result(line), Some(expected));
    }

    #[test]
    fn reads_the_line_of_other_runners() {
        let counted = Tally { passed: 69, failed: 1, skipped: 0 };
        assert_eq!(Tally::from_tests_line("      Tests  1 failed | 69 passed (70)"), Some(counted));
        assert_eq!(Tally::from_tests_line(" Test Files  16 passed (16)"), None);
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(Tally::from_test_result("test a::b ... ok"), None);
        assert_eq!(Tally::from_test_result("12 passed, 0 failed"), None);
    }

    #[test]
    fn skipped_is_said_only_when_there_is_something() {
        assert_eq!(Tally { passed: 1, failed: 0, skipped: 0 }.to_string(), "1 passed, 0 failed");
        assert_eq!(Tally { passed: 1, failed: 0, skipped: 2 }.to_string(), "1 passed, 0 failed, 2 skipped");
    }
}
