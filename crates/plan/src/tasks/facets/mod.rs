//! What a task shows of other tables, a file for each kind; `decorate.rs` gathers them.
//! Nothing here writes.

pub mod allocations;
pub mod baselines;
pub mod labels;
pub mod people;
pub mod predecessors;
pub mod recurrence;
pub mod relations;
pub mod risks;
