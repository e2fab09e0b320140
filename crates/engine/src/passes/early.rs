//! The forward pass: the earliest place of each node. The latest place is in `late`.

use std::ops::Range;

use crate::axis::{Axis, evening, morning};
use crate::bridge::{Bridge, Instants};
use crate::compiled::{Compiled, Kind};
use crate::edges::Step;
use crate::ends::End;
use crate::inputs::{DETACHED, Inputs, PINNED, STARTED};
use crate::range::{FAR, UNSET};

/// Whether a node has more to it than edges and a floor.
fn is_rare(compiled: &Compiled, inputs: &Inputs, node: usize) -> bool {
    inputs.flags[node] != 0 || compiled.kind[node] != Kind::Work || compiled.bridges_in.has(node)
}

/// Ends of work that takes some days from an ordinal on, as ordinals and as boundaries.
#[inline(always)]
fn entry_of(axis: &Axis, start: i32, days: i32) -> [i32; 4] {
    [start, start + days, axis.start(start), axis.finish(start + days)]
}

/// The least place of an end of a leaf that something holds; the finish of work is given as its start, which is
/// so many days before.
pub(crate) fn arriving(compiled: &Compiled, node: usize, end: End, days: i32, held: Instants) -> i32 {
    let axis = compiled.axis_of(node);
    match (compiled.kind[node], end) {
        (Kind::Point, _) => held.place_of_point(axis),
        (_, End::Start) => held.start_of_work(axis),
        (_, End::Finish) => held.finish_of_work(axis) - days,
    }
}

/// Early positions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Early {
    /// What links count from: start of the whole span and finish of each node, and behind them the same of work
    /// as boundaries, for edges that are no steps. A plain plan has no boundaries. A hub has the morning and the
    /// evening that it holds.
    entries: Vec<i32>,
    /// Entries of a node.
    width: usize,
}

impl Early {
    pub(crate) fn empty(compiled: &Compiled) -> Early {
        let width = if compiled.plain { 2 } else { 4 };
        Early { entries: vec![UNSET; width * compiled.nodes.len()], width }
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self) {
        self.entries.extend([UNSET; 4].iter().take(self.width));
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.entries.capacity()
    }

    /// Start of the whole span of a node and its finish.
    #[inline]
    pub(crate) fn ends(&self, node: usize) -> [i32; 2] {
        let entry = &self.entries[self.width * node..self.width * node + 2];
        [entry[0], entry[1]]
    }

    /// One of them.
    #[inline]
    pub(crate) fn end(&self, node: usize, end: End) -> i32 {
        self.entries[self.width * node + end as usize]
    }

    #[inline]
    fn end_mut(&mut self, node: usize, end: End) -> &mut i32 {
        &mut self.entries[self.width * node + end as usize]
    }

    /// An end as a boundary; only where the plan is not plain.
    #[inline]
    pub(crate) fn at(&self, node: usize, end: End) -> i32 {
        self.entries[self.width * node + 2 + end as usize]
    }

    /// Start of the remaining work of a node.
    #[inline]
    pub(crate) fn start(&self, inputs: &Inputs, node: usize) -> i32 {
        match inputs.flags[node] & PINNED {
            0 => self.end(node, End::Finish) - inputs.remaining[node],
            _ => self.end(node, End::Start),
        }
    }

    /// Puts a node where it stands in another pass.
    pub(crate) fn copy_from(&mut self, other: &Early, node: usize) {
        let entries = self.width * node..self.width * (node + 1);
        self.entries[entries.clone()].copy_from_slice(&other.entries[entries]);
    }

    /// The forward pass.
    pub(crate) fn pass(compiled: &Compiled, inputs: &Inputs) -> Early {
        let mut early = Early::empty(compiled);
        early.run(compiled, inputs);
        early
    }

