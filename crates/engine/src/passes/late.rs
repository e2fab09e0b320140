//! The backward pass: how late each node may be, for its project and for its successors. The forward
//! pass that it inverts is `early`.

use crate::axis::FAR;
use crate::bridge::Bridge;
use crate::compiled::Compiled;
use crate::edges::Step;
use crate::graph::End;
use crate::inputs::{BEGUN, DETACHED, Inputs, LAZY, PINNED, POINT, STARTED};

use super::{Early, UNBOUND};

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
    /// What crossings into the start of a node must not exceed, as boundaries; empty in a plain plan.
    at: Vec<[i32; 2]>,
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
        self.at.resize(if compiled.plain { 0 } else { count }, [UNBOUND; 2]);
        if compiled.plain {
            self.run_back::<true>(compiled, inputs, early, Seeds::new(seed));
        } else {
            self.run_back::<false>(compiled, inputs, early, Seeds::new(seed));
        }
    }

    /// The backward pass, made once for plans on one calendar, whose loop then asks for no other, and once for the rest.
    fn run_back<const PLAIN: bool>(
        &mut self,
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        mut seeds: Seeds<impl Fn(usize) -> Option<i32>>,
    ) {
        for node in compiled.sequence.iter().rev().map(|node| *node as usize) {
            let by_seed = seeds.of(compiled, node);
            self.visit::<PLAIN>(compiled, inputs, early, node, by_seed);
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
        match compiled.plain {
            true => self.visit::<true>(compiled, inputs, early, node, by_seed),
            false => self.visit::<false>(compiled, inputs, early, node, by_seed),
        }
    }

    /// Places one node as late as what it leads to, and the end of its project, allows.
    #[inline(always)]
    fn visit<const PLAIN: bool>(
        &mut self,
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        node: usize,
        by_seed: i32,
    ) {
        self.settle::<PLAIN>(compiled, inputs, early, node, by_seed);
        if !PLAIN {
            let axis = compiled.axis_of(node);
            self.at[node] = self.ends[2 * node].map(|limit| bounded(limit, |limit| axis.start(limit)));
        }
    }

    #[inline(always)]
    fn settle<const PLAIN: bool>(
        &mut self,
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        node: usize,
        by_seed: i32,
    ) {
        let flags = inputs.flags[node];
        if flags & PINNED != 0 {
            self.set(node, UNBOUND, UNBOUND, [[UNBOUND; 2]; 2]);
            if inputs.passing {
                // What leads in may slip until the actual finish without being passed on.
                let finish = compiled.axis_of(node).ordinal(inputs.fact[node][1]);
                let (latest, free) = self.limits::<PLAIN>(compiled, inputs, early, node);
                let ends = [latest.max(finish), free.max(finish)];
                self.set(node, UNBOUND, UNBOUND, [ends; 2]);
            }
            return;
        }
        let remaining = inputs.remaining[node];
        let (latest, free) = self.limits::<PLAIN>(compiled, inputs, early, node);
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
    pub(crate) fn push_node(&mut self, compiled: &Compiled) {
        self.start.push(UNBOUND);
        self.free.push(UNBOUND);
        self.ends.extend([[UNBOUND; 2]; 2]);
        if !compiled.plain {
            self.at.push([UNBOUND; 2]);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.free.capacity() + 2 * self.ends.capacity() + 2 * self.at.capacity())
    }

    /// Where a node that wants to be late goes: as far as no successor moves, nor its project's finish.
    pub(crate) fn lazy_start(&self, node: usize) -> i32 {
        self.free[node].min(self.start[node])
    }

    /// Latest starts of a node that keep its successors' late dates, and their early dates.
    #[inline(always)]
    fn limits<const PLAIN: bool>(
        &self,
        compiled: &Compiled,
        inputs: &Inputs,
        early: &Early,
        node: usize,
    ) -> (i32, i32) {
        let flags = inputs.flags[node];
        let remaining = inputs.remaining[node];
        let (mut latest, mut free) = (UNBOUND, UNBOUND);
        let mut step_back = |step: &Step, back: i32| {
            let [late, stays] = self.ends[step.target_end()];
            latest = latest.min(late - back);
            free = free.min(stays - back);
        };
        if flags & (BEGUN | STARTED | PINNED) == 0 {
            // Most nodes: nothing is done yet, and both ends hold back what comes before.
            for step in compiled.steps_out.of(node) {
                step_back(step, step.lag + (remaining & step.source_mask()));
            }
        } else {
            // From the start of the whole span back to the start of the remaining work.
            let done = if flags & BEGUN != 0 { inputs.done[node] } else { 0 };
            // Where work began on a known day its start holds nothing back any more.
            let bound = |step: &&Step| flags & (STARTED | PINNED) == 0 || step.source_is_finish();
            for step in compiled.steps_out.of(node).iter().filter(bound) {
                step_back(step, step.lag + ((remaining + done) & step.source_mask()) - done);
            }
        }
        if PLAIN {
            return (latest, free);
        }
        let (latest, free) = self.limits_crossing(compiled, inputs, node, (latest, free));
        if compiled.bridges_out.is_empty() {
            return (latest, free);
        }
        self.limits_across(compiled, inputs, early, node, (latest, free))
    }

    /// What crossings take from what steps allow: of all boundaries only the least is looked up.
    #[inline(always)]
    fn limits_crossing(
        &self,
        compiled: &Compiled,
        inputs: &Inputs,
        node: usize,
        (mut latest, mut free): (i32, i32),
    ) -> (i32, i32) {
        let axis = compiled.axis_of(node);
        let [late, stays] = self.least_crossing(compiled, node, End::Finish);
        if late.min(stays) < UNBOUND / 2 {
            let start = |boundary| bounded(boundary, |at| axis.ordinal(at) - inputs.remaining[node]);
            (latest, free) = (latest.min(start(late)), free.min(start(stays)));
        }
        // Where work began on a known day its start holds nothing back any more.
        if compiled.starts_cross && inputs.flags[node] & (STARTED | PINNED) == 0 {
            let [late, stays] = self.least_crossing(compiled, node, End::Start);
            let start = |boundary| bounded(boundary, |at| axis.ordinal_starting_by(at) + inputs.done[node]);
            (latest, free) = (latest.min(start(late)), free.min(start(stays)));
        }
        (latest, free)
    }

    /// The least boundaries that crossings from one end of a node allow it.
    #[inline(always)]
    fn least_crossing(&self, compiled: &Compiled, node: usize, source: End) -> [i32; 2] {
        let [mut late, mut stays] = [UNBOUND; 2];
        for crossing in compiled.crossings_out.of(node) {
            // What leaves from the other end says nothing.
            let least =
                if crossing.source_is_finish() == (source == End::Finish) { i32::MIN } else { UNBOUND };
            let at = self.at[crossing.other()];
            late = late.min((at[LATE] - crossing.lag).max(least));
            stays = stays.min((at[FREE] - crossing.lag).max(least));
        }
        [late, stays]
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

/// A limit looked up, if it is one.
#[inline(always)]
fn bounded(limit: i32, look_up: impl Fn(i32) -> i32) -> i32 {
    if limit < UNBOUND / 2 { look_up(limit) } else { UNBOUND }
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
