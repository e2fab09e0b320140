//! Turns the ordinals of the passes into dates, floats and driving links, and summarises them for summaries.

use std::collections::HashMap;

use crate::axis::{Axis, LONGEST_STANDSTILL, evening, is_morning, morning};
use crate::bridge::{Bridge, Instants};
use crate::compiled::{Compiled, Kind};
use crate::day::Day;
use crate::ends::End;
use crate::fault::Fault;
use crate::graph::CONTAINMENT;
use crate::inputs::{BEGUN, CAPPED, DETACHED, Inputs, PINNED, POINT, STARTED};
use crate::network::{Constraint, Network};
use crate::passes::{Early, FREE, Late, latest_end, leads, limit_at};
use crate::range::{UNBOUND, UNSET};
use crate::schedule::{Conflict, ConflictKind, LinkResult, Progress, ProjectDates, TaskDates};

/// The results of the passes, by node.
pub(crate) struct Results<'a> {
    pub(crate) network: &'a Network,
    pub(crate) compiled: &'a Compiled,
    pub(crate) inputs: &'a Inputs,
    pub(crate) early: &'a Early,
    pub(crate) late: &'a Late,
    /// Latest starts against the node's own project, where links cross projects.
    pub(crate) project_late: Option<&'a [i32]>,
    /// The backward pass against everything.
    pub(crate) program: &'a Late,
    pub(crate) on_longest_path: &'a [bool],
}

