//! Which work delays a finish, and by how much: Devaux's drag, nearly critical work, and the longest path to any row.
//! It reads a computed plan and does not change it. The passes are in `passes`.

use crate::axis::boundary_of;
use crate::compiled::Compiled;
use crate::ends::End;
use crate::engine::Finishes;
use crate::inputs::{BEGUN, CAPPED, DETACHED, HELD, Inputs, LAZY, PINNED, STARTED};
use crate::passes::{Early, Forward, LATE, Late};
use crate::plan::CompiledPlan;
use crate::range::UNBOUND;
use crate::report::Results;

/// How many days before the finish rows count as near it.
const MARGIN_DAYS: i32 = 21;

/// How much one row delays the finish of its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drag {
    /// Position of the leaf.
    pub task: usize,
    /// The working days, on the calendar of the project, by which the project would end earlier if the remaining work
    /// of this row took no time.
    pub days: i32,
}

impl CompiledPlan {
    /// The drag of every open leaf that delays the finish of its project, the largest first, then by position.
    pub fn drags(&self, project: usize) -> Vec<Drag> {
        let Some(finish) = self.state().finishes.of_project.get(project).copied().flatten() else {
            return Vec::new();
        };
        let candidates = self.candidates(project);
        let days = match self.is_simple(project) {
            true => self.drags_by_float(project, &candidates),
            false => self.drags_by_trial(project, finish, &candidates),
        };
        let row = |node: usize| self.compiled().nodes[node].task as usize;
        let drags = candidates.iter().zip(days).map(|(node, days)| Drag { task: row(*node), days });
        let mut drags: Vec<Drag> = drags.filter(|drag| drag.days > 0).collect();
        drags.sort_by_key(|drag| (-drag.days, drag.task));
        drags
    }

    /// Open leaves of a project that have some float, but at most this number of working days. The smallest float
    /// comes first, then by position.
    pub fn near_critical(&self, project: usize, most_days: i32) -> Vec<usize> {
        let (network, compiled) = (self.network(), self.compiled());
        let results = self.state().results(network, compiled);
        let leaves = (0..compiled.nodes.len())
            .filter(|node| compiled.is_leaf(*node) && compiled.project_of(network, *node) == project)
            .filter(|node| self.state().inputs.flags[*node] & PINNED == 0);
        let floats = leaves
            .map(|node| (results.leaf(node).total_float, compiled.nodes[node].task as usize))
            .filter(|(float, _)| (1..=most_days).contains(float));
        let mut near: Vec<(i32, usize)> = floats.collect();
        near.sort_unstable();
        near.into_iter().map(|(_, task)| task).collect()
    }

    /// The leaves on chains of binding dates that end at a leaf, including this leaf, in the order of their starts.
    /// Empty for a summary, a complete row or a row that was left out.
    pub fn longest_path_to(&self, task: usize) -> Vec<usize> {
        let (compiled, state) = (self.compiled(), self.state());
        let node = compiled.node_of.get(task).map_or(usize::MAX, |node| *node as usize);
        if node >= compiled.nodes.len() || state.inputs.flags[node] & PINNED != 0 {
            return Vec::new();
        }
        let mut last = vec![false; compiled.nodes.len()];
        last[node] = true;
        let reached = Results::trace(compiled, &state.inputs, &state.early, last);
        let open = |node: &usize| compiled.is_leaf(*node) && state.inputs.flags[*node] & PINNED == 0;
        let rows = compiled.sequence.iter().map(|node| *node as usize).filter(|node| reached[*node]);
        let mut rows: Vec<usize> = rows.filter(open).map(|node| compiled.nodes[node].task as usize).collect();
        rows.sort_by_key(|row| self.task(*row).map(|dates| dates.early_start));
        rows
    }

    /// Open leaves that may hold up the finish of a project: those on its longest path that take time.
    fn candidates(&self, project: usize) -> Vec<usize> {
        let (network, compiled, state) = (self.network(), self.compiled(), self.state());
        let takes_part = |node: &usize| {
            state.on_longest_path[*node]
                && compiled.is_leaf(*node)
                && state.inputs.flags[*node] & PINNED == 0
                && state.inputs.remaining[*node] > 0
                && compiled.project_of(network, *node) == project
        };
        (0..compiled.nodes.len()).filter(takes_part).collect()
    }

