//! The interface through its front door: people as clients, on both engines, a file for each area.

mod bridges;
mod calendars;
mod contract_lists;
mod crossing;
mod dependencies;
mod documents;
mod edge;
mod import;
mod import_plans;
mod mail;
mod members;
mod openapi;
mod operations;
mod outages;
mod passwords;
mod permissions;
mod profile;
mod programs;
mod projects;
mod relations;
mod samples;
mod served;
mod sign_in;
mod slip_conflicts;
mod tokens;
mod workspace;
