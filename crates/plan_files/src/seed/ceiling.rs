//! How much of a file is taken in, and what is said of one that is larger. The settings that say so are elsewhere.

use planwright_domain::sizes::size_in_words;

/// How much of a file is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// The largest file, in bytes.
    pub bytes: usize,
    /// The most rows, which are tasks or issues.
    pub rows: usize,
}

impl Ceiling {
    /// No ceiling, for files that are at hand anyway.
    pub const NONE: Self = Self { bytes: usize::MAX, rows: usize::MAX };

    /// What is wrong with the size of a file, in megabytes.
    pub fn too_large(self) -> String {
        format!("The file may have at most {}.", size_in_words(self.bytes))
    }

    /// What is wrong with a file of more rows.
    pub fn too_long(self) -> String {
        format!("The file may have at most {} rows.", self.rows)
    }
}
