//! What is computed about sprints and about how work flows: burndowns, velocity, forecasts, standups.
//! Sprints themselves are in the area `sprints`; nothing here writes.

mod active;
mod blocked;
mod burn;
mod burndown;
mod capacity;
mod daily_delta;
mod flow;
mod forecast;
mod health;
mod project_forecast;
mod queries;
mod replay;
mod standup;
mod velocity;

use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    Routes::new()
        .and(burndown::table())
        .and(daily_delta::table())
        .and(blocked::table())
        .and(standup::table())
        .and(velocity::table())
        .and(forecast::table())
        .and(project_forecast::table())
        .and(flow::table())
        .and(burn::table())
        .and(capacity::table())
        .and(health::table())
        .and(active::table())
}
