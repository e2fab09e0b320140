//! Late dates and floats by brute force: each row is moved alone, one day at a time. The result is compared with the
//! finish of its project, dated limits and the early dates of its successors.

use super::days::{boundary, is_evening};
use super::forward::{Naive, Places};
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
    /// The instant at which everything of a project, or of all, is finished.
    pub(crate) fn finish_of_project(&self, project: Option<usize>) -> Option<i32> {
        let counts = |index: &usize| project.is_none_or(|project| self.row(*index).project == project);
        self.indices().filter(counts).filter_map(|index| self.spans[index]).map(|span| span.finish).max()
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
                    let passed = self.passed_on(row, &bounds);
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
            !after(finish, span.finish)
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

    /// The last instant at which a row may begin the rest of its work, by a judgement.
    fn last_place(&self, index: usize, fits: impl Fn(Span) -> bool) -> i32 {
        let row = self.row(index);
        let early = self.spans[index].expect("placed").start;
        let mut at = early;
        if !fits(row.at(at)) {
            while !fits(row.at(at)) {
                at = row.place_before(at);
                assert!(early - at < 2 * FAR, "no place is early enough");
            }
            return at;
        }
        loop {
            let next = row.next_place(at);
            if next - early > 2 * FAR || !fits(row.at(next)) {
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
        let evening = row.point && is_evening(span.start);
        let late = self.late_place(index, false);
        let floats = [late, self.late_place(index, true), self.free_place(index)];
        let floats = floats.map(|place| row.float(span.start, place));
        let began = match row.began {
            Some(began) => Day(boundary(began)),
            None if row.done > 0 => Day(row.days.back(boundary(span.start), row.done)),
            None => shown(span)[0],
        };
        // What is early in an evening is late in one.
        let shown_late = if evening && !is_evening(late) { row.place_before(late) } else { late };
        Answer {
            early: shown(span),
            late: shown(row.at(shown_late)),
            scheduled_start: began,
            floats: [floats[0], floats[1], floats[2].min(floats[0])],
            evening,
        }
    }

    /// Finished work shows its facts and has no float.
    fn finished(&self, index: usize, row: &Row, span: Span) -> Answer {
        let finish = self.plan.tasks[index].actual_finish;
        let mut days = shown(span);
        // What was over before its own first day is shown on the day on which it was over.
        days[0] = days[0].min(days[1]);
        if let (true, None, Some(finish)) = (row.point, self.plan.tasks[index].actual_start, finish) {
            days = [finish; 2];
        }
        let evening = row.point && is_evening(span.finish);
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

/// The days of two instants.
fn shown(span: Span) -> [Day; 2] {
    [span.start, span.finish].map(|instant| Day(instant.div_euclid(2)))
}
