//! Measures search, comments, mentions and files in an installation of 100 000 tasks and 300 000 comments, on SQLite and
//! on PostgreSQL. This file has the measures with bars and order. The installation is made in `place.rs`, files are sent
//! in `upload.rs`.

mod place;
mod upload;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::json;
use xtask::running_server::RunningServer;
use xtask::services::Services;
use xtask::workspace::Workspace;

use super::api::session::list;
use super::kernel;
use super::load::{Load, milliseconds};
use super::release;
use super::table::Table;
use place::{PEOPLE, Place};

const HEAD: [&str; 6] = ["measure", "on", "bar", "result", "pace", "reached"];

const PATIENCE: Duration = Duration::from_secs(30);
/// Comments of the page that is read.
const PAGE: usize = 50;
/// Megabytes of a file.
const FILE_MB: usize = 100;

/// Builds the release binary and measures it on both databases; nothing when there is no server crate.
pub(crate) fn measure(workspace: &Workspace) -> Result<Table> {
    release::on_both_databases(workspace, Table::new(&HEAD), measure_on)
}

/// A measured value with its limit.
struct Outcome {
    shown: String,
    /// The value divided by its limit, so that up to one is reached.
    share: f64,
    /// Whether a slower machine may take longer.
    is_time: bool,
}

fn measure_on(
    database: &str,
    binary: &Path,
    scratch: &Path,
    services: Option<&Services>,
    table: &mut Table,
) -> Result<()> {
    let server = RunningServer::start_on(binary, scratch, services, &[])?;
    eprintln!("{database}: making 100 000 tasks and 300 000 comments, which takes minutes");
    let mut place = Place::make(&server)?;
    eprintln!("{database}: measuring");
    let mut add = |name: &str, bar: &str, measure: &mut dyn FnMut() -> Result<Outcome>| {
        let before = kernel::pace();
        let outcome = measure().with_context(|| name.to_owned())?;
        let pace = f64::midpoint(before, kernel::pace());
        let share = if outcome.is_time { outcome.share / pace } else { outcome.share };
        eprintln!("{database}: {name}: {}", outcome.shown);
        let reached = if share <= 1.0 { "yes" } else { "no" };
        table.add([name, database, bar, &outcome.shown, &format!("{pace:.2}"), reached].map(str::to_owned));
        anyhow::Ok(())
    };
    for (name, words) in place::SEARCHES {
        add(&format!("search for {name}"), "p95 ≤ 20 ms", &mut || search(&mut place, words))?;
    }
    add("a page of 50 comments", "p50 ≤ 3 ms", &mut || page(&mut place))?;
    add("a comment that mentions 100 people", "p50 ≤ 15 ms", &mut || mention(&mut place))?;
    let (speed, memory) = upload::measure(&server, &mut place, FILE_MB)?;
    let shown = format!("{speed:.0} MB/s");
    add("a file of 100 MB into a directory", "≥ 200 MB/s", &mut || {
        Ok(Outcome { shown: shown.clone(), share: 200.0 / speed, is_time: true })
    })?;
    add("the memory that it adds at most", "≤ 10 MB", &mut || {
        Ok(Outcome { shown: format!("{memory:.1} MB"), share: memory / 10.0, is_time: false })
    })
}

fn outcome(load: &Load, percent: usize, limit_ms: f64) -> Outcome {
    let [middle, late, last] = [50, 95, 99].map(|percent| milliseconds(load.percentile(percent)));
    let shown = format!("p50 {middle}, p95 {late}, p99 {last}, of {}", load.latencies.len());
    let share = load.percentile(percent).as_secs_f64() * 1000.0 / limit_ms;
    Outcome { shown, share, is_time: true }
}

/// Searches over everything, with the words in turns.
fn search(place: &mut Place<'_>, words: &[&str]) -> Result<Outcome> {
    let path = |words: &str| format!("/api/v1/me/search/?q={}", words.replace(' ', "%20"));
    let requests: Vec<_> = words.iter().map(|words| place.session.reading(&path(words))).collect();
    for request in &requests {
        let answer = place.session.parsed(request, 200)?;
        if answer["count"].as_u64().unwrap_or_default() == 0 {
            bail!("{} finds nothing", request.name);
        }
    }
    let session = &mut place.session;
    let load =
        Load::repeat(200, PATIENCE, |round| Ok(session.timed(&requests[round % requests.len()], 200)?.0))?;
    Ok(outcome(&load, 95, 20.0))
}

/// The newest comments of a task that has many.
fn page(place: &mut Place<'_>) -> Result<Outcome> {
    let request = place.session.reading(&format!("{}?page_size={PAGE}", place.comments));
    let found = list(&place.session.parsed(&request, 200)?, "results")?.len();
    if found != PAGE {
        bail!("{found} comments are shown instead of {PAGE}");
    }
    let session = &mut place.session;
    let load = Load::repeat(200, PATIENCE, |_| Ok(session.timed(&request, 200)?.0))?;
    Ok(outcome(&load, 50, 3.0))
}

/// Comments that name everybody.
fn mention(place: &mut Place<'_>) -> Result<Outcome> {
    let names: Vec<String> = (1..=PEOPLE).map(|number| format!("@person-{number}")).collect();
    let (path, session) = (&place.comments, &mut place.session);
    let load = Load::repeat(40, PATIENCE, |round| {
        let wish = json!({"body": format!("Round {round}: {}", names.join(" "))});
        let request = session.writing("POST", path, &wish);
        // A comment with a name that nobody has would be refused.
        Ok(session.timed(&request, 201)?.0)
    })?;
    Ok(outcome(&load, 50, 15.0))
}
