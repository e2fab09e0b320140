//! The `planwright` binary: reads the command line and runs the command.
//! An error is one clear line and exit code 2.

use std::process::ExitCode;

use clap::Parser;
use planwright_server::commands::{self, Arguments};

/// An answer is many small pieces of memory, and the allocator of the system keeps most of what they once took. This one gives
/// it back after 10 ms, and takes no huge pages, of which a few used bytes would keep all.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let outcome =
        runtime.map_err(anyhow::Error::from).and_then(|runtime| runtime.block_on(commands::run(arguments)));
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("planwright: {error:#}");
            ExitCode::from(2)
        }
    }
}
