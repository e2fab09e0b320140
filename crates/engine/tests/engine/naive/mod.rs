//! A second scheduler, small and slow, written only from `docs/scheduling.md`. It finds early dates by trying all
//! rules until nothing moves, and late dates and floats by moving one row by one day at a time. It shares only the
//! types of a plan with the engine.

mod days;
mod forward;
mod rows;
mod slips;

pub(crate) use forward::{Naive, leaves_below};
pub(crate) use rows::above;
pub(crate) use slips::Answer;
