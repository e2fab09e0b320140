//! The tasks of the repository as one program: `cargo xtask test`, `services`, `tidy`, `facts`, `application`, `provider`, `agents`,
//! `clients`, `dist`, and those of the crate `bench`. It reads the command line and dispatches. It is not part of the product
//! and links none of its crates.

mod dist;
mod facts;
mod suite;
mod tidy;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use xtask::services;
use xtask::workspace::cargo;

const USAGE: &str = "\
Usage: cargo xtask <task>

  test [--only NAME] [--audit] [--offline]
                                   everything that CI runs; the last line is `N passed, N failed`
                                   --only     just the cargo tests whose name contains NAME
                                   --audit    also licences, advisories and the list of all parts
                                   --offline  install and download nothing; skip steps that need it
  services [--offline]             a private PostgreSQL and Redis for `cargo test`, until Ctrl-C
  tidy                             the rules of the repository: dependencies, sizes, words, files
  facts [--check]                  what the documentation says about the sources, between its markers
                                   --check    write nothing, and fail when a page is stale
  bench [engine|server|api|collaboration|live|imports|application|all] [--record] [--beside BINARY]
                                   measure release builds; --record stores the results in docs/benchmarks.md,
                                   --beside also measures another binary, in turns
  application [--offline]          check the application of ui/: build, unit tests, and stories in a browser
  provider [--offline]             walk through sign-in with a certified provider of identities from npm, in a browser too
  agents [--offline]               read plans with the official clients of the Model Context Protocol from npm and PyPI
  openapi [--write]                make openapi.json from types, and compare it or write it
  clients                          lint openapi.json and generate clients in three languages
  dist [--offline]                 build a stripped release binary, its list of parts and checksums in target/dist
  differential [--plans N] [--seed S] [--from K]
                                   compare random plans with the schedulers of MPXJ; every difference needs a reason
  roundtrip [--binary BINARY] [FILE …]
                                   write plans as MSPDI and XER, and compare our dates with those that MPXJ computes from them";

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
        "bench" | "differential" | "roundtrip" => run_bench(arguments),
        "facts" => facts::run(rest),
        "application" => suite::run_application(offline_only(rest)?),
        "provider" => suite::run_provider(offline_only(rest)?),
        "agents" => suite::run_agents(offline_only(rest)?),
        "openapi" => suite::make_document(rest),
        "clients" if rest.is_empty() => suite::run_clients(),
        "dist" => dist::run(offline_only(rest)?),
        services::WARDEN_TASK => services::keep_until_input_ends(rest),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        unknown => bail!("there is no task `{unknown}`\n\n{USAGE}"),
    }
}

/// Runs a task of the crate of its own that measures and compares.
fn run_bench(arguments: &[String]) -> Result<ExitCode> {
    let mut bench = cargo();
    bench.args(["run", "--quiet", "--release", "--package", "planwright-bench", "--"]).args(arguments);
    let status = bench.status().context("could not run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn offline_only(arguments: &[String]) -> Result<bool> {
    match arguments {
        [] => Ok(false),
        [flag] if flag == "--offline" => Ok(true),
        other => bail!("did not understand `{}`\n\n{USAGE}", other.join(" ")),
    }
}
