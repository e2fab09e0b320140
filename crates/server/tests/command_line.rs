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
    for (weak, why) in
        [("short\n", "at least 10"), ("Password123\n", "stolen passwords"), ("", "at least 10")]
    {
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

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn commands_that_read_make_nothing_where_there_is_no_database() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let nowhere = home.path().join("nowhere");
    let reading: [&[&str]; 8] = [
        &["user", "list"],
        &["user", "set-password", "mara"],
        &["migrate", "--check"],
        &["programs"],
        &["projects"],
        &["export", "a"],
        &["backup", "b"],
        &["import", "Cargo.toml", "--owner", "mara"],
    ];
    for words in reading {
        let refused = run(&nowhere, words, "");
        assert!(!refused.status.success() && said(&refused).contains("there is no database at"), "{words:?}");
    }
    assert_eq!(run(&nowhere, &["doctor"], "").status.code(), Some(1));
    assert!(!nowhere.exists());
}

#[test]
fn people_are_ranked_shut_out_and_removed_but_never_the_last_owner() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let user = |words: &[&str], input: &str| run(home.path(), &[&["user"], words].concat(), input);
    let done = |words: &[&str]| {
        let output = user(words, "");
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        said(&output)
    };
    user(&["add", "ona", "--workspace-role", "owner"], "copper lantern northbound\n");
    user(&["add", "mara"], "copper lantern northbound\n");
    for words in [&["rank", "ona", "member"][..], &["deactivate", "ona"], &["remove", "ona"]] {
        let refused = user(words, "");
        assert!(!refused.status.success() && said(&refused).contains("last one"), "{words:?}");
    }
    assert!(done(&["rank", "mara", "admin"]).contains("Admin"));
    assert!(done(&["rank", "mara", "admin"]).contains("nothing to do"));
    assert!(done(&["reset-link", "mara"]).contains("/reset-password/confirm/"));
    done(&["deactivate", "mara"]);
    assert!(done(&["list"]).contains("deactivated"));
    assert!(said(&user(&["reset-link", "mara"], "")).contains("mara is deactivated"));
    done(&["activate", "mara"]);
    done(&["sessions", "mara", "--end"]);
    done(&["remove", "mara"]);
    assert!(!done(&["list"]).contains("mara"));
    assert!(said(&user(&["rank", "mara", "owner"], "")).contains("no user called mara"));
}

#[cfg(unix)]
#[test]
fn a_clean_stop_leaves_all_data_in_the_database_file() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let server = Command::new(env!("CARGO_BIN_EXE_planwright"))
        .arg("--data-dir")
        .arg(home.path())
        .args(["serve", "--demo", "--listen", "127.0.0.1:0"])
        .env("SVC_LISTN", "x")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let database = home.path().join("planwright.db");
    for _ in 0..600 {
        // The sample is the last thing that a first start writes.
        let programs = run(home.path(), &["programs"], "");
        if programs.status.success() && said(&programs).contains("software-launch") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    let told = Command::new("kill").arg(server.id().to_string()).status().expect("kill runs");
    assert!(told.success());
    let ended = server.wait_with_output().expect("it ends");
    assert!(ended.status.success(), "{}", said(&ended));
    assert!(
        said(&ended).contains("no setting called SVC_LISTN; did you mean SVC_LISTEN?"),
        "{}",
        said(&ended)
    );
    let log = home.path().join("planwright.db-wal");
    assert_eq!(std::fs::metadata(log).map_or(0, |file| file.len()), 0);
    let found = planwright_store::backup::inspect(&database).expect("the file alone is a database");
    assert!(found.faults.is_empty() && found.migrations == planwright_store::migrate::MigrationState::InSync);
}

#[test]
fn an_output_that_nobody_reads_any_more_is_no_defect() {
    let home = tempfile::tempdir().expect("a directory can be made");
    let mut child = Command::new(env!("CARGO_BIN_EXE_planwright"))
        .arg("--data-dir")
        .arg(home.path())
        .arg("openapi")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("it ends");
    assert!(ended.status.success() && ended.stderr.is_empty(), "{}", said(&ended));
}
