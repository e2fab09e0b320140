//! Ways in and out: seed documents, the samples that ship with the product, and schedules told without a database.

pub mod samples;
pub mod schedule_report;
pub mod seed;
