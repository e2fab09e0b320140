//! The rules of a route, declared in its row of the table. `guard.rs` enforces them.

use crate::limits::Limit;
use crate::paging::Orderings;

/// The rules that are checked before a handler runs.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// One sentence for the document.
    pub summary: &'static str,
    /// Whether anybody may call it, signed in or not.
    pub public: bool,
    /// Whether only a token of the project in the path, or of its program, is a credential.
    pub for_machines: bool,
    /// Whether API tokens are refused.
    pub session_only: bool,
    /// Whether guests of the workspace are refused.
    pub members_only: bool,
    /// Whether a sign-in may use it that waits for the second factor which the workspace wants.
    pub before_second_factor: bool,
    /// The same only for people who have no second factor: it gives them one.
    pub gives_second_factor: bool,
    /// Whether its GET changes something, so that a HEAD is refused.
    pub acts_on_get: bool,
    /// Who must have proved a short while ago that it is they.
    pub confirmation: Confirmation,
    /// Whether a read-only agent token is accepted.
    pub agent_surface: bool,
    /// Whether it computes a lot, for agents.
    pub agent_compute: bool,
    /// Its own limits. Without any, the general limit applies.
    pub limits: Vec<Limit>,
    /// Never limited: probes.
    pub unlimited: bool,
    /// Its answer contains a secret, so it must not be stored for an idempotency key.
    pub returns_secret: bool,
    /// The largest body. `None` means the setting.
    pub max_body_bytes: Option<usize>,
    /// A body over the limit is answered with 400 instead of 413.
    pub oversize_is_invalid: bool,
    /// What is said about the field `file` as well, if a body is too large.
    pub oversize_of_file: Option<&'static str>,
    /// The body is read by the handler, piece by piece, and is never held as a whole.
    pub streamed: bool,
    /// Not part of the document: pages for people.
    pub hidden: bool,
    /// The fields by which its list can be ordered, for the document.
    pub orderings: Option<Orderings>,
    /// The errors that only some routes have: 402 above a limit of simulations, 409 while there is nothing to read, 410 when it has
    /// ended for good, 422 for what cannot be shown, 501 for what this edition does not do, 502 if another server fails.
    pub also_answers: &'static [u16],
    /// Its answer has a tag by which a reader keeps it.
    pub tagged: bool,
    /// The same action as another route with the same words, but for many rows.
    pub on_many: bool,
}

/// Who must have proved a short while ago that it is they, by password or second factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confirmation {
    /// Nobody.
    #[default]
    NotAsked,
    /// People who have a second factor.
    OfSecured,
    /// Everybody.
    OfEverybody,
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

    /// Only a token of the project in the path, or of its program, is a credential.
    pub fn for_machines(mut self) -> Self {
        self.for_machines = true;
        self
    }

    /// API tokens are refused.
    pub fn session_only(mut self) -> Self {
        self.session_only = true;
        self
    }

    /// Guests of the workspace are refused.
    pub fn members_only(mut self) -> Self {
        self.members_only = true;
        self
    }

    /// A sign-in may use it that waits for the second factor which the workspace wants.
    pub fn before_second_factor(mut self) -> Self {
        self.before_second_factor = true;
        self
    }

    /// A sign-in may use it that waits for a second factor, as long as its person has none to show.
    pub fn gives_second_factor(mut self) -> Self {
        self.gives_second_factor = true;
        self
    }

    /// Its GET changes something, so that a HEAD, which only looks, is refused.
    pub fn acts_on_get(mut self) -> Self {
        self.acts_on_get = true;
        self
    }

    /// People with a second factor must have proved a short while ago that it is they.
    pub fn dangerous(mut self) -> Self {
        self.confirmation = Confirmation::OfSecured;
        self
    }

    /// Everybody must have proved a short while ago that it is they.
    pub fn confirmed(mut self) -> Self {
        self.confirmation = Confirmation::OfEverybody;
        self
    }

    /// A read-only agent token is accepted.
    pub fn agent_surface(mut self) -> Self {
        self.agent_surface = true;
        self
    }

    /// A read-only agent token is accepted, with a lower limit.
    pub fn agent_compute(mut self) -> Self {
        self.agent_surface = true;
        self.agent_compute = true;
        self
    }

    /// Has its own limit. Several limits add up.
    pub fn limit(mut self, limit: Limit) -> Self {
        self.limits.push(limit);
        self
    }

    /// Is never limited.
    pub fn unlimited(mut self) -> Self {
        self.unlimited = true;
        self
    }

    /// Its answer contains a secret.
    pub fn returns_secret(mut self) -> Self {
        self.returns_secret = true;
        self
    }

    /// Accepts bodies up to this size, and answers 400 above it.
    pub fn upload(mut self, max_bytes: usize) -> Self {
        self.max_body_bytes = Some(max_bytes);
        self.oversize_is_invalid = true;
        self
    }

    /// Accepts bodies up to this size, and answers 413 above it.
    pub fn body_up_to(mut self, max_bytes: usize) -> Self {
        self.max_body_bytes = Some(max_bytes);
        self
    }

    /// What a body above the limit is told about the field `file`.
    pub fn names_file(mut self, message: &'static str) -> Self {
        self.oversize_of_file = Some(message);
        self
    }

    /// Accepts bodies up to this size that its handler reads piece by piece. Such a request cannot be repeated, so a
    /// key for repetitions has no effect.
    pub fn streamed(mut self, max_bytes: usize) -> Self {
        self.max_body_bytes = Some(max_bytes);
        self.oversize_is_invalid = true;
        self.streamed = true;
        self
    }

    /// See the field.
    pub fn also_answers(mut self, statuses: &'static [u16]) -> Self {
        self.also_answers = statuses;
        self
    }

    /// See the field.
    pub fn tagged(mut self) -> Self {
        self.tagged = true;
        self
    }

    /// The same action as another route with the same words, but for many rows. Its name in the document says so.
    pub fn on_many(mut self) -> Self {
        self.on_many = true;
        self
    }

    /// It is a page for people.
    pub fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }
}
