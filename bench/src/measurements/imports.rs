//! Measures the import of large plans on both databases: how long it takes, how much memory the server needs for it, and how
//! long somebody waits meanwhile who renames a task of another project.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use xtask::running_server::{PASSWORD, RunningServer, USERNAME};
use xtask::services::Services;
use xtask::workspace::Workspace;

use super::api::plans::document_of;
use super::api::session::{Session, text};
use super::kernel;
use super::load::milliseconds;
use super::table::Table;
use super::{memory, release};

const HEAD: [&str; 6] = ["measure", "on", "bar", "result", "pace", "reached"];

/// Tasks of the plans, each with the seconds that its import may take on SQLite and on PostgreSQL. A document may have 100 000
/// tasks and links in all, so the largest plan has no links.
const PLANS: [(usize, f64, f64); 3] = [(10_000, 1.5, 3.0), (50_000, 15.0, 15.0), (100_000, 15.0, 15.0)];
/// How long somebody else may wait, in milliseconds.
const MOST_WAIT: f64 = 50.0;
/// The most memory of the server, in MiB.
const MOST_MEMORY: f64 = 600.0;

const PAUSE: Duration = Duration::from_millis(5);
const PATIENCE: Duration = Duration::from_secs(180);

/// Builds the release binary and measures it on both databases; nothing when there is no server crate.
pub(crate) fn measure(workspace: &Workspace) -> Result<Table> {
    release::on_both_databases(workspace, Table::new(&HEAD), measure_on)
}

/// What was measured of one import.
struct Import {
    seconds: f64,
    waits: Vec<Duration>,
    mebibytes: f64,
}

fn measure_on(
    database: &str,
    binary: &Path,
    scratch: &Path,
    services: Option<&Services>,
    table: &mut Table,
) -> Result<()> {
    let room = [("SEED_MAX_UPLOAD_MB", "1024"), ("SEED_IMPORT_MAX_ROWS", "1000000")];
    let server = RunningServer::start_on(binary, scratch, services, &room)?;
    let mut session = Session::sign_in(server.address, USERNAME, PASSWORD)?;
    let project = json!({"name": "Elsewhere", "start_date": "2026-01-05"});
    let project = session.post("/api/v1/projects/", &project, 201)?;
    let task = json!({"project": text(&project, "id")?, "name": "Elsewhere", "duration": 1});
    let task = session.post("/api/v1/tasks/", &task, 201)?;
    let path = format!("/api/v1/tasks/{}/", text(&task, "id")?);
    for (rows, on_file, on_server) in PLANS {
        let before = kernel::pace();
        let mut import = import(&server, &mut session, &path, rows)?;
        let pace = f64::midpoint(before, kernel::pace());
        import.waits.sort_unstable();
        let worst = import.waits.last().copied().unwrap_or_default();
        let middle = import.waits.get(import.waits.len() / 2).copied().unwrap_or_default();
        let most = if services.is_some() { on_server } else { on_file };
        let waited = worst.as_secs_f64() * 1000.0;
        let shown =
            format!("{}, of {}, p50 {}", milliseconds(worst), import.waits.len(), milliseconds(middle));
        let measures = [
            (
                "import of",
                format!("≤ {most} s"),
                format!("{:.2} s", import.seconds),
                import.seconds / pace / most,
            ),
            ("longest wait elsewhere during", format!("≤ {MOST_WAIT} ms"), shown, waited / pace / MOST_WAIT),
            (
                "memory of the server during",
                format!("≤ {MOST_MEMORY} MiB"),
                format!("{:.0} MiB", import.mebibytes),
                import.mebibytes / MOST_MEMORY,
            ),
        ];
        for (name, bar, shown, share) in measures {
            let name = format!("{name} {rows} tasks");
            eprintln!("{database}: {name}: {shown}");
            let reached = if share <= 1.0 { "yes" } else { "no" };
            table.add([&*name, database, &bar, &shown, &format!("{pace:.2}"), reached].map(str::to_owned));
        }
    }
    Ok(())
}

/// Imports a plan while somebody else renames a task over and over.
fn import(server: &RunningServer, session: &mut Session, elsewhere: &str, rows: usize) -> Result<Import> {
    let document = document_of(rows);
    memory::forget_peak(server)?;
    let is_done = AtomicBool::new(false);
    let (took, waits) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| rename(server, elsewhere, &is_done));
        let took = follow(session, &document);
        is_done.store(true, Ordering::Relaxed);
        let waits = writer.join().map_err(|_| anyhow!("the writer panicked"))?;
        anyhow::Ok((took?, waits?))
    })?;
    let kibibytes = memory::peak_kibibytes(server).context("the memory of the server cannot be read")?;
    Ok(Import { seconds: took.as_secs_f64(), waits, mebibytes: kibibytes / 1024.0 })
}

fn rename(server: &RunningServer, path: &str, is_done: &AtomicBool) -> Result<Vec<Duration>> {
    let mut session = Session::sign_in(server.address, USERNAME, PASSWORD)?;
    let mut waits = Vec::new();
    while !is_done.load(Ordering::Relaxed) {
        let request = session.writing("PATCH", path, &json!({"name": format!("Elsewhere {}", waits.len())}));
        waits.push(session.timed(&request, 200)?.0);
        std::thread::sleep(PAUSE);
    }
    Ok(waits)
}

/// From the first byte of the document to the moment at which the plan is there.
fn follow(session: &mut Session, document: &Value) -> Result<Duration> {
    let begun = Instant::now();
    let accepted = session.post("/api/v1/programs/import/", document, 202)?;
    let (program, import) = (text(&accepted, "program_id")?, text(&accepted, "import_request_id")?);
    session.follow(&format!("/api/v1/programs/{program}/import/jobs/{import}/"), PATIENCE)?;
    Ok(begun.elapsed())
}
