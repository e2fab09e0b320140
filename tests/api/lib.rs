//! Empty on purpose: the tests of the interface are in `main.rs` and the files it names.
