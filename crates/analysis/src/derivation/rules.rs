//! From the engine's bounds to an explanation in days and words; pure.
//! A phase is explained by the rows below it, everything else by what holds it.

use planwright_domain::ids::TaskId;
use planwright_domain::words::{DependencyType, ExplainedQuantity, Word};
use planwright_engine::{self as engine, Contribution, Progress, Quantity, Reason, Schedule, TaskDates};
use planwright_plan::schedule::network::{Plan, date};

use super::model::{DerivationContribution, DerivedValue};

/// More rows than this below a phase are not told one by one.
const MOST_BELOW: usize = 50;

/// A value and what bounds it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The value; none for a row that takes no part in the schedule.
    pub value: Option<DerivedValue>,
    /// Which pass of the computation gives it.
    pub pass: &'static str,
    /// Whether the row is critical.
    pub is_critical: Option<bool>,
    /// The bounds, the tightest first.
    pub contributions: Vec<DerivationContribution>,
}

/// Explains one value of one task.
pub fn explain(plan: &Plan, schedule: &Schedule, task: TaskId, quantity: ExplainedQuantity) -> Explained {
    let pass = match quantity {
        ExplainedQuantity::LateStart | ExplainedQuantity::LateFinish => "backward",
        ExplainedQuantity::TotalFloat | ExplainedQuantity::FreeFloat => "float",
        _ => "forward",
    };
    let node = plan.of_node.iter().position(|at| plan.tasks[*at].id == task);
    let Some((node, dates)) = node.and_then(|node| Some((node, schedule.tasks[node]?))) else {
        return Explained { value: None, pass, is_critical: None, contributions: Vec::new() };
    };
    let view = View { plan, schedule, node, dates, quantity };
    let is_summary = plan.network.tasks.iter().any(|row| row.parent == Some(node));
    Explained {
        value: value(&dates, quantity),
        pass,
        is_critical: Some(dates.critical),
        contributions: if is_summary { view.below() } else { view.bounds() },
    }
}

fn value(dates: &TaskDates, quantity: ExplainedQuantity) -> Option<DerivedValue> {
    let day = match quantity {
        ExplainedQuantity::EarlyStart => dates.early_start,
        ExplainedQuantity::EarlyFinish => dates.early_finish,
        ExplainedQuantity::LateStart => dates.late_start,
        ExplainedQuantity::LateFinish => dates.late_finish,
        ExplainedQuantity::ScheduledStart => dates.scheduled_start,
        ExplainedQuantity::FreeFloat => return Some(DerivedValue::Days(dates.free_float.into())),
        _ => return Some(DerivedValue::Days(dates.total_float.into())),
    };
    date(day.0).map(DerivedValue::Date)
}

/// The first day that is not before a row, and the first that is not within it; a milestone lies between two days.
fn edges(start: engine::Day, finish: engine::Day, dates: &TaskDates) -> (i64, i64) {
    let takes_time = dates.remaining_duration > 0 || dates.progress == Progress::Complete;
    let (start, finish) = (i64::from(start.0), i64::from(finish.0));
    match (takes_time, dates.falls_at_day_end) {
        (true, _) => (start, finish + 1),
        (false, true) => (start + 1, finish + 1),
        (false, false) => (start, finish),
    }
}

fn bare(kind: impl Into<String>, day: engine::Day, is_binding: bool) -> DerivationContribution {
    DerivationContribution {
        kind: kind.into(),
        source_task_id: None,
        source_task_name: None,
        dep_type: None,
        lag_days: None,
        imposed_date: date(day.0),
        calendar_days_added: None,
        slack_days: is_binding.then_some(0),
        is_binding,
    }
}

struct View<'a> {
    plan: &'a Plan,
    schedule: &'a Schedule,
    node: usize,
    dates: TaskDates,
    quantity: ExplainedQuantity,
}

