//! The `planwright` binary: reads the command line and runs the command.
//! An error is one clear line and exit code 2.

use std::process::ExitCode;

use clap::Parser;
use planwright_server::commands::{self, Arguments};

/// Lists are many small pieces of memory; the allocator of the system costs them a tenth of their time.
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
