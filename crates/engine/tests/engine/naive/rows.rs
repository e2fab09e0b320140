//! What each row of a plan asks for by itself, read from `docs/scheduling.md`: its state, the rest of its
//! work, floors, limits and facts. The logic between rows is `forward`.

use super::days::Days;
use planwright_engine::{Calendar, Constraint, DoneWork, Network, ProgressMode, Task};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Waiting,
    Begun,
    Complete,
}

/// A bound on one end of a row. A finish may have to be at a boundary or after it, or only to leave no
/// own working day between itself and the boundary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Start(i32),
    Finish(i32),
    FinishNearly(i32),
}

/// Where a row lies: the boundaries of the rest of its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) start: i32,
    pub(crate) finish: i32,
}

#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) days: Days,
    pub(crate) project: usize,
    pub(crate) state: State,
    pub(crate) point: bool,
    /// Everything counts on one calendar, so that a point between two of its working days is at both.
    pub(crate) loose: bool,
    pub(crate) rest: i32,
    pub(crate) done: i32,
    pub(crate) floors: Vec<Bound>,
    /// The latest of the floors of the start, where the show of a point changes from morning to evening.
    pub(crate) floor: i32,
    /// Latest start and finish that keep its dated limits.
    pub(crate) latest_start: Option<i32>,
    pub(crate) latest_finish: Option<i32>,
    /// A start that logic cannot pass.
    pub(crate) cap: Option<i32>,
    /// Begun on this day.
    pub(crate) began: Option<i32>,
    /// Ignores what leads into it.
    pub(crate) detached: bool,
    pub(crate) lazy: bool,
    /// Complete, and where; `None` if it has to be worked out.
    pub(crate) fact: Option<Span>,
    /// Where it began has to be worked out from finished work before it.
    pub(crate) assumed: bool,
}

pub(crate) fn calendar_of(plan: &Network, index: usize) -> Calendar {
    let task = &plan.tasks[index];
    let calendar = task.calendar.or(plan.projects[task.project].calendar);
    calendar.map(|calendar| plan.calendars[calendar].clone()).unwrap_or_default()
}

pub(crate) fn read(plan: &Network, index: usize) -> Row {
    let task = &plan.tasks[index];
    let frame = &plan.projects[task.project];
    let begun = task.actual_start.is_some() || task.percent_complete > 0.0;
    let complete = task.actual_finish.is_some() || task.percent_complete >= 100.0;
    let done = (f64::from(task.duration) * task.percent_complete / 100.0).floor() as i32;
    let mut row = Row {
        days: Days::of(&calendar_of(plan, index)),
        project: task.project,
        state: if complete { State::Complete } else { [State::Waiting, State::Begun][usize::from(begun)] },
        point: task.duration == 0,
        loose: false,
        rest: if complete { 0 } else { task.duration - done },
        done,
        floors: Vec::new(),
        floor: i32::MIN / 4,
        latest_start: None,
        latest_finish: None,
        cap: None,
        began: None,
        detached: false,
        lazy: false,
        fact: None,
        assumed: false,
    };
    match row.state {
        State::Complete => row.fact = fact(task, &row.days, frame.data_date.map(|day| day.0)),
        State::Begun => row.begun(plan, task),
        State::Waiting => row.waiting(plan, task),
    }
    if complete {
        row.assumed = row.fact.is_none();
        row.floors = vec![Bound::Start(row.days.next(frame.start.0))];
        row.floors.extend(task.planned_start.map(|day| Bound::Start(row.days.next(day.0))));
        row.floor = row.start_floor();
    }
    if let Some(deadline) = task.deadline.filter(|_| !complete) {
        let finish = row.by_end_of(deadline.0);
        row.latest_finish = Some(row.latest_finish.map_or(finish, |known| known.min(finish)));
    }
    row
}

/// Actual dates as they are; of what is missing, what the duration says.
fn fact(task: &Task, days: &Days, data_date: Option<i32>) -> Option<Span> {
    let actual = (task.actual_start.map(|day| day.0), task.actual_finish.map(|day| day.0));
    Some(match actual {
        (Some(start), Some(finish)) => Span { start, finish: finish + 1 },
        (Some(start), None) if task.duration == 0 => Span { start, finish: start },
        (Some(start), None) => {
            let finish = days.ahead(start, task.duration);
            // Not in the future of the data date, nor before its own first day.
            let reported = data_date.map_or(finish, |day| days.last(day).max(start + 1));
            Span { start, finish: finish.min(reported) }
        }
        (None, Some(finish)) => Span { start: days.back(finish + 1, task.duration), finish: finish + 1 },
        (None, None) => return None,
    })
}

impl Row {
    /// The last place at which it shows as finished by a day. A point shows it until its next working day.
    fn by_end_of(&self, day: i32) -> i32 {
        if self.point { self.days.next(day + 1) } else { self.days.last(day + 1) }
    }

    fn start_floor(&self) -> i32 {
        let start = |bound: &Bound| if let Bound::Start(at) = bound { Some(*at) } else { None };
        self.floors.iter().filter_map(start).max().unwrap_or(i32::MIN / 4)
    }

