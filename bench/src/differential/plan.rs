//! A plan for both sides, and how it is written in the simple format.

use serde_json::{Map, Value, json};

use super::calendar::Calendar;
use super::day::date;

/// A scheduler that the engine is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// The rules of Microsoft Project.
    Microsoft,
    /// The rules of Primavera P6.
    Primavera,
}

impl Tool {
    /// All of them, in the order of tables.
    pub(crate) const ALL: [Self; 2] = [Self::Microsoft, Self::Primavera];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Microsoft => "microsoft",
            Self::Primavera => "primavera",
        }
    }
}

/// The type of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// From a finish to a start.
    FinishStart,
    /// From a start to a start.
    StartStart,
    /// From a finish to a finish.
    FinishFinish,
    /// From a start to a finish.
    StartFinish,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::FinishStart => "FS",
            Self::StartStart => "SS",
            Self::FinishFinish => "FF",
            Self::StartFinish => "SF",
        }
    }

    /// Whether it limits the finish of the successor.
    pub(crate) fn holds_finish(self) -> bool {
        matches!(self, Self::FinishFinish | Self::StartFinish)
    }

    /// Whether it counts from the start of the predecessor.
    pub(crate) fn leaves_start(self) -> bool {
        matches!(self, Self::StartStart | Self::StartFinish)
    }
}

/// Whose calendar counts the days of a lag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LagCalendar {
    /// That of the successor.
    #[default]
    Successor,
    /// That of the predecessor.
    Predecessor,
    /// That of the project.
    Project,
    /// Every hour counts.
    EveryHour,
}

impl LagCalendar {
    fn name(self) -> &'static str {
        match self {
            Self::Successor => "successor",
            Self::Predecessor => "predecessor",
            Self::Project => "project",
            Self::EveryHour => "24h",
        }
    }
}

/// A demand on the dates of a task; all but the last have a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Start no earlier than.
    StartFrom,
    /// Start no later than.
    StartBy,
    /// Finish no earlier than.
    FinishFrom,
    /// Finish no later than.
    FinishBy,
    /// Must start on.
    MustStart,
    /// Must finish on.
    MustFinish,
    /// Start on, without breaking logic.
    StartOn,
    /// Finish on, without breaking logic.
    FinishOn,
    /// As late as possible.
    Late,
}

impl Demand {
    fn name(self) -> &'static str {
        match self {
            Self::StartFrom => "SNET",
            Self::StartBy => "SNLT",
            Self::FinishFrom => "FNET",
            Self::FinishBy => "FNLT",
            Self::MustStart => "MSO",
            Self::MustFinish => "MFO",
            Self::StartOn => "START_ON",
            Self::FinishOn => "FINISH_ON",
            Self::Late => "ALAP",
        }
    }
}

/// The progress of a task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Begun {
    /// The first day worked.
    pub(crate) start: i32,
    /// The last day worked, if it is finished.
    pub(crate) finish: Option<i32>,
}

/// A task; its name is its place in the plan.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    /// Working days.
    pub(crate) duration: i32,
    /// Its calendar, 0 being that of the project.
    pub(crate) calendar: usize,
    /// A demand with its day.
    pub(crate) demand: Option<(Demand, i32)>,
    /// The last day on which it should be finished.
    pub(crate) deadline: Option<i32>,
    /// What was done.
    pub(crate) begun: Option<Begun>,
    /// Working days left.
    pub(crate) remaining: i32,
}

impl Task {
    /// Whether it takes no time.
    pub(crate) fn is_point(&self) -> bool {
        self.duration == 0
    }

    /// First and last day worked, if it is finished.
    pub(crate) fn finished(&self) -> Option<(i32, i32)> {
        let begun = self.begun?;
        Some((begun.start, begun.finish?))
    }

    /// Whether it is to be as late as possible.
    pub(crate) fn wants_late(&self) -> bool {
        matches!(self.demand, Some((Demand::Late, _)))
    }

    /// The demand and its day.
    pub(crate) fn demanded(&self, demand: Demand) -> Option<i32> {
        self.demand.filter(|known| known.0 == demand).map(|known| known.1)
    }
}

