//! What a file says that is wrong, or that nothing else looks at.

use chrono::NaiveDate;
use planwright_engine as engine;

use super::super::{breaks, codes, fields};
use super::{Reading, mark, whole_days};
use crate::assigned::UNKNOWN_UNITS;
use crate::instants::{days, evening};
use crate::progress::percent_that_leaves;
use crate::seed::engine_calendar;
use crate::unread::{Known, says_nothing};
use crate::xml::Element;

/// The units of an assignment. Negative ones and texts that are no number say nothing.
pub(super) fn units_of(assignment: &Element) -> f64 {
    match assignment.text("Units").filter(|text| !text.is_empty()) {
        None => 1.0,
        Some(_) => assignment.value("Units").filter(|units| *units >= 0.0).unwrap_or(UNKNOWN_UNITS),
    }
}

/// The first and the last day of a row or a baseline. What has no length and follows something is done when that is: at
/// midnight, on the day before.
pub(super) fn days_of(
    element: &Element,
    start: &str,
    finish: &str,
) -> (Option<NaiveDate>, Option<NaiveDate>) {
    let start = element.text(start).and_then(codes::moment);
    let finish = element.text(finish).and_then(codes::end);
    match finish.filter(|finish| start == Some(*finish) && element.child("PredecessorLink").is_some()) {
        Some(moment) => (Some(evening(moment)), Some(evening(moment))),
        None => days(start, finish),
    }
}

