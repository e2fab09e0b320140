//! Where projects stand today, counted over their plans: what is open, late, at risk or critical, and how that is judged. One
//! statement counts for any number of projects.

pub mod queries;
pub mod rules;

pub use queries::{SIMULATED, Standing, standings};
pub use rules::Band;