impl Results<'_> {
    /// Dates and floats of a leaf.
    pub(crate) fn leaf(&self, node: usize) -> TaskDates {
        let own = self.compiled.axis_of(node);
        let flags = self.inputs.flags[node];
        if flags & PINNED != 0 {
            let [start, finish] = self.inputs.shown[node];
            return TaskDates {
                early_start: start,
                early_finish: finish,
                late_start: start,
                late_finish: finish,
                scheduled_start: start,
                total_float: 0,
                program_total_float: 0,
                free_float: 0,
                critical: false,
                program_critical: false,
                on_longest_path: false,
                falls_at_day_end: flags & POINT != 0 && self.inputs.ended_in_the_evening(node),
                remaining_duration: 0,
                progress: Progress::Complete,
            };
        }
        let early = self.early.start(self.inputs, node);
        let late = self.project_late.map_or_else(|| self.late.start(node), |project_late| project_late[node]);
        let total_float = self.compiled.float(node, early, late);
        let program_total_float = self.compiled.float(node, early, self.program.start(node));
        let free_float =
            self.compiled.float(node, early, self.late.free(node).min(UNBOUND / 4)).min(total_float);
        let remaining = self.inputs.remaining[node];
        let point = self.compiled.kind[node] == Kind::Point;
        let shown = |place: i32| if point { [point_day(own, place); 2] } else { days(own, place, remaining) };
        let [early_start, early_finish] = shown(early);
        let [late_start, late_finish] = shown(if point { late_as_shown(early, late) } else { late });
        let scheduled_start = if flags & STARTED != 0 {
            Day(self.inputs.fact[node][0])
        } else {
            shown(early - self.inputs.done[node])[0]
        };
        TaskDates {
            early_start,
            early_finish,
            late_start,
            late_finish,
            scheduled_start,
            total_float,
            program_total_float,
            free_float,
            critical: total_float <= 0,
            program_critical: program_total_float <= 0,
            on_longest_path: self.on_longest_path[node],
            falls_at_day_end: point && !is_morning(early),
            remaining_duration: remaining,
            progress: if flags & BEGUN != 0 { Progress::InProgress } else { Progress::NotStarted },
        }
    }

    /// What every link does.
    pub(crate) fn links(&self) -> Vec<LinkResult> {
        let mut slacks = Slacks::of(self.network.links.len());
        for (step, link) in self.compiled.steps_out.all_with_origin().filter(|(step, _)| !step.is_crossing())
        {
            let limit = self.late.limit(step.other(), step.target())[FREE];
            let at = self.early.end(step.here(), step.source());
            if limit < UNBOUND / 2 && at > UNSET / 2 {
                slacks.note(link, limit - step.lag - at);
            }
        }
        if !self.compiled.plain {
            self.links_across(&mut slacks);
        }
        slacks.results()
    }

    fn links_across(&self, slacks: &mut Slacks) {
        for node in 0..self.compiled.nodes.len() {
            for (bridge, link) in self.compiled.across_out(node) {
                let limit = self.late.limit_across(self.compiled, &bridge, FREE);
                if limit.morning < UNBOUND / 2
                    && let Some(slack) = self.slack(node, bridge.source, limit)
                {
                    slacks.note(link, slack);
                }
            }
        }
    }

    /// Working days by which an end of a node may move within a limit; `None` for a summary none of whose rows
    /// could be scheduled.
    fn slack(&self, node: usize, end: End, limit: Instants) -> Option<i32> {
        let compiled = self.compiled;
        if compiled.kind[node] != Kind::Hub {
            let at = self.early.end(node, end);
            let latest = latest_end(compiled, node, end, limit);
            return (at > UNSET / 2).then(|| compiled.float(node, at, latest));
        }
        let held = self.early.holds(compiled, self.inputs, node, end);
        let axis = compiled.axis_of(node);
        let days = |at: i32, limit: i32| {
            (at > UNSET / 2).then(|| axis.ordinal(limit).saturating_sub(axis.ordinal(at)))
        };
        let parts = [days(held.morning, limit.morning), days(held.evening, limit.evening)];
        parts.into_iter().flatten().min()
    }

    /// Marks the leaves on chains of binding dates that end at their project's finish.
    pub(crate) fn trace(compiled: &Compiled, inputs: &Inputs, early: &Early, last: Vec<bool>) -> Vec<bool> {
        let mut reached = last;
        // What a hub must exceed to bind something behind it; in a plain plan, the least place that binds.
        let mut beyond: HashMap<usize, Instants> = HashMap::new();
        let mut least: HashMap<usize, i32> = HashMap::new();
        for node in compiled.sequence.iter().rev().map(|node| *node as usize) {
            let hub = beyond.get(&node).copied();
            let place = match compiled.is_leaf(node) {
                true => early.binding_place(compiled, inputs, node).filter(|_| reached[node]),
                false => least.get(&node).copied(),
            };
            if let Some(place) = place {
                for (step, _) in compiled.along_in(node) {
                    let from = step.other();
                    let wanted = place + (inputs.remaining[node] & step.target_mask()) - step.lag;
                    if compiled.is_leaf(from) {
                        reached[from] |= early.end(from, step.source()) >= wanted;
                    } else {
                        let known = least.entry(from).or_insert(wanted);
                        *known = wanted.min(*known);
                    }
                }
            } else if hub.is_none() {
                continue;
            }
            for (bridge, _) in compiled.across_in(node) {
                let from = bridge.other as usize;
                let outward = Bridge { other: node as u32, ..bridge };
                let limit = match (hub, place) {
                    (Some(_), _)
                        if compiled.takes_earliest(node)
                            && !leads(compiled, inputs, early, from, &outward) =>
                    {
                        continue;
                    }
                    (Some(limit), _) => compiled.limit_into(node, limit),
                    (None, place) => {
                        limit_before(compiled, inputs, node, bridge.target, place.unwrap_or(UNBOUND))
                    }
                };
                let before = bridge.backward(&compiled.calendars.axes, limit);
                if compiled.kind[from] == Kind::Hub {
                    let known = beyond.entry(from).or_insert(Instants::FREE);
                    *known = known.min(before);
                } else {
                    reached[from] |= early.holds(compiled, inputs, from, bridge.source).exceeds(before);
                }
            }
        }
        reached
    }

    /// What was left out, and the leaves that their calendars hold up for longer than anybody plans.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        let mut faults = self.compiled.faults.clone();
        let axes = &self.compiled.calendars.axes;
        if axes.iter().any(|axis| axis.stands_still) {
            let held = (0..self.compiled.nodes.len()).filter(|node| self.compiled.is_leaf(*node));
            faults.extend(held.filter_map(|node| self.held_up(node)));
        }
        faults
    }

    /// A leaf that waits or works across too many days off of its calendar. It does not wait before the days that it
    /// is asked for.
    fn held_up(&self, node: usize) -> Option<Fault> {
        let axis = self.compiled.axis_of(node);
        if !axis.stands_still || self.inputs.flags[node] & PINNED != 0 {
            return None;
        }
        let row = self.compiled.nodes[node].task as usize;
        let (task, frame) =
            (&self.network.tasks[row], &self.network.projects[self.network.project_of_row(row)]);
        let first = self.compiled.ordinal_of(node, self.early.start(self.inputs, node));
        let (begin, remaining) = (axis.start(first), self.inputs.remaining[node]);
        let finish = axis.finish(first.saturating_add(remaining));
        let asked = [Some(frame.start), frame.data_date, task.planned_start, task.actual_start];
        let constraint = task.constraint.and_then(Constraint::day);
        let asked = asked.into_iter().chain([constraint]).flatten().map(|day| day.0);
        let waits = i64::from(begin) - i64::from(asked.fold(axis.finish(first), i32::max));
        let works = i64::from(finish) - i64::from(begin) - 7 * (i64::from(remaining) + 1);
        let id = task.id;
        let last = Day(if remaining > 0 { finish - 1 } else { begin });
        (waits.max(works) > LONGEST_STANDSTILL).then_some(Fault::BeyondCalendar {
            task: row,
            id,
            finish: last,
        })
    }

    /// The dated limits that a leaf misses. What has begun is no longer asked when to start, and what is
    /// finished only whether it met its deadline.
    pub(crate) fn conflicts(&self, node: usize, dates: &TaskDates) -> Vec<Conflict> {
        if self.inputs.high[node] >= UNBOUND / 2 && self.inputs.flags[node] & PINNED == 0 {
            // Nothing limits it; rows are large and far apart.
            return Vec::new();
        }
        let index = self.compiled.nodes[node].task as usize;
        let task = &self.network.tasks[index];
        let own = self.compiled.axis_of(node);
        let point = self.compiled.kind[node] == Kind::Point;
        let mut missed = Vec::new();
        let mut note = |kind, wanted: Day, expected: Day, broken: bool| {
            if broken {
                missed.push(Conflict { task: index, kind, wanted, expected });
            }
        };
        let begun = dates.progress != Progress::NotStarted;
        let complete = dates.progress == Progress::Complete;
        let start = self.early.start(self.inputs, node);
        let finish = start.saturating_add(self.inputs.remaining[node]);
        let ends_after = |day: Day| match complete {
            true => self.inputs.shown[node][1] > day,
            false => finish > self.compiled.finishing_by(node, evening(day.0.saturating_add(1))),
        };
        let starts_after = |day: Day| {
            start > if point { own.point_by(morning(day.0)) } else { own.ordinal_starting_by(day.0) }
        };
        match task.constraint {
            Some(Constraint::StartNoLaterThan(day)) if !begun => {
                note(ConflictKind::Start, day, dates.early_start, starts_after(day));
            }
            Some(Constraint::MustStartOn(day) | Constraint::StartOn(day)) if !begun => {
                let first = if point { own.point_from_morning(day.0) } else { own.ordinal(day.0) };
                note(ConflictKind::Start, day, dates.early_start, start > first);
            }
            Some(
                Constraint::FinishNoLaterThan(day)
                | Constraint::MustFinishOn(day)
                | Constraint::FinishOn(day),
            ) if !complete => note(ConflictKind::Finish, day, dates.early_finish, ends_after(day)),
            _ => {}
        }
        if self.inputs.flags[node] & (CAPPED | DETACHED) == CAPPED {
            let remaining = self.inputs.remaining[node];
            let reached = self.early.reach(self.compiled, self.inputs, node, remaining);
            let first = if point { point_day(own, reached) } else { Day(own.start(reached)) };
            note(ConflictKind::Logic, first, dates.early_start, reached > start);
        }
        if let Some(deadline) = task.deadline {
            note(ConflictKind::Deadline, deadline, dates.early_finish, ends_after(deadline));
        }
        missed
    }
}