    /// Whether all of a plan counts on the calendar of a project and nothing but links and floors places it, so that float says
    /// by how much a path is shorter than the longest.
    fn is_simple(&self, project: usize) -> bool {
        let special = PINNED | DETACHED | CAPPED | HELD | LAZY | STARTED | BEGUN;
        let compiled = self.compiled();
        let one_calendar = compiled.axis.first() == compiled.project_axis.get(project);
        compiled.plain && one_calendar && self.state().inputs.flags.iter().all(|flags| flags & special == 0)
    }

    /// What the finish gains when each of some rows takes no time, by placing again what comes near the finish.
    ///
    /// What could be `MARGIN_DAYS` later and the project would still be finished so many days earlier than now decides
    /// nothing, as long as what is gained is less than that.
    fn drags_by_trial(&self, project: usize, finish: i32, candidates: &[usize]) -> Vec<i32> {
        let (network, compiled, state) = (self.network(), self.compiled(), self.state());
        let mut inputs = state.inputs.clone();
        inputs.high.fill(UNBOUND);
        let forward = Forward { network, compiled, inputs: &inputs, early: &state.early };
        let sooner = finish - 2 * MARGIN_DAYS;
        let mut asked = vec![None; network.projects.len()];
        asked[project] = Some(sooner);
        let late = Late::pass(&forward, &asked);
        let counts = |node: &usize| {
            let fact = inputs.flags[*node] & PINNED != 0;
            let passes = !compiled.is_leaf(*node) || fact && inputs.passing;
            passes || !fact && state.early.start(&inputs, *node) > late.start(*node)
        };
        let near: Vec<usize> = compiled.sequence.iter().map(|node| *node as usize).filter(counts).collect();
        let mine = |node: &usize| compiled.is_leaf(*node) && compiled.project_of(network, *node) == project;
        let over = |early: &Early, inputs: &Inputs, node: usize| early.finish_instant(compiled, inputs, node);
        let facts = (0..compiled.nodes.len()).filter(|node| inputs.flags[*node] & PINNED != 0).filter(mine);
        let fact = facts.map(|node| over(&state.early, &inputs, node)).max().unwrap_or(i32::MIN);
        let axis = &compiled.calendars.axes[compiled.project_axis[project] as usize];
        let days = |instant: i32| axis.ordinal(boundary_of(instant));
        let mut inputs = state.inputs.clone();
        let mut early = state.early.clone();
        let mut drag = |candidate: usize| {
            let begin = near.iter().position(|node| *node == candidate)?;
            let remaining = std::mem::take(&mut inputs.remaining[candidate]);
            let start = state.early.start(&state.inputs, candidate);
            near[begin..].iter().for_each(|node| early.visit(compiled, &inputs, *node));
            // Work that has to end on a day begins later when it is shorter, and may hold back what else it leads to.
            let is_later = early.start(&inputs, candidate) > start;
            let ends = near.iter().filter(|node| mine(node)).map(|node| over(&early, &inputs, *node));
            let earlier = ends.chain([fact]).max()?;
            inputs.remaining[candidate] = remaining;
            near[begin..].iter().for_each(|node| early.copy_from(&state.early, *node));
            (!is_later && earlier > sooner).then(|| days(finish) - days(earlier))
        };
        let by_trial =
            |node: &usize| drag(*node).unwrap_or_else(|| self.drag_by_trial(project, finish, *node));
        candidates.iter().map(by_trial).collect()
    }

    /// What the finish gains when one row takes no time, by placing all rows again.
    fn drag_by_trial(&self, project: usize, finish: i32, node: usize) -> i32 {
        let (network, compiled) = (self.network(), self.compiled());
        let mut inputs = self.state().inputs.clone();
        inputs.remaining[node] = 0;
        let early = Early::pass(compiled, &inputs);
        let finishes = Finishes::of(network, compiled, &inputs, &early);
        let axis = &compiled.calendars.axes[compiled.project_axis[project] as usize];
        let days = |instant: i32| axis.ordinal(boundary_of(instant));
        finishes.of_project[project].map_or(0, |earlier| days(finish) - days(earlier))
    }

