//! Sprints as several areas need them: their rows, what they hold now, the velocity of a team and who may see it.
//! The routes are in the area `sprints`.

pub mod burn;
pub mod capacity;
pub mod load;
pub mod milestones;
pub mod model;
pub mod rejoin;
pub mod scope;
pub mod tasks;
pub mod velocity;
pub mod velocity_gate;

pub use load::Load;
pub use milestones::{Milestone, MilestoneRollup};
pub use model::SprintRow;
pub use velocity_gate::VelocityGate;
