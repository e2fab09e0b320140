//! The process that owns the private servers: it starts them, prints where they are and waits for the end of its
//! input. It knows nothing about tests.

use std::io::{Read, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::directory::PrivateDirectory;
use super::install::Servers;
use super::postgres::Postgres;
use super::redis::Redis;
use super::{Durability, POSTGRES_URL, READY};

/// Starts both servers, prints one `NAME=value` a line and `ready`, and stops them at end of input.
pub fn keep_until_input_ends(arguments: &[String]) -> Result<ExitCode> {
    let servers = Servers::find()?;
    // Declared first, so dropped last: the servers are gone before their files are.
    let directory = PrivateDirectory::create()?;
    let files = directory.path().join("files");
    std::fs::create_dir(&files).context("could not make a directory for the files of tests")?;
    let postgres = Postgres::start(&servers.postgres, &directory, Durability::read(arguments)?)?;
    let redis = Redis::start(&servers.redis, &directory)?;
    let mut output = std::io::stdout().lock();
    writeln!(output, "{POSTGRES_URL}={}", postgres.url())?;
    writeln!(output, "PLANWRIGHT_TEST_REDIS_URL={}", redis.url())?;
    writeln!(output, "PLANWRIGHT_TEST_SERVICES=required")?;
    writeln!(output, "TMPDIR={}", files.display())?;
    writeln!(output, "{READY}")?;
    output.flush()?;
    std::io::stdin().read_to_end(&mut Vec::new()).context("could not watch the input")?;
    Ok(ExitCode::SUCCESS)
}
