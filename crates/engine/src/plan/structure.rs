//! Adds and removes links and rows in the sorted structure without sorting it again. If an edit concerns summaries,
//! closes a cycle or causes faults, the result is `None`, and the structure must be built again.

use crate::bridge::{Bridge, Shift};
use crate::compiled::{Compiled, Kind, Way, steps_of};
use crate::ends::ends;
use crate::graph::{Edge, Node, Role};
use crate::inputs::Inputs;
use crate::survey::{LONGEST, problem_of};

use super::CompiledPlan;
use super::marks::Marks;

impl CompiledPlan {
    /// Rows that share a link with a row.
    pub(super) fn neighbours(&self, task: usize) -> Vec<usize> {
        let node = self.compiled.node_of[task] as usize;
        if node >= self.compiled.nodes.len() {
            return Vec::new();
        }
        let around = self.compiled.successors(node).chain(self.compiled.predecessors(node));
        around.map(|node| self.compiled.nodes[node].task as usize).collect()
    }

    /// Links that leave a node.
    pub(super) fn links_from(&self, node: usize) -> Vec<usize> {
        let steps = self.compiled.steps_out.with_origin(node).map(|(_, link)| link as usize);
        let others = self.compiled.bridges_out.with_origin(node).map(|(_, link)| link as usize);
        steps.chain(others).filter(|link| *link < self.network.links.len()).collect()
    }

    fn links_into(&self, node: usize) -> Vec<usize> {
        let steps = self.compiled.steps_in.with_origin(node).map(|(_, link)| link as usize);
        let others = self.compiled.bridges_in.with_origin(node).map(|(_, link)| link as usize);
        steps.chain(others).filter(|link| *link < self.network.links.len()).collect()
    }

    /// The edge of a link between two usable leaves of a plan without faults.
    fn edge_of(&self, index: usize) -> Option<Edge> {
        let link = self.network.links.get(index)?;
        let node = |task: usize| {
            let node = *self.compiled.node_of.get(task)?;
            (node != u32::MAX).then_some(node)
        };
        let (from, to) = (node(link.predecessor)?, node(link.successor)?);
        let usable =
            from != to && self.compiled.faults.is_empty() && (-LONGEST..=LONGEST).contains(&link.lag);
        let (source, target) = ends(link.kind);
        usable.then_some(Edge { from, to, source, target, link: index as u32 })
    }

    fn insert(&mut self, edge: &Edge, shift: Shift) {
        let compiled: &mut Compiled = &mut self.compiled;
        let (from, to) = (edge.from as usize, edge.to as usize);
        if let Some([leaving, arriving]) = steps_of(edge, compiled.way_of(edge, shift)) {
            compiled.steps_in.insert(to, arriving, edge.link);
            compiled.steps_out.insert(from, leaving, edge.link);
        } else {
            let bridge = |other| Bridge { other, source: edge.source, target: edge.target, shift };
            compiled.bridges_in.insert(to, bridge(edge.from), edge.link);
            compiled.bridges_out.insert(from, bridge(edge.to), edge.link);
        }
    }

    fn take_out(&mut self, edge: &Edge) {
        let compiled = &mut self.compiled;
        let (from, to) = (edge.from as usize, edge.to as usize);
        if compiled.steps_in.remove(to, edge.link).is_some() {
            compiled.steps_out.remove(from, edge.link);
        } else if compiled.bridges_in.remove(to, edge.link).is_some() {
            compiled.bridges_out.remove(from, edge.link);
        }
    }

    /// Whether an edge takes more than a plain plan knows.
    fn ends_plainness(&self, edge: &Edge, shift: Shift) -> bool {
        self.compiled.plain && !self.compiled.is_plain(edge, shift)
    }

    /// Brings an edge up to date after its lag, or what its lag counts, has changed.
    pub(super) fn relink(&mut self, index: usize) -> Option<Vec<u32>> {
        let edge = self.edge_of(index)?;
        let shift = self.compiled.shift_of(&self.network, edge.link);
        let (from, to) = (edge.from as usize, edge.to as usize);
        if self.ends_plainness(&edge, shift) {
            return None;
        }
        let compiled = &mut self.compiled;
        match (compiled.way_of(&edge, shift), compiled.steps_in.item_mut(to, edge.link)) {
            (Way::Step(lag), Some(step)) if !step.is_crossing() => {
                step.lag = lag;
                compiled.steps_out.item_mut(from, edge.link)?.lag = lag;
            }
            _ => {
                self.take_out(&edge);
                self.insert(&edge, shift);
            }
        }
        Some(vec![edge.from, edge.to])
    }

