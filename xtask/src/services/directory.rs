//! A temporary directory of the account that runs the servers. It is removed when dropped. PostgreSQL refuses to run
//! as root, so root gives everything to an unprivileged account.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::install::output_of;

/// Where Linux keeps files in memory.
const MEMORY: &str = "/dev/shm";

/// What the servers and the tests need at most, with room to spare.
const ENOUGH_BYTES: u64 = 2 << 30;

/// Where the private servers keep their files, and the account that owns them.
pub(crate) struct PrivateDirectory {
    path: PathBuf,
    account: Option<Account>,
}

/// A user and group to become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Account {
    user: u32,
    group: u32,
}

impl PrivateDirectory {
    /// Creates a new one, in memory where there is room: every test makes and drops a database of hundreds of files,
    /// for each of which a busy disk takes a millisecond.
    pub(crate) fn create() -> Result<Self> {
        let parent = if has_room(MEMORY) { MEMORY.into() } else { std::env::temp_dir() };
        let path = create_unused(&parent)?;
        let mut directory = Self { path, account: None };
        let is_root = fs::metadata(&directory.path)?.uid() == 0;
        if is_root {
            let account = unprivileged_account(&fs::read_to_string("/etc/passwd")?)?;
            chown(&directory.path, Some(account.user), Some(account.group))
                .context("could not hand the temporary directory to the unprivileged account")?;
            directory.account = Some(account);
        }
        Ok(directory)
    }

    /// The directory itself.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A command that runs in the directory as its owner, with no input.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.path).env("HOME", &self.path).stdin(Stdio::null());
        if let Some(account) = self.account {
            command.uid(account.user).gid(account.group);
        }
        command
    }
}

impl Drop for PrivateDirectory {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            eprintln!("could not remove {}: {error}", self.path.display());
        }
    }
}

fn has_room(place: &str) -> bool {
    let free = output_of("df", &["--block-size=1", "--output=avail", place]);
    free.and_then(|said| said.lines().last()?.trim().parse().ok())
        .is_some_and(|free: u64| free >= ENOUGH_BYTES)
}

fn create_unused(parent: &Path) -> Result<PathBuf> {
    for attempt in 0..100 {
        let path = parent.join(format!("planwright-services-{}-{attempt}", std::process::id()));
        match fs::DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(|| format!("could not create {}", path.display())),
        }
    }
    bail!("{} is full of left-over planwright-services directories", parent.display())
}

fn unprivileged_account(accounts: &str) -> Result<Account> {
    ["postgres", "nobody"]
        .iter()
        .find_map(|wanted| accounts.lines().find_map(|line| account_named(line, wanted)))
        .context(
            "running as root, and there is neither a `postgres` nor a `nobody` user to run PostgreSQL as",
        )
}

fn account_named(line: &str, wanted: &str) -> Option<Account> {
    let mut fields = line.split(':');
    if fields.next() != Some(wanted) {
        return None;
    }
    let user = fields.nth(1)?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    Some(Account { user, group })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefers_the_postgres_account_wherever_it_stands() {
        let accounts =
            "root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/false\npostgres:x:104:112::/:/bin/sh";
        assert_eq!(unprivileged_account(accounts).unwrap(), Account { user: 104, group: 112 });
    }

    #[test]
    fn falls_back_to_nobody_and_refuses_without() {
        let nobody = "nobody:x:65534:65533::/:/bin/false";
        assert_eq!(unprivileged_account(nobody).unwrap(), Account { user: 65534, group: 65533 });
        assert!(unprivileged_account("root:x:0:0::/:/bin/sh").is_err());
    }
}
