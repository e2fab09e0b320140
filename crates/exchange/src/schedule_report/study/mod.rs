//! Closer looks at one plan: why a task stands where it stands, which chains lead to the finish, how sound the plan is,
//! what a change would do, how it looks as bars. Each look is a file that tells people and programs the same numbers,
//! which are the engine's.

mod charts;
mod drag;
mod explain;
mod float_paths;
mod health;
#[cfg(test)]
mod tests;
mod what_if;

use planwright_engine as engine;
use planwright_plan_files::seed::Rejection;
use serde_json::{Value, json};

use super::subject::Subject;
use super::{Options, forecast};

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Study {
    /// Every bound on the dates of a task, by its path.
    Explain(String),
    /// So many of the most critical chains that lead to the finish of each project, or to a task.
    FloatPaths {
        /// How many, of each project.
        count: usize,
        /// The task, by its path.
        to: Option<String>,
    },
    /// By how many days each task holds up the finish of its project.
    Drag,
    /// The tasks that have some float, but no more than so many working days.
    NearCritical(i32),
    /// What binds the dates of a task, by its path, back to where that begins.
    LongestPath(String),
    /// The fourteen checks of schedule quality.
    Health,
    /// The dates and likely dates if a task took another time.
    WhatIf(String, Change),
    /// A bar for each row.
    Gantt,
    /// The share of simulated runs that are finished by each day.
    Curve,
}

/// Another duration, in working days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// So many days more, or less.
    By(i32),
    /// So many days.
    To(i32),
}

/// Tells what was asked for, in that order: one section after the other, or one JSON object whose `studies` hold one
/// object each.
pub fn study(bytes: &[u8], options: &Options, studies: &[Study]) -> Result<String, Rejection> {
    let subject = Subject::read(bytes, options)?;
    if options.json {
        return Ok(format!("{:#}\n", object(&subject, options, studies)?));
    }
    let schedule = engine::schedule(&subject.network);
    let view = View { subject: &subject, schedule: &schedule, options };
    let mut text = String::new();
    for study in studies {
        text += &view.section(study)?;
        text.push('\n');
    }
    Ok(text)
}

/// The looks at a plan as one JSON object.
pub(super) fn object(subject: &Subject, options: &Options, studies: &[Study]) -> Result<Value, Rejection> {
    let schedule = engine::schedule(&subject.network);
    let view = View { subject, schedule: &schedule, options };
    let told: Result<Vec<Value>, Rejection> = studies.iter().map(|study| view.object(study)).collect();
    Ok(json!({ "program": subject.name, "studies": told? }))
}

struct View<'a> {
    subject: &'a Subject,
    schedule: &'a engine::Schedule,
    options: &'a Options,
}

impl View<'_> {
    /// One study as a section.
    fn section(&self, study: &Study) -> Result<String, Rejection> {
        match study {
            Study::Explain(task) => Ok(self.explain(self.subject.find(task)?)),
            Study::FloatPaths { count, to } => self.float_paths(*count, to.as_deref()),
            Study::Drag => Ok(self.drag()),
            Study::NearCritical(days) => Ok(self.nearly_critical(*days)),
            Study::LongestPath(task) => self.longest_path(self.subject.find(task)?),
            Study::Health => Ok(self.health()),
            Study::WhatIf(task, change) => self.what_if(self.subject.find(task)?, *change),
            Study::Gantt => Ok(self.gantt()),
            Study::Curve => self.curve(),
        }
    }

    /// One study as an object; `study` says which.
    fn object(&self, study: &Study) -> Result<Value, Rejection> {
        match study {
            Study::Explain(task) => Ok(self.explanation(self.subject.find(task)?)),
            Study::FloatPaths { count, to } => self.chains(*count, to.as_deref()),
            Study::Drag => Ok(self.drags()),
            Study::NearCritical(days) => Ok(self.band(*days)),
            Study::LongestPath(task) => self.path(self.subject.find(task)?),
            Study::Health => Ok(self.checks()),
            Study::WhatIf(task, change) => self.difference(self.subject.find(task)?, *change),
            Study::Gantt => Ok(self.bars()),
            Study::Curve => self.shares(),
        }
    }

    /// Dates of a row; one that a fault left out has none.
    fn dates(&self, place: usize) -> Result<engine::TaskDates, Rejection> {
        self.schedule.tasks[place].ok_or_else(|| self.refusal(place, "was left out of the schedule"))
    }

    fn refusal(&self, place: usize, why: &str) -> Rejection {
        Rejection::Unreadable(format!("{} {why}", self.subject.label(place)))
    }

    /// Whether anything in the plan is uncertain.
    fn is_uncertain(&self) -> bool {
        forecast::has_ranges(&self.subject.network, &self.subject.simulation)
    }

    /// What the runs say of a network; nothing if none are asked for.
    fn simulated(&self, network: &engine::Network) -> Option<engine::Simulation> {
        forecast::even_if_certain(network, &self.subject.simulation, self.options)
    }
}

/// A day with its weekday, which says why the next day is not worked.
fn spoken(day: engine::Day) -> String {
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][day.weekday() as usize];
    format!("{weekday} {day}")
}