    fn waiting(&mut self, plan: &Network, task: &Task) {
        let frame = &plan.projects[task.project];
        let days = self.days.clone();
        let floors = [Some(frame.start), frame.data_date, task.planned_start];
        self.floors = floors.into_iter().flatten().map(|day| Bound::Start(days.next(day.0))).collect();
        let mut gentle = false;
        match task.constraint {
            None => {}
            Some(Constraint::AsLateAsPossible) => self.lazy = true,
            Some(Constraint::StartNoEarlierThan(day)) => {
                self.floors.push(Bound::Start(days.next(day.0)));
            }
            Some(Constraint::StartNoLaterThan(day)) => {
                let before = days.last(day.0 + 1) - 1;
                self.latest_start = Some(if self.point { days.next(day.0) } else { before });
            }
            Some(Constraint::FinishNoEarlierThan(day)) => self.floors.push(Bound::Finish(day.0 + 1)),
            Some(Constraint::FinishNoLaterThan(day)) => self.latest_finish = Some(self.by_end_of(day.0)),
            Some(kind @ (Constraint::MustStartOn(day) | Constraint::StartOn(day))) => {
                gentle = matches!(kind, Constraint::StartOn(_));
                self.floors.push(Bound::Start(days.next(day.0)));
                self.latest_start = Some(days.next(day.0));
            }
            Some(kind @ (Constraint::MustFinishOn(day) | Constraint::FinishOn(day))) => {
                gentle = matches!(kind, Constraint::FinishOn(_));
                self.floors.push(Bound::FinishNearly(days.last(day.0 + 1)));
                self.latest_finish = Some(self.by_end_of(day.0));
            }
        }
        self.floor = self.start_floor();
        if plan.options.honour_dates && !gentle {
            let cap = match task.constraint {
                Some(Constraint::FinishNoLaterThan(day) | Constraint::MustFinishOn(day)) => {
                    Some(days.back(days.last(day.0 + 1), self.rest))
                }
                _ => self.latest_start,
            };
            let data_date = frame.data_date.map_or(i32::MIN, |day| days.next(day.0));
            self.cap = cap.map(|cap| cap.max(data_date));
            if self.point && self.latest_finish.is_some() {
                // Held at one place, so that what pushes it further lacks time.
                self.latest_finish = cap;
            }
        }
    }

    fn begun(&mut self, plan: &Network, task: &Task) {
        let frame = &plan.projects[task.project];
        let (days, done) = (self.days.clone(), self.done);
        let mode = plan.options.progress;
        self.detached = mode != ProgressMode::RetainedLogic;
        self.began = task.actual_start.map(|day| day.0);
        let part = |from: i32| days.next(days.ahead(from, done));
        let data_date = frame.data_date.map(|day| days.next(day.0));
        let from = match (self.began, data_date) {
            (Some(start), Some(now)) if mode == ProgressMode::ActualDates => now.max(part(start)),
            (Some(start), Some(now)) => now.max(days.next(start)),
            (Some(start), None) => part(start),
            (None, Some(now)) => now.max(days.next(frame.start.0)),
            (None, None) => {
                self.assumed = true;
                let planned = task.planned_start.map_or(i32::MIN, |day| day.0);
                part(frame.start.0.max(planned))
            }
        };
        self.floors = vec![Bound::Start(from)];
        self.floor = from;
        // What has begun can no longer be asked when to start; only how late it may end.
        self.latest_finish = match task.constraint {
            Some(
                Constraint::FinishNoLaterThan(day)
                | Constraint::MustFinishOn(day)
                | Constraint::FinishOn(day),
            ) => Some(self.by_end_of(day.0)),
            _ => None,
        };
    }

    /// Whether a place keeps a bound.
    pub(crate) fn keeps(&self, span: Span, bound: Bound) -> bool {
        match bound {
            Bound::Start(at) | Bound::Finish(at) | Bound::FinishNearly(at) if self.point && self.loose => {
                self.days.between(span.start, at) <= 0
            }
            Bound::Start(at) => span.start >= at,
            Bound::Finish(at) => span.finish >= at,
            Bound::FinishNearly(at) if self.point => span.finish >= at,
            Bound::FinishNearly(at) => self.days.between(span.finish, at) <= 0,
        }
    }

    /// Its place when the rest of its work begins at the first working day from a boundary.
    pub(crate) fn at(&self, boundary: i32) -> Span {
        if self.point {
            return Span { start: boundary, finish: boundary };
        }
        let start = self.days.next(boundary);
        Span { start, finish: self.days.ahead(start, self.rest) }
    }

    /// The earliest place that keeps all bounds; `None` if there is none to keep.
    pub(crate) fn earliest(&self, bounds: &[Bound]) -> Option<Span> {
        let reach = |bound: &Bound| match *bound {
            Bound::Start(at) => at,
            Bound::Finish(at) | Bound::FinishNearly(at) => self.days.back(at, self.rest) - 30,
        };
        let mut span = self.at(bounds.iter().map(reach).min()?);
        while !bounds.iter().all(|bound| self.keeps(span, *bound)) {
            span = self.at(span.start + 1);
        }
        Some(span)
    }
}

pub(crate) fn passes_on(plan: &Network) -> bool {
    plan.options.done_work == DoneWork::Retained
}
