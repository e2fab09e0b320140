//! `planwright move`: from SQLite to PostgreSQL and back, interrupted in between, with nothing lost on the way.
//! The plan that moves is the sample; the commands are those that an operator types.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use planwright_store::OwnDatabase;

use crate::postgres_url;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../exchange/src/samples/software-launch.json");

fn command(home: &Path, database: &str, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_planwright"));
    command.arg("--data-dir").arg(home).args(words).env("SVC_DATABASE_URL", database);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(home: &Path, database: &str, words: &[&str], input: &str) -> Output {
    let mut child = command(home, database, words).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A data directory with somebody and the sample plan.
fn installation() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    done(&run(home.path(), "", &["user", "add", "mara"], "copper lantern northbound\n"));
    done(&run(home.path(), "", &["import", SAMPLE, "--owner", "mara"], ""));
    home
}

fn export(home: &Path, database: &str) -> String {
    done(&run(home, database, &["export", "software-launch"], ""))
}

#[tokio::test]
async fn an_installation_moves_to_another_file_and_back_without_a_difference() {
    let home = installation();
    let second = format!("sqlite:{}", home.path().join("second.db").display());
    move_there_and_back(home.path(), &second).await;
}

#[tokio::test]
#[cfg_attr(test, ignore = "needs PostgreSQL")]
async fn an_installation_moves_to_postgres_and_back_without_a_difference() {
    let own = OwnDatabase::empty(&postgres_url()).await.unwrap();
    move_there_and_back(installation().path(), &own.url()).await;
}

async fn move_there_and_back(home: &Path, second: &str) {
    let before = export(home, "");
    // Killed at different moments, it goes on where it was.
    for after_ms in [150, 250, 400] {
        let mut child = command(home, "", &["move", "--to", second]).spawn().unwrap();
        tokio::time::sleep(Duration::from_millis(after_ms)).await;
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let moved = run(home, "", &["move", "--to", second], "");
    let is_moved = String::from_utf8_lossy(&moved.stderr).contains("the target is not empty");
    assert!(moved.status.success() || is_moved, "{}", String::from_utf8_lossy(&moved.stderr));
    assert_eq!(export(home, second), before);
    assert!(done(&run(home, second, &["migrate", "--check"], "")).contains("in_sync"));

    let third = format!("sqlite:{}", home.join("third.db").display());
    let said = done(&run(home, second, &["move", "--to", &third], ""));
    assert!(said.contains("the exports of 1 programs are equal"), "{said}");
    assert_eq!(export(home, &third), before);
    let refused = run(home, second, &["move", "--to", &third], "");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("not empty"), "{said}");
}

#[test]
fn a_database_that_is_half_copied_serves_nobody_until_the_copy_is_finished() {
    let home = installation();
    let second = format!("sqlite:{}", home.path().join("second.db").display());
    let marked = planwright_store::Location::File(home.path().join("second.db"));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let db = planwright_store::Db::open(&marked, planwright_domain::Clock::machine()).unwrap();
        planwright_store::transfer::prepare(&db).await.unwrap();
    });
    let refused = run(home.path(), &second, &["user", "set-password", "mara"], "another lantern\n");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("has not finished copying"));
    done(&run(home.path(), "", &["move", "--to", &second], ""));
    done(&run(home.path(), &second, &["user", "set-password", "mara"], "another lantern\n"));
}