impl View<'_> {
    fn id_of(&self, node: usize) -> TaskId {
        self.plan.tasks[self.plan.of_node[node]].id
    }

    fn bounds(&self) -> Vec<DerivationContribution> {
        let dates = &self.dates;
        let row = &self.plan.network.tasks[self.node];
        let remaining = i64::from(dates.remaining_duration);
        let mut found = match self.quantity {
            ExplainedQuantity::TotalFloat => {
                let late = DerivationContribution {
                    slack_days: Some(dates.total_float.into()),
                    ..bare("late_start", dates.late_start, true)
                };
                return vec![bare("early_start", dates.early_start, true), late];
            }
            ExplainedQuantity::ScheduledStart if dates.progress == Progress::InProgress => {
                return vec![match row.actual_start {
                    Some(actual) => bare("actual_start", actual, true),
                    None => bare("full_duration_backoff", dates.scheduled_start, true),
                }];
            }
            ExplainedQuantity::LateStart | ExplainedQuantity::LateFinish => self.engine(Quantity::Late),
            ExplainedQuantity::FreeFloat => self.engine(Quantity::Free),
            _ => self.engine(Quantity::Early),
        };
        // The other end of the row is its duration away, which is a reason of its own.
        let across = match self.quantity {
            _ if remaining == 0 => None,
            ExplainedQuantity::EarlyFinish => Some(("early_start", dates.early_start, dates.early_finish)),
            ExplainedQuantity::LateStart => Some(("late_finish", dates.late_start, dates.late_finish)),
            _ => None,
        };
        if let Some((from, start, finish)) = across {
            let at = if self.quantity == ExplainedQuantity::LateStart { start } else { finish };
            let calendar_days_added = Some(i64::from(finish.0 - start.0) + 1 - remaining);
            let kind = format!("duration_from_{from}");
            found.push(DerivationContribution { calendar_days_added, ..bare(kind, at, true) });
        }
        found
    }

    fn engine(&self, quantity: Quantity) -> Vec<DerivationContribution> {
        let bounds = engine::explain(&self.plan.network, self.node, quantity).unwrap_or_default();
        bounds.iter().map(|bound| self.contribution(bound)).collect()
    }

    fn contribution(&self, bound: &Contribution) -> DerivationContribution {
        let link = bound.link.map(|at| &self.plan.links[at]);
        let of_link = |way: &str| {
            let kind = link.map_or(DependencyType::FinishToStart, |link| link.dep_type);
            format!("{way}_{}", kind.as_str().to_lowercase())
        };
        let is_start = matches!(
            self.quantity,
            ExplainedQuantity::EarlyStart | ExplainedQuantity::LateStart | ExplainedQuantity::ScheduledStart
        );
        let kind = match bound.reason {
            Reason::ProjectStart => "project_start".to_owned(),
            Reason::DataDate => "data_date".to_owned(),
            Reason::PlannedStart => "planned_start_snet".to_owned(),
            Reason::ActualStart => "actual_start".to_owned(),
            Reason::ActualDates if is_start => "actual_start".to_owned(),
            Reason::ActualDates => "actual_finish".to_owned(),
            Reason::Constraint => "constraint".to_owned(),
            Reason::Deadline => "deadline".to_owned(),
            Reason::Predecessor => of_link("predecessor"),
            Reason::Successor if self.quantity == ExplainedQuantity::FreeFloat => {
                "successor_free_slack".to_owned()
            }
            Reason::Successor => of_link("successor"),
            Reason::ProjectFinish => "project_finish".to_owned(),
            Reason::TotalFloat => "total_float".to_owned(),
        };
        let day = if is_start { bound.start } else { bound.finish };
        // Between two days, a milestone shows the one that the schedule chose.
        let imposed = match value(&self.dates, self.quantity) {
            Some(DerivedValue::Date(shown)) if bound.binding => Some(shown),
            _ => date(day.0),
        };
        DerivationContribution {
            source_task_id: bound.task.map(|node| self.id_of(node)),
            dep_type: link.map(|link| link.dep_type),
            lag_days: link.map(|link| link.lag),
            imposed_date: imposed,
            calendar_days_added: self.calendar_days(bound),
            slack_days: Some(bound.slack.into()),
            ..bare(kind, day, bound.binding)
        }
    }

    /// How many more days lie between a bound and where it comes from than the plan says.
    fn calendar_days(&self, bound: &Contribution) -> Option<i64> {
        let row = &self.plan.network.tasks[self.node];
        let frame = &self.plan.network.projects[row.project];
        let own_finish = i64::from(bound.finish.0) + i64::from(self.dates.remaining_duration > 0);
        let own = (i64::from(bound.start.0), own_finish);
        let from = |day: Option<engine::Day>| day.map(|day| own.0 - i64::from(day.0));
        match bound.reason {
            Reason::ProjectStart => return from(Some(frame.start)),
            Reason::DataDate => return from(frame.data_date),
            Reason::PlannedStart => return from(row.planned_start),
            _ => {}
        }
        let link = &self.plan.links[bound.link?];
        let other = self.schedule.tasks[bound.task?]?;
        let (from_start, to_start) = match link.dep_type {
            DependencyType::FinishToStart => (false, true),
            DependencyType::StartToStart => (true, true),
            DependencyType::FinishToFinish => (false, false),
            DependencyType::StartToFinish => (true, false),
        };
        let end = |(start, finish): (i64, i64), is_start: bool| if is_start { start } else { finish };
        match bound.reason {
            Reason::Predecessor => {
                let source = end(edges(other.early_start, other.early_finish, &other), from_start);
                Some(end(own, to_start) - source - link.lag)
            }
            Reason::Successor if self.quantity != ExplainedQuantity::FreeFloat => {
                let target = end(edges(other.late_start, other.late_finish, &other), to_start);
                Some(target - link.lag - end(own, from_start))
            }
            _ => None,
        }
    }

    /// The leaves below a phase that come nearest to its value; the distance is in calendar days.
    fn below(&self) -> Vec<DerivationContribution> {
        let number = |found: Option<DerivedValue>| match found? {
            DerivedValue::Date(day) => Some(i64::from(planwright_plan::schedule::network::day(day).0)),
            DerivedValue::Days(days) => Some(days),
        };
        let own = number(value(&self.dates, self.quantity));
        let tasks = &self.plan.network.tasks;
        let is_below = |node: usize| {
            std::iter::successors(tasks[node].parent, |at| tasks[*at].parent)
                .take(tasks.len())
                .any(|above| above == self.node)
        };
        let mut is_parent = vec![false; tasks.len()];
        tasks.iter().filter_map(|row| row.parent).for_each(|parent| is_parent[parent] = true);
        let leaves = (0..tasks.len()).filter(|node| !is_parent[*node] && is_below(*node));
        let mut found: Vec<DerivationContribution> = leaves
            .filter_map(|node| {
                let theirs = value(self.schedule.tasks[node].as_ref()?, self.quantity);
                let slack = number(theirs).zip(own).map(|(theirs, own)| (theirs - own).abs());
                Some(DerivationContribution {
                    kind: "descendant".to_owned(),
                    source_task_id: Some(self.id_of(node)),
                    source_task_name: None,
                    dep_type: None,
                    lag_days: None,
                    imposed_date: match theirs {
                        Some(DerivedValue::Date(day)) => Some(day),
                        _ => None,
                    },
                    calendar_days_added: None,
                    slack_days: slack,
                    is_binding: slack == Some(0),
                })
            })
            .collect();
        found.sort_by_key(|bound| (bound.slack_days, bound.source_task_id));
        found.truncate(MOST_BELOW);
        found
    }
}