    /// The forward pass over positions of an earlier one.
    pub(crate) fn run(&mut self, compiled: &Compiled, inputs: &Inputs) {
        match (compiled.in_order && (compiled.plain || !compiled.levels.is_empty()), compiled.plain) {
            (false, _) => {
                compiled.sequence.iter().for_each(|node| self.visit(compiled, inputs, *node as usize));
            }
            (true, true) => self.run_through(compiled, inputs),
            (true, false) => {
                for level in compiled.levels.windows(2) {
                    self.place_level(compiled, inputs, level[0] as usize..level[1] as usize);
                }
            }
        }
    }

    /// The forward pass of a plain plan where nodes are numbered in order: edges are read as one list, without a
    /// look at where the edges of one node end, but for the few nodes that need more than edges.
    fn run_through(&mut self, compiled: &Compiled, inputs: &Inputs) {
        let steps = compiled.steps_in.all();
        self.stand(inputs, 0..compiled.nodes.len());
        let mut next = 0;
        let bridged = !compiled.bridges_in.all().is_empty();
        for (node, flags) in inputs.flags.iter().enumerate() {
            if *flags == 0 && !(bridged && compiled.bridges_in.has(node)) {
                continue;
            }
            let group = compiled.steps_in.range(node);
            self.relax(&steps[next..group.start]);
            self.place_rare(compiled, inputs, node);
            next = group.end;
        }
        self.relax(&steps[next..]);
    }

    /// Places one node by what leads into it.
    #[inline]
    pub(crate) fn visit(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        if is_rare(compiled, inputs, node) {
            return self.place_rare(compiled, inputs, node);
        }
        let steps = compiled.steps_in.of(node);
        if compiled.plain {
            self.stand(inputs, node..node + 1);
            self.relax(steps);
        } else {
            self.place_level(compiled, inputs, node..node + 1);
        }
    }

    /// Puts nodes of a plain plan where their own floors let them stand.
    #[inline(always)]
    fn stand(&mut self, inputs: &Inputs, nodes: Range<usize>) {
        let own = inputs.low[nodes.clone()].iter().zip(&inputs.remaining[nodes.clone()]);
        let entries = self.entries[2 * nodes.start..2 * nodes.end].as_chunks_mut::<2>().0;
        for (entry, (low, days)) in entries.iter_mut().zip(own) {
            let start = (*low).min(FAR);
            *entry = [start, start + days];
        }
    }

    /// Moves nodes of a plain plan as far as steps into them ask. Where a node ends is worked out again with every
    /// step: that is cheaper than to find out which of its steps is the last.
    #[inline(always)]
    fn relax(&mut self, steps: &[Step]) {
        let entries = &mut self.entries[..];
        for step in steps {
            let from = entries[step.source_of_two()] + step.lag;
            let entry = &mut entries[2 * step.here()..2 * step.here() + 2];
            let days = entry[1] - entry[0];
            let start = (from - (days & step.target_mask())).max(entry[0]).min(FAR);
            entry.copy_from_slice(&[start, start + days]);
        }
    }

    /// Places nodes that do not hold one another, among several calendars. First all steps into them are read, then
    /// each is looked up once: of what crosses calendars the last boundary decides.
    #[inline(always)]
    fn place_level(&mut self, compiled: &Compiled, inputs: &Inputs, nodes: Range<usize>) {
        let steps = &compiled.steps_in;
        let steps = steps.slice(nodes.clone());
        let entries = &mut self.entries[..];
        for node in nodes.clone() {
            // Until it is placed a node has its start, its days, and the boundary that it waits for.
            entries[4 * node..4 * node + 4].copy_from_slice(&[
                inputs.low[node],
                inputs.remaining[node],
                UNSET,
                UNSET,
            ]);
        }
        for step in steps {
            let from = entries[step.source_of_four()] + step.lag;
            let crossing = step.crossing_mask();
            let entry = &mut entries[4 * step.here()..4 * step.here() + 4];
            let along = from - (entry[1] & step.target_mask());
            entry[0] = entry[0].max(along & !crossing | UNSET & crossing);
            entry[2] = entry[2].max(from & crossing | UNSET & !crossing);
        }
        for node in nodes {
            if is_rare(compiled, inputs, node) {
                self.place_rare(compiled, inputs, node);
                continue;
            }
            let axis = compiled.axis_of(node);
            let [start, days, boundary] = [0, 1, 2].map(|entry| self.entries[4 * node + entry]);
            let waits = -i32::from(boundary > UNSET / 2);
            let across = axis.ordinal_where(waits, boundary) & waits | UNSET & !waits;
            let entry = entry_of(axis, start.max(across).min(FAR), days);
            self.entries[4 * node..4 * node + 4].copy_from_slice(&entry);
        }
    }

