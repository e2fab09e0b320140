//! Clients that come and go: offline copies, public links, machines with a token of a project, agents. Each answer is
//! checked once before measuring, so that an empty answer does not look fast.

use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::plans::{Plans, Project};
use super::session::{Session, list, parse, text};
use super::stage::{Figures, Stage};
use crate::differential::day::date;
use crate::measurements::client::{Connection, Request};
use crate::measurements::load::Load;

const PATIENCE: Duration = Duration::from_secs(6);
/// Rows of a page of a pull.
const PAGE: usize = 1_000;
/// Rows of a push.
const PUSHED: usize = 500;
/// Pushes that are measured; each project gets one of them.
const PUSHES: usize = 4;
/// Tasks that machines keep up to date.
const KEYS: usize = 64;
const CLIENTS: usize = 8;
const WARM_UP: Duration = Duration::from_secs(1);
const LOAD: Duration = Duration::from_secs(4);

/// Everything of a project of 5 000 tasks, page after page; timed as one.
pub(crate) fn full_pull(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let project = growing(plans, 0)?;
    let (_, tasks) = pull(&mut stage.session, &project.id, 0)?;
    if tasks != project.rows {
        bail!("the pull brings {tasks} tasks instead of {}", project.rows);
    }
    stage.observe(|session| Load::repeat(10, PATIENCE, |_| Ok(pull(session, &project.id, 0)?.0)))
}

/// A pull when nothing has changed since the last.
pub(crate) fn empty_delta(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let path = format!("/api/v1/projects/{}/sync/", growing(plans, 0)?.id);
    let seen = &stage.session.get(&format!("{path}?page_size=1"))?["timestamp"];
    let request = stage.session.reading(&format!("{path}?since={seen}"));
    let answer = stage.session.parsed(&request, 200)?;
    if answer["is_full"] != false || !list(&answer["changes"]["tasks"], "updated")?.is_empty() {
        bail!("the pull after {seen} is not empty");
    }
    stage.observe(|session| Load::repeat(200, PATIENCE, |_| Ok(session.timed(&request, 200)?.0)))
}

/// What somebody did offline: half new rows and half changed ones, into projects of 5 000.
pub(crate) fn push(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let mut requests = Vec::with_capacity(PUSHES);
    for number in 0..PUSHES {
        let project = growing(plans, number)?;
        let path = format!("/api/v1/projects/{}/sync/", project.id);
        let there = project.some_tasks(&mut stage.session)?;
        requests.push(stage.session.writing("POST", &path, &changes(number, &there)));
    }
    stage.observe(|session| {
        Load::repeat(PUSHES, Duration::from_secs(20), |round| {
            let (took, answer) = session.timed(&requests[round], 200)?;
            let applied = &parse(answer)?["applied"]["tasks"];
            let written = list(applied, "created")?.len() + list(applied, "updated")?.len();
            if written != PUSHED {
                bail!("the push wrote {written} rows instead of {PUSHED}");
            }
            Ok(took)
        })
    })
}

/// The page that shows a schedule to somebody with its link.
pub(crate) fn shared_page(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let path = share(stage, plans)?;
    let (mut reader, request) = (Session::of(stage.address(), None)?, Request::get(&path));
    let (_, body) = reader.timed(&request, 200)?;
    if !String::from_utf8_lossy(body).contains("<svg") {
        bail!("{path} shows no schedule");
    }
    repeated(stage, reader, &request, 200)
}

/// The same as an app reads it.
pub(crate) fn shared_schedule(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let path = format!("/api/v1{}/", share(stage, plans)?);
    let reader = Session::of(stage.address(), None)?;
    repeated(stage, reader, &Request::get(&path), 200)
}

/// The same for somebody who has it already.
pub(crate) fn shared_before(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let path = format!("/api/v1{}/", share(stage, plans)?);
    let tag = Connection::open(stage.address())?.send(&Request::get(&path))?.tag;
    if tag.is_empty() {
        bail!("a shared schedule has no tag");
    }
    let reader = Session::of(stage.address(), None)?;
    repeated(stage, reader, &Request::get_unless(&path, &tag), 304)
}

