//! A restore that is killed at each of its steps: afterwards there is one whole installation, the old one or the new one.
//! The killed process is this very binary, run again for one of its tests.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use planwright_accounts::people::{self, NewPerson};
use planwright_domain::{Clock, Role};
use planwright_server::backup::{self, restore};
use planwright_server::{Settings, assemble};

const SELF: &str = "PLANWRIGHT_TEST_RESTORE";

/// The steps of a restore, in order.
const STEPS: [&str; 11] = [
    "the backup was checked",
    "the installation is ours alone",
    "leftovers are gone",
    "the new database is written",
    "the new database is checked",
    "the rest is written",
    "the old database is in one file",
    "the old database has a second name",
    "what is left to do is noted",
    "the new database has taken over",
    "the rest is in place",
];

fn settings(home: &Path) -> Settings {
    Settings::load(home.to_owned(), &HashMap::new(), |_| None).unwrap()
}

/// Adds somebody to an installation, which is made if it is not there.
async fn add(home: &Path, name: &str) {
    let db = assemble::open_database(&settings(home), Clock::machine()).unwrap();
    planwright_store::migrate::apply(&db).await.unwrap();
    let person = NewPerson {
        first_name: String::new(),
        last_name: String::new(),
        username: name.into(),
        email: String::new(),
        password_hash: None,
        workspace_role: Role::Owner,
    };
    people::add(&db, &person).await.unwrap();
}

/// Who is in an installation and what its secret is, as the next start finds it.
async fn found(home: &Path) -> (Vec<String>, String) {
    let db = assemble::open_existing(&settings(home), Clock::machine()).unwrap();
    assemble::check_schema(&settings(home), &db).await.unwrap();
    assert_eq!(db.quick_check().await.unwrap(), Vec::<String>::new());
    let people = people::everybody(&db).await.unwrap();
    let secret = std::fs::read_to_string(home.join("secret_key")).unwrap();
    (people.into_iter().map(|person| person.username).collect(), secret)
}

/// An installation with `old`, and a backup with `new` in it.
async fn prepared() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let (home, other, kept) =
        (directory.path().join("home"), directory.path().join("other"), directory.path().join("backup"));
    add(&other, "new").await;
    std::fs::write(other.join("secret_key"), "new-".repeat(10)).unwrap();
    std::fs::create_dir(other.join("mail")).unwrap();
    std::fs::write(other.join("mail/a.eml"), "a mail").unwrap();
    std::fs::create_dir_all(other.join("attachments/ab")).unwrap();
    std::fs::write(other.join("attachments/ab/cdef"), "a file").unwrap();
    backup::make(&settings(&other), &kept).await.unwrap();
    add(&home, "old").await;
    std::fs::write(home.join("secret_key"), "old-".repeat(10)).unwrap();
    (directory, home, kept)
}

/// Not a test of its own: what the others run and kill.
#[tokio::test]
async fn the_process_that_is_killed() {
    let Ok(words) = std::env::var(SELF) else { return };
    let words: Vec<&str> = words.split('\n').collect();
    let reached = |step: &str| {
        if step == words[2] {
            std::process::abort();
        }
    };
    restore::restore(&settings(Path::new(words[0])), Path::new(words[1]), true, &reached).await.unwrap();
}

fn kill_at(step: &str, home: &Path, kept: &Path) {
    let words = format!("{}\n{}\n{step}", home.display(), kept.display());
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "restoring::the_process_that_is_killed"])
        .env(SELF, words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(!ended.unwrap().success(), "no step is called {step:?}, or it came to its end");
}

#[tokio::test]
async fn a_restore_that_is_killed_leaves_the_old_installation_or_the_new_one() {
    for step in STEPS {
        let (_directory, home, kept) = prepared().await;
        kill_at(step, &home, &kept);
        let whole = [("old", "old-".repeat(10)), ("new", "new-".repeat(10))];
        let now = found(&home).await;
        let is_new = STEPS.iter().position(|other| *other == step) >= Some(9);
        let (name, secret) = &whole[usize::from(is_new)];
        assert_eq!(now, (vec![(*name).to_owned()], secret.clone()), "killed when {step}");
        assert_eq!(home.join("mail/a.eml").exists(), is_new, "killed when {step}");
        assert_eq!(home.join("attachments/ab/cdef").exists(), is_new, "killed when {step}");
        // The same restore again comes to its end, whatever the first one left.
        restore::restore(&settings(&home), &kept, true, &|_| {}).await.unwrap();
        assert_eq!(found(&home).await.0, ["new"], "after one that was killed when {step}");
        assert!(!home.join("restoring").exists() && !home.join("planwright.db.restoring").exists());
    }
}

#[tokio::test]
async fn the_steps_are_those_that_are_killed() {
    let (_directory, home, kept) = prepared().await;
    let told = std::cell::RefCell::new(Vec::new());
    let tell = |step: &str| told.borrow_mut().push(step.to_owned());
    let restored = restore::restore(&settings(&home), &kept, true, &tell).await.unwrap();
    let old = restored.kept.expect("the old database is kept");
    assert_eq!(told.into_inner(), STEPS);
    assert!(planwright_store::backup::inspect(&old).unwrap().faults.is_empty());
}

#[tokio::test]
async fn a_backup_that_is_not_whole_replaces_nothing() {
    let (_directory, home, kept) = prepared().await;
    let database = kept.join("planwright.db");
    let good = std::fs::read(&database).unwrap();
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for (broken, why) in
        [(flipped, "changed after"), (good[..100].to_vec(), "changed after"), (vec![], "changed after")]
    {
        std::fs::write(&database, broken).unwrap();
        let refused =
            format!("{:#}", restore::restore(&settings(&home), &kept, true, &|_| {}).await.unwrap_err());
        assert!(refused.contains(why), "{refused}");
        assert!(backup::verify(&kept).is_err());
        assert_eq!(found(&home).await.0, ["old"]);
    }
    // Without checksums, as older versions wrote them, what is broken is found by looking into it.
    std::fs::remove_file(kept.join("backup.json")).unwrap();
    std::fs::write(&database, &good[..good.len() / 2]).unwrap();
    assert!(restore::restore(&settings(&home), &kept, true, &|_| {}).await.is_err());
    assert_eq!(found(&home).await.0, ["old"]);
    std::fs::write(&database, good).unwrap();
    assert!(!restore::restore(&settings(&home), &kept, true, &|_| {}).await.unwrap().has_manifest);
    assert_eq!(found(&home).await.0, ["new"]);
}

#[tokio::test]
async fn nothing_is_restored_beside_a_process_that_uses_the_database_or_without_force() {
    let (_directory, home, kept) = prepared().await;
    let refused = restore::restore(&settings(&home), &kept, false, &|_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("--force"), "{refused}");
    let server = assemble::open_database(&settings(&home), Clock::machine()).unwrap();
    let refused = restore::restore(&settings(&home), &kept, true, &|_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("stop the server first"), "{refused}");
    drop(server);
    assert_eq!(found(&home).await.0, ["old"]);
}

#[tokio::test]
async fn a_backup_that_is_interrupted_never_has_its_name() {
    let (directory, home, _) = prepared().await;
    let target = directory.path().join("second");
    std::fs::write(home.join("files"), "no directory").unwrap();
    std::fs::remove_file(home.join("secret_key")).unwrap();
    std::fs::create_dir(home.join("secret_key")).unwrap();
    assert!(backup::make(&settings(&home), &target).await.is_err());
    assert!(!target.exists());
}
