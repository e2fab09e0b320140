//! Early dates: all rules are tried until nothing moves. It also computes what a slip of one row does to the others.
//! There is no order of rows and there are no hubs: a link on a summary is a link on each of its leaves.

use super::days::{Days, boundary, evening, is_evening, morning};
use super::rows::{Bound, Row, Span, State, calendar_of, passes_on, read};
use planwright_engine::{LagCalendar, LagUnit, Link, LinkKind, Network};

/// A link with what it counts on, and the leaves at both its ends.
pub(crate) struct Tie {
    pub(crate) link: Link,
    lag: Lag,
    pub(crate) before: Vec<usize>,
    pub(crate) after: Vec<usize>,
}

enum Lag {
    None,
    Calendar(i32),
    Working(i32, Days),
}

pub(crate) struct Naive<'a> {
    pub(crate) plan: &'a Network,
    /// `None` for rows that do not take part, and summaries.
    pub(crate) rows: Vec<Option<Row>>,
    pub(crate) ties: Vec<Tie>,
    pub(crate) spans: Vec<Option<Span>>,
    /// For complete rows, where unfinished work before them would have let them finish.
    pub(crate) passed: Vec<Option<i32>>,
}

/// Where rows lie that count: all of them, or those that one row alone reaches.
pub(crate) struct Places {
    pub(crate) spans: Vec<Option<Span>>,
    pub(crate) passed: Vec<Option<i32>>,
    /// Only what one row reaches is placed.
    pub(crate) alone: bool,
}

pub(crate) fn leaves_below(plan: &Network, index: usize) -> Vec<usize> {
    let children: Vec<usize> =
        (0..plan.tasks.len()).filter(|row| plan.tasks[*row].parent == Some(index)).collect();
    if children.is_empty() {
        return vec![index];
    }
    children.into_iter().flat_map(|child| leaves_below(plan, child)).collect()
}

impl<'a> Naive<'a> {
    /// All but the rows and links that the engine said it leaves out.
    pub(crate) fn of(plan: &'a Network, left_out: &[usize]) -> Naive<'a> {
        let leaf = |index: &usize| plan.tasks.iter().all(|task| task.parent != Some(*index));
        let rows: Vec<Option<Row>> =
            (0..plan.tasks.len()).map(|index| leaf(&index).then(|| read(plan, index))).collect();
        let links = plan.links.iter().enumerate().filter(|(index, _)| !left_out.contains(index));
        let ties = links.map(|(_, link)| tie(plan, link)).collect();
        let count = plan.tasks.len();
        let mut naive = Naive { plan, rows, ties, spans: vec![None; count], passed: vec![None; count] };
        naive.settle_finished();
        naive.place_all();
        naive.delay_lazy();
        naive
    }

    /// Where finished work without dates was, and where work without a known start began: after finished
    /// work before it.
    fn settle_finished(&mut self) {
        let assumed: Vec<usize> = self.indices().filter(|index| self.row(*index).assumed).collect();
        let facts =
            |naive: &Naive| naive.rows.iter().map(|row| row.as_ref().and_then(|row| row.fact)).collect();
        loop {
            let known: Vec<Option<Span>> = facts(self);
            let places = Places { spans: known.clone(), passed: vec![None; known.len()], alone: false };
            for index in &assumed {
                let row = self.row(*index).clone();
                let bounds: Vec<Bound> = self.bounds_on(*index, &places, false);
                let mut whole = Row { rest: row.rest + row.done, ..row.clone() };
                let task = &self.plan.tasks[*index];
                whole.rest = task.duration;
                let frame = &self.plan.projects[row.project];
                let mut floors = vec![Bound::Start(morning(frame.start.0))];
                floors.extend(task.planned_start.map(|day| Bound::Start(morning(day.0))));
                floors.extend(bounds);
                let Some(mut span) = whole.earliest(&floors) else { continue };
                let row_mut = self.rows[*index].as_mut().expect("a leaf");
                if row.state == State::Begun {
                    let from = morning(row.days.next(row.days.ahead(boundary(span.start), row.done)));
                    row_mut.floors = vec![Bound::Start(if row.point { span.start } else { from })];
                    continue;
                }
                if let Some(now) = frame.data_date.map(|day| day.0) {
                    // Not in the future of the data date.
                    let over = evening(row.days.last(now));
                    if row.point && is_evening(span.start) {
                        span = whole.at(span.start.min(over));
                    } else if row.point {
                        span = whole.at(span.start.min(morning(row.days.next(now))));
                    } else if span.finish > over {
                        let start = span.start.min(morning(row.days.back(boundary(over), 1)));
                        span = Span { start, finish: over };
                    }
                }
                row_mut.fact = Some(span);
            }
            if facts(self) == known {
                return;
            }
        }
    }

    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + use<'a> {
        let plan = self.plan;
        (0..plan.tasks.len()).filter(|index| plan.tasks.iter().all(|task| task.parent != Some(*index)))
    }

