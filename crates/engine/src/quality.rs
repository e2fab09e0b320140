//! The fourteen DCMA checks of schedule quality. Each names the rows and links that fail. Baseline and resources are
//! not part of a network and come as [`Records`]; a check without its data says what is missing.

use std::fmt;

use crate::day::Day;
use crate::network::{Constraint, LinkKind, Network};
use crate::schedule::{Progress, Schedule, TaskDates};

/// Floats and durations above this many working days count as high: two months.
const HIGH: i32 = 44;
/// Working days that the critical path test adds.
const PUSH: i32 = 600;

/// The fourteen checks, in their usual order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QualityCheck {
    /// Open work without a predecessor or without a successor: at most 5 %.
    Logic,
    /// Links with a negative lag: none.
    Leads,
    /// Links with a positive lag: at most 5 %.
    Lags,
    /// Links that are not finish-to-start: at most 10 %.
    LinkKinds,
    /// Open work with a date that it must not pass: at most 5 %.
    HardConstraints,
    /// Open work with more than 44 days of total float: at most 5 %.
    HighFloat,
    /// Open work with negative total float: none.
    NegativeFloat,
    /// Open work that takes more than 44 days: at most 5 %.
    HighDuration,
    /// Actual dates after the data date: none.
    InvalidDates,
    /// Open work with a duration and without any assignment: none.
    Resources,
    /// Work that is due by the data date in the baseline and that was or will be finished later: at most 5 %.
    MissedTasks,
    /// Whether 600 days more on the first critical task move the finish.
    CriticalPathTest,
    /// (Length of the critical path + least float) ÷ length: at least 0.95.
    CriticalPathLength,
    /// Finished work ÷ work that is due by the data date in the baseline: at least 0.95.
    BaselineExecution,
}

impl fmt::Display for QualityCheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            QualityCheck::Logic => "logic",
            QualityCheck::Leads => "leads",
            QualityCheck::Lags => "lags",
            QualityCheck::LinkKinds => "types of links",
            QualityCheck::HardConstraints => "hard constraints",
            QualityCheck::HighFloat => "high float",
            QualityCheck::NegativeFloat => "negative float",
            QualityCheck::HighDuration => "high duration",
            QualityCheck::InvalidDates => "invalid dates",
            QualityCheck::Resources => "resources",
            QualityCheck::MissedTasks => "missed work",
            QualityCheck::CriticalPathTest => "critical path test",
            QualityCheck::CriticalPathLength => "critical path length index",
            QualityCheck::BaselineExecution => "baseline execution index",
        })
    }
}

/// Data of a plan that is not in its network, by row. An empty list means that it is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Records {
    /// The last day of each row in the baseline; `None` for rows that the baseline does not have.
    pub baseline_finish: Vec<Option<Day>>,
    /// Whether anybody or anything is assigned to each row.
    pub has_resources: Vec<bool>,
}

/// Why a check was not assessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Missing {
    /// There is no information on which rows have resources.
    Resources,
    /// There is no baseline.
    Baseline,
    /// No project with work in the baseline has a data date.
    DataDate,
    /// The baseline has nothing finished by the data date.
    DueWork,
    /// There is no open critical work.
    CriticalWork,
    /// There is no open work, or no time left for it.
    OpenWork,
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Missing::Resources => "there is no information on which rows have resources",
            Missing::Baseline => "there is no baseline",
            Missing::DataDate => "there is no data date",
            Missing::DueWork => "the baseline has nothing finished by the data date",
            Missing::CriticalWork => "there is no open critical work",
            Missing::OpenWork => "there is no open work",
        })
    }
}

/// The verdict of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Within its limit.
    Passed,
    /// Beyond its limit.
    Failed,
    /// It could not be assessed.
    NotAssessed,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckResult {
    /// Which check.
    pub check: QualityCheck,
    /// Its verdict.
    pub verdict: Verdict,
    /// The missing data, if it was not assessed.
    pub missing: Option<Missing>,
    /// The share of rows or links that fail it, 0.0..=1.0; the index for `CriticalPathLength` and
    /// `BaselineExecution`; 0.0 where nothing was assessed.
    pub value: f64,
    /// The maximum of `value`. For an index, the minimum.
    pub limit: f64,
    /// The number of checked rows or links.
    pub population: usize,
    /// Positions of the rows that fail it; for links, of their successors.
    pub tasks: Vec<usize>,
    /// Positions of the links that fail it.
    pub links: Vec<usize>,
}

