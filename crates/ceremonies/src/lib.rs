//! Ceremonies: what a team does together around its sprints. Planning poker, the retrospective with its board and its action
//! items, the pulse of the team, and the regular meetings of a program.

mod board;
mod meetings;
mod of_sprint;
mod poker;
pub mod pulse;
mod retro;

use planwright_web::Routes;

/// The routes of ceremonies.
pub fn routes() -> Routes {
    Routes::new()
        .and(meetings::table())
        .and(poker::routes())
        .and(retro::routes())
        .and(board::routes())
        .and(pulse::routes())
}
