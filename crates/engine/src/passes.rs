//! The forward pass and its exact inverse, the backward pass, over a compiled network. Values are
//! working-day ordinals on each node's axis; what they mean as dates is `report`.

use crate::axis::FAR;
use crate::bridge::Bridge;
use crate::compiled::Compiled;
use crate::graph::End;
use crate::inputs::{DETACHED, Inputs, PINNED, POINT, STARTED};

/// No bound from below. Sums that start from it stay under `UNSET / 2`.
pub(crate) const UNSET: i32 = -(1 << 29);
/// No bound from above. Differences that start from it stay over `UNBOUND / 2`.
pub(crate) const UNBOUND: i32 = 1 << 29;

/// Early positions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Early {
    /// Start of the remaining work by node.
    pub(crate) start: Vec<i32>,
    /// What links count from: start of the whole span and finish, two entries a node.
    pub(crate) ends: Vec<i32>,
}

impl Early {
    pub(crate) fn empty(count: usize) -> Early {
        Early { start: vec![UNSET; count], ends: vec![UNSET; 2 * count] }
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self) {
        self.start.push(UNSET);
        self.ends.extend([UNSET; 2]);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.ends.capacity())
    }

    /// The forward pass.
    pub(crate) fn pass(compiled: &Compiled, inputs: &Inputs) -> Early {
        let mut early = Early::empty(compiled.nodes.len());
        for node in compiled.sequence.iter().map(|node| *node as usize) {
            early.visit(compiled, inputs, node);
        }
        early
    }

    /// Places one node by what leads into it.
    #[inline]
    pub(crate) fn visit(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        let free = inputs.flags[node] & (PINNED | DETACHED) == 0;
        let reached = if free { self.reach(compiled, inputs, node, inputs.remaining[node]) } else { UNSET };
        let low = inputs.low[node].max(inputs.finish_low[node] - inputs.remaining[node]);
        self.set(compiled, inputs, node, reached.max(low).min(inputs.cap(node)).min(FAR));
    }

    /// What others may read of a node.
    pub(crate) fn of(&self, node: usize) -> [i32; 3] {
        [self.start[node], self.ends[2 * node], self.ends[2 * node + 1]]
    }

    /// The least start of a node that its incoming edges allow, `duration` being what follows it.
    pub(crate) fn reach(&self, compiled: &Compiled, inputs: &Inputs, node: usize, duration: i32) -> i32 {
        let mut reached = UNSET;
        for step in compiled.steps_in.of(node) {
            let from = self.ends[2 * step.other() + usize::from(step.source_is_finish())];
            reached = reached.max(from + step.lag - if step.target_is_finish() { duration } else { 0 });
        }
        let bridges = compiled.bridges_in.of(node);
        if bridges.is_empty() {
            return reached;
        }
        let bounds = bridges.iter().filter_map(|bridge| {
            let bound = self.bound(compiled, inputs, node, bridge)?;
            Some(bound - if bridge.target == End::Finish { duration } else { 0 })
        });
        if compiled.takes_earliest(node) {
            bounds.min().unwrap_or(UNSET)
        } else {
            bounds.fold(reached, i32::max)
        }
    }

    /// What a bridge demands of an end of `node`; `None` if its source demands nothing.
    pub(crate) fn bound(
        &self,
        compiled: &Compiled,
        inputs: &Inputs,
        node: usize,
        bridge: &Bridge,
    ) -> Option<i32> {
        let from = bridge.other as usize;
        let ordinal = self.ends[2 * from + bridge.source as usize];
        if ordinal <= UNSET / 2 {
            return None;
        }
        let fixed = if bridge.source == End::Start { PINNED | STARTED } else { PINNED };
        let boundary = if inputs.flags[from] & fixed != 0 {
            inputs.fact[from][bridge.source as usize]
        } else if bridge.source == End::Start {
            compiled.axis_of(from).start(ordinal)
        } else {
            compiled.axis_of(from).finish(ordinal)
        };
        let point = inputs.flags[from] & POINT != 0;
        Some(bridge.forward(&compiled.calendars.axes, compiled.axis_of(node), boundary, point))
    }

    /// Places a node; facts take precedence over the position.
    pub(crate) fn set(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize, start: i32) {
        let flags = inputs.flags[node];
        self.start[node] = start;
        self.ends[2 * node] = start - inputs.done[node];
        self.ends[2 * node + 1] = start + inputs.remaining[node];
        if flags & (PINNED | STARTED) != 0 {
            let axis = compiled.axis_of(node);
            self.ends[2 * node] = axis.ordinal(inputs.fact[node][0]);
            if flags & PINNED != 0 {
                self.start[node] = self.ends[2 * node];
                self.ends[2 * node + 1] = axis.ordinal(inputs.fact[node][1]);
            }
        }
    }

    /// Places a node that takes no time.
    pub(crate) fn set_point(&mut self, node: usize, at: i32) {
        self.start[node] = at;
        self.ends[2 * node] = at;
        self.ends[2 * node + 1] = at;
    }

    /// The boundary at which a node finishes; for a point the end of the last day worked before it.
    pub(crate) fn finish_boundary(&self, compiled: &Compiled, inputs: &Inputs, node: usize) -> i32 {
        if inputs.flags[node] & PINNED != 0 {
            return inputs.fact[node][1];
        }
        compiled.own_axis_of(node).finish(compiled.own_ordinal(node, self.ends[2 * node + 1]))
    }
}

