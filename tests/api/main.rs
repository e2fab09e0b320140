//! The interface through its front door: people as clients, on both engines, a file for each area.

mod bridges;
mod calendars;
mod contract_lists;
mod derivation;
mod documents;
mod edge;
mod forecasts;
mod import;
mod import_plans;
mod mail;
mod members;
mod monte_carlo;
mod openapi;
mod operations;
mod outages;
mod passwords;
mod permissions;
mod profile;
mod programs;
mod projects;
mod runs;
mod samples;
mod served;
mod sign_in;
mod tokens;
mod workspace;
