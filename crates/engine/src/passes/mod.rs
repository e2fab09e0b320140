//! The forward pass and its exact inverse, the backward pass, over a compiled network. Values are working-day
//! ordinals on the axis of each node. `report` turns them into dates.

mod early;
mod late;
mod seeds;

pub(crate) use early::{Early, arriving};
pub(crate) use late::{FREE, Forward, LATE, Late, Outside, latest_end, leads, limit_at};
