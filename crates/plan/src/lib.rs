//! The heart: calendars, tasks, links and the recalculation of their dates, with the commands that every way in shares.
//! Whatever changes a plan goes through here, whether it comes by REST, import, template or sync.

pub mod calendars;
pub mod shells;

use planwright_web::Routes;

/// The routes of the plan.
pub fn routes() -> Routes {
    Routes::new().and(calendars::routes())
}
