//! Tasks and links of a document. Calendars and projects are in `calendars`.

use std::collections::HashMap;

use super::SimpleError;
use super::place::At;
use crate::day::Day;
use crate::network::{Constraint, LagUnit, Link, LinkKind, Task, ThreePoint};

/// What rows name.
pub(super) struct Names<'a> {
    pub(super) tasks: HashMap<String, usize>,
    pub(super) calendars: &'a HashMap<String, usize>,
    /// Projects by name; `None` where the document is one project.
    pub(super) projects: Option<HashMap<String, usize>>,
}

const TASK_KEYS: [&str; 19] = [
    "id",
    "name",
    "project",
    "parent",
    "duration",
    "milestone",
    "calendar",
    "planned_start",
    "constraint",
    "deadline",
    "actual_start",
    "actual_finish",
    "percent_complete",
    "remaining",
    "estimate",
    "story_points",
    "assigned",
    "baseline_finish",
    "comment",
];

/// Keys of a task that mean nothing on a row that others name as their parent.
const OF_LEAVES: [&str; 7] = [
    "planned_start",
    "actual_start",
    "actual_finish",
    "percent_complete",
    "remaining",
    "estimate",
    "story_points",
];

impl At<'_> {
    pub(super) fn link(
        &self,
        names: &Names<'_>,
        plain: impl Fn(usize) -> LagUnit,
    ) -> Result<Link, SimpleError> {
        self.expect_keys(&["pred", "succ", "type", "lag", "lag_unit", "lag_calendar", "comment"])?;
        let kind = self.read("type", |at| {
            at.one_of(&[
                ("FS", LinkKind::FinishToStart),
                ("SS", LinkKind::StartToStart),
                ("FF", LinkKind::FinishToFinish),
                ("SF", LinkKind::StartToFinish),
            ])
        })?;
        let predecessor = self.need("pred")?.index(&names.tasks)?;
        let successor = self.need("succ")?.index(&names.tasks)?;
        let plain_unit = plain(successor);
        let unit = self.read("lag_unit", |at| {
            at.one_of(&[
                ("work", plain_unit),
                ("working", plain_unit),
                ("elapsed", LagUnit::Elapsed),
                ("percent", LagUnit::Percent),
            ])
        })?;
        let unit = unit.unwrap_or(plain_unit);
        let calendar = self.read("lag_calendar", At::lag_calendar)?;
        let whole_days = calendar.is_some_and(|(unit, _)| unit == LagUnit::Elapsed);
        Ok(Link {
            predecessor,
            successor,
            kind: kind.unwrap_or(LinkKind::FinishToStart),
            lag: self.read("lag", At::days)?.unwrap_or(0),
            lag_unit: if whole_days { LagUnit::Elapsed } else { unit },
            lag_calendar: calendar.map(|(_, calendar)| calendar),
        })
    }

    /// A row below another; `is_summary` says that others name it as their parent.
    pub(super) fn task(
        &self,
        names: &Names<'_>,
        parent: Option<usize>,
        is_summary: bool,
    ) -> Result<Task, SimpleError> {
        self.expect_keys(&TASK_KEYS)?;
        let day = |name: &'static str| self.read(name, At::day);
        let duration = match self.get("duration") {
            None if is_summary => 0,
            _ => self.need("duration")?.days()?,
        };
        let project = match &names.projects {
            Some(projects) => self.need("project")?.index(projects)?,
            None => match self.get("project") {
                Some(at) => return Err(at.fault("the document has no projects")),
                None => 0,
            },
        };
        let percent = self.read("percent_complete", At::number)?.unwrap_or(0.0);
        let mut task = Task {
            project,
            parent,
            calendar: self.read("calendar", |at| at.index(names.calendars))?,
            planned_start: day("planned_start")?,
            deadline: day("deadline")?,
            actual_start: day("actual_start")?,
            actual_finish: day("actual_finish")?,
            percent_complete: percent,
            constraint: self.read("constraint", At::constraint)?.flatten(),
            estimate: self.read("estimate", At::estimate)?,
            story_points: self.read("story_points", |at| at.within(0.0, 1_000_000.0))?,
            ..Task::new(id_of(self.need("id")?.text()?), duration)
        };
        if let Some(at) = self.get("milestone") {
            at.one_of(&[("start", ()), ("finish", ())])?;
            if duration != 0 {
                return Err(at.fault("a milestone has the duration 0"));
            }
        }
        if let Some(at) = self.get("remaining") {
            let (left, whole) = (at.within(0.0, f64::from(duration.max(0)))?, f64::from(duration));
            // Half a thousandth of a day above, so that dividing and multiplying loses no whole day.
            let done = whole - left.ceil();
            task.percent_complete =
                if done > 0.0 { (100.0 * (done + 0.000_5) / whole).min(100.0) } else { 0.0 };
        }
        Ok(task)
    }

    /// What is written on a summary and not used, each with its place.
    pub(super) fn unused_on_summary(&self) -> impl Iterator<Item = String> {
        let written = OF_LEAVES.iter().filter_map(|key| self.get(key));
        written.map(|at| at.fault("not used: a summary gets its dates from the rows below it").to_string())
    }

    /// `["SNET", "2026-01-12"]`, `["ALAP"]`.
    fn constraint(&self) -> Result<Option<Constraint>, SimpleError> {
        let items = self.items()?;
        let kind = items.first().ok_or_else(|| self.fault("expected [kind, date]"))?;
        let undated = match kind.text()? {
            "ASAP" => Some(None),
            "ALAP" => Some(Some(Constraint::AsLateAsPossible)),
            _ => None,
        };
        if let Some(constraint) = undated {
            let date = items.get(1).filter(|at| !at.value.is_null());
            return date.map_or(Ok(constraint), |at| Err(at.fault("a constraint of this kind has no date")));
        }
        let make = kind.one_of::<Option<fn(Day) -> Constraint>>(&[
            ("SNET", Some(Constraint::StartNoEarlierThan)),
            ("SNLT", Some(Constraint::StartNoLaterThan)),
            ("FNET", Some(Constraint::FinishNoEarlierThan)),
            ("FNLT", Some(Constraint::FinishNoLaterThan)),
            ("MSO", Some(Constraint::MustStartOn)),
            ("MFO", Some(Constraint::MustFinishOn)),
            ("START_ON", Some(Constraint::StartOn)),
            ("FINISH_ON", Some(Constraint::FinishOn)),
            ("ALAP", None),
            ("ASAP", None),
        ])?;
        match items.as_slice() {
            [_, date] => Ok(make.map(|make| date.day().map(make)).transpose()?),
            _ => Err(self.fault("expected [kind, date]")),
        }
    }

    /// `[optimistic, most likely, pessimistic]`.
    pub(super) fn estimate(&self) -> Result<ThreePoint, SimpleError> {
        match self.items()?.as_slice() {
            [optimistic, most_likely, pessimistic] => {
                let (optimistic, most_likely) = (optimistic.number()?, most_likely.number()?);
                let pessimistic = pessimistic.number()?;
                if optimistic < 0.0 || optimistic > most_likely || most_likely > pessimistic {
                    return Err(self.fault(
                        "expected three numbers of at least 0, each not smaller than the one before",
                    ));
                }
                Ok(ThreePoint { optimistic, most_likely, pessimistic })
            }
            _ => Err(self.fault("expected [optimistic, most likely, pessimistic]")),
        }
    }
}

/// A number that depends on a name alone (FNV-1a, 128 bits), so that adding a row changes nothing that is
/// drawn for the others.
pub(super) fn id_of(name: &str) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    name.bytes().fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}