    /// Takes in the last link of the network.
    pub(super) fn link_added(&mut self) -> Option<Vec<u32>> {
        let edge = self.edge_of(self.network.links.len() - 1)?;
        let shift = self.compiled.shift_of(&self.network, edge.link);
        if !self.state.inputs.is_local() || self.ends_plainness(&edge, shift) {
            return None;
        }
        self.sort_in(edge.from, edge.to)?;
        self.compiled.levels.clear();
        self.insert(&edge, shift);
        self.state.joined = None;
        Some(vec![edge.from, edge.to])
    }

    /// Takes a link out of the network and, if it can, out of the structure.
    pub(super) fn remove_link(&mut self, index: usize) -> Option<Vec<u32>> {
        let last = self.network.links.len() - 1;
        let edges = self.edge_of(index).zip(self.edge_of(last)).filter(|_| self.state.inputs.is_local());
        self.network.links.swap_remove(index);
        let (edge, moved) = edges?;
        self.take_out(&edge);
        self.state.joined = None;
        if index != last {
            let (from, to) = (moved.from as usize, moved.to as usize);
            self.compiled.steps_in.rename(to, moved.link, edge.link);
            self.compiled.steps_out.rename(from, moved.link, edge.link);
            self.compiled.bridges_in.rename(to, moved.link, edge.link);
            self.compiled.bridges_out.rename(from, moved.link, edge.link);
        }
        Some(vec![edge.from, edge.to])
    }

    /// Takes in the last row of the network: a leaf at the top, or below what is a summary already and
    /// has no links.
    pub(super) fn task_added(&mut self) -> Option<Vec<u32>> {
        let index = self.network.tasks.len() - 1;
        let row = &self.network.tasks[index];
        let known =
            self.ids.get_or_insert_with(|| self.network.tasks[..index].iter().map(|task| task.id).collect());
        let fresh = known.insert(row.id);
        let compiled = &mut self.compiled;
        let parent_fits = row.parent.is_none_or(|parent| {
            parent < index && compiled.outline.summary[parent] && compiled.outline.included[parent]
        });
        let hubs = compiled.nodes.iter().any(|node| !matches!(node.role, Role::Leaf | Role::Gone));
        let own = compiled.calendars.of_row(&self.network, row);
        let point = compiled.is_point(&self.network, own, row);
        let fits = fresh
            && parent_fits
            && compiled.faults.is_empty()
            && self.state.inputs.is_local()
            && problem_of(&self.network, row).is_none()
            && row.calendar.is_none_or(|calendar| calendar < self.network.calendars.len())
            && !(hubs && row.parent.is_some())
            && !(compiled.plain && (point || compiled.axis.iter().any(|axis| *axis != own)));
        if !fits {
            return None;
        }
        let node = compiled.nodes.len() as u32;
        compiled.outline.push_leaf(row.parent.map(|parent| parent as u32));
        compiled.calendars.of_task.push(own);
        compiled.nodes.push(Node { task: index as u32, role: Role::Leaf });
        compiled.node_of.push(node);
        compiled.axis.push(own);
        compiled.kind.push(if point { Kind::Point } else { Kind::Work });
        self.place.push(compiled.sequence.len() as u32);
        compiled.sequence.push(node);
        compiled.levels.clear();
        self.state.push_node();
        self.state.joined = None;
        self.state.inputs.reread(compiled, &self.network, node as usize);
        self.state.inputs.is_local().then(|| vec![node])
    }

    /// Takes a row and its links out of the network and, if it can, out of the structure.
    pub(super) fn remove_task(&mut self, task: usize) -> Option<Vec<u32>> {
        let reached = self.take_leaf_out(task);
        if let Some(ids) = &mut self.ids {
            ids.remove(&self.network.tasks[task].id);
        }
        if reached.is_none() {
            // Ids may be used twice in what cannot be updated in place.
            self.ids = None;
            self.remove_row(task);
            return None;
        }
        self.rename_last(task);
        self.network.tasks.swap_remove(task);
        reached
    }

