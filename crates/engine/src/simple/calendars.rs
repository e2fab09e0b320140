//! Calendars, and the projects that use them. Rows and links are in `rows`.

use std::collections::HashMap;

use super::SimpleError;
use super::place::At;
use crate::calendar::{Calendar, CalendarException, MONDAY_TO_FRIDAY};
use crate::network::{LagCalendar, LagUnit, ProjectFrame, Velocity};

/// The calendars of a document; those with names first, in their order.
pub(super) struct Calendars {
    pub(super) list: Vec<Calendar>,
    pub(super) names: HashMap<String, usize>,
    /// Calendars with names that are narrowed by others.
    layered: Vec<bool>,
}

impl Calendars {
    pub(super) fn of(root: &At<'_>) -> Result<Calendars, SimpleError> {
        let named = root.read("calendars", At::entries)?.unwrap_or_default();
        let mut calendars = Calendars { list: Vec::new(), names: HashMap::new(), layered: Vec::new() };
        for (index, (name, at)) in named.iter().enumerate() {
            calendars.names.insert(name.clone(), index);
            calendars.list.push(at.calendar()?);
            calendars.layered.push(at.get("overlays").is_some());
        }
        for (index, (_, at)) in named.iter().enumerate() {
            calendars.list[index] = calendars.narrowed(at, calendars.list[index].clone())?;
        }
        Ok(calendars)
    }

    /// The calendar that a key names or spells out.
    pub(super) fn of_key(&mut self, at: &At<'_>) -> Result<usize, SimpleError> {
        if at.value.is_string() {
            return at.index(&self.names);
        }
        let calendar = self.narrowed(at, at.calendar()?)?;
        self.list.push(calendar);
        Ok(self.list.len() - 1)
    }

    /// A calendar narrowed by the layers that it names.
    fn narrowed(&self, at: &At<'_>, calendar: Calendar) -> Result<Calendar, SimpleError> {
        let mut layers = Vec::new();
        for layer in at.list("overlays")? {
            let index = layer.index(&self.names)?;
            if self.layered[index] {
                return Err(layer.fault("has overlays of its own; name those too"));
            }
            layers.push(&self.list[index]);
        }
        let calendar = if layers.is_empty() { calendar } else { calendar.with_overlays(layers) };
        match calendar.working_weekdays {
            0 => Err(at.fault("has no working weekday")),
            _ => Ok(calendar),
        }
    }
}

/// A project: what the engine needs, and how lags without a unit count.
pub(super) struct Frame {
    pub(super) frame: ProjectFrame,
    pub(super) plain_unit: LagUnit,
}

impl At<'_> {
    fn calendar(&self) -> Result<Calendar, SimpleError> {
        if !self.value.is_object() {
            return Err(self.fault("expected a calendar: an object with working_days and exceptions"));
        }
        self.expect_keys(&["working_days", "exceptions", "overlays"])?;
        let mask = |at: &At<'_>| {
            let mask = at.value.as_u64().filter(|mask| *mask <= 127);
            mask.map(|mask| mask as u8).ok_or_else(|| at.fault("expected a bit mask from 0 to 127"))
        };
        let mut calendar = Calendar::weekly(self.read("working_days", mask)?.unwrap_or(MONDAY_TO_FRIDAY));
        for at in self.list("exceptions")? {
            calendar.exceptions.push(at.exception()?);
        }
        Ok(calendar)
    }

    /// `["first", "last"]`, or `{"start", "end", "working"}`.
    fn exception(&self) -> Result<CalendarException, SimpleError> {
        let exception = if self.value.is_object() {
            self.expect_keys(&["start", "end", "working"])?;
            let working = self.read("working", At::flag)?.unwrap_or(false);
            CalendarException { first: self.need("start")?.day()?, last: self.need("end")?.day()?, working }
        } else {
            match self.items()?.as_slice() {
                [first, last] => CalendarException { first: first.day()?, last: last.day()?, working: false },
                _ => return Err(self.fault("expected [first day, last day]")),
            }
        };
        if exception.last < exception.first {
            return Err(self.fault("ends before it begins"));
        }
        Ok(exception)
    }

    /// What a lag counts: `24h` means calendar days at every hour, `elapsed` calendar days between shown
    /// dates.
    pub(super) fn lag_calendar(&self) -> Result<(LagUnit, LagCalendar), SimpleError> {
        self.one_of(&[
            ("successor", (LagUnit::Working, LagCalendar::Successor)),
            ("predecessor", (LagUnit::Working, LagCalendar::Predecessor)),
            ("project", (LagUnit::Working, LagCalendar::Project)),
            ("default", (LagUnit::Working, LagCalendar::Project)),
            ("elapsed", (LagUnit::Working, LagCalendar::Elapsed)),
            ("24h", (LagUnit::Elapsed, LagCalendar::Successor)),
        ])
    }

    /// A project that says itself, or leaves to `shared`, when it starts and how it counts.
    pub(super) fn frame(&self, shared: &At<'_>, calendar: Option<usize>) -> Result<Frame, SimpleError> {
        let key = |name: &'static str| self.get(name).or_else(|| shared.get(name));
        let start = match key("start") {
            Some(at) => at.day()?,
            None => return Err(self.need("start").err().unwrap_or_else(|| self.fault("start required"))),
        };
        let lags = key("lag_calendar").map(|at| at.lag_calendar()).transpose()?;
        let (plain_unit, lag_calendar) = lags.unwrap_or_default();
        let frame = ProjectFrame {
            data_date: key("status_date").map(|at| at.day()).transpose()?,
            calendar,
            lag_calendar,
            velocity: key("velocity").map(|at| at.velocity()).transpose()?,
            ..ProjectFrame::starting(start)
        };
        Ok(Frame { frame, plain_unit })
    }

    fn velocity(&self) -> Result<Velocity, SimpleError> {
        self.expect_keys(&["samples", "sprint_days"])?;
        let samples = self.need("samples")?;
        let points: Result<Vec<f64>, _> =
            samples.items()?.iter().map(|at| at.within(0.0, 1_000_000.0)).collect();
        let points = points?;
        if !points.iter().any(|points| *points > 0.0) {
            return Err(samples.fault("expected at least one sprint in which points were finished"));
        }
        let days = self.need("sprint_days")?;
        Ok(Velocity { samples: points, sprint_days: days.within(1.0, 366.0)?.ceil() as i32 })
    }
}
