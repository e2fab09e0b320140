//! Why a call failed: a message for people, and a kind for code.

use std::fmt;

/// What kind of failure it is, for code that treats them differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The address is none that may be called.
    Forbidden,
    /// The answer did not come in time.
    Late,
    /// Everything else: no such host, no connection, no HTTP.
    Unreachable,
}

/// Why a call was refused or failed, as a message for the person who configured it.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    why: String,
    /// The kind of failure.
    pub cause: Cause,
}

impl Failure {
    /// With this message.
    pub fn says(why: impl Into<String>) -> Self {
        Self { why: why.into(), cause: Cause::Unreachable }
    }

    pub(crate) fn because(self, cause: Cause) -> Self {
        Self { cause, ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}
