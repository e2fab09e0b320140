//! Writes: durations that move many dates or few, names, and a batch. Every answer is checked, because a server that
//! does no work would be fast.

use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::plans::{Plans, Project};
use super::session::{Session, list, parse, text};
use super::stage::{Figures, Stage};
use crate::measurements::load::Load;

/// Rounds before the measuring begins; an even number, so that the measured ones begin alike.
const WARM_UP: usize = 4;
/// As many as one request may hold.
const BATCH: usize = 500;

/// How often at most, and how long.
struct Effort {
    times: usize,
    limit: Duration,
}

/// Every date of 10 000 rows moves.
pub(crate) fn first_of_large(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let effort = Effort { times: 40, limit: Duration::from_secs(12) };
    move_task(stage, &plans.large, 1, &effort, true)
}

/// Every date of 1 000 rows moves.
pub(crate) fn first_of_small(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let effort = Effort { times: 100, limit: Duration::from_secs(8) };
    move_task(stage, &plans.small, 1, &effort, true)
}

/// Few dates of 10 000 rows move.
pub(crate) fn side_of_large(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let effort = Effort { times: 200, limit: Duration::from_secs(8) };
    move_task(stage, &plans.large, plans.large.side_row(), &effort, false)
}

/// Names of 10 000 rows change, of one at a time.
pub(crate) fn rename(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let tasks = plans.large.some_tasks(&mut stage.session)?;
    let mut count: usize = 0;
    let mut change = |session: &mut Session| -> Result<Duration> {
        let name = format!("Renamed {count}");
        let path = format!("/api/v1/tasks/{}/", tasks[count % tasks.len()]);
        let request = session.writing("PATCH", &path, &json!({"name": name}));
        let (took, answer) = session.timed(&request, 200)?;
        if text(&parse(answer)?, "name")? != name {
            bail!("the answer to {} does not show the new name", request.name);
        }
        count += 1;
        Ok(took)
    };
    for _ in 0..WARM_UP {
        change(&mut stage.session)?;
    }
    stage.observe(|session| Load::repeat(300, Duration::from_secs(6), |_| change(session)))
}

/// 500 rows and 500 links, once into each of the projects that are there for it.
pub(crate) fn batch(stage: &mut Stage<'_>, plans: &Plans) -> Result<Figures> {
    let mut requests = Vec::new();
    for (number, project) in plans.growing.iter().enumerate() {
        let there = project.some_tasks(&mut stage.session)?;
        let path = format!("/api/v1/projects/{}/tasks/bulk/", project.id);
        requests.push(stage.session.writing("POST", &path, &new_rows(number, &there)));
    }
    let Some((first, others)) = requests.split_first() else { bail!("there is no project to write into") };
    check_batch(&stage.session.parsed(first, 207)?)?;
    stage.observe(|session| {
        Load::repeat(others.len(), Duration::from_secs(20), |round| {
            let (took, answer) = session.timed(&others[round], 207)?;
            check_batch(&parse(answer)?)?;
            Ok(took)
        })
    })
}

/// Changes a duration to and fro. Each answer must show another finish than the one before it, and the last
/// row of the project must have moved with it or stayed where it was.
fn move_task(
    stage: &mut Stage<'_>,
    project: &Project,
    row: usize,
    effort: &Effort,
    moves_last: bool,
) -> Result<Figures> {
    let task = project.task(&mut stage.session, row)?;
    let before = finish(&project.task(&mut stage.session, project.last_row())?)?;
    let path = format!("/api/v1/tasks/{}/", text(&task, "id")?);
    // No task of the plans has one of these durations at first.
    let requests = [5, 6].map(|days| stage.session.writing("PATCH", &path, &json!({"duration": days})));
    let mut shown = finish(&task)?;
    let mut change = |session: &mut Session, round: usize| -> Result<Duration> {
        let (took, answer) = session.timed(&requests[round % 2], 200)?;
        let now = finish(&parse(answer)?)?;
        if now == shown {
            bail!("the answer to {path} still shows the finish {now}");
        }
        shown = now;
        Ok(took)
    };
    for round in 0..WARM_UP {
        change(&mut stage.session, round)?;
    }
    let figures =
        stage.observe(|session| Load::repeat(effort.times, effort.limit, |round| change(session, round)))?;
    let after = finish(&project.task(&mut stage.session, project.last_row())?)?;
    if (before != after) != moves_last {
        bail!("the last row went from {before} to {after}, which is not what this measures");
    }
    Ok(figures)
}

fn finish(task: &Value) -> Result<String> {
    Ok(text(task, "early_finish")?.to_owned())
}

/// New rows, each after one that was there or after the new one before it, by turns.
fn new_rows(number: usize, there: &[String]) -> Value {
    let ids: Vec<String> = (0..BATCH).map(|row| made_up_id(number * BATCH + row)).collect();
    let operations: Vec<Value> = ids
        .iter()
        .enumerate()
        .map(|(row, id)| {
            let data = json!({"name": format!("New {row}"), "duration": 1 + row % 5});
            json!({"op": "create", "id": id, "data": data})
        })
        .collect();
    let links: Vec<Value> = ids
        .iter()
        .enumerate()
        .map(|(row, id)| {
            let predecessor =
                if row.is_multiple_of(2) { &there[row / 2 % there.len()] } else { &ids[row - 1] };
            json!({"predecessor": predecessor, "successor": id, "dep_type": "FS", "lag": 0})
        })
        .collect();
    json!({"operations": operations, "dependencies": {"created": links}})
}

/// The id that a client brings along: the same in every run, and scattered like a random one.
fn made_up_id(number: usize) -> String {
    let scattered = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (head, tail) = (scattered >> 32, scattered & 0xFFFF_FFFF);
    format!("{head:08x}-0000-4000-8000-{tail:012x}")
}

fn check_batch(answer: &Value) -> Result<()> {
    let links = &answer["dependencies"];
    let written = (list(answer, "applied")?.len(), list(links, "applied")?.len());
    if written != (BATCH, BATCH) {
        let rejected = list(answer, "rejected")?.iter().chain(list(links, "rejected")?).next();
        let reason = rejected.map_or("no reason given".to_owned(), Value::to_string);
        bail!("the batch wrote {} rows and {} links: {reason:.300}", written.0, written.1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_batch_is_as_large_as_allowed_and_brings_ids_of_its_own() {
        let there = vec!["a".to_owned(), "b".to_owned()];
        let mut ids = HashSet::new();
        for number in 0..5 {
            let batch = new_rows(number, &there);
            let rows = list(&batch, "operations").unwrap();
            assert_eq!((rows.len(), list(&batch["dependencies"], "created").unwrap().len()), (BATCH, BATCH));
            ids.extend(rows.iter().map(|row| text(row, "id").unwrap().to_owned()));
        }
        assert_eq!(ids.len(), 5 * BATCH);
        assert!(ids.iter().all(|id| id.len() == 36 && &id[14..15] == "4"));
    }

    #[test]
    fn half_a_batch_is_none() {
        let answer = json!({
            "applied": [], "rejected": [{"code": "invalid"}], "dependencies": {"applied": [], "rejected": []},
        });
        assert!(check_batch(&answer).unwrap_err().to_string().contains("invalid"));
    }
}
