//! The interface through its front door: people as clients, on both engines, a file for each area.

mod calendars;
mod edge;
mod import;
mod import_plans;