/// Late positions and what is free.
#[derive(Debug, Clone, Default)]
pub(crate) struct Late {
    /// Latest start of the remaining work by node.
    pub(crate) start: Vec<i32>,
    /// Latest start that moves no successor, by node.
    pub(crate) free: Vec<i32>,
    /// What links into a node must not exceed, start and finish; `UNBOUND` where facts have happened.
    pub(crate) late_ends: Vec<i32>,
    /// The same for staying free: early ends of leaves, seen through hubs.
    pub(crate) free_ends: Vec<i32>,
}

impl Late {
    /// The backward pass. `seed` gives the boundary by which a leaf must be finished.
    pub(crate) fn pass(
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        seed: impl Fn(usize) -> Option<i32>,
    ) -> Late {
        let count = compiled.nodes.len();
        let mut late = Late {
            start: vec![UNBOUND; count],
            free: vec![UNBOUND; count],
            late_ends: vec![UNBOUND; 2 * count],
            free_ends: vec![UNBOUND; 2 * count],
        };
        for node in compiled.sequence.iter().rev().map(|node| *node as usize) {
            late.visit(compiled, inputs, early, node, &seed);
        }
        late
    }

    /// Places one node as late as what it leads to allows.
    #[inline]
    pub(crate) fn visit(
        &mut self,
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        node: usize,
        seed: &impl Fn(usize) -> Option<i32>,
    ) {
        let flags = inputs.flags[node];
        if flags & PINNED != 0 {
            self.set(node, [UNBOUND; 6]);
            return;
        }
        let remaining = inputs.remaining[node];
        let by_seed = if compiled.is_leaf(node) { seed(node) } else { None };
        let by_seed = by_seed.map_or(UNBOUND, |boundary| compiled.finishing_by(node, boundary) - remaining);
        let (latest, free) = self.limits(compiled, inputs, early, node);
        let start = latest.min(by_seed).min(inputs.high[node]).max(-FAR);
        if flags & DETACHED != 0 {
            self.set(node, [start, free, UNBOUND, UNBOUND, UNBOUND, UNBOUND]);
            return;
        }
        let stays = if !compiled.is_leaf(node) {
            free
        } else if !inputs.lazy.is_empty() && inputs.lazy.binary_search(&(node as u32)).is_ok() {
            free.min(start).max(early.start[node])
        } else {
            early.start[node]
        };
        let over = |start: i32| start.saturating_add(remaining);
        self.set(node, [start, free, start, over(start), stays, over(stays)]);
    }

