//! The tasks of the repository as one program: `cargo xtask test`, `services`, `tidy`, `bench`, `clients`,
//! `dist`, `differential`.
//! It reads the command line and dispatches; it is not part of the product and links none of its crates.

mod bench;
mod differential;
mod dist;
mod services;
mod suite;
mod tidy;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
Usage: cargo xtask <task>

  test [--only NAME] [--audit] [--offline]
                                   everything that CI runs; ends with `N passed, N failed`
                                   --only     just the cargo tests whose name contains NAME
                                   --audit    licences, advisories and the list of all parts too
                                   --offline  install and download nothing, skip what would need it
  services [--offline]             a private PostgreSQL and Redis for `cargo test`, until Ctrl-C
  tidy                             the house rules: who may know whom, sizes, words, files
  bench [engine|server|api|live|all] [--record] [--beside BINARY]
                                   measures release builds; --record keeps them in docs/benchmarks.md,
                                   --beside measures the interface of another binary too, in turns
  clients                          lint openapi.json and have clients of three languages made of it
  dist [--offline]                 a stripped release binary, its parts and checksums, below target/dist
  differential [--plans N] [--seed S] [--from K]
                                   random plans against the schedulers of MPXJ; every difference needs a reason";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<ExitCode> {
    let Some((task, rest)) = arguments.split_first() else {
        println!("{USAGE}");
        return Ok(ExitCode::from(2));
    };
    match task.as_str() {
        "test" => suite::run(&suite::Options::parse(rest)?),
        "services" => services::hold(offline_only(rest)?),
        "tidy" if rest.is_empty() => tidy::run(),
        "bench" => bench::run(rest),
        "clients" if rest.is_empty() => suite::run_clients(),
        "dist" => dist::run(offline_only(rest)?),
        "differential" => differential::run(rest),
        services::WARDEN_TASK => services::keep_until_input_ends(rest),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        unknown => bail!("there is no task `{unknown}`\n\n{USAGE}"),
    }
}

fn offline_only(arguments: &[String]) -> Result<bool> {
    match arguments {
        [] => Ok(false),
        [flag] if flag == "--offline" => Ok(true),
        other => bail!("did not understand `{}`\n\n{USAGE}", other.join(" ")),
    }
}