    /// The same for all candidates at once. A path that does not lead through a row passes it in the sequence by one
    /// of its edges, or begins behind it, or ends before it; what such a path lacks to the longest is its float.
    fn drags_by_float(&self, project: usize, candidates: &[usize]) -> Vec<i32> {
        let (network, compiled, state) = (self.network(), self.compiled(), self.state());
        let (inputs, early) = (&state.inputs, &state.early);
        // Only the finish counts, no other limit.
        let mut open = inputs.clone();
        open.high.fill(UNBOUND);
        let forward = Forward { network, compiled, inputs: &open, early };
        let late = Late::pass(&forward, &state.finishes.of_alone(project));
        let mut passing = Passing::new(compiled, candidates);
        let most = candidates.iter().map(|node| inputs.remaining[*node]).max().unwrap_or(0);
        for step in compiled.steps_out.all() {
            let (from, to) = (step.here(), step.other());
            let limit = late.limit(to, step.target())[LATE];
            let float = limit.saturating_sub(step.lag).saturating_sub(early.end(from, step.source()));
            if float < most {
                passing.between(from, to, float);
            }
        }
        let mine = |node: usize| compiled.is_leaf(node) && compiled.project_of(network, node) == project;
        let finish = |node: usize| early.end(node, End::Finish);
        let leaves = || (0..compiled.nodes.len()).filter(|node| compiled.is_leaf(*node));
        let last = leaves().filter(|node| mine(*node)).map(finish).max().unwrap_or(UNBOUND);
        for node in leaves() {
            passing.behind(node, late.start(node).saturating_sub(inputs.low[node]));
            if mine(node) {
                passing.before(node, last - finish(node));
            }
        }
        let least = passing.settle();
        let gain = |node: &usize| {
            let at = early.reach(compiled, inputs, *node, 0).max(inputs.low[*node]);
            let over = late.start(*node).saturating_add(inputs.remaining[*node]);
            let limits = compiled.along_out(*node);
            let limits = limits.map(|(step, _)| late.limit(step.other(), step.target())[LATE] - step.lag);
            limits.fold(over.max(last), i32::min).min(last) - at
        };
        // Candidates come in the order of nodes, what passes them in that of the sequence.
        candidates.iter().map(|node| least[passing.rank(*node)].min(gain(node))).collect()
    }
}

/// The least float of what passes each candidate in the sequence without touching it.
struct Passing {
    /// The place of each node in the sequence.
    place: Vec<u32>,
    /// Candidates before each place.
    ranks: Vec<u32>,
    /// By power of two and rank: the least float of what passes so many candidates from there on.
    tables: Vec<Vec<i32>>,
}

impl Passing {
    fn new(compiled: &Compiled, candidates: &[usize]) -> Passing {
        let count = compiled.nodes.len();
        let mut place = vec![0u32; count];
        compiled.sequence.iter().enumerate().for_each(|(at, node)| place[*node as usize] = at as u32);
        let mut ranks = vec![0u32; count + 1];
        candidates.iter().for_each(|node| ranks[place[*node] as usize + 1] = 1);
        for at in 0..count {
            ranks[at + 1] += ranks[at];
        }
        let levels = usize::BITS as usize - candidates.len().leading_zeros() as usize;
        Passing { place, ranks, tables: vec![vec![UNBOUND; candidates.len()]; levels.max(1)] }
    }

    /// The rank of a candidate.
    fn rank(&self, node: usize) -> usize {
        self.ranks[self.place[node] as usize] as usize
    }

    /// Something leads from a node to another.
    fn between(&mut self, from: usize, to: usize, float: i32) {
        self.cover(self.ranks[self.place[from] as usize + 1] as usize, self.rank(to), float);
    }

    /// Something begins at a node.
    fn behind(&mut self, node: usize, float: i32) {
        self.cover(0, self.rank(node), float);
    }

    /// Something ends at a node.
    fn before(&mut self, node: usize, float: i32) {
        let from = self.ranks[self.place[node] as usize + 1] as usize;
        self.cover(from, self.tables[0].len(), float);
    }

    /// Something passes the candidates from a rank to before another.
    fn cover(&mut self, from: usize, to: usize, float: i32) {
        if from >= to {
            return;
        }
        let level = (to - from).ilog2() as usize;
        let table = &mut self.tables[level];
        table[from] = table[from].min(float);
        let other = to - (1 << level);
        table[other] = table[other].min(float);
    }

    /// The least float by rank.
    fn settle(&mut self) -> Vec<i32> {
        for level in (1..self.tables.len()).rev() {
            let (below, above) = self.tables.split_at_mut(level);
            let (below, half) = (&mut below[level - 1], 1 << (level - 1));
            for (at, float) in above[0].iter().enumerate().filter(|(_, float)| **float < UNBOUND) {
                below[at] = below[at].min(*float);
                if let Some(second) = below.get_mut(at + half) {
                    *second = (*second).min(*float);
                }
            }
        }
        std::mem::take(&mut self.tables[0])
    }
}