/// The dated limits that a summary misses; what they ask of the rows below it is `inputs`.
pub(crate) fn conflicts_of_summary(
    network: &Network,
    compiled: &Compiled,
    index: usize,
    dates: &TaskDates,
) -> Vec<Conflict> {
    let task = &network.tasks[index];
    let axis = &compiled.calendars.axes[compiled.calendars.of_task[index] as usize];
    let mut missed = Vec::new();
    let mut note = |kind, wanted: Day, expected: Day, broken: bool| {
        if broken {
            missed.push(Conflict { task: index, kind, wanted, expected });
        }
    };
    let (start, finish) = (dates.early_start, dates.early_finish);
    let first_on = |day: Day| Day(axis.start(axis.ordinal(day.0)));
    let last_by = |day: Day| Day(axis.finish(axis.ordinal(day.0.saturating_add(1))) - 1);
    match task.constraint {
        Some(Constraint::StartNoLaterThan(day)) if dates.progress == Progress::NotStarted => {
            note(ConflictKind::Start, day, start, start > day);
        }
        Some(Constraint::MustStartOn(day) | Constraint::StartOn(day))
            if dates.progress == Progress::NotStarted =>
        {
            note(ConflictKind::Start, day, start, start > first_on(day));
        }
        Some(Constraint::FinishNoEarlierThan(day)) if dates.progress != Progress::Complete => {
            note(ConflictKind::Finish, day, finish, finish < last_by(day));
        }
        Some(Constraint::FinishNoLaterThan(day)) if dates.progress != Progress::Complete => {
            note(ConflictKind::Finish, day, finish, finish > day);
        }
        Some(Constraint::MustFinishOn(day) | Constraint::FinishOn(day))
            if dates.progress != Progress::Complete =>
        {
            note(ConflictKind::Finish, day, finish, finish > day || finish < last_by(day));
        }
        _ => {}
    }
    if let Some(deadline) = task.deadline {
        note(ConflictKind::Deadline, deadline, finish, finish > deadline);
    }
    missed
}

