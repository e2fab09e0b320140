//! The command line as others on the machine see it: passwords come from the standard input and obey the policy.
//! What the commands do to people is tested through the interface.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(directory: &Path, words: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_planwright"))
        .arg("--data-dir")
        .arg(directory)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut pipe = child.stdin.take().expect("the input is a pipe");
    // A command that refuses its words reads nothing.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("the command ends")
}

#[test]
fn passwords_are_read_from_the_standard_input_and_have_to_be_good_enough() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let add = ["user", "add", "mara"];
    let refused = run(directory.path(), &["user", "add", "mara", "--password", "copper-lantern-7"], "");
    assert!(!refused.status.success(), "a command line is no place for a password");
    for (weak, why) in [("short\n", "at least 10"), ("Password123\n", "published"), ("", "at least 10")] {
        let refused = run(directory.path(), &add, weak);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains(why), "{weak:?}: {said}");
    }
    let added = run(directory.path(), &add, "copper lantern northbound\n");
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let changed = run(directory.path(), &["user", "set-password", "mara"], "another lantern\n");
    assert!(changed.status.success(), "{}", String::from_utf8_lossy(&changed.stderr));
    let weak = run(directory.path(), &["user", "set-password", "mara"], "1234567890\n");
    assert!(!weak.status.success());
}
