//! Files and directories that only their owner may read: made so, and made so again at each start.
//! Where the system knows no such modes, nothing is done about them.

use std::io::{ErrorKind, Result, Write};
use std::path::Path;

/// Writes a file in one piece unless there is one of that name, which another process may make in the same moment.
pub fn write_missing(path: &Path, text: &str) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    match complete(path, text)?.persist_noclobber(path) {
        Err(failed) if failed.error.kind() != ErrorKind::AlreadyExists => Err(failed.error),
        _ => Ok(()),
    }
}

/// Writes a file in one piece; one of that name is replaced.
pub fn replace(path: &Path, text: &str) -> Result<()> {
    complete(path, text)?.persist(path).map(drop).map_err(|failed| failed.error)
}

/// Everything is on the disk before the file gets its name, so that no start reads half of it.
fn complete(path: &Path, text: &str) -> Result<tempfile::NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(directory.unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Makes a directory and those above it, and closes it to everybody else.
pub fn directory(path: &Path) -> Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    tighten(path)
}

/// Takes from everybody but the owner what they may do with a file or directory; nothing happens when there is none.
///
/// A directory that the system shares, such as `/tmp`, is left as it is.
#[cfg(unix)]
pub fn tighten(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    const SHARED: u32 = 0o1000;
    let permissions = match std::fs::metadata(path) {
        Ok(found) => found.permissions(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mode = permissions.mode();
    if mode & 0o077 == 0 || mode & SHARED != 0 {
        return Ok(());
    }
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode & 0o700))
}

/// The system knows no such modes.
#[cfg(not(unix))]
pub fn tighten(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_new_file_is_private_and_never_written_over_another() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("key");
        write_missing(&path, "one").unwrap();
        assert_eq!(mode(&path), 0o600);
        write_missing(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        replace(&path, "two").unwrap();
        assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("two", 0o600));
    }

    #[test]
    fn what_was_open_is_closed_to_others_and_shared_directories_are_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let (open, shared) = (home.path().join("open"), home.path().join("shared"));
        for (path, before) in [(&open, 0o755), (&shared, 0o1777)] {
            std::fs::create_dir(path).unwrap();
            std::fs::set_permissions(path, PermissionsExt::from_mode(before)).unwrap();
            directory(path).unwrap();
        }
        assert_eq!((mode(&open), mode(&shared)), (0o700, 0o1777));
        tighten(&home.path().join("missing")).unwrap();
    }
}
