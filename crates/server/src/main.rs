//! The `planwright` binary: the allocator, and a call of the library. Everything else is there, where it is compiled once.

use std::process::ExitCode;

/// An answer is many small pieces of memory, and the allocator of the system keeps most of what they once took. This one gives
/// it back after 10 ms, and takes no huge pages, of which a few used bytes would keep all.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    planwright_server::commands::run()
}