/// Machines that push tasks by their keys, each time with another name.
pub(crate) fn task_sync(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let project = &plans.small.id;
    let path = format!("/api/v1/projects/{project}/api-tokens/");
    let minted = stage.session.post(&path, &json!({"name": "Build server"}), 201)?;
    let mut machine = Session::of(stage.address(), Some(text(&minted, "token")?))?;
    let path = format!("/api/v1/projects/{project}/task-sync/");
    let task = |key: usize, name: &str| json!({"source": "jira", "external_id": format!("KEY-{key}"), "name": format!("{name} {key}")});
    for key in 0..KEYS {
        machine.post(&path, &task(key, "New"), 201)?;
    }
    let mut requests = Vec::with_capacity(3 * KEYS);
    for name in ["Open", "Taken", "Ready"] {
        requests.extend((0..KEYS).map(|key| machine.writing("POST", &path, &task(key, name))));
    }
    let address = stage.address();
    Load::put(address, &requests, CLIENTS, WARM_UP)?;
    stage.observe(|_| Load::put(address, &requests, CLIENTS, LOAD))
}

/// An agent reads a task through a tool: how much longer that takes than the same read without it.
pub(crate) fn tool_call(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let wish = json!({"name": "Agent", "scopes": ["mcp:read"], "expires_at": next_month()?});
    let minted = stage.session.post("/api/v1/me/api-tokens/", &wish, 201)?;
    let mut agent = Session::of(stage.address(), Some(text(&minted, "token")?))?;
    let task = plans.small.some_tasks(&mut stage.session)?.into_iter().next().context("there is no task")?;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "get_task", "arguments": {"task_id": task}}});
    let answer = agent.post("/mcp", &call, 200)?;
    if answer["result"]["structuredContent"]["task"]["id"] != task.as_str() {
        bail!("the tool does not show the task: {answer:.300}");
    }
    let (tool, read) =
        (agent.writing("POST", "/mcp", &call), agent.reading(&format!("/api/v1/tasks/{task}/")));
    stage.observe(|_| {
        Load::repeat(200, PATIENCE, |_| {
            let read = agent.timed(&read, 200)?.0;
            Ok(agent.timed(&tool, 200)?.0.saturating_sub(read))
        })
    })
}

/// A moment that is thirty days away; a token of an agent has to end.
#[expect(clippy::disallowed_methods, reason = "the server that is measured runs on the clock of the machine")]
fn next_month() -> Result<String> {
    // tidy: allow(clock) because the server that is measured runs on the clock of the machine
    let days = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs() / 86_400 + 30;
    Ok(format!("{}T00:00:00Z", date(i32::try_from(days)?)))
}

fn growing(plans: &Plans, number: usize) -> Result<&Project> {
    plans.growing.get(number).context("there is no project of 5 000 tasks")
}

/// All pages of a pull: how long they took together, and how many tasks they brought.
fn pull(session: &mut Session, project: &str, since: u64) -> Result<(Duration, usize)> {
    let path = format!("/api/v1/projects/{project}/sync/?since={since}&page_size={PAGE}");
    let (mut took, mut tasks, mut cursor) = (Duration::ZERO, 0, String::new());
    loop {
        let request = session.reading(&format!("{path}{cursor}"));
        let (time, body) = session.timed(&request, 200)?;
        took += time;
        let answer = parse(body)?;
        tasks += list(&answer["changes"]["tasks"], "updated")?.len();
        match answer["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok((took, tasks)),
        }
    }
}

/// A batch of an offline client.
fn changes(number: usize, there: &[String]) -> Value {
    let half = PUSHED / 2;
    let id = |row: usize| format!("{:08x}-1111-4000-8000-{row:012x}", number + 1);
    let created = (0..half)
        .map(|row| json!({"id": id(row), "name": format!("Offline {row}"), "duration": 1 + row % 5}));
    let updated = there.iter().take(half).map(|id| json!({"id": id, "name": "Offline", "duration": 7}));
    json!({
        "client_batch_id": id(PUSHED),
        "changes": {"tasks": {"created": created.collect::<Vec<_>>(), "updated": updated.collect::<Vec<_>>(), "deleted": []}},
    })
}

/// The path of a new public link to the schedule of a project of 1 000 tasks.
fn share(stage: &mut Stage<'_>, plans: &Plans) -> Result<String> {
    let project = format!("/api/v1/projects/{}/", plans.small.id);
    let allowed = stage.session.writing("PATCH", &project, &json!({"public_sharing": true}));
    stage.session.parsed(&allowed, 200)?;
    let wish = json!({"label": "Measured", "content_kind": "schedule"});
    let made = stage.session.post(&format!("{project}share-links/"), &wish, 201)?;
    Ok(text(&made, "share_path")?.to_owned())
}

/// The same read again and again, for one reader.
fn repeated(stage: &mut Stage<'_>, mut reader: Session, request: &Request, status: u16) -> Result<Figures> {
    stage.observe(|_| Load::repeat(200, PATIENCE, |_| Ok(reader.timed(request, status)?.0)))
}
