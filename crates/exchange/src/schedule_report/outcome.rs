//! Everything that there is to tell about one computation. How it is told is up to `table` and `json`.

use planwright_engine::{Conflict, ConflictKind, FinishForecast, Schedule, Simulation};

use super::subject::Subject;
use super::{Options, forecast};

pub(super) struct Outcome<'s> {
    pub(super) subject: &'s Subject,
    pub(super) schedule: Schedule,
    /// What the runs say; of a plan in which nothing is uncertain one run.
    pub(super) simulation: Option<Simulation>,
    /// Whether anything is uncertain.
    pub(super) is_uncertain: bool,
}

impl<'s> Outcome<'s> {
    pub(super) fn of(subject: &'s Subject, options: &Options) -> Self {
        Self {
            subject,
            schedule: planwright_engine::schedule(&subject.network),
            simulation: forecast::even_if_certain(&subject.network, &subject.simulation, options),
            is_uncertain: forecast::has_ranges(&subject.network, &subject.simulation),
        }
    }

    /// Runs and what they say, where something is uncertain.
    pub(super) fn simulated(&self) -> Option<&Simulation> {
        self.simulation.as_ref().filter(|_| self.is_uncertain)
    }

    /// When a project is likely to be finished, certain or not.
    pub(super) fn forecast_of(&self, project: usize) -> Option<&FinishForecast> {
        self.simulation.as_ref()?.projects.get(project)?.as_ref()
    }

    /// Rows of a project as people list them.
    pub(super) fn rows_of(&self, project: usize) -> impl Iterator<Item = usize> {
        let is_own = move |row: &usize| self.subject.network.tasks[*row].project == project;
        self.subject.order.iter().copied().filter(is_own)
    }

    /// Rows on the longest path of their project, in the order in which they are listed.
    pub(super) fn longest_path(&self) -> Vec<usize> {
        let is_on = |row: &usize| {
            !self.subject.rows[*row].is_summary
                && self.schedule.tasks[*row].is_some_and(|dates| dates.on_longest_path)
        };
        self.subject.order.iter().copied().filter(is_on).collect()
    }

    /// Whether floats against the program differ from those against the projects.
    pub(super) fn has_program_floats(&self) -> bool {
        self.schedule.tasks.iter().flatten().any(|dates| dates.program_total_float != dates.total_float)
    }

    /// What was left out of the plan, and why.
    pub(super) fn faults(&self) -> Vec<String> {
        let refused = self.subject.refused.iter().cloned();
        refused.chain(self.schedule.faults.iter().map(|fault| self.subject.fault(fault))).collect()
    }

    /// What was left out, what the file says without effect, and dates that are not kept.
    pub(super) fn remarks(&self) -> Vec<String> {
        let conflicts = self.schedule.conflicts.iter().map(|conflict| self.conflict(conflict));
        self.faults().into_iter().chain(self.subject.warnings.iter().cloned()).chain(conflicts).collect()
    }

    fn conflict(&self, conflict: &Conflict) -> String {
        let what = match conflict.kind {
            ConflictKind::Start => "should start",
            ConflictKind::Finish => "should finish",
            ConflictKind::Deadline => "is due",
            ConflictKind::Logic => "can start after its predecessors",
        };
        let row = self.subject.reference(conflict.task);
        format!("{row} {what} on {}, but is expected on {}", conflict.wanted, conflict.expected)
    }
}
