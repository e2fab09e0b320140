//! Schedules one project a line in the simple format, for comparison with other schedulers. It answers
//! with what `simple` writes, and for each task `end`: a milestone falls at the end of the day it shows.
//! `group` and `against`, which a plan carries for the comparison alone, are left out.

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