    pub(crate) fn row(&self, index: usize) -> &Row {
        self.rows[index].as_ref().expect("a leaf")
    }

    fn place_all(&mut self) {
        for index in self.indices() {
            let row = self.row(index);
            self.spans[index] = row.fact.or_else(|| held_down(row, row.earliest(&row.floors)));
        }
        loop {
            let places = Places { spans: self.spans.clone(), passed: self.passed.clone(), alone: false };
            let mut moved = false;
            for index in self.indices() {
                let row = self.row(index);
                let mut bounds = self.bounds_on(index, &places, true);
                if row.fact.is_some() {
                    let passed = self.passed_on(row, &bounds);
                    moved |= passed != self.passed[index];
                    self.passed[index] = passed;
                    continue;
                }
                bounds.extend(&row.floors);
                let span = held_down(row, row.earliest(&bounds));
                moved |= span != self.spans[index];
                self.spans[index] = span;
            }
            if !moved {
                return;
            }
        }
    }

    /// The bounds that links put on a row from places; `flow` asks for those of unfinished work too.
    pub(crate) fn bounds_on(&self, index: usize, places: &Places, flow: bool) -> Vec<Bound> {
        let row = self.row(index);
        if flow && (row.detached || row.fact.is_some() && !passes_on(self.plan)) {
            return Vec::new();
        }
        let ties = self.ties.iter().filter(|tie| tie.after.contains(&index));
        ties.flat_map(|tie| self.bounds_of(tie, places)).collect()
    }

    /// The bounds that a link puts on each of its successors: one for each leaf whose finish it leaves
    /// from, one for the first of those whose start it leaves from.
    pub(crate) fn bounds_of(&self, tie: &Tie, places: &Places) -> Vec<Bound> {
        let from_start = matches!(tie.link.kind, LinkKind::StartToStart | LinkKind::StartToFinish);
        // Both ends of a milestone are the instant in which it lies, if it did not begin on a known day. Only the
        // finish of done work passes logic on.
        let instant = |row: &Row| {
            row.point
                && row.began.is_none()
                && row.fact.is_none_or(|fact| boundary(fact.start) == boundary(fact.finish))
        };
        let alone = matches!(tie.before[..], [index] if instant(self.row(index)));
        if from_start && !alone {
            let from = self.start_of(tie, places);
            return from.map(|from| tie.bound(from)).into_iter().collect();
        }
        let finish = |index: &usize| {
            let row = self.row(*index);
            let passed = places.passed[*index].filter(|_| !from_start);
            let from = places.spans[*index].map(|span| span.finish).max(passed)?;
            // From a morning it holds a finish as well as from the evening before.
            let before = (!is_evening(from)).then(|| tie.bound(evening(row.days.last(boundary(from)))));
            Some([Some(tie.bound(from)), before])
        };
        tie.before.iter().filter_map(finish).flatten().flatten().collect()
    }

    /// Where what leads into finished work, which takes no time any more, would let it end; `None` if it ended as
    /// late by itself.
    pub(crate) fn passed_on(&self, row: &Row, bounds: &[Bound]) -> Option<i32> {
        let dated = !row.assumed;
        let place = |bound: &Bound| match *bound {
            Bound::Start(at) | Bound::Finish(at) | Bound::FinishNearly(at) if row.point || dated => {
                row.days.place_from(at)
            }
            Bound::Start(at) | Bound::FinishNearly(at) => evening(row.days.last(boundary(at))),
            Bound::Finish(at) => evening(row.days.next(boundary(at) - 1) + 1),
        };
        let fact = row.fact?.finish;
        let own = if row.point || dated { row.days.place_from(fact) } else { fact };
        bounds.iter().map(place).max().filter(|passed| *passed > own)
    }

    /// Where the first of the leaves before a link starts, or started.
    fn start_of(&self, tie: &Tie, places: &Places) -> Option<i32> {
        let start = |index: &usize, spans: &[Option<Span>]| {
            let row = self.row(*index);
            let span = spans[*index]?;
            Some(match row.began {
                Some(began) => began,
                None if row.state == State::Begun => morning(row.days.back(boundary(span.start), row.done)),
                None => morning(boundary(span.start)),
            })
        };
        if !places.alone {
            return tie.before.iter().filter_map(|index| start(index, &places.spans)).min();
        }
        // What one row reaches is held against where all others are; a start that is a fact stays.
        let moves = |index: &usize| self.row(*index).began.is_none() && places.spans[*index].is_some();
        let (reached, others): (Vec<usize>, Vec<usize>) = tie.before.iter().partition(|index| moves(index));
        let others = others.iter().filter_map(|index| start(index, &self.spans)).min();
        let before = reached.iter().filter_map(|index| start(index, &self.spans)).min().min_some(others)?;
        let now = reached.iter().filter_map(|index| start(index, &places.spans)).min()?;
        let now = Some(now).min_some(others)?;
        // Where somebody else holds the link as well, this row alone moves nothing.
        (others != Some(before) || now < before).then_some(now)
    }

