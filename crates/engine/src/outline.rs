//! Checks the rows and links of a network and reads their outline: which rows are leaves, which are summaries, which
//! are left out, and the faults that give the reason.

use crate::fault::{Fault, InvalidLink, InvalidTask};
use crate::ids::repeated;
use crate::network::Network;
use crate::survey::LONGEST;
use crate::survey::Survey;

/// The checked containment of a network.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outline {
    /// Rows that take part.
    pub(crate) included: Vec<bool>,
    /// Rows with at least one child, in or out of the computation.
    pub(crate) summary: Vec<bool>,
    /// Parents as far as they can be followed.
    pub(crate) parent: Vec<Option<u32>>,
    /// Included children of each row: `children[child_start[i]..child_start[i + 1]]`.
    pub(crate) children: Vec<u32>,
    pub(crate) child_start: Vec<u32>,
    /// Links whose ends and lag are usable.
    pub(crate) usable_link: Vec<bool>,
    pub(crate) faults: Vec<Fault>,
}

impl Outline {
    pub(crate) fn read(network: &Network, survey: &Survey) -> Outline {
        let mut outline = Outline { summary: vec![false; network.tasks.len()], ..Outline::default() };
        outline.check_tasks(network, survey);
        outline.check_parents(network, survey);
        outline.gather_children();
        outline.check_links(network);
        outline
    }

    pub(crate) fn children_of(&self, task: usize) -> &[u32] {
        &self.children[self.child_start[task] as usize..self.child_start[task + 1] as usize]
    }

    /// Whether every row is a leaf.
    pub(crate) fn is_flat(&self) -> bool {
        self.included.iter().all(|included| *included) && !self.summary.contains(&true)
    }

    /// Whether a row is scheduled itself, not rolled up.
    pub(crate) fn is_leaf(&self, task: usize) -> bool {
        self.included[task] && !self.summary[task]
    }

    /// Takes in a usable leaf at the end, below a row that is a summary already.
    pub(crate) fn push_leaf(&mut self, parent: Option<u32>) {
        let index = self.included.len() as u32;
        self.included.push(true);
        self.summary.push(false);
        self.parent.push(parent);
        self.child_start.push(self.children.len() as u32);
        if let Some(parent) = parent {
            let place = self.child_start[parent as usize + 1] as usize;
            self.children.insert(place, index);
            self.child_start[parent as usize + 1..].iter_mut().for_each(|start| *start += 1);
        }
    }

    /// Takes out a usable leaf; the last row, a leaf too, takes its place.
    pub(crate) fn swap_remove_leaf(&mut self, task: usize) {
        if let Some(parent) = self.parent[task] {
            let (first, end) = (self.child_start[parent as usize], self.child_start[parent as usize + 1]);
            if let Some(place) = (first..end).find(|place| self.children[*place as usize] == task as u32) {
                self.children.remove(place as usize);
                self.child_start[parent as usize + 1..].iter_mut().for_each(|start| *start -= 1);
            }
        }
        let last = self.included.len() as u32 - 1;
        if let Some(known) = self.children.iter_mut().find(|child| **child == last) {
            *known = task as u32;
        }
        self.included.swap_remove(task);
        self.summary.swap_remove(task);
        self.parent.swap_remove(task);
        self.child_start.pop();
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.included.capacity()
            + self.summary.capacity()
            + self.usable_link.capacity()
            + size_of::<Option<u32>>() * self.parent.capacity()
            + 4 * (self.children.capacity() + self.child_start.capacity())
    }

    fn check_tasks(&mut self, network: &Network, survey: &Survey) {
        self.included = vec![true; network.tasks.len()];
        let repeated = repeated(network, &survey.hashes);
        let duplicate = |row: &usize| (*row, InvalidTask::DuplicateId);
        let other = |(row, _): &&(usize, InvalidTask)| repeated.binary_search(row).is_err();
        let others = survey.problems.iter().filter(other).copied();
        let mut problems: Vec<(usize, InvalidTask)> = repeated.iter().map(duplicate).chain(others).collect();
        problems.sort_unstable_by_key(|(row, _)| *row);
        for (task, reason) in problems {
            self.included[task] = false;
            self.faults.push(Fault::InvalidTask { task, id: network.tasks[task].id, reason });
        }
    }

    fn check_parents(&mut self, network: &Network, survey: &Survey) {
        let count = network.tasks.len();
        if !survey.has_parents {
            self.parent = vec![None; count];
            return;
        }
        self.parent = network
            .tasks
            .iter()
            .map(|task| task.parent.filter(|parent| *parent < count).map(|parent| parent as u32))
            .collect();
        // 0: not visited, 1: on the way up, 2: known to end at a root.
        let mut state = vec![0u8; count];
        let mut way = Vec::new();
        for task in 0..count {
            let mut at = task;
            while state[at] == 0 {
                state[at] = 1;
                way.push(at);
                match self.parent[at] {
                    Some(parent) if state[parent as usize] == 1 => {
                        self.parent[at] = None;
                        self.report_parent(network, at);
                    }
                    Some(parent) => at = parent as usize,
                    None => {}
                }
            }
            way.drain(..).for_each(|visited| state[visited] = 2);
            if network.tasks[task].parent.is_some_and(|parent| parent >= count) {
                self.report_parent(network, task);
            }
        }
        for parent in self.parent.iter().flatten() {
            self.summary[*parent as usize] = true;
        }
    }

    fn report_parent(&mut self, network: &Network, task: usize) {
        let row = &network.tasks[task];
        self.faults.extend(row.parent.map(|parent| Fault::InvalidParent { task, id: row.id, parent }));
    }

    fn gather_children(&mut self) {
        let count = self.parent.len();
        self.child_start = vec![0; count + 1];
        if !self.summary.contains(&true) {
            return;
        }
        let pairs = || {
            self.parent
                .iter()
                .enumerate()
                .filter(|(child, _)| self.included[*child])
                .filter_map(|(child, parent)| parent.map(|parent| (child as u32, parent as usize)))
        };
        let mut starts = vec![0u32; count + 1];
        pairs().for_each(|(_, parent)| starts[parent + 1] += 1);
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut children = vec![0u32; starts[count] as usize];
        let mut next = starts.clone();
        for (child, parent) in pairs() {
            children[next[parent] as usize] = child;
            next[parent] += 1;
        }
        self.children = children;
        self.child_start = starts;
    }

    fn check_links(&mut self, network: &Network) {
        let (count, whole) = (network.tasks.len(), self.included.iter().all(|included| *included));
        let included = |task: usize| task < count && (whole || self.included[task]);
        let mut faults = Vec::new();
        self.usable_link = network
            .links
            .iter()
            .enumerate()
            .map(|(index, link)| {
                let reason = if !included(link.predecessor) || !included(link.successor) {
                    Some(InvalidLink::Dangling)
                } else if !(-LONGEST..=LONGEST).contains(&link.lag) {
                    Some(InvalidLink::Lag(link.lag))
                } else {
                    None
                };
                let id = |task: usize| network.tasks.get(task).map(|task| task.id);
                faults.extend(reason.map(|reason| {
                    let ends = [id(link.predecessor), id(link.successor)];
                    Fault::InvalidLink { link: index, ends, reason }
                }));
                reason.is_none()
            })
            .collect();
        self.faults.append(&mut faults);
    }
}
