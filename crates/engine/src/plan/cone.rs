//! Computes again only what an edit reaches: first forward along successors, then backward along predecessors, each
//! only as far as values change.

use crate::compiled::Compiled;
use crate::engine::State;
use crate::passes::{Forward, Late};
use crate::report::limit_before;

use super::marks::Marks;
use super::{Changes, CompiledPlan};

/// Where a node ended before an edit: its project, and the instant.
pub(crate) type Ended = (usize, i32);

impl CompiledPlan {
    /// Recomputes around nodes whose values or links changed.
    pub(crate) fn update(&mut self, edited: &[u32], ended: &[Ended]) -> Changes {
        let mut ended = ended.to_vec();
        let moved = self.forward(edited, &mut ended);
        let finishes = self.state.finishes.clone();
        self.look_up_finishes(edited, &moved, &ended);
        if self.state.finishes != finishes {
            // Every late date hangs on a finish that moved.
            let mut before = State { late: std::mem::take(&mut self.state.late), ..State::default() };
            before.program = self.state.program.take();
            before.project_late = self.state.project_late.take();
            before.on_longest_path = std::mem::take(&mut self.state.on_longest_path);
            self.state.late_passes(&self.network, &self.compiled);
            self.state.trace(&self.network, &self.compiled);
            return self.changes(|plan, node| {
                moved.binary_search(&(node as u32)).is_ok()
                    || edited.contains(&(node as u32))
                    || plan.state.differs_late(&before, node)
            });
        }
        let mut touched = moved.clone();
        touched.extend_from_slice(edited);
        touched.sort_unstable();
        touched.dedup();
        let forced = touched.clone();
        let mut late = std::mem::take(&mut self.state.late);
        self.backward(&mut late, &forced, &mut touched, false);
        self.state.late = late;
        if let Some(mut program) = self.state.program.take() {
            self.backward(&mut program, &forced, &mut touched, true);
            self.state.program = Some(program);
        }
        self.retrace(&forced, &mut touched);
        let project_late = self.state.project_late.take();
        self.state.separate(&self.network, &self.compiled);
        if project_late.is_some() || self.state.project_late.is_some() {
            let count = self.compiled.nodes.len();
            let start = |project_late: &Option<Vec<i32>>, node: usize| {
                project_late.as_ref().and_then(|project_late| project_late.get(node)).copied()
            };
            let differs = |node: &u32| {
                start(&project_late, *node as usize) != start(&self.state.project_late, *node as usize)
            };
            touched.extend((0..count as u32).filter(differs));
        }
        touched.sort_unstable();
        touched.dedup();
        self.rows_of(touched.into_iter().map(|node| node as usize))
    }

    /// Places nodes anew as far as anything moves; returns the nodes that moved, rising, and notes where
    /// they ended before.
    fn forward(&mut self, edited: &[u32], ended: &mut Vec<Ended>) -> Vec<u32> {
        let mut marks = Marks::below(self.compiled.sequence.len());
        edited.iter().for_each(|node| marks.set(self.place[*node as usize] as usize));
        let mut moved = Vec::new();
        let mut from = 0;
        let (compiled, inputs) = (&self.compiled, &self.state.inputs);
        while let Some(place) = marks.take_from(from) {
            from = place + 1;
            let node = compiled.sequence[place] as usize;
            let before = self.state.early.ends(node);
            let mut before_moving = None;
            let forced = edited.contains(&(node as u32));
            // An edited node is read anew already; where it truly ended is known to the caller.
            if compiled.is_leaf(node) {
                let boundary = self.state.early.finish_instant(compiled, inputs, node);
                before_moving = Some((compiled.project_of(&self.network, node), boundary));
            }
            self.state.early.visit(compiled, inputs, node);
            if self.state.early.ends(node) != before {
                moved.push(node as u32);
                ended.extend(before_moving);
            } else if !forced {
                continue;
            }
            compiled.successors(node).for_each(|to| marks.set(self.place[to] as usize));
        }
        moved.sort_unstable();
        moved
    }

    /// Brings the finishes of projects up to date.
    fn look_up_finishes(&mut self, edited: &[u32], moved: &[u32], ended: &[Ended]) {
        let mut finishes = std::mem::take(&mut self.state.finishes);
        let (compiled, inputs) = (&self.compiled, &self.state.inputs);
        if ended.iter().any(|(project, boundary)| finishes.of_project[*project] == Some(*boundary)) {
            // What ended last may have moved away.
            finishes = crate::engine::Finishes::of(&self.network, compiled, inputs, &self.state.early);
        } else {
            let leaves = edited.iter().chain(moved).map(|node| *node as usize);
            for node in leaves.filter(|node| compiled.is_leaf(*node)) {
                let boundary = self.state.early.finish_instant(compiled, inputs, node);
                let known = &mut finishes.of_project[compiled.project_of(&self.network, node)];
                *known = Some(known.map_or(boundary, |known| known.max(boundary)));
            }
            finishes.last = finishes.of_project.iter().flatten().copied().max();
        }
        self.state.finishes = finishes;
    }

