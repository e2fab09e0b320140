//! The results of a test run: the number of tests, the time of each, and what the failed ones said. It reads the lines
//! that test binaries, stories and cases print.

use super::tally::Tally;

const SLOWEST: usize = 20;
const LINES_OF_A_FAILURE: usize = 30;

/// A run of tests.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// How many there were.
    pub(super) tally: Tally,
    tests: Vec<Timed>,
    failures: Vec<Failure>,
    /// Whether the lines that come belong to the last failure.
    inside_a_failure: bool,
}

/// A test that failed, with the first lines of what it said.
#[derive(Debug)]
struct Failure {
    name: String,
    said: Vec<String>,
}

#[derive(Debug)]
struct Timed {
    name: String,
    seconds: f64,
}

impl Report {
    /// Reads a line that a binary printed.
    pub(super) fn read(&mut self, binary: &str, line: &str) {
        if let Some(counted) = Tally::from_test_result(line) {
            self.tally.add(&counted);
        }
        if let Some((test, seconds)) = timed(line) {
            self.tests.push(Timed { name: format!("{binary} {test}"), seconds });
        }
        self.read_failure(binary, line);
    }

    /// Reads the part of the output where the failed tests follow one another, each under a headline of its own.
    fn read_failure(&mut self, binary: &str, line: &str) {
        if let Some(test) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            self.failures.push(Failure { name: format!("{binary} {test}"), said: Vec::new() });
            self.inside_a_failure = true;
        } else if line == "failures:" || line.starts_with("test result: ") {
            self.inside_a_failure = false;
        } else {
            self.keep_what_it_said(line);
        }
    }

    /// Reads a line that stories or cases printed: `ok NAME` or `FAIL NAME`, then lines of what went wrong.
    pub(super) fn read_case(&mut self, step: &str, line: &str) {
        if let Some(counted) = Tally::from_tests_line(line) {
            self.tally.add(&counted);
            self.inside_a_failure = false;
        } else if let Some(case) = line.trim_start().strip_prefix("FAIL ") {
            self.failures.push(Failure { name: format!("{step}: {}", case.trim()), said: Vec::new() });
            self.inside_a_failure = true;
        } else if line.trim_start().starts_with("ok ") {
            self.inside_a_failure = false;
        } else {
            self.keep_what_it_said(line);
        }
    }

    fn keep_what_it_said(&mut self, line: &str) {
        if let Some(failure) = self.failures.last_mut().filter(|_| self.inside_a_failure)
            && failure.said.len() < LINES_OF_A_FAILURE
            && !line.trim().is_empty()
        {
            failure.said.push(line.to_owned());
        }
    }

    /// The failed tests, each with the first lines of what it said.
    pub(super) fn failures(&self) -> Vec<String> {
        let line = |failure: &Failure| format!("{}\n    {}", failure.name, failure.said.join("\n    "));
        self.failures.iter().map(line).collect()
    }

    /// The slowest tests, one a line.
    pub(super) fn slowest(mut self) -> Vec<String> {
        self.tests.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        let line = |test: &Timed| format!("{:8.2} s  {}", test.seconds, test.name);
        self.tests.iter().take(SLOWEST).map(line).collect()
    }
}

/// Reads `test a::b ... ok <0.012s>`; any other line is none.
fn timed(line: &str) -> Option<(&str, f64)> {
    let (test, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let (_, seconds) = result.strip_suffix("s>")?.rsplit_once('<')?;
    Some((test, seconds.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_and_the_slowest_comes_first() {
        let mut report = Report::default();
        for line in [
            "running 3 tests",
            "test quick ... ok <0.001s>",
            "test area::slow ... FAILED <2.500s>",
            "test left_out ... ignored",
            "test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 2.50s",
        ] {
            report.read("store", line);
        }
        assert_eq!(report.tally, Tally { passed: 1, failed: 1, skipped: 1 });
        assert_eq!(report.slowest(), ["    2.50 s  store area::slow", "    0.00 s  store quick"]);
    }

    #[test]
    fn a_failed_test_is_kept_with_what_it_said() {
        let mut report = Report::default();
        for line in [
            "test area::slow ... FAILED <2.500s>",
            "failures:",
            "",
            "---- area::slow stdout ----",
            "",
            "thread 'area::slow' panicked at tests/area.rs:3:5:",
            "two is not three",
            "failures:",
            "    area::slow",
            "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 2.50s",
        ] {
            report.read("store", line);
        }
        let expected =
            "store area::slow\n    thread 'area::slow' panicked at tests/area.rs:3:5:\n    two is not three";
        assert_eq!(report.failures(), [expected]);
    }

    #[test]
    fn a_failed_story_is_kept_with_what_it_said() {
        let mut report = Report::default();
        for line in [
            "a team runs a sprint",
            "  ok      1.0 s  it begins",
            "  FAIL    2.0 s  it ends Error: no button",
            "       at sprint.mjs:3",
            "  ok      3.0 s  the browser closes",
            "another story",
            "      Tests  2 passed | 1 failed",
        ] {
            report.read_case("stories", line);
        }
        assert_eq!(report.tally, Tally { passed: 2, failed: 1, skipped: 0 });
        let expected = "stories: 2.0 s  it ends Error: no button\n           at sprint.mjs:3";
        assert_eq!(report.failures(), [expected]);
    }

    #[test]
    fn a_line_without_a_time_names_no_test() {
        assert_eq!(timed("test a::b ... ok"), None);
        assert_eq!(timed("a test ... ok <0.1s>"), None);
        assert_eq!(timed("test a::b - should panic ... ok <0.250s>"), Some(("a::b - should panic", 0.25)));
    }
}
