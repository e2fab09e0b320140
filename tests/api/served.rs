//! What walks over the operations of the served OpenAPI document share.

pub(crate) use planwright_testkit::{Operation, document, operations};

/// An id that no row has.
pub(crate) const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";

/// Settings for walks that send more requests than a minute allows.
pub(crate) const WITHOUT_LIMITS: [(&str, &str); 2] =
    [("SVC_RATE_LIMIT_ENABLED", "false"), ("SVC_RATE_LIMIT_DISABLE_ACK", "tests")];