/// The slack of each link. Links come in the order of rows, so they are shared out among parts of the list first: then
/// each part is filled in the nearest memory.
struct Slacks {
    links: usize,
    /// Link and slack, part after part.
    noted: Vec<(u32, i32)>,
    /// How many each part has.
    counts: Vec<u32>,
}

impl Slacks {
    const PART: usize = 4_096;

    fn of(links: usize) -> Slacks {
        Slacks { links, noted: vec![(0, 0); links], counts: vec![0; links.div_ceil(Slacks::PART)] }
    }

    /// Notes a link; each at most once.
    #[inline]
    fn note(&mut self, link: u32, slack: i32) {
        if link != CONTAINMENT {
            let part = link as usize / Slacks::PART;
            self.noted[part * Slacks::PART + self.counts[part] as usize] = (link, slack);
            self.counts[part] += 1;
        }
    }

    fn results(self) -> Vec<LinkResult> {
        let mut results = Vec::with_capacity(self.links);
        for (noted, count) in self.noted.chunks(Slacks::PART).zip(&self.counts) {
            results.resize(results.len() + noted.len(), LinkResult::default());
            for (link, slack) in &noted[..*count as usize] {
                results[*link as usize] = LinkResult { driving: *slack <= 0, slack: Some(*slack) };
            }
        }
        results
    }
}

/// First and last day of work that starts at an ordinal.
fn days(own: &Axis, start: i32, duration: i32) -> [Day; 2] {
    [Day(own.start(start)), Day(own.finish(start.saturating_add(duration)) - 1)]
}

/// The day at whose end, or at whose beginning, a point lies.
pub(crate) fn point_day(own: &Axis, place: i32) -> Day {
    Day(own.point_boundary(place) - i32::from(!is_morning(place)))
}

/// The late place of a point as people see it: what is early in an evening is late in one, as the morning behind
/// it is no more float away.
pub(crate) fn late_as_shown(early: i32, late: i32) -> i32 {
    if is_morning(early) { late } else { late & !1 }
}

/// What must be exceeded to hold an end of a leaf at its place, given as its start; a point in the evening before
/// is as far.
pub(crate) fn limit_before(
    compiled: &Compiled,
    inputs: &Inputs,
    node: usize,
    end: End,
    place: i32,
) -> Instants {
    let place = match (compiled.kind[node], end) {
        (Kind::Point, _) => place & !1,
        (_, End::Start) => place,
        (_, End::Finish) => place + inputs.remaining[node],
    };
    limit_at(compiled, node, end, place - 1)
}