/// All checks of one schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    /// One entry per check, in the order of [`QualityCheck`].
    pub checks: Vec<CheckResult>,
}

impl Quality {
    /// The result of one check.
    pub fn of(&self, check: QualityCheck) -> Option<&CheckResult> {
        self.checks.iter().find(|result| result.check == check)
    }

    /// Whether all assessed checks passed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|result| result.verdict != Verdict::Failed)
    }
}

/// Runs the fourteen checks on a schedule of a network. See [`Records`] for the checks that need more data.
pub fn quality(network: &Network, schedule: &Schedule, records: &Records) -> Quality {
    use QualityCheck::*;
    let view = View::of(network, schedule);
    let total = |index: usize| view.dates(index).map_or(0, |dates| dates.total_float);
    let untied = view.untied();
    let checks = vec![
        view.rows(Logic, 0.05, |index| untied[index]),
        view.links(Leads, 0.0, |index| network.links[index].lag < 0),
        view.links(Lags, 0.05, |index| network.links[index].lag > 0),
        view.links(LinkKinds, 0.1, |index| network.links[index].kind != LinkKind::FinishToStart),
        view.rows(HardConstraints, 0.05, |index| is_hard(network.tasks[index].constraint)),
        view.rows(HighFloat, 0.05, |index| total(index) > HIGH),
        view.rows(NegativeFloat, 0.0, |index| total(index) < 0),
        view.rows(HighDuration, 0.05, |index| network.tasks[index].duration > HIGH),
        view.invalid_dates(),
        view.resources(records),
        view.missed(records),
        view.critical_path_test(),
        view.critical_path_length(),
        view.execution(records),
    ];
    Quality { checks }
}

fn is_hard(constraint: Option<Constraint>) -> bool {
    matches!(
        constraint,
        Some(
            Constraint::MustStartOn(_)
                | Constraint::MustFinishOn(_)
                | Constraint::StartNoLaterThan(_)
                | Constraint::FinishNoLaterThan(_)
        )
    )
}

fn not_assessed(check: QualityCheck, limit: f64, missing: Missing) -> CheckResult {
    CheckResult { verdict: Verdict::NotAssessed, missing: Some(missing), ..blank(check, limit) }
}

fn blank(check: QualityCheck, limit: f64) -> CheckResult {
    let (tasks, links) = (Vec::new(), Vec::new());
    CheckResult {
        check,
        verdict: Verdict::Passed,
        missing: None,
        value: 0.0,
        limit,
        population: 0,
        tasks,
        links,
    }
}

fn counted(check: QualityCheck, limit: f64, population: usize, failing: usize) -> CheckResult {
    let value = failing as f64 / population.max(1) as f64;
    let verdict = if value <= limit { Verdict::Passed } else { Verdict::Failed };
    CheckResult { value, verdict, population, ..blank(check, limit) }
}

struct View<'a> {
    network: &'a Network,
    schedule: &'a Schedule,
    /// Scheduled leaves.
    leaves: Vec<usize>,
    /// Those that are not finished.
    open: Vec<usize>,
}

