//! The store against both engines. PostgreSQL takes part when `PLANWRIGHT_TEST_POSTGRES_URL` names a server;
//! `cargo xtask test` always does.

mod migrations;
mod own_databases;
mod scratch;
mod transactions;
