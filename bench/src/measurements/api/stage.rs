//! The environment of a measurement: the server, its database and a signed-in person. It measures elapsed time and
//! processor time.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use xtask::running_server::RunningServer;
use xtask::services::Services;

use super::session::Session;
use crate::measurements::load::Load;
use crate::measurements::processor;

/// Longer than the server waits before it looks for events to send.
const REST: Duration = Duration::from_millis(300);
const REST_LIMIT: Duration = Duration::from_secs(3);
/// What an idle server may use in that time.
const IDLE: Duration = Duration::from_millis(10);

/// The server with a caller.
pub(crate) struct Stage<'a> {
    /// The caller.
    pub(crate) session: Session,
    server: &'a RunningServer,
    services: Option<&'a Services>,
}

/// What a work took.
pub(crate) struct Figures {
    /// By the clock.
    pub(crate) load: Load,
    /// What the load is compared with, where it is.
    pub(crate) beside: Option<Load>,
    spent: Option<Spent>,
    /// How much slower than recorded the machine was around the measurement.
    pub(crate) pace: f64,
}

/// Processor time since the start.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    /// Of the server.
    pub(crate) server: Duration,
    /// Of PostgreSQL; zero where the database is part of the server.
    pub(crate) database: Duration,
}

impl<'a> Stage<'a> {
    /// A stage with nobody else on it.
    pub(crate) fn new(server: &'a RunningServer, services: Option<&'a Services>, session: Session) -> Self {
        Self { session, server, services }
    }

    /// Where further connections go.
    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Does the work and counts the processor time until the server is at rest again, so that what is
    /// done after the answer belongs to it.
    pub(crate) fn observe(&mut self, work: impl FnOnce(&mut Session) -> Result<Load>) -> Result<Figures> {
        let before = self.rest();
        let load = work(&mut self.session)?;
        let after = self.rest();
        if load.latencies.is_empty() {
            bail!("there was no good answer in the time given");
        }
        let spent = before.zip(after).map(|(before, after)| Spent {
            server: after.server.saturating_sub(before.server),
            database: after.database.saturating_sub(before.database),
        });
        Ok(Figures { load, beside: None, spent, pace: 1.0 })
    }

    /// Waits until nearly nothing happens, and says what was spent until then.
    fn rest(&self) -> Option<Spent> {
        let asked = Instant::now();
        let mut before = self.spent()?;
        loop {
            std::thread::sleep(REST);
            let now = self.spent()?;
            let used = now.all().saturating_sub(before.all());
            if used <= IDLE || asked.elapsed() > REST_LIMIT {
                return Some(now);
            }
            before = now;
        }
    }

    fn spent(&self) -> Option<Spent> {
        let server = processor::of_process(self.server.id())?;
        let database = match self.services {
            Some(services) => processor::of_descendants(services.process())?,
            None => Duration::ZERO,
        };
        Some(Spent { server, database })
    }
}

impl Spent {
    /// Server and database together.
    pub(crate) fn all(self) -> Duration {
        self.server + self.database
    }
}

impl Figures {
    /// The processor time of one request, or of whatever was timed as one.
    pub(crate) fn each(&self) -> Option<Spent> {
        let count =
            u32::try_from(self.load.latencies.len() + self.load.refused).ok().filter(|count| *count > 0)?;
        let Spent { server, database } = self.spent?;
        Some(Spent { server: server / count, database: database / count })
    }

    /// The same with another load beside it, whose processor time cannot be told from this one's.
    pub(crate) fn compared_with(self, other: Load) -> Self {
        Self { beside: Some(other), spent: None, ..self }
    }

    /// Half of the answers took at most this long.
    pub(crate) fn median(&self) -> Duration {
        self.load.percentile(50)
    }
}

#[cfg(test)]
impl Figures {
    /// Figures that were not measured, for the tests of those who read them.
    pub(crate) fn made_up(load: Load, spent: Option<Spent>) -> Self {
        Self { load, beside: None, spent, pace: 1.0 }
    }
}
