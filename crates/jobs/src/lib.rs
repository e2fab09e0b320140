//! Work that continues after a request: a durable queue in the database, with leases, retries, schedules and a list
//! of failed jobs. A job is queued in the transaction of the change that needs it. The area that registers a job
//! decides what it does.

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
