//! What says when projects are done. What is counted of them, and how it is judged, is in `plan`.

pub use planwright_plan::standing::bands::{self, Band};
pub use planwright_plan::standing::{Standing, standings};

/// Everything `f` that says by which days projects are done: the newest simulation of each, and the forecasts that were written
/// down with one.
pub const SIMULATED: &str = "(
        SELECT project_id, p50_finish AS p50, p80_finish AS p80, p95_finish AS p95, taken_at AS captured_at
        FROM latest_simulations WHERE p80_finish IS NOT NULL
        UNION ALL
        SELECT project_id, mc_p50_finish, mc_p80_finish, mc_p95_finish, captured_at
        FROM forecast_snapshots WHERE mc_p80_finish IS NOT NULL) f";