    /// Takes a leaf out of the structure with its links; `None`, and nothing done, if that is more than
    /// an update.
    fn take_leaf_out(&mut self, task: usize) -> Option<Vec<u32>> {
        let node = *self.compiled.node_of.get(task)?;
        let last = self.network.tasks.len() - 1;
        let outline = &self.compiled.outline;
        let alone = |parent: u32| outline.children_of(parent as usize).len() < 2;
        let simple = node != u32::MAX
            && self.compiled.faults.is_empty()
            && self.state.inputs.is_local()
            && outline.is_leaf(last)
            && !outline.parent[task].is_some_and(alone)
            && 2 * self.gone < self.compiled.nodes.len();
        let around = self.neighbours(task);
        let leaves = around.iter().chain([&task, &last]).all(|task| outline.is_leaf(*task));
        if !simple || !leaves || self.touches_hub(node) || self.touches_hub(self.compiled.node_of[last]) {
            return None;
        }
        let mut links = self.links_from(node as usize);
        links.extend(self.links_into(node as usize));
        links.sort_unstable();
        let movable = (self.network.links.len() - links.len()..self.network.links.len())
            .all(|index| self.edge_of(index).is_some());
        if !movable {
            return None;
        }
        let mut reached = Vec::new();
        for index in links.into_iter().rev() {
            reached.extend(self.remove_link(index)?);
        }
        reached.retain(|other| *other != node);
        self.compiled.nodes[node as usize] = Node { task: 0, role: Role::Gone };
        self.gone += 1;
        self.state.joined = None;
        let inputs: &mut Inputs = &mut self.state.inputs;
        inputs.reread(&self.compiled, &self.network, node as usize);
        reached.push(node);
        Some(reached)
    }

    fn touches_hub(&self, node: u32) -> bool {
        let node = node as usize;
        node >= self.compiled.nodes.len()
            || self
                .compiled
                .successors(node)
                .chain(self.compiled.predecessors(node))
                .any(|other| !self.compiled.is_leaf(other))
    }

    /// Gives the last row the position of a removed leaf, everywhere but in the list of rows.
    fn rename_last(&mut self, task: usize) {
        let last = self.network.tasks.len() - 1;
        let node = self.compiled.node_of[last];
        if task != last {
            let mut links = self.links_from(node as usize);
            links.extend(self.links_into(node as usize));
            for index in links {
                let link = &mut self.network.links[index];
                let rename = |end: &mut usize| *end = if *end == last { task } else { *end };
                rename(&mut link.predecessor);
                rename(&mut link.successor);
            }
            self.compiled.nodes[node as usize].task = task as u32;
        }
        self.compiled.outline.swap_remove_leaf(task);
        self.compiled.node_of.swap_remove(task);
        self.compiled.calendars.of_task.swap_remove(task);
    }

    /// Takes a row and its links out of the network alone.
    fn remove_row(&mut self, task: usize) {
        let last = self.network.tasks.len() - 1;
        let above = self.network.tasks[task].parent.filter(|parent| *parent != task);
        for index in (0..self.network.links.len()).rev() {
            let link = self.network.links[index];
            if link.predecessor == task || link.successor == task {
                self.network.links.swap_remove(index);
            }
        }
        let renamed = |end: usize| if end == last { task } else { end };
        for link in &mut self.network.links {
            (link.predecessor, link.successor) = (renamed(link.predecessor), renamed(link.successor));
        }
        self.network.tasks.swap_remove(task);
        for row in &mut self.network.tasks {
            row.parent = row.parent.and_then(|parent| if parent == task { above } else { Some(parent) });
            row.parent = row.parent.map(renamed);
        }
    }

    /// Makes room for an edge in the sequence; `None` if it would close a cycle.
    fn sort_in(&mut self, from: u32, to: u32) -> Option<()> {
        let (first, last) = (self.place[to as usize] as usize, self.place[from as usize] as usize);
        if last < first {
            return Some(());
        }
        // Only what lies between the two, behind the one or before the other, has to move.
        let mut behind = Vec::new();
        let mut marks = Marks::below(self.place.len());
        marks.set(first);
        let mut next = first;
        while let Some(place) = marks.take_from(next).filter(|place| *place <= last) {
            if place == last {
                return None;
            }
            behind.push(place);
            let node = self.compiled.sequence[place] as usize;
            self.compiled.successors(node).for_each(|to| marks.set(self.place[to] as usize));
            next = place + 1;
        }
        let mut before = Vec::new();
        let mut marks = Marks::below(self.place.len());
        marks.set(last);
        let mut end = last + 1;
        while let Some(place) = marks.take_below(end).filter(|place| *place >= first) {
            before.push(place);
            let node = self.compiled.sequence[place] as usize;
            self.compiled.predecessors(node).for_each(|from| marks.set(self.place[from] as usize));
            end = place;
        }
        before.reverse();
        let moving: Vec<u32> =
            before.iter().chain(&behind).map(|place| self.compiled.sequence[*place]).collect();
        before.extend(behind);
        self.compiled.in_order = false;
        before.sort_unstable();
        for (place, node) in before.into_iter().zip(moving) {
            self.compiled.sequence[place] = node;
            self.place[node as usize] = place as u32;
        }
        Some(())
    }
}