    /// One backward pass, as far as anything moves.
    fn backward(&self, late: &mut Late, forced: &[u32], touched: &mut Vec<u32>, program: bool) {
        let compiled = &self.compiled;
        let finishes = &self.state.finishes;
        let (inputs, early) = (&self.state.inputs, &self.state.early);
        let forward = Forward { network: &self.network, compiled, inputs, early };
        let asked = match program {
            true => &vec![finishes.last; finishes.of_project.len()],
            false => &finishes.of_project,
        };
        self.back(forced, |node| {
            let before = late.of(node);
            late.revisit(&forward, asked, node);
            let after = late.of(node);
            if after != before {
                touched.push(node as u32);
            }
            after.map(|after| after.0) != before.map(|before| before.0)
        });
    }

    /// Marks the longest paths anew where that can have changed.
    fn retrace(&mut self, forced: &[u32], touched: &mut Vec<u32>) {
        let mut reached = std::mem::take(&mut self.state.on_longest_path);
        if self.compiled.has_hubs() {
            // What binds through a hub hangs on all that it leads to.
            self.state.trace(&self.network, &self.compiled);
            let differs = |node: &u32| reached[*node as usize] != self.state.on_longest_path[*node as usize];
            touched.extend((0..reached.len() as u32).filter(differs));
            return;
        }
        self.back(forced, |node| {
            let before = reached[node];
            reached[node] =
                self.state.ends_project(&self.network, &self.compiled, node) || self.leads_on(node, &reached);
            if reached[node] != before {
                touched.push(node as u32);
            }
            reached[node] != before
        });
        self.state.on_longest_path = reached;
    }

    /// Visits nodes against the sequence: the forced ones and their predecessors, and the predecessors
    /// of all for which the visit says that something changed.
    fn back(&self, forced: &[u32], mut visit: impl FnMut(usize) -> bool) {
        let compiled = &self.compiled;
        let mut marks = Marks::below(compiled.sequence.len());
        forced.iter().for_each(|node| marks.set(self.place[*node as usize] as usize));
        let mut end = compiled.sequence.len();
        while let Some(place) = marks.take_below(end) {
            end = place;
            let node = compiled.sequence[place] as usize;
            if visit(node) || forced.binary_search(&(node as u32)).is_ok() {
                compiled.predecessors(node).for_each(|from| marks.set(self.place[from] as usize));
            }
        }
    }

    /// Whether a node binds a successor that lies on a longest path.
    fn leads_on(&self, node: usize, reached: &[bool]) -> bool {
        let (compiled, inputs, early) = (&self.compiled, &self.state.inputs, &self.state.early);
        let place = |to: usize| early.binding_place(compiled, inputs, to).filter(|_| reached[to]);
        let steps = compiled.along_out(node).any(|(step, _)| {
            let bound = early.end(node, step.source()) + step.lag;
            let back = inputs.remaining[step.other()] & step.target_mask();
            place(step.other()).is_some_and(|place| bound - back >= place)
        });
        steps
            || compiled.across_out(node).any(|(bridge, _)| {
                let to = bridge.other as usize;
                let Some(place) = place(to) else { return false };
                let limit = limit_before(compiled, inputs, to, bridge.target, place);
                let before = bridge.backward(&compiled.calendars.axes, limit);
                early.holds(compiled, inputs, node, bridge.source).exceeds(before)
            })
    }

    /// The rows that differ from a computation before.
    pub(crate) fn differences(&self, before: &State) -> Changes {
        self.changes(|plan, node| {
            plan.state.early.ends(node) != before.early.ends(node)
                || !plan.state.inputs.same(&before.inputs, node)
                || plan.state.differs_late(before, node)
        })
    }

    fn changes(&self, differs: impl Fn(&CompiledPlan, usize) -> bool) -> Changes {
        self.rows_of((0..self.compiled.nodes.len()).filter(|node| differs(self, *node)))
    }

    /// Rows of nodes, and the summaries above them.
    fn rows_of(&self, nodes: impl Iterator<Item = usize>) -> Changes {
        let compiled: &Compiled = &self.compiled;
        let mut marks = Marks::below(self.network.tasks.len());
        let mut seen = vec![false; self.network.tasks.len()];
        for node in nodes.filter(|node| compiled.is_leaf(*node)) {
            let row = compiled.nodes[node].task as usize;
            marks.set(row);
            let mut above = compiled.outline.parent[row];
            while let Some(parent) = above.filter(|parent| !seen[*parent as usize]) {
                seen[parent as usize] = true;
                marks.set(parent as usize);
                above = compiled.outline.parent[parent as usize];
            }
        }
        let mut tasks = Vec::new();
        let mut from = 0;
        while let Some(row) = marks.take_from(from) {
            tasks.push(row);
            from = row + 1;
        }
        Changes { tasks, rebuilt: false }
    }
}
