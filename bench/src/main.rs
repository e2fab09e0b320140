//! What is measured and compared on a machine and not part of the tests: `cargo xtask bench`, `differential` and
//! `roundtrip`. `xtask` starts it, so that only those who ask for them compile them.

mod differential;
mod measurements;
mod roundtrip;

use std::process::ExitCode;

use anyhow::{Result, bail};
use xtask::services;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("planwright-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<ExitCode> {
    let (task, rest) = arguments.split_first().map_or(("", [].as_slice()), |(task, rest)| (&**task, rest));
    match task {
        "bench" => measurements::run(rest),
        "differential" => differential::run(rest),
        "roundtrip" => roundtrip::run(rest),
        services::WARDEN_TASK => services::keep_until_input_ends(rest),
        unknown => bail!("there is no task `{unknown}`; see cargo xtask help"),
    }
}
