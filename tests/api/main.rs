//! The interface through its front door: people as clients, on both engines, a file for each area.

mod bridges;
mod calendars;
mod contract_lists;
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
mod samples;
mod served;
mod sign_in;
mod site;
mod tasks_found;
mod tasks_trash;
mod tasks_write;
mod tokens;
mod workspace;
