//! Reads of where projects and programs stand, baselines, and earned value. Each answer is checked once before
//! measuring, so that an empty answer does not look fast.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::plans::Plans;
use super::session::{list, parse, text};
use super::stage::{Figures, Stage};
use crate::measurements::client::Request;
use crate::measurements::load::Load;

const PATIENCE: Duration = Duration::from_secs(6);
/// The most estimates and risks that an analysis looks at.
const DRIVERS: usize = 200;
/// Projects of the program whose key figures are read.
const PROJECTS: usize = 20;
/// The curve of earned value has at least a year of weeks.
const WEEKS: usize = 52;
/// Far fewer than the baselines that a project may have.
const CAPTURES: usize = 20;

/// The key figures of a program of twenty projects.
pub(crate) fn rollup(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let request = stage.session.reading(&format!("/api/v1/programs/{}/rollup/", plans.wide));
    let answer = stage.session.parsed(&request, 200)?;
    if answer["project_count"] != PROJECTS {
        bail!("the rollup counts {} projects instead of {PROJECTS}", answer["project_count"]);
    }
    repeated(stage, &request)
}

/// The page that shows where a project of 10 000 rows stands.
pub(crate) fn overview(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let request = stage.session.reading(&format!("/api/v1/projects/{}/overview/", plans.large.id));
    let answer = stage.session.parsed(&request, 200)?;
    if answer["project"]["id"] != plans.large.id.as_str() {
        bail!("the overview is of {} instead of {}", answer["project"]["id"], plans.large.id);
    }
    repeated(stage, &request)
}

/// The same in a few figures.
pub(crate) fn status_summary(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let request = stage.session.reading(&format!("/api/v1/projects/{}/status-summary/", plans.large.id));
    let answer = stage.session.parsed(&request, 200)?;
    if answer["task_count"].as_u64().unwrap_or_default() == 0 {
        bail!("the summary counts no task");
    }
    repeated(stage, &request)
}

/// Baselines of a project of 10 000 rows, one after another.
pub(crate) fn baseline(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let path = format!("/api/v1/projects/{}/baselines/", plans.large.id);
    stage.observe(|session| {
        Load::repeat(CAPTURES, PATIENCE, |round| {
            let wish = json!({"name": format!("Measured {round}")});
            let request = session.writing("POST", &path, &wish);
            let (took, answer) = session.timed(&request, 201)?;
            if parse(answer)?["task_count"].as_u64().unwrap_or_default() == 0 {
                bail!("the baseline kept no task");
            }
            Ok(took)
        })
    })
}

/// Earned value of a project of 10 000 rows, half of them done, against a baseline of all of it.
pub(crate) fn earned_value(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let baselines = format!("/api/v1/projects/{}/baselines/", plans.half_done.id);
    let captured = stage.session.post(&baselines, &json!({"name": "For earned value"}), 201)?;
    stage.session.post(&format!("{baselines}{}/activate/", text(&captured, "id")?), &json!({}), 200)?;
    let request = stage.session.reading(&format!("/api/v1/projects/{}/earned-value/", plans.half_done.id));
    let weeks = list(&stage.session.parsed(&request, 200)?, "weeks")?.len();
    if weeks < WEEKS {
        bail!("earned value shows {weeks} weeks, fewer than {WEEKS}");
    }
    repeated(stage, &request)
}

/// What each estimate of a plan of 1 000 tasks costs its finish: from the request to the result of the job.
pub(crate) fn drivers(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let path = format!("/api/v1/projects/{}/monte-carlo/drivers/", plans.simulated.id);
    stage.observe(|session| {
        Load::repeat(3, 2 * PATIENCE, |round| {
            let begun = Instant::now();
            let asked = session.post(&path, &json!({"n_simulations": 1_000, "seed": round + 1}), 202)?;
            let analysis = session.follow(&format!("{path}{}/", text(&asked, "id")?), 5 * PATIENCE)?;
            let took = begun.elapsed();
            check_drivers(&analysis["result"])?;
            Ok(took)
        })
    })
}

fn check_drivers(result: &Value) -> Result<()> {
    let looked_at = list(result, "drivers")?.len();
    if looked_at != DRIVERS {
        bail!("{looked_at} drivers were looked at instead of {DRIVERS}");
    }
    Ok(())
}

/// The same read again and again, for one client.
fn repeated(stage: &mut Stage<'_>, request: &Request) -> Result<Figures> {
    stage.observe(|session| Load::repeat(60, PATIENCE, |_| Ok(session.timed(request, 200)?.0)))
}
