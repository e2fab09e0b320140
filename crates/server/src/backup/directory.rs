//! Files and directories that have to be on the disk before something else happens, and copies of them.
//! Who may read them is decided in `private.rs`.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::private;

/// Waits until the names in a directory are on the disk. Where directories cannot be opened there is nothing to wait for.
pub fn sync(path: &Path) -> anyhow::Result<()> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    match cfg!(unix) {
        true => File::open(path)?.sync_all().with_context(|| format!("writing {}", path.display())),
        false => Ok(()),
    }
}

/// Copies a file that only its owner may read, and waits until it is on the disk.
pub fn copy_file(from: &Path, to: &Path) -> anyhow::Result<()> {
    let copy = || {
        std::fs::copy(from, to)?;
        private::tighten(to)?;
        File::options().write(true).open(to)?.sync_all()
    };
    copy().with_context(|| format!("copying {} to {}", from.display(), to.display()))
}

/// Copies what is in a directory into another, which may be there already. A file that goes away meanwhile is left out.
pub fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    private::directory(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => match copy_file(&entry.path(), &target) {
                Err(_) if !entry.path().exists() => remove(&target)?,
                copied => copied?,
            },
        }
    }
    sync(to)
}

/// Every file below a directory, by its path from there, sorted.
pub fn files_below(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(inner) = waiting.pop() {
        for entry in std::fs::read_dir(directory.join(&inner))? {
            let entry = entry?;
            let path = inner.join(entry.file_name());
            match entry.file_type()?.is_dir() {
                true => waiting.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Removes a file; nothing happens when there is none.
pub fn remove(path: &Path) -> anyhow::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Gives a file a second name, so that the first one can go to another file.
pub fn keep_as(path: &Path, name: &Path) -> anyhow::Result<()> {
    match std::fs::hard_link(path, name) {
        Ok(()) => Ok(()),
        // Some file systems know no second names.
        Err(_) => copy_file(path, name),
    }
}
