//! The vocabulary every other crate speaks: typed ids, closed lists of words, roles, permissions and event names,
//! with the rules for values that several crates apply. It is not a place for behaviour that needs a database, a clock or a
//! request.

pub mod access;
pub mod booleans;
pub mod clock;
pub mod color;
pub mod custom_fields;
pub mod days;
pub mod events;
mod hex;
pub mod ids;
pub mod kpis;
pub mod media_types;
pub mod person;
pub mod roles;
pub mod sizes;
pub mod skills;
pub mod words;

pub use access::Action;
pub use clock::{Clock, Entropy};
pub use hex::hex;
pub use roles::Role;
