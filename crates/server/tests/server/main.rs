//! Tests of the program as others use it: as a process with a command line, killed, moved and restored. They are one binary,
//! because to link the program takes longer than most of them.

mod chaos;
mod client;
mod command_line;
mod fleet;
mod killed_imports;
mod moving;
mod restoring;
#[cfg(unix)]
mod telemetry;

/// The PostgreSQL of the tests. Those that need it are ignored unless somebody asks for them.
fn postgres_url() -> String {
    std::env::var("PLANWRIGHT_TEST_POSTGRES_URL").expect("PLANWRIGHT_TEST_POSTGRES_URL names the server")
}