impl View<'_> {
    fn of<'a>(network: &'a Network, schedule: &'a Schedule) -> View<'a> {
        let mut summary = vec![false; network.tasks.len()];
        for parent in network.tasks.iter().filter_map(|task| task.parent) {
            summary.get_mut(parent).into_iter().for_each(|summary| *summary = true);
        }
        let dates = |index: &usize| schedule.tasks.get(*index).copied().flatten();
        let leaves: Vec<usize> =
            (0..network.tasks.len()).filter(|index| !summary[*index] && dates(index).is_some()).collect();
        let is_open = |index: &usize| dates(index).is_some_and(|dates| dates.progress != Progress::Complete);
        let open = leaves.iter().copied().filter(is_open).collect();
        View { network, schedule, leaves, open }
    }

    fn dates(&self, index: usize) -> Option<TaskDates> {
        self.schedule.tasks.get(index).copied().flatten()
    }

    fn rows(&self, check: QualityCheck, limit: f64, fails: impl Fn(usize) -> bool) -> CheckResult {
        let tasks: Vec<usize> = self.open.iter().copied().filter(|index| fails(*index)).collect();
        CheckResult { tasks: tasks.clone(), ..counted(check, limit, self.open.len(), tasks.len()) }
    }

    /// Links into work that is not finished.
    fn links(&self, check: QualityCheck, limit: f64, fails: impl Fn(usize) -> bool) -> CheckResult {
        let is_open =
            |index: usize| self.dates(index).is_some_and(|dates| dates.progress != Progress::Complete);
        let links = self.network.links.iter().enumerate();
        let looked_at: Vec<usize> = links
            .filter(|(_, link)| self.dates(link.predecessor).is_some() && is_open(link.successor))
            .map(|(index, _)| index)
            .collect();
        let failing: Vec<usize> = looked_at.iter().copied().filter(|index| fails(*index)).collect();
        let mut tasks: Vec<usize> =
            failing.iter().map(|index| self.network.links[*index].successor).collect();
        tasks.sort_unstable();
        tasks.dedup();
        CheckResult { tasks, links: failing.clone(), ..counted(check, limit, looked_at.len(), failing.len()) }
    }

    /// Rows that no link leads to, or none leaves, be it at a summary above them.
    fn untied(&self) -> Vec<bool> {
        let count = self.network.tasks.len();
        let (mut held, mut holding) = (vec![false; count], vec![false; count]);
        for link in self.network.links.iter().filter(|link| link.predecessor.max(link.successor) < count) {
            holding[link.predecessor] = true;
            held[link.successor] = true;
        }
        let (held, holding) = (self.inherited(held), self.inherited(holding));
        (0..count).map(|index| !(held[index] && holding[index])).collect()
    }

    /// Which rows a mark reaches that stands on them or on a row above them. Each row is walked once,
    /// however deep the outline is; parents that lead in circles end the way.
    fn inherited(&self, mut marked: Vec<bool>) -> Vec<bool> {
        let mut settled = vec![false; marked.len()];
        let mut way = Vec::new();
        for index in 0..marked.len() {
            let mut at = Some(index);
            while let Some(row) = at.filter(|row| !settled[*row]) {
                // Rows on the way count as settled, so that a circle is left where it was entered.
                settled[row] = true;
                way.push(row);
                let parent = self.network.tasks[row].parent.filter(|parent| *parent < marked.len());
                at = parent.filter(|_| !marked[row]);
            }
            let mut found = at.is_some_and(|row| marked[row]);
            for row in way.drain(..).rev() {
                found |= marked[row];
                marked[row] = found;
            }
        }
        marked
    }

    fn invalid_dates(&self) -> CheckResult {
        let late = |index: &usize| {
            let task = &self.network.tasks[*index];
            let data_date = self.network.projects.get(task.project).and_then(|frame| frame.data_date);
            let actual = [task.actual_start, task.actual_finish];
            data_date.is_some_and(|day| actual.into_iter().flatten().any(|actual| actual > day))
        };
        let tasks: Vec<usize> = self.leaves.iter().copied().filter(late).collect();
        let result = counted(QualityCheck::InvalidDates, 0.0, self.leaves.len(), tasks.len());
        CheckResult { tasks, ..result }
    }

    fn resources(&self, records: &Records) -> CheckResult {
        if records.has_resources.is_empty() {
            return not_assessed(QualityCheck::Resources, 0.0, Missing::Resources);
        }
        let takes_time = |index: &usize| self.network.tasks[*index].duration > 0;
        let work: Vec<usize> = self.open.iter().copied().filter(takes_time).collect();
        let bare = |index: &usize| !records.has_resources.get(*index).copied().unwrap_or(false);
        let tasks: Vec<usize> = work.iter().copied().filter(bare).collect();
        CheckResult { tasks: tasks.clone(), ..counted(QualityCheck::Resources, 0.0, work.len(), tasks.len()) }
    }

    /// Leaves that the baseline has finished by the data date of their project, each with that day.
    fn due(&self, records: &Records) -> Result<Vec<(usize, Day)>, Missing> {
        let baseline = |index: &usize| {
            let finish = records.baseline_finish.get(*index).copied().flatten()?;
            Some((*index, finish))
        };
        let known: Vec<(usize, Day)> = self.leaves.iter().filter_map(baseline).collect();
        let data_date = |index: usize| {
            let frame = self.network.projects.get(self.network.tasks[index].project)?;
            frame.data_date
        };
        if known.is_empty() {
            return Err(Missing::Baseline);
        }
        if known.iter().all(|(index, _)| data_date(*index).is_none()) {
            return Err(Missing::DataDate);
        }
        let is_due = |(index, finish): &(usize, Day)| data_date(*index).is_some_and(|day| *finish <= day);
        let due: Vec<(usize, Day)> = known.into_iter().filter(is_due).collect();
        if due.is_empty() { Err(Missing::DueWork) } else { Ok(due) }
    }

    fn missed(&self, records: &Records) -> CheckResult {
        let due = match self.due(records) {
            Ok(due) => due,
            Err(missing) => return not_assessed(QualityCheck::MissedTasks, 0.05, missing),
        };
        let late = |(index, finish): &&(usize, Day)| {
            self.dates(*index).is_some_and(|dates| dates.early_finish > *finish)
        };
        let tasks: Vec<usize> = due.iter().filter(late).map(|(index, _)| *index).collect();
        CheckResult {
            tasks: tasks.clone(),
            ..counted(QualityCheck::MissedTasks, 0.05, due.len(), tasks.len())
        }
    }

    /// Finished work that is not due counts too. It compensates for other work that is late.
    fn execution(&self, records: &Records) -> CheckResult {
        let mut result = blank(QualityCheck::BaselineExecution, 0.95);
        let due = match self.due(records) {
            Ok(due) => due,
            Err(missing) => return not_assessed(result.check, result.limit, missing),
        };
        let is_open = |index: usize| self.open.binary_search(&index).is_ok();
        let baselined = |index: &&usize| records.baseline_finish.get(**index).copied().flatten().is_some();
        let finished = self.leaves.iter().filter(baselined).filter(|index| !is_open(**index)).count();
        result.value = finished as f64 / due.len() as f64;
        result.population = due.len();
        if result.value < result.limit {
            result.verdict = Verdict::Failed;
            result.tasks = due.iter().map(|(index, _)| *index).filter(|index| is_open(*index)).collect();
        }
        result
    }

    /// The critical path is whole if much more work at its beginning moves the finish.
    fn critical_path_test(&self) -> CheckResult {
        let open = |index: &&usize| self.open.binary_search(index).is_ok();
        let Some(first) = self.schedule.critical_path.iter().find(open) else {
            return not_assessed(QualityCheck::CriticalPathTest, 0.0, Missing::CriticalWork);
        };
        let mut pushed = self.network.clone();
        let task = &mut pushed.tasks[*first];
        let left = self.dates(*first).map_or(0, |dates| dates.remaining_duration);
        let done = f64::from(task.duration - left);
        task.duration = task.duration.saturating_add(PUSH);
        task.percent_complete = (100.0 * (done + 0.000_5) / f64::from(task.duration)).clamp(0.0, 99.9);
        if done == 0.0 {
            task.percent_complete = 0.0;
        }
        let project = task.project;
        let finish = |schedule: &Schedule| schedule.projects.get(project).and_then(|dates| dates.finish);
        let moved = finish(&crate::schedule(&pushed)) > finish(self.schedule);
        let result = counted(QualityCheck::CriticalPathTest, 0.0, 1, usize::from(!moved));
        CheckResult { tasks: if moved { Vec::new() } else { vec![*first] }, ..result }
    }

    fn critical_path_length(&self) -> CheckResult {
        let mut result = not_assessed(QualityCheck::CriticalPathLength, 0.95, Missing::OpenWork);
        let float = |index: &usize| self.dates(*index).map(|dates| dates.total_float);
        let least = self.open.iter().filter_map(float).min();
        let frame = self.network.projects.iter().map(|frame| frame.data_date.unwrap_or(frame.start)).min();
        let (Some(least), Some(from), Some(finish)) = (least, frame, self.schedule.finish) else {
            return result;
        };
        let calendar = self.network.projects.first().and_then(|frame| frame.calendar);
        let calendar = calendar.and_then(|calendar| self.network.calendars.get(calendar)).cloned();
        let length = calendar.unwrap_or_default().working_days(from, finish);
        if length > 0 {
            result.value = f64::from(length.saturating_add(least)) / f64::from(length);
            let passed = result.value >= result.limit;
            result.verdict = if passed { Verdict::Passed } else { Verdict::Failed };
            (result.population, result.missing) = (self.open.len(), None);
            let short = |index: &usize| !passed && float(index) == Some(least);
            result.tasks = self.open.iter().copied().filter(short).collect();
        }
        result
    }
}
