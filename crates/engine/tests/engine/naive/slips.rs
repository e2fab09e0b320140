//! Late dates and floats by brute force: a row is moved a day at a time, alone, and what it reaches is held
//! against the finish of its project, dated limits and the early dates of its successors.

use super::forward::{Naive, Places, reach_of};
use super::rows::{Bound, Row, Span, State};
use planwright_engine::Day;

/// Further than any slip in a random plan; what nothing holds goes that far.
const FAR: i32 = 700;

/// What the second scheduler says of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) early: [Day; 2],
    pub(crate) late: [Day; 2],
    pub(crate) scheduled_start: Day,
    pub(crate) floats: [i32; 3],
    pub(crate) evening: bool,
}

impl Naive<'_> {
    /// The boundary at which everything of a project, or of all, is finished. A point that begins a day is
    /// there; any other at the end of the last day worked before it.
    pub(crate) fn finish_of_project(&self, project: Option<usize>) -> Option<i32> {
        let counts = |index: &usize| project.is_none_or(|project| self.row(*index).project == project);
        let finish = |index: usize| {
            let (row, span) = (self.row(index), self.spans[index]?);
            let ends_day = row.point && row.fact.is_none() && (row.loose || self.is_evening(index, span));
            Some(if ends_day { row.days.last(span.start) } else { span.finish })
        };
        self.indices().filter(counts).filter_map(finish).max()
    }

    /// Whether a point at a place falls at the end of the day that it shows.
    fn is_evening(&self, index: usize, span: Span) -> bool {
        let row = self.row(index);
        row.point && row.days.between(row.floor, span.start) > 0
    }

    /// Places of what a row alone reaches when it stands at a place; `near` stops at its successors.
    fn reach(&self, from: usize, span: Span, near: bool) -> Places {
        let count = self.plan.tasks.len();
        let mut places = Places { spans: vec![None; count], passed: vec![None; count], alone: true };
        places.spans[from] = Some(span);
        loop {
            let mut moved = false;
            for index in self.indices().filter(|index| *index != from) {
                let row = self.row(index);
                if near && row.fact.is_none() {
                    continue;
                }
                let bounds = self.bounds_on(index, &places, true);
                if row.fact.is_some() {
                    // What has happened later anyway holds what follows by itself.
                    let fact = self.spans[index].map(|span| span.finish);
                    let later = |at: &i32| fact.is_some_and(|fact| row.days.between(fact, *at) > 0);
                    let passed = reach_of(&bounds).filter(later);
                    moved |= passed != places.passed[index];
                    places.passed[index] = passed;
                } else {
                    let span = row.earliest(&bounds);
                    moved |= span != places.spans[index];
                    places.spans[index] = span;
                }
            }
            if !moved {
                return places;
            }
        }
    }

    /// Whether a row may stand at a place without its project's finish, or all, and dated limits suffering.
    fn harmless(&self, from: usize, span: Span, program: bool) -> bool {
        let places = self.reach(from, span, false);
        let project = self.row(from).project;
        let (all, own) = (self.finish_of_project(None), self.finish_of_project(Some(project)));
        self.indices().all(|index| {
            let row = self.row(index);
            let Some(span) = places.spans[index].filter(|_| row.fact.is_none()) else { return true };
            // A dated limit counts wherever it stands, a finish only where it is asked about.
            let finish = if program { all } else { own };
            let finish = finish.filter(|_| program || row.project == project);
            let after = |limit: Option<i32>, at: i32| limit.is_some_and(|limit| at > limit);
            // A point on days off shows the last of its working days, so that the finish does not move.
            let beyond = |finish| if row.point { row.days.next(finish) } else { finish };
            !after(finish.map(beyond), span.finish)
                && !after(row.latest_start, span.start)
                && !after(row.latest_finish, span.finish)
        })
    }

    /// Whether a row may stand at a place without a successor's early dates moving.
    fn unnoticed(&self, from: usize, span: Span) -> bool {
        let places = self.reach(from, span, true);
        self.indices().filter(|index| *index != from).all(|index| {
            let row = self.row(index);
            let (None, Some(span)) = (row.fact, self.spans[index]) else { return true };
            self.bounds_on(index, &places, true).iter().all(|bound| row.keeps(span, *bound))
        })
    }

    /// The last boundary at which a row may begin the rest of its work, by a judgement.
    fn last_place(&self, index: usize, fits: impl Fn(Span) -> bool) -> i32 {
        let row = self.row(index);
        let early = self.spans[index].expect("placed").start;
        let mut at = early;
        if !fits(row.at(at)) {
            while !fits(row.at(at)) {
                at = if row.point { at - 1 } else { row.days.back(at, 1) };
                assert!(early - at < FAR, "no place is early enough");
            }
            return at;
        }
        loop {
            let next = if row.point { at + 1 } else { row.days.next(at + 1) };
            if next - early > FAR || !fits(row.at(next)) {
                return at;
            }
            at = next;
        }
    }

    pub(crate) fn late_place(&self, index: usize, program: bool) -> i32 {
        self.last_place(index, |span| self.harmless(index, span, program))
    }

    pub(crate) fn free_place(&self, index: usize) -> i32 {
        self.last_place(index, |span| self.unnoticed(index, span))
    }

    /// Everything about a leaf.
    pub(crate) fn answer(&self, index: usize) -> Answer {
        let row = self.row(index);
        let span = self.spans[index].expect("placed");
        if row.state == State::Complete {
            return self.finished(index, row, span);
        }
        let evening = self.is_evening(index, span);
        let late = self.late_place(index, false);
        let floats = [late, self.late_place(index, true), self.free_place(index)];
        let floats = floats.map(|place| row.days.between(span.start, place));
        let began = match row.began {
            Some(day) => Day(day),
            None if row.done > 0 => Day(row.days.back(span.start, row.done)),
            None => shown(row, span, evening)[0],
        };
        Answer {
            early: shown(row, span, evening),
            late: shown(row, row.at(late), self.is_evening(index, row.at(late))),
            scheduled_start: began,
            floats: [floats[0], floats[1], floats[2].min(floats[0])],
            evening,
        }
    }

    /// Finished work shows its facts and has no float.
    fn finished(&self, index: usize, row: &Row, span: Span) -> Answer {
        let task = &self.plan.tasks[index];
        let worked_out = row.assumed && row.point;
        let held = row.days.between(row.floor, span.start) > 0;
        let day = if worked_out && held { row.days.last(span.start) - 1 } else { row.days.next(span.start) };
        let days = match (worked_out, task.actual_start, task.actual_finish) {
            (true, ..) => [Day(day); 2],
            (_, start, Some(finish)) => [start.unwrap_or(Day(span.start.min(finish.0))), finish],
            _ => [Day(span.start), Day((span.finish - 1).max(span.start))],
        };
        let evening = row.point && span.finish > days[1].0;
        Answer { early: days, late: days, scheduled_start: days[0], floats: [0; 3], evening }
    }

    /// The bounds that all links put on a leaf, for the message of a failed test.
    pub(crate) fn why(&self, index: usize) -> Vec<Bound> {
        let places = Places { spans: self.spans.clone(), passed: self.passed.clone(), alone: false };
        let mut bounds = self.bounds_on(index, &places, true);
        bounds.extend(&self.row(index).floors);
        bounds
    }
}

/// First and last day of work; of a point the day at whose end, or beginning, it lies.
fn shown(row: &Row, span: Span, evening: bool) -> [Day; 2] {
    match (row.point, evening) {
        (false, _) => [Day(span.start), Day(span.finish - 1)],
        (true, true) => [Day(row.days.last(span.start) - 1); 2],
        (true, false) => [Day(row.days.next(span.start)); 2],
    }
}