/// A link; it always leads to a later task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// The predecessor.
    pub(crate) from: usize,
    /// The successor.
    pub(crate) to: usize,
    /// The type.
    pub(crate) kind: Kind,
    /// Days between; negative for a lead.
    pub(crate) lag: i32,
    /// Whether these are calendar days.
    pub(crate) elapsed: bool,
}

/// A whole plan.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The name of its group.
    pub(crate) group: &'static str,
    /// The scheduler that it is compared with.
    pub(crate) against: &'static [Tool],
    /// The day on which it starts.
    pub(crate) start: i32,
    /// The data date.
    pub(crate) data_date: Option<i32>,
    /// Whether dates win over logic.
    pub(crate) honour: bool,
    /// Whose calendar counts lag.
    pub(crate) lag_calendar: LagCalendar,
    /// The calendar of the project, and others.
    pub(crate) calendars: Vec<Calendar>,
    /// The tasks.
    pub(crate) tasks: Vec<Task>,
    /// The links.
    pub(crate) links: Vec<Link>,
}

impl Plan {
    /// The plan in the simple format, with `group` and `against` beside it.
    pub(crate) fn json(&self) -> Value {
        let calendars: Map<String, Value> = self
            .calendars
            .iter()
            .enumerate()
            .skip(1)
            .map(|(index, calendar)| (calendar_name(index), calendar.json()))
            .collect();
        let tasks: Vec<Value> =
            self.tasks.iter().enumerate().map(|(index, task)| task_json(index, task)).collect();
        let mut plan = json!({
            "group": self.group,
            "against": self.against.iter().map(|tool| tool.name()).collect::<Vec<_>>(),
            "start": date(self.start),
            "lag_calendar": self.lag_calendar.name(),
            "calendar": self.calendars[0].json(),
            "calendars": calendars,
            "tasks": tasks,
            "deps": self.links.iter().map(link_json).collect::<Vec<_>>(),
        });
        if let Some(day) = self.data_date {
            plan["status_date"] = date(day).into();
        }
        if self.honour {
            plan["honour_dates"] = true.into();
        }
        plan
    }

    /// The calendar of a task.
    pub(crate) fn calendar(&self, task: usize) -> &Calendar {
        &self.calendars[self.tasks[task].calendar]
    }

    /// The calendar that counts the lag of a link; none where every day counts.
    pub(crate) fn lag_calendar(&self, link: &Link) -> Option<&Calendar> {
        match self.lag_calendar {
            _ if link.elapsed => None,
            LagCalendar::EveryHour => None,
            LagCalendar::Successor => Some(self.calendar(link.to)),
            LagCalendar::Predecessor => Some(self.calendar(link.from)),
            LagCalendar::Project => Some(&self.calendars[0]),
        }
    }

    /// The links that lead to a task.
    pub(crate) fn links_to(&self, task: usize) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(move |link| link.to == task)
    }
}

/// The name of a task.
pub(crate) fn task_name(index: usize) -> String {
    format!("T{index}")
}

fn calendar_name(index: usize) -> String {
    format!("calendar {index}")
}

fn task_json(index: usize, task: &Task) -> Value {
    let mut row = json!({"id": task_name(index), "duration": task.duration});
    if task.calendar > 0 {
        row["calendar"] = calendar_name(task.calendar).into();
    }
    match task.demand {
        Some((Demand::Late, _)) => row["constraint"] = json!([Demand::Late.name()]),
        Some((demand, day)) => row["constraint"] = json!([demand.name(), date(day)]),
        None => {}
    }
    if let Some(day) = task.deadline {
        row["deadline"] = date(day).into();
    }
    if let Some(begun) = task.begun {
        row["actual_start"] = date(begun.start).into();
        row["remaining"] = task.remaining.into();
        if let Some(day) = begun.finish {
            row["actual_finish"] = date(day).into();
        }
    }
    row
}

fn link_json(link: &Link) -> Value {
    let mut row = json!({
        "pred": task_name(link.from),
        "succ": task_name(link.to),
        "type": link.kind.name(),
        "lag": link.lag,
    });
    if link.elapsed {
        row["lag_unit"] = "elapsed".into();
    }
    row
}
