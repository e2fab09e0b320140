//! The forward pass and its exact inverse, the backward pass, over a compiled network. Values are
//! working-day ordinals on each node's axis; what they mean as dates is `report`.

use crate::axis::FAR;
use crate::bridge::Bridge;
use crate::compiled::Compiled;
use crate::edges::Step;
use crate::graph::End;
use crate::inputs::{BEGUN, DETACHED, Inputs, LAZY, PINNED, POINT, STARTED};

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
        early.run(compiled, inputs);
        early
    }

    /// The forward pass over positions of an earlier one.
    pub(crate) fn run(&mut self, compiled: &Compiled, inputs: &Inputs) {
        for node in compiled.sequence.iter().map(|node| *node as usize) {
            self.visit(compiled, inputs, node);
        }
    }

    /// Places one node by what leads into it.
    #[inline(always)]
    pub(crate) fn visit(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        let flags = inputs.flags[node];
        let remaining = inputs.remaining[node];
        let free = flags & (PINNED | DETACHED) == 0;
        let reached = if free { self.reach(compiled, inputs, node, remaining) } else { UNSET };
        let start = reached.max(inputs.low[node]);
        if flags & !POINT == 0 {
            // Most nodes: not begun, and held by nothing but links and a floor.
            let start = start.min(FAR);
            self.start[node] = start;
            self.ends[2 * node..2 * node + 2].copy_from_slice(&[start, start + remaining]);
            return;
        }
        let start = start.max(inputs.finish_low[node] - remaining);
        self.set(compiled, inputs, node, start.min(inputs.cap(node)).min(FAR));
        if flags & PINNED != 0 && inputs.passing {
            let reached = self.reach(compiled, inputs, node, 0).min(FAR);
            self.ends[2 * node + 1] = self.ends[2 * node + 1].max(reached);
        }
    }

    /// Whether finished work passes on a later place than its own finish.
    pub(crate) fn passes_on(&self, compiled: &Compiled, inputs: &Inputs, node: usize) -> bool {
        inputs.passing
            && inputs.flags[node] & PINNED != 0
            && self.ends[2 * node + 1] > compiled.axis_of(node).ordinal(inputs.fact[node][1])
    }

    /// The place at which a bound on a node's start binds; `None` where nothing that leads in counts.
    pub(crate) fn binding_place(&self, compiled: &Compiled, inputs: &Inputs, node: usize) -> Option<i32> {
        match inputs.flags[node] & (PINNED | DETACHED) {
            0 => Some(self.start[node]),
            PINNED => self.passes_on(compiled, inputs, node).then(|| self.ends[2 * node + 1]),
            _ => None,
        }
    }

    /// What others may read of a node.
    pub(crate) fn of(&self, node: usize) -> [i32; 3] {
        [self.start[node], self.ends[2 * node], self.ends[2 * node + 1]]
    }

    /// The least start of a node that its incoming edges allow, `duration` being what follows it.
    #[inline(always)]
    pub(crate) fn reach(&self, compiled: &Compiled, inputs: &Inputs, node: usize, duration: i32) -> i32 {
        let mut reached = UNSET;
        for step in compiled.steps_in.of(node) {
            let from = self.ends[step.source_end()];
            reached = reached.max(from + step.lag - (duration & step.target_mask()));
        }
        if compiled.bridges_in.is_empty() {
            return reached;
        }
        self.cross(compiled, inputs, node, duration, reached)
    }

    /// What bridges add to what steps allow.
    fn cross(&self, compiled: &Compiled, inputs: &Inputs, node: usize, duration: i32, reached: i32) -> i32 {
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
        let passed = bridge.source == End::Finish && self.passes_on(compiled, inputs, from);
        let boundary = if inputs.flags[from] & fixed != 0 && !passed {
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
    /// What links into a node must not exceed, start and finish: so that it does not become late, and
    /// so that it does not move (`LATE`, `FREE`). `UNBOUND` where facts have happened.
    pub(crate) ends: Vec<[i32; 2]>,
}

/// The entry of `Late::ends` that late dates keep to.
pub(crate) const LATE: usize = 0;
/// The entry of `Late::ends` that free float keeps to: early ends of leaves, seen through hubs.
pub(crate) const FREE: usize = 1;

/// The place at which leaves of one calendar must finish, looked up once as long as it stays the same.
struct Seeds<F> {
    boundary_of: F,
    known: (u32, u32, i32),
    place: i32,
}

impl<F: Fn(usize) -> Option<i32>> Seeds<F> {
    fn new(boundary_of: F) -> Seeds<F> {
        Seeds { boundary_of, known: (u32::MAX, u32::MAX, 0), place: UNBOUND }
    }

    /// The latest finish of a node; `UNBOUND` if nothing asks.
    #[inline(always)]
    fn of(&mut self, compiled: &Compiled, node: usize) -> i32 {
        if !compiled.is_leaf(node) {
            return UNBOUND;
        }
        let Some(boundary) = (self.boundary_of)(node) else { return UNBOUND };
        let key = (compiled.axis[node], compiled.own_axis[node], boundary);
        if self.known != key {
            self.known = key;
            self.place = compiled.finishing_by(node, boundary);
        }
        self.place
    }
}

impl Late {
    /// The backward pass. `seed` gives the boundary by which a leaf must be finished.
    pub(crate) fn pass(
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        seed: impl Fn(usize) -> Option<i32>,
    ) -> Late {
        let mut late = Late::default();
        late.run(compiled, inputs, early, seed);
        late
    }

    /// The backward pass in the memory of an earlier one.
    pub(crate) fn run(
        &mut self,
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        seed: impl Fn(usize) -> Option<i32>,
    ) {
        // Against the sequence every node is set before it is read.
        let count = compiled.nodes.len();
        self.start.resize(count, UNBOUND);
        self.free.resize(count, UNBOUND);
        self.ends.resize(2 * count, [UNBOUND; 2]);
        let mut seeds = Seeds::new(seed);
        for node in compiled.sequence.iter().rev().map(|node| *node as usize) {
            let by_seed = seeds.of(compiled, node);
            self.visit(compiled, inputs, early, node, by_seed);
        }
    }

    /// Places one node anew; `seed` as in `pass`.
    pub(crate) fn revisit(
        &mut self,
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        node: usize,
        seed: impl Fn(usize) -> Option<i32>,
    ) {
        let by_seed = Seeds::new(seed).of(compiled, node);
        self.visit(compiled, inputs, early, node, by_seed);
    }

    /// Places one node as late as what it leads to, and the end of its project, allows.
    #[inline(always)]
    fn visit(&mut self, compiled: &Compiled, inputs: &Inputs, early: &Early, node: usize, by_seed: i32) {
        let flags = inputs.flags[node];
        if flags & PINNED != 0 {
            self.set(node, UNBOUND, UNBOUND, [[UNBOUND; 2]; 2]);
            if inputs.passing {
                // What leads in may slip until the actual finish without being passed on.
                let finish = compiled.axis_of(node).ordinal(inputs.fact[node][1]);
                let (latest, free) = self.limits(compiled, inputs, early, node);
                let ends = [latest.max(finish), free.max(finish)];
                self.set(node, UNBOUND, UNBOUND, [ends; 2]);
            }
            return;
        }
        let remaining = inputs.remaining[node];
        let (latest, free) = self.limits(compiled, inputs, early, node);
        let start = latest.min(by_seed - remaining).min(inputs.high[node]).max(-FAR);
        if flags & DETACHED != 0 {
            self.set(node, start, free, [[UNBOUND; 2]; 2]);
            return;
        }
        let stays = if !compiled.is_leaf(node) {
            free
        } else if flags & LAZY != 0 {
            free.min(start).max(early.start[node])
        } else {
            early.start[node]
        };
        self.set(node, start, free, [[start, stays], [start + remaining, stays + remaining]]);
    }

    #[inline(always)]
    fn set(&mut self, node: usize, start: i32, free: i32, ends: [[i32; 2]; 2]) {
        self.start[node] = start;
        self.free[node] = free;
        self.ends[2 * node..2 * node + 2].copy_from_slice(&ends);
    }

    /// What others may read of a node, and its own late and free start.
    pub(crate) fn of(&self, node: usize) -> ([[i32; 2]; 2], [i32; 2]) {
        ([self.ends[2 * node], self.ends[2 * node + 1]], [self.start[node], self.free[node]])
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self) {
        self.start.push(UNBOUND);
        self.free.push(UNBOUND);
        self.ends.extend([[UNBOUND; 2]; 2]);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.free.capacity() + 2 * self.ends.capacity())
    }

    /// Where a node that wants to be late goes: as far as no successor moves, nor its project's finish.
    pub(crate) fn lazy_start(&self, node: usize) -> i32 {
        self.free[node].min(self.start[node])
    }

    /// Latest starts of a node that keep its successors' late dates, and their early dates.
    #[inline(always)]
    fn limits(&self, compiled: &Compiled, inputs: &Inputs, early: &Early, node: usize) -> (i32, i32) {
        let flags = inputs.flags[node];
        let remaining = inputs.remaining[node];
        let (mut latest, mut free) = (UNBOUND, UNBOUND);
        // From the start of the whole span back to the start of the remaining work.
        let done = if flags & BEGUN != 0 { inputs.done[node] } else { 0 };
        // Where work began on a known day its start holds nothing back any more.
        let bound = |step: &&Step| flags & (STARTED | PINNED) == 0 || step.source_is_finish();
        for step in compiled.steps_out.of(node).iter().filter(bound) {
            let [late, stays] = self.ends[step.target_end()];
            let back = step.lag + ((remaining + done) & step.source_mask()) - done;
            latest = latest.min(late - back);
            free = free.min(stays - back);
        }
        if compiled.bridges_out.is_empty() {
            return (latest, free);
        }
        self.limits_across(compiled, inputs, early, node, (latest, free))
    }

    /// What bridges take from what steps allow.
    fn limits_across(
        &self,
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        node: usize,
        (mut latest, mut free): (i32, i32),
    ) -> (i32, i32) {
        let back = [inputs.done[node], -inputs.remaining[node]];
        for bridge in compiled.bridges_out.of(node) {
            if bridge.source == End::Start && inputs.flags[node] & (STARTED | PINNED) != 0 {
                continue;
            }
            if compiled.takes_earliest(bridge.other as usize) && !leads(compiled, inputs, early, node, bridge)
            {
                continue;
            }
            let limits = self.ends[2 * bridge.other as usize + bridge.target as usize];
            let back = back[bridge.source as usize];
            let [late, stays] = limits.map(|limit| latest_end(compiled, inputs, node, bridge, limit));
            latest = latest.min(late.saturating_add(back));
            free = free.min(stays.saturating_add(back));
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