    /// What wants to be late goes to where its successors and its project let it, the last ones first.
    fn delay_lazy(&mut self) {
        let mut waiting: Vec<usize> = self.indices().filter(|index| self.row(*index).lazy).collect();
        while !waiting.is_empty() {
            let follows = |one: usize, other: usize| self.reaches(one, other);
            let place = (0..waiting.len())
                .find(|place| {
                    waiting.iter().all(|other| *other == waiting[*place] || !follows(waiting[*place], *other))
                })
                .expect("no circles");
            let index = waiting.swap_remove(place);
            let free = self.free_place(index).min(self.late_place(index, false));
            let row = self.rows[index].as_mut().expect("a leaf");
            row.floors.push(Bound::Start(free));
            self.place_all();
        }
    }

    /// Whether links lead from a row to another.
    fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.plan.tasks.len()];
        let mut pending = vec![from];
        while let Some(index) = pending.pop() {
            for after in self.ties.iter().filter(|tie| tie.before.contains(&index)).flat_map(|tie| &tie.after)
            {
                if !std::mem::replace(&mut seen[*after], true) {
                    pending.push(*after);
                }
            }
        }
        seen[to]
    }
}

fn held_down(row: &Row, span: Option<Span>) -> Option<Span> {
    match (span, row.cap) {
        (Some(span), Some(cap)) if span.start > cap => Some(row.at(cap)),
        _ => span,
    }
}

trait Least {
    /// The least of what is there.
    fn min_some(self, other: Self) -> Self;
}

impl Least for Option<i32> {
    fn min_some(self, other: Option<i32>) -> Option<i32> {
        self.into_iter().chain(other).min()
    }
}

fn tie(plan: &Network, link: &Link) -> Tie {
    let (one, other) = (&plan.tasks[link.predecessor], &plan.tasks[link.successor]);
    let frame = &plan.projects[other.project];
    let counted = match link.lag_unit {
        LagUnit::Percent => (f64::from(link.lag) * f64::from(one.duration) / 100.0).round() as i32,
        LagUnit::Working | LagUnit::Elapsed => link.lag,
    };
    let lag_calendar = link.lag_calendar.unwrap_or(frame.lag_calendar);
    let on = |index: usize| Lag::Working(counted, Days::of(&calendar_of(plan, index)));
    let lag = match (link.lag_unit, lag_calendar) {
        (LagUnit::Elapsed, _) => Lag::Calendar(counted),
        (_, LagCalendar::Elapsed) if link.kind == LinkKind::StartToFinish => Lag::Calendar(counted + 1),
        (_, LagCalendar::Elapsed) => Lag::Calendar(counted),
        (_, LagCalendar::Successor) => on(link.successor),
        (_, LagCalendar::Predecessor) => on(link.predecessor),
        (_, LagCalendar::Project) => {
            let calendar = frame.calendar.map(|calendar| plan.calendars[calendar].clone());
            Lag::Working(counted, Days::of(&calendar.unwrap_or_default()))
        }
    };
    let shown = link.lag_unit != LagUnit::Elapsed && lag_calendar == LagCalendar::Elapsed;
    let lag = if counted == 0 && !(shown && link.kind == LinkKind::StartToFinish) { Lag::None } else { lag };
    Tie {
        link: *link,
        lag,
        before: leaves_below(plan, link.predecessor),
        after: leaves_below(plan, link.successor),
    }
}

impl Tie {
    /// What the link asks of its successor when the end that it leaves from is at an instant.
    fn bound(&self, from: i32) -> Bound {
        let from_start = matches!(self.link.kind, LinkKind::StartToStart | LinkKind::StartToFinish);
        let to_start = matches!(self.link.kind, LinkKind::StartToStart | LinkKind::FinishToStart);
        let at = boundary(from);
        let to = match &self.lag {
            Lag::None => from,
            // Counted from a shown day to a shown day.
            Lag::Calendar(days) if self.link.kind == LinkKind::StartToFinish && self.shows_days() => {
                evening(at + days)
            }
            Lag::Calendar(days) => from + 2 * days,
            Lag::Working(days, calendar) if *days > 0 => evening(calendar.ahead(at, *days)),
            // A lead goes back to where a working day begins, but between two finishes to where one ends.
            Lag::Working(days, calendar) if from_start || to_start => morning(calendar.back(at, -days)),
            Lag::Working(days, calendar) => evening(calendar.last(calendar.back(at, -days))),
        };
        match (to_start, is_evening(to)) {
            (true, _) => Bound::Start(to),
            (false, true) => Bound::Finish(to),
            (false, false) => Bound::FinishNearly(to),
        }
    }

    fn shows_days(&self) -> bool {
        self.link.lag_unit != LagUnit::Elapsed
    }
}
