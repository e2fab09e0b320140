//! Schedule mathematics: critical path, floats, simulation and schedule quality over plain data.
//! Pure: no clock, no input or output, no global state; the same input gives the same result on any
//! machine and with any number of threads.
#![doc = include_str!("../README.md")]

mod axis;
mod beyond;
mod bridge;
mod calendar;
mod calendars;
mod compiled;
mod day;
mod drag;
mod edges;
mod ends;
mod engine;
mod explain;
mod fault;
mod float_paths;
mod graph;
mod ids;
mod inputs;
mod network;
mod order;
mod outline;
mod passes;
mod plan;
mod programs;
mod progress;
mod quality;
mod range;
mod report;
mod schedule;
#[cfg(feature = "simple")]
pub mod simple;
mod simulate;
mod survey;

pub use calendar::{Calendar, CalendarException, MONDAY_TO_FRIDAY};
pub use day::{Day, InvalidDay, Weekday};
pub use drag::Drag;
pub use engine::schedule;
pub use explain::{Contribution, Quantity, Reason, explain};
pub use fault::{Fault, InvalidLink, InvalidTask, WrittenNumber};
pub use float_paths::{FloatPath, float_paths, paths_to_finish};
pub use network::{
    Constraint, DoneWork, LagCalendar, LagUnit, Link, LinkKind, Network, Options, ProgressMode, ProjectFrame,
    Task, ThreePoint, Velocity,
};
pub use plan::{Changes, CompiledPlan, Edit, Named, UnknownPosition};
pub use quality::{CheckResult, Missing, Quality, QualityCheck, Records, Verdict, quality};
pub use schedule::{Conflict, ConflictKind, LinkResult, Progress, ProjectDates, Schedule, TaskDates};
pub use simulate::{
    Cause, Confidence, Correlation, Driver, FinishForecast, GroupFactor, Periods, RiskEvent, Shape,
    Simulation, SimulationOptions, TaskForecast, drivers, drivers_among, periods_until_done, simulate,
    simulate_watched, what_if,
};
