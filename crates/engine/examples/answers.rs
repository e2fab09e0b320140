//! Schedules one project in each line in the simple format, for the comparison with other schedulers. It answers like
//! `simple`, and adds `end` for each task: whether a milestone is at the end of its day. The keys `group` and
//! `against` of a plan are removed first.

use std::io::{self, BufRead, Write};

use planwright_engine::{schedule, simple};

fn main() -> io::Result<()> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let mut plan: serde_json::Value = serde_json::from_str(&line?)?;
        if let Some(keys) = plan.as_object_mut() {
            keys.retain(|key, _| !["group", "against"].contains(&key.as_str()));
        }
        let project = simple::parse(&plan.to_string()).map_err(io::Error::other)?;
        let schedule = schedule(&project.network);
        let mut answer = simple::write(&project, &schedule);
        for (name, dates) in project.names.iter().zip(&schedule.tasks) {
            if let Some(dates) = dates {
                answer["tasks"][name]["end"] = dates.falls_at_day_end.into();
            }
        }
        writeln!(output, "{answer}")?;
    }
    Ok(())
}
