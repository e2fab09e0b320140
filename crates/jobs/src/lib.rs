//! Work that outlives a request: a durable queue in the database, with leases, retries, schedules and a list of the dead.
//! A job is enqueued in the transaction of the change that asks for it; what a job does belongs to the area that registers it.

pub mod dead;
pub mod errands;
pub mod heartbeat;
pub mod mail;
pub mod offboarding;
pub mod outbox;
pub mod queue;
pub mod registry;
pub mod revoked;
pub mod worker;

pub use queue::{Claimed, NewJob};
pub use registry::{JobError, Registry, Round};
pub use worker::Worker;