    /// Places a node that has more to it than edges and a floor.
    fn place_rare(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        if compiled.kind[node] == Kind::Hub {
            return self.place_hub(compiled, inputs, node);
        }
        let flags = inputs.flags[node];
        let remaining = inputs.remaining[node];
        let free = flags & (PINNED | DETACHED) == 0;
        let reached = if free { self.reach(compiled, inputs, node, remaining) } else { UNSET };
        let start = reached.max(inputs.low[node]).max(inputs.finish_low[node] - remaining);
        self.set(compiled, inputs, node, start.min(inputs.cap(node)).min(FAR));
        if flags & PINNED != 0 && inputs.passing {
            let reached = self.reach(compiled, inputs, node, 0).min(FAR);
            *self.end_mut(node, End::Finish) = self.end(node, End::Finish).max(reached);
            self.look_up(compiled, inputs, node);
        }
    }

    /// Notes the ends of work as boundaries.
    fn look_up(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        if compiled.plain || compiled.kind[node] != Kind::Work {
            return;
        }
        for end in [End::Start, End::Finish] {
            self.entries[4 * node + 2 + end as usize] = self.boundary(compiled, inputs, node, end);
        }
    }

    /// The boundary of an end of work: a fact where it is one.
    fn boundary(&self, compiled: &Compiled, inputs: &Inputs, node: usize, end: End) -> i32 {
        let ordinal = self.end(node, end);
        match (inputs.flags[node] & (PINNED | STARTED), end) {
            (0, End::Start) => compiled.axis_of(node).start(ordinal),
            (STARTED, End::Finish) | (0, End::Finish) => compiled.axis_of(node).finish(ordinal),
            (_, End::Finish) if self.passes_on(compiled, inputs, node) => {
                compiled.axis_of(node).finish(ordinal)
            }
            _ => inputs.fact[node][end as usize],
        }
    }

    /// What an end of a node holds; only where the plan is not plain.
    pub(crate) fn holds(&self, compiled: &Compiled, inputs: &Inputs, node: usize, end: End) -> Instants {
        let entry = &self.entries[4 * node..4 * node + 4];
        match (compiled.kind[node], end) {
            (Kind::Hub, _) => Instants { morning: entry[0], evening: entry[1] },
            (Kind::Work, End::Start) => Instants::morning(entry[2]),
            (Kind::Work, End::Finish) => Instants::evening(entry[3]),
            (Kind::Point, _) if entry[end as usize] <= UNSET / 2 => Instants::NONE,
            (Kind::Point, _) => {
                let own = compiled.axis_of(node);
                let began = inputs.began_at(own, node).filter(|_| end == End::Start);
                let fact = inputs.flags[node] & PINNED != 0 && !self.passes_on(compiled, inputs, node);
                match (began, fact) {
                    (Some(began), _) => began,
                    (None, true) => inputs.finished_at(own, node),
                    (None, false) => Instants::of_point(own, entry[1]),
                }
            }
        }
    }

    /// The place at which finished work ended.
    pub(crate) fn place_of_fact(compiled: &Compiled, inputs: &Inputs, node: usize) -> i32 {
        let axis = compiled.axis_of(node);
        match compiled.kind[node] {
            Kind::Point => inputs.finished_at(axis, node).place_of_point(axis),
            _ => axis.ordinal(inputs.fact[node][1]),
        }
    }

    /// Whether finished work passes on a later place than its own finish.
    pub(crate) fn passes_on(&self, compiled: &Compiled, inputs: &Inputs, node: usize) -> bool {
        self.end(node, End::Finish) > Early::place_of_fact(compiled, inputs, node)
    }

