//! A second scheduler, small and slow, written from `docs/scheduling.md` alone: early dates by trying all
//! rules until nothing moves, late dates and floats by letting one row slip a day at a time. Nothing of it
//! is shared with the engine but the types of a plan.

mod days;
mod forward;
mod rows;
mod slips;

pub(crate) use forward::{Naive, leaves_below};
pub(crate) use rows::above;
pub(crate) use slips::Answer;
