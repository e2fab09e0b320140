//! Why a row stands where it stands: every bound on a leaf with its link, where it comes from and what calendars add;
//! for a summary the leaves that give it each of its dates.

use std::fmt::Write;

use planwright_engine::{self as engine, Contribution, LagCalendar, LagUnit, Quantity, Reason};
use serde_json::{Value, json};

use super::super::json::{day, kind, link};
use super::{View, spoken};

/// What is explained of a leaf.
const QUANTITIES: [(&str, Quantity); 3] =
    [("early", Quantity::Early), ("late", Quantity::Late), ("free", Quantity::Free)];

/// A value of a summary and the leaves below it that give it.
struct Decided {
    what: &'static str,
    value: String,
    leaves: Vec<usize>,
}

impl View<'_> {
    pub(super) fn explain(&self, place: usize) -> String {
        let mut text = format!("Why {} has its dates\n", self.subject.label(place));
        let Some(dates) = self.schedule.tasks[place] else {
            return text + "  It was left out of the schedule.\n";
        };
        if self.subject.rows[place].is_summary {
            text += "  It is a summary. The rows below it decide:\n";
            for Decided { what, value, leaves } in self.decided(place, &dates) {
                let labels: Vec<String> = leaves.iter().map(|leaf| self.subject.label(*leaf)).collect();
                let _ = writeln!(text, "  {what:<12} {value:>10}  {}", labels.join("; "));
            }
            return text;
        }
        for (name, quantity) in QUANTITIES {
            let heading = match quantity {
                Quantity::Early => format!("{} to {}", dates.early_start, dates.early_finish),
                Quantity::Late => format!(
                    "{} to {}, total float {} d",
                    dates.late_start, dates.late_finish, dates.total_float
                ),
                Quantity::Free => format!("float {} d", dates.free_float),
            };
            let _ = writeln!(text, "  {name}: {heading}");
            for bound in engine::explain(&self.subject.network, place, quantity).unwrap_or_default() {
                let [start, finish] = bound.shown;
                let slack = if bound.binding { "binds".to_owned() } else { format!("{} d off", bound.slack) };
                let why = self.why(&bound, quantity);
                let _ = writeln!(text, "    {slack:<9} {start} – {finish}  {why}");
            }
        }
        text
    }

    pub(super) fn explanation(&self, place: usize) -> Value {
        let mut object = json!({ "study": "explain", "task": self.subject.reference(place) });
        object["is_summary"] = self.subject.rows[place].is_summary.into();
        let Some(dates) = self.schedule.tasks[place] else {
            object["is_scheduled"] = false.into();
            return object;
        };
        if self.subject.rows[place].is_summary {
            let decided = self.decided(place, &dates).into_iter().map(|Decided { what, value, leaves }| {
                let told = json!({ "value": value, "tasks": self.subject.references(&leaves) });
                (what.replace(' ', "_"), told)
            });
            object["decided_by"] = Value::Object(decided.collect());
            return object;
        }
        for (name, quantity) in QUANTITIES {
            let bounds = engine::explain(&self.subject.network, place, quantity).unwrap_or_default();
            object[name] = bounds.iter().map(|bound| self.bound(bound)).collect();
        }
        object["total_float"] = dates.total_float.into();
        object["free_float"] = dates.free_float.into();
        object
    }

    fn bound(&self, bound: &Contribution) -> Value {
        let [start, finish] = bound.shown;
        json!({
            "reason": reason(bound.reason),
            "task": bound.task.map(|task| self.subject.reference(task)),
            "leaf": bound.leaf.map(|leaf| self.subject.reference(leaf)),
            "link": bound.link.map(|at| link(&self.subject.network.links[at])),
            "from": day(bound.from),
            "calendar_days_off": bound.days_off,
            "start": start.to_string(),
            "finish": finish.to_string(),
            "slack": bound.slack,
            "binds": bound.binding,
        })
    }

    /// A bound in words: `FS from 1 Dig: it ends on Fri 2026-01-09; +0 working days, 2 calendar days off`.
    fn why(&self, bound: &Contribution, quantity: Quantity) -> String {
        let mut text = reason(bound.reason).to_owned();
        let off = |days: i32| match days {
            1 => "1 calendar day off".to_owned(),
            days => format!("{days} calendar days off"),
        };
        let Some((at, task)) = bound.link.zip(bound.task) else {
            if let Some(from) = bound.from {
                text += &format!(" {}", spoken(from));
            }
            if let Some(days) = bound.days_off.filter(|days| *days != 0) {
                text += &format!("; {}", off(days));
            }
            return text;
        };
        let link = &self.subject.network.links[at];
        let towards = if bound.reason == Reason::Predecessor { "from" } else { "to" };
        text = format!("{} {towards} {}", kind(link.kind), self.subject.label(task));
        if let Some(leaf) = bound.leaf {
            text += &format!(", there {}", self.subject.label(leaf));
        }
        let (source_starts, target_starts) = match link.kind {
            engine::LinkKind::FinishToStart => (false, true),
            engine::LinkKind::StartToStart => (true, true),
            engine::LinkKind::FinishToFinish => (false, false),
            engine::LinkKind::StartToFinish => (true, false),
        };
        if let Some(from) = bound.from {
            let verb = match (bound.reason == Reason::Predecessor, source_starts, target_starts) {
                (true, true, _) => "it starts on",
                (true, false, _) => "it ends on",
                (false, _, true) => "it starts at the latest on",
                (false, _, false) => "it ends at the latest on",
            };
            text += &format!(": {verb} {}", spoken(from));
        }
        text += &format!("; {}", lag(link));
        if let Some(days) = bound.days_off {
            text += &format!(", {}", off(days));
        }
        if quantity == Quantity::Free && bound.binding {
            text += "; this link drives";
        }
        text
    }

    /// What a summary shows, and the leaves that give it that.
    fn decided(&self, summary: usize, dates: &engine::TaskDates) -> Vec<Decided> {
        let leaves = self.subject.leaves_below(summary);
        let of = |what: &'static str, show: &dyn Fn(&engine::TaskDates) -> String, open_only: bool| {
            let value = show(dates);
            let gives = |leaf: &usize| {
                self.schedule.tasks[*leaf].is_some_and(|own| {
                    let is_open = own.progress != engine::Progress::Complete;
                    show(&own) == value && (is_open || !open_only)
                })
            };
            Decided { what, leaves: leaves.iter().copied().filter(gives).collect(), value }
        };
        let is_open = dates.progress != engine::Progress::Complete;
        vec![
            of("early start", &|dates| dates.early_start.to_string(), false),
            of("early finish", &|dates| dates.early_finish.to_string(), false),
            of("late start", &|dates| dates.late_start.to_string(), false),
            of("late finish", &|dates| dates.late_finish.to_string(), false),
            of("total float", &|dates| dates.total_float.to_string(), is_open),
            of("free float", &|dates| dates.free_float.to_string(), is_open),
        ]
    }
}

/// A lag in words.
fn lag(link: &engine::Link) -> String {
    let calendar = match link.lag_calendar {
        Some(LagCalendar::Predecessor) => " of the predecessor",
        Some(LagCalendar::Project) => " of the project",
        _ => "",
    };
    match link.lag_unit {
        _ if link.lag == 0 => "+0 working days".to_owned(),
        LagUnit::Percent => format!("{:+} % of its duration", link.lag),
        LagUnit::Elapsed => format!("{:+} calendar days", link.lag),
        LagUnit::Working if link.lag_calendar == Some(LagCalendar::Elapsed) => {
            format!("{:+} calendar days", link.lag)
        }
        LagUnit::Working => format!("{:+} working days{calendar}", link.lag),
    }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::ProjectStart => "project start",
        Reason::DataDate => "data date",
        Reason::PlannedStart => "planned start",
        Reason::ActualStart => "actual start",
        Reason::ActualDates => "actual dates",
        Reason::Constraint => "constraint",
        Reason::Deadline => "deadline",
        Reason::Predecessor => "predecessor",
        Reason::Successor => "successor",
        Reason::ProjectFinish => "project finish",
        Reason::TotalFloat => "its late date",
    }
}