    /// The place at which a bound on a node's start binds; `None` where nothing that leads in counts.
    pub(crate) fn binding_place(&self, compiled: &Compiled, inputs: &Inputs, node: usize) -> Option<i32> {
        match inputs.flags[node] & (PINNED | DETACHED) {
            0 => Some(self.start(inputs, node)),
            PINNED => self.passes_on(compiled, inputs, node).then(|| self.end(node, End::Finish)),
            _ => None,
        }
    }

    /// The least start of a node that its incoming edges allow, `duration` being what follows it.
    pub(crate) fn reach(&self, compiled: &Compiled, inputs: &Inputs, node: usize, duration: i32) -> i32 {
        let mut reached = UNSET;
        for step in compiled.steps_in.of(node) {
            let bound = match step.is_crossing() {
                true => {
                    let boundary = self.at(step.other(), step.source());
                    compiled.axis_of(node).ordinal(boundary + step.lag)
                }
                false => {
                    let from = self.end(step.other(), step.source());
                    from + step.lag - (duration & step.target_mask())
                }
            };
            reached = reached.max(bound);
        }
        self.cross(compiled, inputs, node, duration, reached)
    }

    /// What bridges add to what steps allow.
    fn cross(&self, compiled: &Compiled, inputs: &Inputs, node: usize, duration: i32, reached: i32) -> i32 {
        let bridges = compiled.bridges_in.of(node);
        let bounds = bridges.iter().map(|bridge| {
            let held = self.held_by(compiled, inputs, bridge);
            arriving(compiled, node, bridge.target, duration, held)
        });
        bounds.fold(reached, i32::max)
    }

    /// What a bridge into a node makes of what its source holds.
    pub(crate) fn held_by(&self, compiled: &Compiled, inputs: &Inputs, bridge: &Bridge) -> Instants {
        let from = self.holds(compiled, inputs, bridge.other as usize, bridge.source);
        bridge.forward(&compiled.calendars.axes, from)
    }

    /// Gathers what leads into a hub.
    pub(crate) fn place_hub(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        if compiled.plain {
            let reached = self.reach(compiled, inputs, node, 0);
            self.entries[2 * node..2 * node + 2].fill(reached);
            return;
        }
        let held = compiled.bridges_in.of(node).iter().map(|bridge| self.held_by(compiled, inputs, bridge));
        let held = match compiled.starts_with_first(node) {
            true => {
                let starts = held.filter(|held| !held.is_none()).map(Instants::last);
                starts.min().map_or(Instants::NONE, Instants::morning)
            }
            false => held.fold(Instants::NONE, Instants::max),
        };
        let Instants { morning, evening } = held;
        self.entries[4 * node..4 * node + 4].copy_from_slice(&[morning, evening, morning, evening]);
    }

    /// Places a node; facts take precedence over the position.
    pub(crate) fn set(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize, start: i32) {
        let flags = inputs.flags[node];
        let mut ends = [start - inputs.done[node], start + inputs.remaining[node]];
        if flags & (PINNED | STARTED) != 0 {
            let (axis, began) = (compiled.axis_of(node), inputs.fact[node][0]);
            let point = compiled.kind[node] == Kind::Point;
            ends[0] = if point { axis.point_from_morning(began) } else { axis.ordinal(began) };
            if flags & PINNED != 0 {
                ends[1] = Early::place_of_fact(compiled, inputs, node);
            }
        }
        self.entries[self.width * node..self.width * node + 2].copy_from_slice(&ends);
        self.look_up(compiled, inputs, node);
    }

    /// The instant at which a leaf finishes.
    pub(crate) fn finish_instant(&self, compiled: &Compiled, inputs: &Inputs, node: usize) -> i32 {
        if inputs.flags[node] & PINNED != 0 {
            let boundary = inputs.fact[node][1];
            return if inputs.ended_in_the_evening(node) { evening(boundary) } else { morning(boundary) };
        }
        let place = self.end(node, End::Finish);
        match compiled.kind[node] {
            Kind::Point => compiled.axis_of(node).point_instant(place),
            _ => evening(compiled.axis_of(node).finish(place)),
        }
    }
}