/// Rolls leaves up to their summaries: dates and floats by least and greatest, criticality by any.
pub(crate) fn roll_up(compiled: &Compiled, tasks: &mut [Option<TaskDates>]) {
    let outline = &compiled.outline;
    if outline.children.is_empty() {
        return;
    }
    let mut waiting: Vec<u32> = outline.child_start.windows(2).map(|range| range[1] - range[0]).collect();
    let mut ready: Vec<usize> = (0..tasks.len()).filter(|task| waiting[*task] == 0).collect();
    while let Some(task) = ready.pop() {
        if outline.summary[task] && outline.included[task] {
            let children = outline.children_of(task).iter().filter_map(|child| tasks[*child as usize]);
            tasks[task] = children.reduce(merge).map(|dates| spanning(compiled, task, dates));
        }
        if let (Some(parent), true) = (outline.parent[task], outline.included[task]) {
            waiting[parent as usize] -= 1;
            if waiting[parent as usize] == 0 {
                ready.push(parent as usize);
            }
        }
    }
}

/// The merged dates of what is below a summary as dates of the summary.
fn spanning(compiled: &Compiled, task: usize, mut dates: TaskDates) -> TaskDates {
    let axis = &compiled.calendars.axes[compiled.calendars.of_task[task] as usize];
    dates.remaining_duration = axis.ordinal(dates.early_finish.0 + 1) - axis.ordinal(dates.early_start.0);
    dates.falls_at_day_end = false;
    dates
}

/// Dates of one summary from the leaves below it.
pub(crate) fn gather(results: &Results<'_>, task: usize) -> Option<TaskDates> {
    let outline = &results.compiled.outline;
    if !(*outline.summary.get(task)? && outline.included[task]) {
        return None;
    }
    let mut pending = vec![task];
    let mut merged: Option<TaskDates> = None;
    while let Some(row) = pending.pop() {
        for child in outline.children_of(row).iter().map(|child| *child as usize) {
            if outline.summary[child] {
                pending.push(child);
            } else {
                let dates = results.leaf(results.compiled.node_of[child] as usize);
                merged = Some(merged.map_or(dates, |known| merge(known, dates)));
            }
        }
    }
    merged.map(|dates| spanning(results.compiled, task, dates))
}

fn merge(one: TaskDates, other: TaskDates) -> TaskDates {
    let complete = |dates: &TaskDates| dates.progress == Progress::Complete;
    // Finished leaves have no float to offer.
    let least = |first: i32, second: i32| match (complete(&one), complete(&other)) {
        (true, false) => second,
        (false, true) => first,
        _ => first.min(second),
    };
    TaskDates {
        early_start: one.early_start.min(other.early_start),
        early_finish: one.early_finish.max(other.early_finish),
        late_start: one.late_start.min(other.late_start),
        late_finish: one.late_finish.max(other.late_finish),
        scheduled_start: one.scheduled_start.min(other.scheduled_start),
        total_float: least(one.total_float, other.total_float),
        program_total_float: least(one.program_total_float, other.program_total_float),
        free_float: least(one.free_float, other.free_float),
        critical: one.critical || other.critical,
        program_critical: one.program_critical || other.program_critical,
        on_longest_path: one.on_longest_path || other.on_longest_path,
        falls_at_day_end: false,
        remaining_duration: one.remaining_duration.max(other.remaining_duration),
        progress: if one.progress == other.progress { one.progress } else { Progress::InProgress },
    }
}

/// First and last day of each project.
pub(crate) fn project_dates(
    network: &Network,
    compiled: &Compiled,
    tasks: &[Option<TaskDates>],
) -> Vec<ProjectDates> {
    let mut projects = vec![ProjectDates::default(); network.projects.len()];
    for (index, dates) in tasks.iter().enumerate().filter(|(index, _)| compiled.outline.is_leaf(*index)) {
        let Some(dates) = dates else { continue };
        let project = &mut projects[network.project_of_row(index)];
        let start = dates.scheduled_start.min(dates.early_start);
        project.start = Some(project.start.map_or(start, |day| day.min(start)));
        // Rows are large and far apart; only of finished ones it has to be asked whether they took time.
        let worked = || dates.progress == Progress::Complete && network.tasks[index].duration > 0;
        let at_day_end = dates.remaining_duration > 0 || dates.falls_at_day_end || worked();
        let last = (project.finish, project.finish_at_day_end).max((Some(dates.early_finish), at_day_end));
        (project.finish, project.finish_at_day_end) = last;
    }
    projects
}
