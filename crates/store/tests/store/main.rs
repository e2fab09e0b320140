//! Tests of the store on both engines. PostgreSQL takes part if `PLANWRIGHT_TEST_POSTGRES_URL` names a server, which
//! `cargo xtask test` always does.

mod first_series;
mod migrations;
mod own_databases;
mod scratch;
mod transactions;
