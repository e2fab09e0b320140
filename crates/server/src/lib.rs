//! The composition root: settings, every route, every job, what reacts to what, and the command line.
//! It decides nothing about planning. It only connects the crates.

mod application;
pub mod assemble;
pub mod backup;
pub mod commands;
pub mod document;
pub mod in_use;
pub mod invite_page;
pub mod listener;
pub mod otlp;
mod packed_files;
pub mod pages;
mod private;
pub mod probes;
pub mod reactions;
pub mod reset_page;
pub mod secrets;
pub mod settings;
pub mod share_page;
mod share_picture;
pub mod telemetry;
mod telemetry_test;
mod words;

pub use assemble::Server;
pub use settings::Settings;
