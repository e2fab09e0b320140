//! MSPDI, the XML form of Microsoft Project: read into a document and written from one.
//! What each number of the format means is in `codes.rs`; calendars are in `calendars.rs`.

mod breaks;
mod calendars;
mod codes;
mod fields;
mod read;
mod repeating;
mod work_weeks;
mod write;

pub use read::read;
pub use write::write;
