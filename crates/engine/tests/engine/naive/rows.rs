//! The demands of each row of a plan, as in `docs/scheduling.md`: its state, its remaining work, floors, limits and
//! actual dates. The logic between rows is in `forward`.

use super::days::{Days, boundary, evening, morning};
use planwright_engine::{Calendar, Constraint, DoneWork, Network, ProgressMode, Task};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Waiting,
    Begun,
    Complete,
}

/// A bound on one end of a row, as an instant. A finish may have to be at it or after it, or only to leave no own
/// working day between itself and a morning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Start(i32),
    Finish(i32),
    FinishNearly(i32),
}

/// Where a row lies: the instants of the rest of its work.
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
    pub(crate) rest: i32,
    pub(crate) done: i32,
    pub(crate) floors: Vec<Bound>,
    /// Latest start and finish that keep its dated limits.
    pub(crate) latest_start: Option<i32>,
    pub(crate) latest_finish: Option<i32>,
    /// A start that logic cannot pass.
    pub(crate) cap: Option<i32>,
    /// Begun at this instant.
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
        rest: if complete { 0 } else { task.duration - done },
        done,
        floors: Vec::new(),
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
        State::Begun => row.begun(plan, index),
        State::Waiting => row.waiting(plan, index),
    }
    if complete {
        row.assumed = row.fact.is_none();
        row.floors = vec![Bound::Start(morning(frame.start.0))];
        row.floors.extend(task.planned_start.map(|day| Bound::Start(morning(day.0))));
    }
    if !complete {
        for limited in above(plan, index) {
            let Some(deadline) = limited.deadline else { continue };
            let finish = row.by_end_of(deadline.0);
            row.latest_finish = Some(row.latest_finish.map_or(finish, |known| known.min(finish)));
        }
    }
    row
}

/// A row and the summaries above it.
pub(crate) fn above(plan: &Network, index: usize) -> impl Iterator<Item = &Task> {
    let rows = std::iter::successors(Some(index), |row| plan.tasks[*row].parent);
    rows.map(|row| &plan.tasks[row])
}

/// What the constraint of a summary asks of each row below it.
fn for_each_below(constraint: Constraint) -> Option<Constraint> {
    match constraint {
        Constraint::MustStartOn(day) | Constraint::StartOn(day) => Some(Constraint::StartNoEarlierThan(day)),
        Constraint::StartNoLaterThan(_) | Constraint::FinishNoEarlierThan(_) => None,
        // Kept as they are, so that it is known which of them win over logic; only the latest finish counts.
        other => Some(other),
    }
}

/// Actual dates as they are; of what is missing, what the duration says.
fn fact(task: &Task, days: &Days, data_date: Option<i32>) -> Option<Span> {
    let actual = (task.actual_start.map(|day| day.0), task.actual_finish.map(|day| day.0));
    let span = |start, finish| Some(Span { start: morning(start), finish: evening(finish) });
    match actual {
        (Some(start), Some(finish)) => span(start, finish + 1),
        (Some(start), None) if task.duration == 0 => {
            Some(Span { start: morning(start), finish: morning(start) })
        }
        (Some(start), None) => {
            let finish = days.ahead(start, task.duration);
            // Not in the future of the data date, nor before its own first day.
            let reported = data_date.map_or(finish, |day| days.last(day).max(start + 1));
            span(start, finish.min(reported))
        }
        (None, Some(finish)) if task.duration == 0 => span(finish + 1, finish + 1),
        (None, Some(finish)) => span(days.back(finish + 1, task.duration), finish + 1),
        (None, None) => None,
    }
}

impl Row {
    /// The last place of its finish that is over by the end of a day.
    fn by_end_of(&self, day: i32) -> i32 {
        if self.point { self.days.place_by(evening(day + 1)) } else { evening(self.days.last(day + 1)) }
    }

    /// The last place of its start that is no later than the morning of a day.
    fn by_morning_of(&self, day: i32) -> i32 {
        if self.point { self.days.place_by(morning(day)) } else { morning(self.days.last(day + 1) - 1) }
    }

    fn waiting(&mut self, plan: &Network, index: usize) {
        let task = &plan.tasks[index];
        let frame = &plan.projects[task.project];
        let floors = [Some(frame.start), frame.data_date, task.planned_start];
        self.floors = floors.into_iter().flatten().map(|day| Bound::Start(morning(day.0))).collect();
        let data_date = frame.data_date.map_or(i32::MIN, |day| morning(self.days.next(day.0)));
        for (place, limited) in above(plan, index).enumerate() {
            let summary = place > 0;
            let asked = match limited.constraint {
                Some(constraint) if summary => for_each_below(constraint),
                constraint => constraint,
            };
            let (start, finish, gentle) = self.limited(asked, summary);
            let least = |known: Option<i32>, other: Option<i32>| known.into_iter().chain(other).min();
            self.latest_start = least(self.latest_start, start);
            self.latest_finish = least(self.latest_finish, finish);
            if plan.options.honour_dates && !gentle {
                let by_finish = |finish: i32| match self.point {
                    true => finish,
                    false => morning(self.days.back(boundary(finish), self.rest)),
                };
                let cap = start.or(finish.map(by_finish)).map(|cap| cap.max(data_date));
                self.cap = least(self.cap, cap);
            }
        }
    }

