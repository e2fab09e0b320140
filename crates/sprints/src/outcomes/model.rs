//! Outcomes on the wire.
