//! The forward pass: where each node stands at the earliest. What may wait is `late`.

use crate::axis::FAR;
use crate::bridge::Bridge;
use crate::compiled::Compiled;
use crate::graph::End;
use crate::inputs::{DETACHED, Inputs, PINNED, POINT, STARTED};

use super::UNSET;

/// Early positions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Early {
    /// Start of the remaining work by node.
    pub(crate) start: Vec<i32>,
    /// What links count from: start of the whole span and finish, two entries a node.
    pub(crate) ends: Vec<i32>,
    /// The same ends as boundaries, for edges that are no steps; empty in a plain plan.
    at: Vec<i32>,
}

impl Early {
    pub(crate) fn empty(compiled: &Compiled) -> Early {
        let count = compiled.nodes.len();
        let at = if compiled.plain { Vec::new() } else { vec![UNSET; 2 * count] };
        Early { start: vec![UNSET; count], ends: vec![UNSET; 2 * count], at }
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self, compiled: &Compiled) {
        self.start.push(UNSET);
        self.ends.extend([UNSET; 2]);
        if !compiled.plain {
            self.at.extend([UNSET; 2]);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.ends.capacity() + self.at.capacity())
    }

    /// The forward pass.
    pub(crate) fn pass(compiled: &Compiled, inputs: &Inputs) -> Early {
        let mut early = Early::empty(compiled);
        early.run(compiled, inputs);
        early
    }

    /// The forward pass over positions of an earlier one.
    pub(crate) fn run(&mut self, compiled: &Compiled, inputs: &Inputs) {
        if compiled.plain {
            self.run_through::<true>(compiled, inputs);
        } else {
            self.run_through::<false>(compiled, inputs);
        }
    }

    /// The forward pass, made once for plans on one calendar, whose loop then asks for no other, and once for the rest.
    fn run_through<const PLAIN: bool>(&mut self, compiled: &Compiled, inputs: &Inputs) {
        for node in compiled.sequence.iter().map(|node| *node as usize) {
            self.place::<PLAIN>(compiled, inputs, node);
        }
    }

    /// Places one node by what leads into it.
    pub(crate) fn visit(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        match compiled.plain {
            true => self.place::<true>(compiled, inputs, node),
            false => self.place::<false>(compiled, inputs, node),
        }
    }

    #[inline(always)]
    fn place<const PLAIN: bool>(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        let flags = inputs.flags[node];
        let remaining = inputs.remaining[node];
        let free = flags & (PINNED | DETACHED) == 0;
        let reached = if free { self.reach_in::<PLAIN>(compiled, inputs, node, remaining) } else { UNSET };
        let start = reached.max(inputs.low[node]);
        if flags & !POINT == 0 {
            // Most nodes: not begun, and held by nothing but links and a floor.
            let start = start.min(FAR);
            self.start[node] = start;
            self.ends[2 * node..2 * node + 2].copy_from_slice(&[start, start + remaining]);
            if !PLAIN {
                let axis = compiled.axis_of(node);
                let at = [axis.start(start), axis.finish(start + remaining)];
                self.at[2 * node..2 * node + 2].copy_from_slice(&at);
            }
            return;
        }
        let start = start.max(inputs.finish_low[node] - remaining);
        self.set(compiled, inputs, node, start.min(inputs.cap(node)).min(FAR));
        if flags & PINNED != 0 && inputs.passing {
            let reached = self.reach(compiled, inputs, node, 0).min(FAR);
            self.ends[2 * node + 1] = self.ends[2 * node + 1].max(reached);
            self.look_up(compiled, inputs, node);
        }
    }

    /// Notes the ends of a node as boundaries.
    fn look_up(&mut self, compiled: &Compiled, inputs: &Inputs, node: usize) {
        if !compiled.plain {
            for end in [End::Start, End::Finish] {
                self.at[2 * node + end as usize] = self.boundary(compiled, inputs, node, end);
            }
        }
    }

    /// The boundary of an end: a fact where it is one.
    fn boundary(&self, compiled: &Compiled, inputs: &Inputs, node: usize, end: End) -> i32 {
        let ordinal = self.ends[2 * node + end as usize];
        match (inputs.flags[node] & (PINNED | STARTED), end) {
            (0, End::Start) => compiled.axis_of(node).start(ordinal),
            (STARTED, End::Finish) | (0, End::Finish) => compiled.axis_of(node).finish(ordinal),
            (_, End::Finish) if self.passes_on(compiled, inputs, node) => {
                compiled.axis_of(node).finish(ordinal)
            }
            _ => inputs.fact[node][end as usize],
        }
    }

    /// Whether finished work passes on a later place than its own finish.
    pub(crate) fn passes_on(&self, compiled: &Compiled, inputs: &Inputs, node: usize) -> bool {
        self.ends[2 * node + 1] > compiled.axis_of(node).ordinal(inputs.fact[node][1])
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
    pub(crate) fn reach(&self, compiled: &Compiled, inputs: &Inputs, node: usize, duration: i32) -> i32 {
        match compiled.plain {
            true => self.reach_in::<true>(compiled, inputs, node, duration),
            false => self.reach_in::<false>(compiled, inputs, node, duration),
        }
    }

    #[inline(always)]
    fn reach_in<const PLAIN: bool>(
        &self,
        compiled: &Compiled,
        inputs: &Inputs,
        node: usize,
        duration: i32,
    ) -> i32 {
        let mut reached = UNSET;
        for step in compiled.steps_in.of(node) {
            let from = self.ends[step.source_end()];
            reached = reached.max(from + step.lag - (duration & step.target_mask()));
        }
        if PLAIN {
            return reached;
        }
        let mut boundary = UNSET;
        for crossing in compiled.crossings_in.of(node) {
            boundary = boundary.max(self.at[crossing.source_end()] + crossing.lag);
        }
        if boundary > UNSET / 2 {
            reached = reached.max(compiled.axis_of(node).ordinal(boundary));
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
        let boundary = self.at[2 * from + bridge.source as usize];
        if boundary <= UNSET / 2 {
            return None;
        }
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
        self.look_up(compiled, inputs, node);
    }

    /// Places one end of a summary.
    pub(crate) fn set_hub(&mut self, node: usize, at: i32) {
        self.start[node] = at;
        self.ends[2 * node..2 * node + 2].fill(at);
        if let Some(boundaries) = self.at.get_mut(2 * node..2 * node + 2) {
            boundaries.fill(at);
        }
    }

    /// The boundary at which a node finishes; for a point the end of the last day worked before it.
    pub(crate) fn finish_boundary(&self, compiled: &Compiled, inputs: &Inputs, node: usize) -> i32 {
        if inputs.flags[node] & PINNED != 0 {
            return inputs.fact[node][1];
        }
        compiled.own_axis_of(node).finish(compiled.own_ordinal(node, self.ends[2 * node + 1]))
    }
}