impl Reading<'_> {
    /// How much of a row of so many days is done, from 0 to 100, so that the days that the file says are left are left. Microsoft
    /// Project cuts its percentages to whole ones.
    pub(super) fn percent(
        &mut self,
        element: &Element,
        (duration, is_elapsed): (u32, bool),
        mark: &str,
    ) -> f64 {
        let said = self.said_percent(element, mark);
        let left = element.text("RemainingDuration").filter(|text| !text.is_empty());
        let read = left.and_then(codes::minutes).filter(|minutes| *minutes >= 0.0);
        if left.is_some() && read.is_none() {
            let reason = "A remaining duration that is negative or cannot be read is passed over.";
            self.losses.note("RemainingDuration", reason, mark);
        }
        let left = read;
        let is_begun = said > 0.0 || element.text("ActualStart").and_then(codes::day).is_some();
        let Some(left) = left.filter(|_| is_begun && said < 100.0 && !element.flag("Summary")) else {
            return said;
        };
        let left = whole_days(self.part_days(left, is_elapsed));
        let percent = percent_that_leaves(left, duration, said);
        if (percent - said).abs() >= 1.0 {
            let reason =
                "The percentage is that of the remaining duration, so that the remaining days are right.";
            self.losses.note("PercentComplete", reason, mark);
        }
        percent
    }

    /// From 0 to 100; what is neither is named.
    fn said_percent(&mut self, element: &Element, mark: &str) -> f64 {
        let Some(text) = element.text("PercentComplete") else { return 0.0 };
        let sent = text.parse::<f64>().ok().filter(|percent| !percent.is_nan());
        match sent {
            None => {
                self.losses.note("PercentComplete", "A percentage that cannot be read counts as 0.", mark);
                0.0
            }
            Some(percent) => {
                let held = percent.clamp(0.0, 100.0);
                if held != percent {
                    self.losses.note("PercentComplete", "A percentage is held between 0 and 100.", mark);
                }
                held
            }
        }
    }

    /// What a row says that nothing else looks at.
    pub(super) fn note_odd_task(&mut self, element: &Element, known: &Known, mark: &str) {
        known.note(element, "", mark, &mut self.losses);
        self.note_flags_taken_away("Task", element, mark);
        for field in ["StartText", "FinishText", "DurationText"] {
            let is_word = |text: &str| !text.bytes().any(|byte| byte.is_ascii_digit());
            if element.text(field).is_some_and(|text| !text.is_empty() && is_word(text)) {
                self.losses.note(field, "A word instead of a date or a duration is not imported.", mark);
            }
        }
        let is_number =
            |code: &str| code.split('.').all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let is_own = |code: &str| match element.text("OutlineNumber").filter(|number| !number.is_empty()) {
            Some(number) => number != code,
            None => !is_number(code),
        };
        if element.text("WBS").is_some_and(is_own) {
            self.losses.note("WBS", "A code that is not the outline number is not imported.", mark);
        }
        for (field, reason) in [
            ("ExternalTask", "A row of another file became an ordinary task."),
            ("SubprojectName", "The rows of an inserted file are not imported. Its row became a task."),
        ] {
            if element.text(field).is_some_and(|value| !says_nothing(value)) {
                self.losses.note(field, reason, mark);
            }
        }
    }

    /// Names flags of an element that are usually set and are not.
    fn note_flags_taken_away(&mut self, kind: &str, element: &Element, mark: &str) {
        for (_, field, reason) in fields::USUALLY_SET.iter().filter(|(of, ..)| *of == kind) {
            if element.text(field).is_some() && !element.flag(field) {
                self.losses.note(field, reason, mark);
            }
        }
    }

    /// Names the rows whose work is interrupted.
    pub(super) fn note_breaks(&mut self) {
        for at in std::mem::take(&mut self.interrupted) {
            let reason = "Work that is interrupted in the file is done without a break here.";
            self.losses.note("Split", reason, &*self.rows[at].mark);
        }
    }

    /// Names the rows that say that calendars of resources do not count, where a file of ours would not say so: those on the
    /// calendar of the project whose resources have none that differs.
    pub(super) fn note_unmoved(&mut self) {
        let own = self.calendars.place(self.project_calendar);
        for at in std::mem::take(&mut self.unmoved) {
            let row = &self.rows[at];
            let of_resource = |place: &usize| self.resource_calendars.get(*place).copied().flatten();
            let mut moved = row.assignments.iter().filter_map(|(place, _)| of_resource(place));
            if row.calendar.is_none() && !moved.any(|calendar| Some(calendar) != own) {
                let reason =
                    "Calendars of resources move no work here, so whether they count is not imported.";
                self.losses.note("IgnoreResourceCalendar", reason, &*row.mark);
            }
        }
    }

    /// Notes a resource without a name or an id. That with the id 0 stands in every file for nobody.
    pub(super) fn note_nameless(&mut self, resource: &Element) {
        if resource.text("UID") != Some("0") {
            let mark = resource.text("Name").or_else(|| resource.text("UID")).unwrap_or_default();
            self.losses.note("Resource", "A resource without a name or an id is left out.", mark);
        }
    }

    /// Notes a row if an assignment of it leaves out days that both the row and the resource work.
    pub(super) fn note_pauses(&mut self, assignment: &Element, row: usize, resource: Option<usize>) {
        if assignment.child("TimephasedData").is_none() {
            return;
        }
        let of_row = self.working_days(self.rows[row].calendar);
        let of_resource = resource.and_then(|at| self.resource_calendars[at]);
        let of_resource = of_resource.map_or_else(|| of_row.clone(), |at| self.working_days(Some(at)));
        if breaks::leaves_out_days(assignment, &[&of_row, &of_resource]) {
            self.interrupted.insert(row);
        }
    }

    /// Names what a baseline says that is no date, or no duration that a plan has.
    pub(super) fn note_odd_baseline(&mut self, baseline: &Element, mark: &str) {
        for field in ["Start", "Finish"] {
            let said = baseline.text(field).filter(|text| !text.is_empty() && *text != "NA");
            if said.is_some_and(|text| codes::day(text).is_none()) {
                self.losses.note("Baseline", "A date of a baseline that cannot be read is left out.", mark);
            }
        }
        let Some(said) = baseline.text("Duration").filter(|text| !text.is_empty()) else { return };
        let days = codes::minutes(said).map(|minutes| minutes / self.minutes_per_day);
        let reason = match days {
            None => "A duration of a baseline that cannot be read is left out.",
            Some(days) if days < 0.0 => "A negative duration of a baseline counts as none.",
            Some(days) if days > 36_525.0 => "Durations are cut at 36525 days.",
            Some(days) if (days - days.round()).abs() > 1e-5 => {
                "Part of a day of a baseline counts as a whole one."
            }
            Some(_) => return,
        };
        self.losses.note("Baseline", reason, mark);
    }

    /// The calendar at a place, or that of the project.
    pub(super) fn working_days(&self, place: Option<usize>) -> engine::Calendar {
        let place = place.or_else(|| self.calendars.place(self.project_calendar));
        place.map(|at| engine_calendar(&self.calendars.list[at])).unwrap_or_default()
    }

    /// What is filled besides the rows and is not read.
    pub(super) fn note_unread(&mut self, root: &Element) {
        fields::of_projects().note(root, "Project", "", &mut self.losses);
        for (list, name, known) in [
            ("Resources", "Resource", fields::of_resources()),
            ("Assignments", "Assignment", fields::of_assignments()),
        ] {
            for element in root.child(list).map(|all| all.all(name)).into_iter().flatten() {
                let place = element.value("TaskUID").and_then(|id: i64| self.places.get(&id));
                let row = place.map(|at| self.rows[*at].mark.as_str());
                let mark = row.or_else(|| element.text("Name")).or_else(|| element.text("UID"));
                let mark = mark.unwrap_or_default().to_owned();
                known.note(element, name, &mark, &mut self.losses);
                self.note_flags_taken_away(name, element, &mark);
                let accrual = element.text("AccrueAt").filter(|accrual| matches!(*accrual, "1" | "2"));
                if name == "Resource" && accrual.is_some() {
                    self.losses.note("AccrueAt", "Costs accrue with the work here.", &*mark);
                }
            }
        }
        let known = fields::of_baselines();
        for element in root.child("Tasks").map(|tasks| tasks.all("Task")).into_iter().flatten() {
            for baseline in element.all("Baseline") {
                known.note(baseline, "Baseline", &mark(element), &mut self.losses);
            }
        }
    }
}
