//! Every statement of an import, by what it is about. Most write many rows of one table at once.

pub(super) mod around;
pub(super) mod library;
pub(super) mod links;
pub(super) mod records;
pub(super) mod replacement;
pub(super) mod skills;
pub(super) mod tasks;
