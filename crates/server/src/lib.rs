//! The composition root: settings, every route, every job, what reacts to what, and the command line.
//! It decides nothing about planning; it only puts the rooms together.

pub mod assemble;
pub mod commands;
pub mod listener;
pub mod pages;
mod private;
pub mod probes;
pub mod reactions;
pub mod secrets;
pub mod settings;

pub use assemble::Server;
pub use settings::Settings;
