//! Turns the ordinals of the passes into dates, floats and driving links as people see them, and rolls
//! them up to summaries.

use crate::axis::Axis;
use crate::compiled::Compiled;
use crate::day::Day;
use crate::engine::project_of_row;
use crate::graph::{CONTAINMENT, End};
use crate::inputs::{BEGUN, Inputs, PINNED, POINT, STARTED};
use crate::network::{Constraint, Network};
use crate::passes::{Early, FREE, Late, UNBOUND, UNSET, latest_end};
use crate::schedule::{Conflict, ConflictKind, LinkResult, Progress, ProjectDates, TaskDates};

/// The results of the passes, by node.
pub(crate) struct Results<'a> {
    pub(crate) network: &'a Network,
    pub(crate) compiled: &'a Compiled,
    pub(crate) inputs: &'a Inputs,
    pub(crate) early: &'a Early,
    pub(crate) late: &'a Late,
    /// Latest starts against the node's own project, where links cross projects.
    pub(crate) apart: Option<&'a [i32]>,
    /// The backward pass against everything.
    pub(crate) program: &'a Late,
    pub(crate) on_longest_path: &'a [bool],
}

impl Results<'_> {
    /// Dates and floats of a leaf.
    pub(crate) fn leaf(&self, node: usize) -> TaskDates {
        let own = self.compiled.own_axis_of(node);
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
                falls_at_day_end: flags & POINT != 0 && self.inputs.fact[node][1] > finish.0,
                remaining_duration: 0,
                progress: Progress::Complete,
            };
        }
        let early = self.compiled.own_ordinal(node, self.early.start(self.inputs, node));
        let late_start = self.apart.map_or_else(|| self.late.start(node), |apart| apart[node]);
        let late = self.compiled.own_ordinal(node, late_start);
        let total_float = late - early;
        let program_total_float = self.compiled.own_ordinal(node, self.program.start(node)) - early;
        let free_float =
            (self.compiled.own_ordinal(node, self.late.free(node).min(UNBOUND / 4)) - early).min(total_float);
        let floor = self.compiled.own_ordinal(node, self.inputs.start_floor[node]);
        let held = early > floor;
        let remaining = self.inputs.remaining[node];
        let point = flags & POINT != 0;
        let [early_start, early_finish] = shown(own, early, remaining, point, held);
        let [late_start, late_finish] = shown(own, late, remaining, point, late > floor);
        let scheduled_start = if flags & STARTED != 0 {
            Day(self.inputs.fact[node][0])
        } else {
            shown(own, early - self.inputs.done[node], remaining, point, held)[0]
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
            falls_at_day_end: point && held,
            remaining_duration: remaining,
            progress: if flags & BEGUN != 0 { Progress::InProgress } else { Progress::NotStarted },
        }
    }

    /// What every link does.
    pub(crate) fn links(&self) -> Vec<LinkResult> {
        let mut results = vec![LinkResult::default(); self.network.links.len()];
        for node in 0..self.compiled.nodes.len() {
            for (step, origin) in self.compiled.along_out(node) {
                let limit = self.late.limit(step.other(), step.target())[FREE];
                if limit < UNBOUND / 2 {
                    self.note(&mut results, node, step.source(), limit - step.lag, origin);
                }
            }
            for (bridge, origin) in self.compiled.across_out(node) {
                let limit = self.late.limit(bridge.other as usize, bridge.target)[FREE];
                if limit < UNBOUND / 2 {
                    let latest = latest_end(self.compiled, self.inputs, node, &bridge, limit);
                    self.note(&mut results, node, bridge.source, latest, origin);
                }
            }
        }
        results
    }

    fn note(&self, results: &mut [LinkResult], node: usize, source: End, latest: i32, link: u32) {
        if link == CONTAINMENT {
            return;
        }
        let at = self.early.end(node, source);
        if at <= UNSET / 2 {
            // A summary none of whose rows could be scheduled.
            return;
        }
        let slack =
            self.compiled.own_ordinal(node, latest).saturating_sub(self.compiled.own_ordinal(node, at));
        results[link as usize] = LinkResult { driving: slack <= 0, slack: Some(slack) };
    }

    /// Marks the leaves on chains of binding dates that end at their project's finish.
    pub(crate) fn trace(compiled: &Compiled, inputs: &Inputs, early: &Early, last: Vec<bool>) -> Vec<bool> {
        let mut reached = last;
        for node in compiled.sequence.iter().rev().map(|node| *node as usize) {
            let place = early.binding_place(compiled, inputs, node).filter(|_| reached[node]);
            let Some(place) = place else { continue };
            for (step, _) in compiled.along_in(node) {
                let bound = early.end(step.other(), step.source()) + step.lag;
                reached[step.other()] |= bound - (inputs.remaining[node] & step.target_mask()) == place;
            }
            for (bridge, _) in compiled.across_in(node) {
                let back = if bridge.target == End::Finish { inputs.remaining[node] } else { 0 };
                let bound = early.bound(compiled, inputs, node, &bridge);
                reached[bridge.other as usize] |= bound.is_some_and(|bound| bound - back == place);
            }
        }
        reached
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
        let own = self.compiled.own_axis_of(node);
        let mut missed = Vec::new();
        let mut note = |kind, wanted: Day, expected: Day, broken: bool| {
            if broken {
                missed.push(Conflict { task: index, kind, wanted, expected });
            }
        };
        let begun = dates.progress != Progress::NotStarted;
        let complete = dates.progress == Progress::Complete;
        let start = self.compiled.own_ordinal(node, self.early.start(self.inputs, node));
        let finish = start.saturating_add(self.inputs.remaining[node]);
        let ends_after = |day: Day| match complete {
            true => self.inputs.fact[node][1] > day.0.saturating_add(1),
            false => finish > own.ordinal(day.0.saturating_add(1)),
        };
        match task.constraint {
            Some(Constraint::StartNoLaterThan(day)) if !begun => {
                let point = task.duration == 0;
                let latest = if point { own.ordinal(day.0) } else { own.ordinal_starting_by(day.0) };
                note(ConflictKind::Start, day, dates.early_start, start > latest);
            }
            Some(Constraint::MustStartOn(day) | Constraint::StartOn(day)) if !begun => {
                note(ConflictKind::Start, day, dates.early_start, start > own.ordinal(day.0));
            }
            Some(
                Constraint::FinishNoLaterThan(day)
                | Constraint::MustFinishOn(day)
                | Constraint::FinishOn(day),
            ) if !complete => note(ConflictKind::Finish, day, dates.early_finish, ends_after(day)),
            _ => {}
        }
        if let Some(deadline) = task.deadline {
            note(ConflictKind::Deadline, deadline, dates.early_finish, ends_after(deadline));
        }
        missed
    }
}

/// First and last day of work that starts at an ordinal. A point shows one day: the one at whose end it
/// falls if something before it holds it there, else the one at whose start.
fn shown(own: &Axis, start: i32, duration: i32, point: bool, held: bool) -> [Day; 2] {
    match (point, held) {
        (false, _) => [Day(own.start(start)), Day(own.finish(start.saturating_add(duration)) - 1)],
        (true, true) => [Day(own.finish(start) - 1); 2],
        (true, false) => [Day(own.start(start)); 2],
    }
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
        let project = &mut projects[project_of_row(network, index)];
        let start = dates.scheduled_start.min(dates.early_start);
        project.start = Some(project.start.map_or(start, |day| day.min(start)));
        project.finish = Some(project.finish.map_or(dates.early_finish, |day| day.max(dates.early_finish)));
    }
    projects
}
