//! The effect of an edit on the rows and links of a network, and how far it reaches.

use crate::network::{LagUnit, Link, Task};
use crate::survey::{LONGEST, is_in_range, problem_of};

use super::cone::Ended;
use super::{CompiledPlan, Edit, Reach};

impl CompiledPlan {
    /// Where the rows that an edit touches end now.
    pub(super) fn ends_of(&self, edit: &Edit) -> Vec<Ended> {
        match edit {
            Edit::Duration { task, .. }
            | Edit::PlannedStart { task, .. }
            | Edit::Constraint { task, .. }
            | Edit::Deadline { task, .. }
            | Edit::Progress { task, .. }
            | Edit::Row { task, .. } => self.ended(*task).into_iter().collect(),
            // The last row takes the place of the removed one and may be edited on the way.
            Edit::RemoveTask(task) => {
                let around = self.neighbours(*task);
                around.into_iter().chain([*task]).filter_map(|task| self.ended(task)).collect()
            }
            Edit::Lag { link, .. } | Edit::RemoveLink(link) => self.ended_of_link(&self.network.links[*link]),
            Edit::AddLink(link) => self.ended_of_link(link),
            Edit::DataDate { .. } | Edit::AddTask(_) => Vec::new(),
        }
    }

    fn ended_of_link(&self, link: &Link) -> Vec<Ended> {
        [link.predecessor, link.successor].into_iter().filter_map(|task| self.ended(task)).collect()
    }

    fn ended(&self, task: usize) -> Option<Ended> {
        let node = *self.compiled.node_of.get(task)? as usize;
        (node < self.compiled.nodes.len()).then(|| {
            let boundary = self.state.early.finish_instant(&self.compiled, &self.state.inputs, node);
            (self.network.tasks[task].project, boundary)
        })
    }

    /// Changes the network as the edit says; returns how far that reaches.
    pub(super) fn apply(&mut self, edit: Edit) -> Reach {
        match edit {
            Edit::Duration { task, days } => self.with_row(task, |row| row.duration = days),
            Edit::PlannedStart { task, day } => self.with_row(task, |row| row.planned_start = day),
            Edit::Constraint { task, constraint } => self.with_row(task, |row| row.constraint = constraint),
            Edit::Deadline { task, day } => self.with_row(task, |row| row.deadline = day),
            Edit::Progress { task, percent_complete, actual_start, actual_finish } => {
                self.with_row(task, |row| {
                    row.percent_complete = percent_complete;
                    (row.actual_start, row.actual_finish) = (actual_start, actual_finish);
                })
            }
            Edit::Row { task, row } => self.replace(task, *row),
            Edit::DataDate { project, day } => {
                let before = std::mem::replace(&mut self.network.projects[project].data_date, day);
                // A date out of range makes rows unusable.
                if before.into_iter().chain(day).all(is_in_range) {
                    Reach::Values(Vec::new())
                } else {
                    Reach::Structure
                }
            }
            Edit::Lag { link, lag } => self.change_lag(link, lag),
            Edit::AddLink(link) => {
                self.network.links.push(link);
                nodes_or_structure(self.link_added())
            }
            Edit::RemoveLink(link) => nodes_or_structure(self.remove_link(link)),
            Edit::AddTask(row) => {
                self.network.tasks.push(*row);
                nodes_or_structure(self.task_added())
            }
            Edit::RemoveTask(task) => {
                let above = self.compiled.outline.parent[task].map(|parent| parent as usize);
                match self.remove_task(task) {
                    Some(nodes) => {
                        let moved = Some(task).filter(|task| *task < self.network.tasks.len());
                        Reach::Nodes(nodes, moved.into_iter().chain(above).collect())
                    }
                    None => Reach::Structure,
                }
            }
        }
    }

    fn with_row(&mut self, task: usize, change: impl FnOnce(&mut Task)) -> Reach {
        let mut row = self.network.tasks[task].clone();
        change(&mut row);
        self.replace(task, row)
    }

    fn replace(&mut self, task: usize, row: Task) -> Reach {
        let after = &row;
        let before = &self.network.tasks[task];
        let own = self.compiled.calendars.of_task[task];
        let structural = before.id != after.id
            || before.project != after.project
            || before.parent != after.parent
            || before.calendar != after.calendar
            || (before.duration == 0) != (after.duration == 0)
            || self.compiled.is_point(&self.network, own, before)
                != self.compiled.is_point(&self.network, own, after)
            || problem_of(&self.network, before).is_some()
            || problem_of(&self.network, after).is_some()
            || !self.compiled.outline.is_leaf(task) && before.duration != after.duration;
        let longer = before.duration != after.duration;
        let limited = before.constraint != after.constraint || before.deadline != after.deadline;
        if before.id != after.id {
            self.ids = None;
        }
        self.network.tasks[task] = row;
        if structural {
            return Reach::Structure;
        }
        let node = self.compiled.node_of[task];
        if node == u32::MAX && limited {
            // What limits a summary holds all rows below it.
            return Reach::Values(vec![task]);
        }
        if node == u32::MAX {
            // Dates of a summary come from what is below it.
            return Reach::Nodes(Vec::new(), Vec::new());
        }
        let mut reached = vec![node];
        if longer {
            for link in self.links_from(node as usize) {
                if self.network.links[link].lag_unit == LagUnit::Percent {
                    match self.relink(link) {
                        Some(nodes) => reached.extend(nodes),
                        None => return Reach::Structure,
                    }
                }
            }
        }
        if self.state.inputs.is_local() {
            self.state.inputs.reread(&self.compiled, &self.network, node as usize);
        }
        self.if_local(reached, vec![task])
    }

    fn change_lag(&mut self, link: usize, lag: i32) -> Reach {
        let range = -LONGEST..=LONGEST;
        let before = std::mem::replace(&mut self.network.links[link].lag, lag);
        if !range.contains(&lag) || !range.contains(&before) {
            return Reach::Structure;
        }
        self.relink(link).map_or(Reach::Structure, |nodes| self.if_local(nodes, Vec::new()))
    }

    /// Nodes alone suffice only while no place of one hangs on a reading of all.
    fn if_local(&self, nodes: Vec<u32>, rows: Vec<usize>) -> Reach {
        if self.state.inputs.is_local() { Reach::Nodes(nodes, Vec::new()) } else { Reach::Values(rows) }
    }
}

fn nodes_or_structure(nodes: Option<Vec<u32>>) -> Reach {
    nodes.map_or(Reach::Structure, |nodes| Reach::Nodes(nodes, Vec::new()))
}