    #[inline]
    fn set(
        &mut self,
        node: usize,
        [start, free, late_start, late_finish, free_start, free_finish]: [i32; 6],
    ) {
        self.start[node] = start;
        self.free[node] = free;
        self.late_ends[2 * node..2 * node + 2].copy_from_slice(&[late_start, late_finish]);
        self.free_ends[2 * node..2 * node + 2].copy_from_slice(&[free_start, free_finish]);
    }

    /// What others may read of a node, its own late and free start first.
    pub(crate) fn of(&self, node: usize) -> [i32; 6] {
        let (start, finish) = (2 * node, 2 * node + 1);
        let ends =
            [self.late_ends[start], self.late_ends[finish], self.free_ends[start], self.free_ends[finish]];
        [self.start[node], self.free[node], ends[0], ends[1], ends[2], ends[3]]
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self) {
        self.start.push(UNBOUND);
        self.free.push(UNBOUND);
        self.late_ends.extend([UNBOUND; 2]);
        self.free_ends.extend([UNBOUND; 2]);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let places = [&self.start, &self.free, &self.late_ends, &self.free_ends];
        4 * places.map(Vec::capacity).iter().sum::<usize>()
    }

    /// Where a node that wants to be late goes: as far as no successor moves, nor its project's finish.
    pub(crate) fn lazy_start(&self, node: usize) -> i32 {
        self.free[node].min(self.start[node])
    }

    /// Latest starts of a node that keep its successors' late dates, and their early dates.
    fn limits(&self, compiled: &Compiled, inputs: &Inputs, early: &Early, node: usize) -> (i32, i32) {
        let flags = inputs.flags[node];
        let (mut latest, mut free) = (UNBOUND, UNBOUND);
        // From an end of the whole span back to the start of the remaining work.
        let back = [inputs.done[node], -inputs.remaining[node]];
        for step in compiled.steps_out.of(node) {
            let source = usize::from(step.source_is_finish());
            if source == 0 && flags & STARTED != 0 {
                continue;
            }
            let end = 2 * step.other() + usize::from(step.target_is_finish());
            latest = latest.min(self.late_ends[end] - step.lag + back[source]);
            free = free.min(self.free_ends[end] - step.lag + back[source]);
        }
        for bridge in compiled.bridges_out.of(node) {
            if bridge.source == End::Start && flags & STARTED != 0 {
                continue;
            }
            if compiled.takes_earliest(bridge.other as usize) && !leads(compiled, inputs, early, node, bridge)
            {
                continue;
            }
            let end = 2 * bridge.other as usize + bridge.target as usize;
            let back = back[bridge.source as usize];
            latest = latest
                .min(latest_end(compiled, inputs, node, bridge, self.late_ends[end]).saturating_add(back));
            free = free
                .min(latest_end(compiled, inputs, node, bridge, self.free_ends[end]).saturating_add(back));
        }
        (latest, free)
    }
}

/// Whether a node is (one of) the earliest that a hub takes its value from.
pub(crate) fn leads(
    compiled: &Compiled,
    inputs: &Inputs,
    early: &Early,
    node: usize,
    bridge: &Bridge,
) -> bool {
    let hub = bridge.other as usize;
    let inward = Bridge { other: node as u32, ..*bridge };
    early.bound(compiled, inputs, hub, &inward).is_some_and(|bound| bound <= early.start[hub])
}

/// The latest ordinal of the end of `node` that a bridge leaves from, so that the end it leads to
/// stays at or below `limit`.
pub(crate) fn latest_end(
    compiled: &Compiled,
    inputs: &Inputs,
    node: usize,
    bridge: &Bridge,
    limit: i32,
) -> i32 {
    if limit >= UNBOUND / 2 {
        return UNBOUND;
    }
    let target = compiled.axis_of(bridge.other as usize);
    let point = inputs.flags[node] & POINT != 0;
    let boundary = bridge.backward(&compiled.calendars.axes, target, limit, point);
    let axis = compiled.axis_of(node);
    if bridge.source == End::Start { axis.ordinal_starting_by(boundary) } else { axis.ordinal(boundary) }
}
