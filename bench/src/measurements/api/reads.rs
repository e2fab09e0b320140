//! Reads: pages of tasks, single tasks, a whole project, and values that are computed at the request. Each answer is
//! checked once before measuring, so that an empty answer does not look fast.

use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::json;

use super::plans::Plans;
use super::session::list;
use super::stage::{Figures, Stage};
use crate::measurements::client::Request;
use crate::measurements::load::Load;

const CLIENTS: usize = 8;
const WARM_UP: Duration = Duration::from_secs(1);
const LOAD: Duration = Duration::from_secs(4);
const PATIENCE: Duration = Duration::from_secs(6);
const PAGE: usize = 50;
const LARGE_PAGE: usize = 500;
const RUNS: usize = 1_000;

/// The first page of tasks, for several clients.
pub(crate) fn first_page(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let request = stage.session.reading(&plans.large.page(1, PAGE));
    expect_rows(stage, &request, PAGE)?;
    put(stage, &[request])
}

/// Single tasks, for several clients.
pub(crate) fn one_task(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let ids = plans.large.some_tasks(&mut stage.session)?;
    let address = |id: &String| format!("/api/v1/tasks/{id}/");
    let requests: Vec<Request> = ids.iter().map(|id| stage.session.reading(&address(id))).collect();
    put(stage, &requests)
}

/// The last page of tasks and the first one by turns, for one client.
pub(crate) fn last_page(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let [first, last] =
        [1, plans.large.rows / PAGE].map(|number| stage.session.reading(&plans.large.page(number, PAGE)));
    expect_rows(stage, &first, PAGE)?;
    expect_rows(stage, &last, PAGE)?;
    let mut firsts = Vec::new();
    let figures = stage.observe(|session| {
        Load::repeat(100, PATIENCE, |_| {
            firsts.push(session.timed(&first, 200)?.0);
            Ok(session.timed(&last, 200)?.0)
        })
    })?;
    let elapsed: Duration = firsts.iter().sum();
    Ok(figures.compared_with(Load::of(firsts, 0, elapsed)))
}

/// All tasks, page after page; timed as one.
pub(crate) fn whole_project(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let pages = 1..=plans.large.rows / LARGE_PAGE;
    let requests: Vec<Request> =
        pages.map(|number| stage.session.reading(&plans.large.page(number, LARGE_PAGE))).collect();
    for request in &requests {
        expect_rows(stage, request, LARGE_PAGE)?;
    }
    stage.observe(|session| {
        let mut read = |page: &Request| -> Result<Duration> { Ok(session.timed(page, 200)?.0) };
        Load::repeat(8, PATIENCE, |_| requests.iter().map(&mut read).sum())
    })
}

/// A simulation with another seed each time.
pub(crate) fn simulation(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let path = format!("/api/v1/projects/{}/monte-carlo/", plans.simulated.id);
    let wish = |seed: usize| json!({"n_simulations": RUNS, "seed": seed});
    let answer = stage.session.post(&path, &wish(0), 200)?;
    if answer["runs"] != RUNS || answer["p95"].is_null() {
        bail!("the simulation made {} runs and says {} of P95", answer["runs"], answer["p95"]);
    }
    stage.observe(|session| {
        Load::repeat(60, PATIENCE, |round| {
            let request = session.writing("POST", &path, &wish(round + 1));
            Ok(session.timed(&request, 200)?.0)
        })
    })
}

/// The schedule of five linked projects.
pub(crate) fn program_schedule(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let request = stage.session.reading(&format!("/api/v1/programs/{}/schedule/", plans.program));
    let answer = stage.session.parsed(&request, 200)?;
    if list(&answer, "tasks")?.is_empty() || answer["cross_project_edge_count"] != 4 {
        bail!("the schedule of the program is not that of five linked projects");
    }
    stage.observe(|session| Load::repeat(40, PATIENCE, |_| Ok(session.timed(&request, 200)?.0)))
}

fn put(stage: &mut Stage<'_>, requests: &[Request]) -> Result<Figures> {
    let address = stage.address();
    Load::put(address, requests, CLIENTS, WARM_UP)?;
    stage.observe(|_| Load::put(address, requests, CLIENTS, LOAD))
}

fn expect_rows(stage: &mut Stage<'_>, request: &Request, rows: usize) -> Result<()> {
    let found = list(&stage.session.parsed(request, 200)?, "results")?.len();
    if found != rows {
        bail!("{} shows {found} rows instead of {rows}", request.name);
    }
    Ok(())
}
