//! The rules of a route: what holds before its handler runs, said in its row of the table.
//! They are kept in `guard.rs`.

use crate::limits::Limit;
use crate::paging::Orderings;

/// What holds before a handler runs.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// One sentence for the document.
    pub summary: &'static str,
    /// Whether anybody may call it, signed in or not.
    pub public: bool,
    /// Whether API tokens are refused.
    pub session_only: bool,
    /// Whether a read-only agent token is let in.
    pub agent_surface: bool,
    /// Whether it computes a lot, for agents.
    pub agent_compute: bool,
    /// Limits of its own; without any, the general default applies.
    pub limits: Vec<Limit>,
    /// Never limited: probes.
    pub unlimited: bool,
    /// Its answer holds a secret, which must not be kept for a replay.
    pub returns_secret: bool,
    /// The largest body; `None` takes the setting.
    pub max_body_bytes: Option<usize>,
    /// A body over the limit is answered with 400 instead of 413.
    pub oversize_is_invalid: bool,
    /// Not part of the document: pages for people.
    pub hidden: bool,
    /// What its list may be ordered by, for the document.
    pub orderings: Option<Orderings>,
    /// Does to many rows what another route of the same words does to one of them.
    pub on_many: bool,
}

/// Begins the rules of a route with its summary.
pub fn says(summary: &'static str) -> Rules {
    Rules { summary, ..Rules::default() }
}

impl Rules {
    /// Its list may be ordered by these.
    pub fn orderings(mut self, orderings: Orderings) -> Self {
        self.orderings = Some(orderings);
        self
    }

    /// Anybody may call it.
    pub fn public(mut self) -> Self {
        self.public = true;
        self
    }

    /// API tokens are refused.
    pub fn session_only(mut self) -> Self {
        self.session_only = true;
        self
    }

    /// A read-only agent token is let in.
    pub fn agent_surface(mut self) -> Self {
        self.agent_surface = true;
        self
    }

    /// A read-only agent token is let in, less often.
    pub fn agent_compute(mut self) -> Self {
        self.agent_surface = true;
        self.agent_compute = true;
        self
    }

    /// Has a limit of its own; several stack.
    pub fn limit(mut self, limit: Limit) -> Self {
        self.limits.push(limit);
        self
    }

    /// Is never limited.
    pub fn unlimited(mut self) -> Self {
        self.unlimited = true;
        self
    }

    /// Answers a secret.
    pub fn returns_secret(mut self) -> Self {
        self.returns_secret = true;
        self
    }

    /// Takes bodies up to that size, and answers 400 above it.
    pub fn upload(mut self, max_bytes: usize) -> Self {
        self.max_body_bytes = Some(max_bytes);
        self.oversize_is_invalid = true;
        self
    }

    /// Does to many rows what another route of the same words does to one of them; its name in the document says so.
    pub fn on_many(mut self) -> Self {
        self.on_many = true;
        self
    }

    /// Is a page for people.
    pub fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }
}
