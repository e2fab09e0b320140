//! XER, the exchange format of Primavera P6: read into a document and written from one.
//! `tables.rs` knows how a file is built, `codes.rs` its words, `calendars.rs` the text in which it keeps calendars.

mod calendars;
mod codes;
mod fields;
mod outline;
mod read;
mod tables;
mod write;

pub use read::read;
pub use write::write;