    /// Takes in the floors of a constraint; its latest start, its latest finish, and whether it never wins over logic.
    fn limited(&mut self, constraint: Option<Constraint>, summary: bool) -> (Option<i32>, Option<i32>, bool) {
        let days = self.days.clone();
        match constraint {
            None => {}
            Some(Constraint::AsLateAsPossible) => self.lazy = true,
            Some(Constraint::StartNoEarlierThan(day)) => {
                self.floors.push(Bound::Start(morning(day.0)));
            }
            Some(Constraint::StartNoLaterThan(day)) => return (Some(self.by_morning_of(day.0)), None, false),
            Some(Constraint::FinishNoEarlierThan(day)) => self.floors.push(Bound::Finish(evening(day.0 + 1))),
            Some(Constraint::FinishNoLaterThan(day)) => return (None, Some(self.by_end_of(day.0)), false),
            Some(kind @ (Constraint::MustStartOn(day) | Constraint::StartOn(day))) => {
                self.floors.push(Bound::Start(morning(day.0)));
                let gentle = matches!(kind, Constraint::StartOn(_));
                return (Some(morning(days.next(day.0))), None, gentle);
            }
            Some(kind @ (Constraint::MustFinishOn(day) | Constraint::FinishOn(day))) => {
                if !summary {
                    self.floors.push(Bound::Finish(evening(days.last(day.0 + 1))));
                }
                return (None, Some(self.by_end_of(day.0)), matches!(kind, Constraint::FinishOn(_)));
            }
        }
        (None, None, false)
    }

    fn begun(&mut self, plan: &Network, index: usize) {
        let task = &plan.tasks[index];
        let frame = &plan.projects[task.project];
        let (days, done) = (self.days.clone(), self.done);
        let mode = plan.options.progress;
        self.detached = mode != ProgressMode::RetainedLogic;
        let began = task.actual_start.map(|day| day.0);
        self.began = began.map(morning);
        let part = |from: i32| days.next(days.ahead(from, done));
        let data_date = frame.data_date.map(|day| days.next(day.0));
        let from = match (began, data_date) {
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
        self.floors = vec![Bound::Start(morning(from))];
        // What has begun can no longer be asked when to start; only how late it may end.
        let latest = above(plan, index).filter_map(|limited| match limited.constraint? {
            Constraint::FinishNoLaterThan(day)
            | Constraint::MustFinishOn(day)
            | Constraint::FinishOn(day) => Some(self.by_end_of(day.0)),
            _ => None,
        });
        self.latest_finish = latest.min();
    }

    /// Whether a place keeps a bound.
    pub(crate) fn keeps(&self, span: Span, bound: Bound) -> bool {
        match bound {
            Bound::Start(at) => span.start >= at,
            Bound::FinishNearly(at) if !self.point => {
                self.days.between(boundary(span.finish), boundary(at)) <= 0
            }
            Bound::Finish(at) | Bound::FinishNearly(at) => span.finish >= at,
        }
    }

    /// Its place when the rest of its work begins at the first working day from an instant.
    pub(crate) fn at(&self, instant: i32) -> Span {
        if self.point {
            let place = self.days.place_from(instant);
            return Span { start: place, finish: place };
        }
        let start = self.days.next(boundary(instant));
        Span { start: morning(start), finish: evening(self.days.ahead(start, self.rest)) }
    }

    /// The place behind a place of its start, and the one before it.
    pub(crate) fn next_place(&self, start: i32) -> i32 {
        self.at(start + 1).start
    }

    pub(crate) fn place_before(&self, start: i32) -> i32 {
        if self.point { self.days.place_by(start - 1) } else { morning(self.days.back(boundary(start), 1)) }
    }

    /// Working days from a place of its start to another. What ought to lie in the evening before its morning is
    /// a day too late.
    pub(crate) fn float(&self, from: i32, to: i32) -> i32 {
        let days = self.days.between(boundary(from), boundary(to));
        if to < from { days.min(-1) } else { days }
    }

    /// The earliest place that keeps all bounds; `None` if there is none to keep.
    pub(crate) fn earliest(&self, bounds: &[Bound]) -> Option<Span> {
        let reach = |bound: &Bound| match *bound {
            Bound::Start(at) => at - 60,
            Bound::Finish(at) | Bound::FinishNearly(at) => {
                morning(self.days.back(boundary(at), self.rest) - 30)
            }
        };
        let mut span = self.at(bounds.iter().map(reach).min()?);
        while !bounds.iter().all(|bound| self.keeps(span, *bound)) {
            span = self.at(self.next_place(span.start));
        }
        Some(span)
    }
}

pub(crate) fn passes_on(plan: &Network) -> bool {
    plan.options.done_work == DoneWork::Retained
}
