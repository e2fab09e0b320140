//! The backward pass: the latest place of each node, for its project and for its successors. It is the inverse of the
//! forward pass in `early`.

use std::ops::Range;

use crate::bridge::{Bridge, Instants};
use crate::compiled::{Compiled, Kind};
use crate::edges::Step;
use crate::ends::End;
use crate::inputs::{BEGUN, CAPPED, DETACHED, HELD, Inputs, LAZY, PINNED, STARTED};
use crate::network::Network;
use crate::range::{FAR, UNBOUND};

use super::Early;
use super::seeds::Seeds;

/// Late positions and what is free.
#[derive(Debug, Clone, Default)]
pub(crate) struct Late {
    all_limits: Vec<Spot>,
}

/// What is known of a node: what links into its start and its finish must not exceed, what crossings into
/// its start must not exceed as boundaries (of no use in a plain plan), and its own latest start. Each is
/// there twice, as `LATE` and as `FREE`; `UNBOUND` where facts have happened. The start and the finish of a hub
/// are the morning and the evening that it must not exceed.
type Spot = [[i32; 2]; 4];

/// The limits of a node for crossings.
const AT: usize = 2;
/// The limits of a node for the node itself.
const OWN: usize = 3;

/// The entry that late dates keep to.
pub(crate) const LATE: usize = 0;
/// The entry that free float keeps to: early ends of leaves, seen through hubs.
pub(crate) const FREE: usize = 1;

/// What lies outside of the projects whose late dates are worked out.
pub(crate) struct Outside<'a> {
    /// Late dates that nothing but dated limits asks for.
    pub(crate) late: &'a Late,
    /// Nodes of one group see one another; others are outside.
    pub(crate) group_of: &'a [u32],
}

/// What the backward pass reads.
#[derive(Clone, Copy)]
pub(crate) struct Forward<'a> {
    pub(crate) network: &'a Network,
    pub(crate) compiled: &'a Compiled,
    pub(crate) inputs: &'a Inputs,
    pub(crate) early: &'a Early,
}

impl Forward<'_> {
    /// Whether a node has more to it than edges and limits.
    fn is_rare(&self, node: usize) -> bool {
        self.inputs.flags[node] & !(HELD | CAPPED) != 0
            || self.compiled.kind[node] != Kind::Work
            || !self.compiled.is_leaf(node)
            || self.compiled.bridges_out.has(node)
    }
}

impl Late {
    /// The backward pass. Leaves must be finished by the instant of their project.
    pub(crate) fn pass(forward: &Forward<'_>, finishes: &[Option<i32>]) -> Late {
        let mut late = Late::default();
        late.run(forward, finishes);
        late
    }

    /// What the backward pass comes to where nothing asks and nothing is limited.
    pub(crate) fn unlimited(nodes: usize) -> Late {
        Late { all_limits: vec![[[UNBOUND; 2]; 4]; nodes] }
    }

    /// The backward pass in the memory of an earlier one.
    pub(crate) fn run(&mut self, forward: &Forward<'_>, finishes: &[Option<i32>]) {
        // Against the sequence every node is set before it is read.
        let compiled = forward.compiled;
        let count = compiled.nodes.len();
        self.all_limits.resize(count, [[UNBOUND; 2]; 4]);
        let seeds = Seeds::new(compiled, finishes);
        match (compiled.in_order && (compiled.plain || !compiled.levels.is_empty()), compiled.plain) {
            (false, _) => {
                let nodes = compiled.sequence.iter().rev();
                nodes.for_each(|node| self.place(forward, &seeds, *node as usize));
            }
            (true, true) => self.run_back(forward, &seeds),
            (true, false) => {
                for level in compiled.levels.windows(2).rev() {
                    self.place_level(forward, &seeds, level[0] as usize..level[1] as usize);
                }
            }
        }
    }

    /// The backward pass of a plain plan where nodes are numbered in order; as the forward pass, it reads edges as
    /// one list.
    fn run_back(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>) {
        let compiled = forward.compiled;
        let count = compiled.nodes.len();
        let steps = compiled.steps_out.all();
        self.stand(forward, seeds, 0..count);
        let mut end = steps.len();
        for node in (0..count).rev().filter(|node| forward.is_rare(*node)) {
            let group = compiled.steps_out.range(node);
            self.relax(&steps[group.end..end]);
            self.place_rare(forward, seeds, None, node);
            end = group.start;
        }
        self.relax(&steps[..end]);
    }

    /// Late starts of some projects, each against its own finish alone; `order` lists their nodes, the last ones
    /// first. What leads out of them is limited by dates alone, as `outside` says.
    pub(crate) fn run_inside(
        &mut self,
        forward: &Forward<'_>,
        finishes: &[Option<i32>],
        outside: &Outside<'_>,
        order: &[u32],
    ) {
        self.all_limits.resize(forward.compiled.nodes.len(), [[UNBOUND; 2]; 4]);
        let seeds = Seeds::new(forward.compiled, finishes);
        for node in order {
            self.place_rare(forward, &seeds, Some(outside), *node as usize);
        }
    }

    /// Places one node anew; `finishes` as in `pass`.
    pub(crate) fn revisit(&mut self, forward: &Forward<'_>, finishes: &[Option<i32>], node: usize) {
        // A table of places would cost more than one look-up.
        self.place(forward, &Seeds::without_table(finishes), node);
    }

    /// Places one node as late as what it leads to, and the end of its project, allows.
    #[inline]
    fn place(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>, node: usize) {
        if forward.is_rare(node) {
            return self.place_rare(forward, seeds, None, node);
        }
        let steps = forward.compiled.steps_out.of(node);
        if forward.compiled.plain {
            self.stand(forward, seeds, node..node + 1);
            self.relax(steps);
        } else {
            self.place_level(forward, seeds, node..node + 1);
        }
    }

    /// Puts nodes of a plain plan where their own limits, and the end of their project, let them stand.
    #[inline(always)]
    fn stand(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>, nodes: Range<usize>) {
        let Forward { network, compiled, inputs, early } = *forward;
        let limits = inputs.high[nodes.clone()].iter().zip(&inputs.remaining[nodes.clone()]);
        let all_limits = &mut self.all_limits[nodes.clone()];
        for (node, (node_limits, (high, days))) in nodes.zip(all_limits.iter_mut().zip(limits)) {
            let by_seed = seeds.of(network, compiled, node);
            let start = (by_seed - days).min(*high).max(-FAR);
            let [now, over] = early.ends(node);
            *node_limits = [[start, now], [start + days, over], [UNBOUND; 2], [start, UNBOUND]];
        }
    }

    /// Pulls nodes of a plain plan back as far as steps out of them ask.
    #[inline(always)]
    fn relax(&mut self, steps: &[Step]) {
        let all_limits = &mut self.all_limits[..];
        for step in steps.iter().rev() {
            let [late, free_limit] =
                all_limits.as_flattened()[step.target_of_four()].map(|limit| limit - step.lag);
            let [start, finish, _, own] = &mut all_limits[step.here()];
            let days = finish[LATE] - start[LATE];
            let held = days & step.source_mask();
            let latest = (late - held).min(own[LATE]).max(-FAR);
            *own = [latest, (free_limit - held).min(own[FREE])];
            start[LATE] = latest;
            finish[LATE] = latest + days;
        }
    }

    /// Places nodes that do not lead to one another, among several calendars. First all steps out of them are read,
    /// then each is looked up: of what crosses calendars the first boundary decides, once for its start and once for
    /// its finish.
    #[inline(always)]
    fn place_level(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>, nodes: Range<usize>) {
        let Forward { network, compiled, inputs, early } = *forward;
        let steps = compiled.steps_out.slice(nodes.clone());
        for node in nodes.clone() {
            let start = (seeds.of(network, compiled, node) - inputs.remaining[node]).min(inputs.high[node]);
            // Until it is placed a node has the boundaries that its ends must keep, by end.
            self.all_limits[node] = [[UNBOUND; 2], [UNBOUND; 2], [UNBOUND; 2], [start, UNBOUND]];
        }
        let all_limits = &mut self.all_limits[..];
        for step in steps {
            let [late, free_limit] =
                all_limits.as_flattened()[step.target_of_four()].map(|limit| limit - step.lag);
            let held = inputs.remaining[step.here()] & step.source_mask();
            let node_limits = &mut all_limits[step.here()];
            let crossing = step.crossing_mask();
            let (across, along) = (
                |at: i32| at & crossing | UNBOUND & !crossing,
                |at: i32| at & !crossing | UNBOUND & crossing,
            );
            let end = &mut node_limits[step.source() as usize];
            *end = [end[LATE].min(across(late)), end[FREE].min(across(free_limit))];
            let own = &mut node_limits[OWN];
            *own = [own[LATE].min(along(late - held)), own[FREE].min(along(free_limit - held))];
        }
        for node in nodes {
            if forward.is_rare(node) {
                self.place_rare(forward, seeds, None, node);
                continue;
            }
            let axis = compiled.axis_of(node);
            let days = inputs.remaining[node];
            let [starts, finishes, _, mut own] = self.all_limits[node];
            for (entry, own) in own.iter_mut().enumerate() {
                if starts[entry] < UNBOUND / 2 {
                    *own = (*own).min(axis.ordinal_starting_by(starts[entry]));
                }
                let at = finishes[entry];
                let asked = -i32::from(at < UNBOUND / 2);
                let ordinal = axis.ordinal_where(asked, at) & asked | UNBOUND & !asked;
                *own = (*own).min(ordinal - days);
            }
            own[LATE] = own[LATE].max(-FAR);
            let [now, over] = early.ends(node);
            let latest = own[LATE];
            let at = [axis.start(latest), early.at(node, End::Start)];
            self.all_limits[node] = [[latest, now], [latest + days, over], at, own];
        }
    }

    /// Places a node that has more to it than edges and limits.
    fn place_rare(
        &mut self,
        forward: &Forward<'_>,
        seeds: &Seeds<'_>,
        outside: Option<&Outside<'_>>,
        node: usize,
    ) {
        let kind = forward.compiled.kind[node];
        if kind == Kind::Hub {
            return self.place_hub(forward, outside, node);
        }
        self.settle(forward, seeds, outside, node);
        if !forward.compiled.plain && kind == Kind::Work {
            let axis = forward.compiled.axis_of(node);
            let [start, _, at, _] = &mut self.all_limits[node];
            *at = start.map(|limit| bounded(limit, |limit| axis.start(limit)));
        }
    }

    fn settle(
        &mut self,
        forward: &Forward<'_>,
        seeds: &Seeds<'_>,
        outside: Option<&Outside<'_>>,
        node: usize,
    ) {
        let Forward { network, compiled, inputs, early } = *forward;
        let flags = inputs.flags[node];
        let limits = self.limits(forward, outside, node);
        if flags & PINNED != 0 {
            let mut ends = [UNBOUND; 2];
            if inputs.passing {
                // What leads in may slip until the actual finish without being passed on.
                let finish = Early::place_of_fact(compiled, inputs, node);
                ends = limits.map(|limit| limit.max(finish));
            }
            self.set(node, [UNBOUND; 2], [ends; 2]);
            return;
        }
        let remaining = inputs.remaining[node];
        let is_leaf = compiled.is_leaf(node);
        let by_seed = if is_leaf { seeds.of(network, compiled, node) } else { UNBOUND };
        let [latest, free] = limits;
        let start = latest.min(by_seed - remaining).min(inputs.high[node]).max(-FAR);
        if flags & DETACHED != 0 {
            self.set(node, [start, free], [[UNBOUND; 2]; 2]);
            return;
        }
        let now = early.start(inputs, node);
        let free_limit = if !is_leaf {
            free
        } else if flags & LAZY != 0 {
            free.min(start).max(now)
        } else {
            now
        };
        self.set(node, [start, free], [[start, free_limit], [start + remaining, free_limit + remaining]]);
    }

    /// Keeps the tightest of what limits whatever leads into a hub.
    fn place_hub(&mut self, forward: &Forward<'_>, outside: Option<&Outside<'_>>, node: usize) {
        let Forward { compiled, inputs, early, .. } = *forward;
        let mut limits = [Instants::FREE; 2];
        for bridge in compiled.bridges_out.of(node) {
            let first_only = compiled.takes_earliest(bridge.other as usize);
            if !first_only || leads(compiled, inputs, early, node, bridge) {
                let behind = self.behind(outside, node, bridge.other as usize);
                limits =
                    [LATE, FREE].map(|entry| limits[entry].min(behind.limit_across(compiled, bridge, entry)));
            }
        }
        let mornings = limits.map(|limit| limit.morning);
        let evenings = limits.map(|limit| limit.evening);
        self.set(node, mornings, [mornings, evenings]);
    }

    /// Where to look up the limits of what a node leads to.
    #[inline(always)]
    fn behind<'a>(&'a self, outside: Option<&Outside<'a>>, node: usize, to: usize) -> &'a Late {
        match outside {
            Some(outside) if outside.group_of[node] != outside.group_of[to] => outside.late,
            _ => self,
        }
    }

    /// What the end that a bridge leads to must not exceed.
    fn target_limit(&self, compiled: &Compiled, node: usize, end: End, entry: usize) -> Instants {
        let node_limits = &self.all_limits[node];
        if compiled.kind[node] == Kind::Hub {
            return Instants { morning: node_limits[0][entry], evening: node_limits[1][entry] };
        }
        limit_at(compiled, node, end, node_limits[end as usize][entry])
    }

    /// What the end that a bridge leaves from must not exceed, so that the other end keeps its limit.
    pub(crate) fn limit_across(&self, compiled: &Compiled, bridge: &Bridge, entry: usize) -> Instants {
        let limit = self.target_limit(compiled, bridge.other as usize, bridge.target, entry);
        bridge.backward(&compiled.calendars.axes, compiled.limit_into(bridge.other as usize, limit))
    }

    fn set(&mut self, node: usize, own: [i32; 2], [start, finish]: [[i32; 2]; 2]) {
        self.all_limits[node] = [start, finish, [UNBOUND; 2], own];
    }

    /// Latest start of the remaining work of a node.
    #[inline]
    pub(crate) fn start(&self, node: usize) -> i32 {
        self.all_limits[node][OWN][LATE]
    }

    /// Latest start of a node that moves no successor.
    #[inline]
    pub(crate) fn free(&self, node: usize) -> i32 {
        self.all_limits[node][OWN][FREE]
    }

    /// What links into an end of a node must not exceed, late and free.
    #[inline]
    pub(crate) fn limit(&self, node: usize, end: End) -> [i32; 2] {
        self.all_limits[node][end as usize]
    }

    /// What others may read of a node, and all that is known of it; `None` if there is no such node.
    pub(crate) fn of(&self, node: usize) -> Option<([[i32; 2]; 2], Spot)> {
        self.all_limits.get(node).map(|node_limits| ([node_limits[0], node_limits[1]], *node_limits))
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self) {
        self.all_limits.push([[UNBOUND; 2]; 4]);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Spot>() * self.all_limits.capacity()
    }

    /// Where a node that wants to be late goes: as far as no successor moves, nor its project's finish.
    pub(crate) fn lazy_start(&self, node: usize) -> i32 {
        self.free(node).min(self.start(node))
    }

    /// Latest starts of a node that keep its successors' late dates, and their early dates.
    fn limits(&self, forward: &Forward<'_>, outside: Option<&Outside<'_>>, node: usize) -> [i32; 2] {
        let Forward { compiled, inputs, .. } = *forward;
        let flags = inputs.flags[node];
        // From the start of the whole span back to the start of the remaining work.
        let done = if flags & BEGUN != 0 { inputs.done[node] } else { 0 };
        let back = [done, -inputs.remaining[node]];
        let axis = compiled.axis_of(node);
        let mut limits = [UNBOUND; 2];
        for step in compiled.steps_out.of(node) {
            // Where work began on a known day its start holds nothing back any more.
            if flags & (STARTED | PINNED) != 0 && step.source() == End::Start {
                continue;
            }
            let back = back[step.source() as usize];
            let place = |at: i32| match step.source() {
                End::Finish => axis.ordinal(at - step.lag),
                End::Start => axis.ordinal_starting_by(at - step.lag),
            };
            let behind = self.behind(outside, node, step.other());
            let allowed = match step.is_crossing() {
                true => behind.all_limits[step.other()][AT].map(|at| bounded(at, |at| place(at) + back)),
                false => behind.limit(step.other(), step.target()).map(|limit| limit - step.lag + back),
            };
            limits = [limits[LATE].min(allowed[LATE]), limits[FREE].min(allowed[FREE])];
        }
        self.limits_across(forward, outside, node, limits)
    }

    /// What bridges take from what steps allow.
    fn limits_across(
        &self,
        forward: &Forward<'_>,
        outside: Option<&Outside<'_>>,
        node: usize,
        mut limits: [i32; 2],
    ) -> [i32; 2] {
        let Forward { compiled, inputs, early, .. } = *forward;
        let back = [inputs.done[node], -inputs.remaining[node]];
        for bridge in compiled.bridges_out.of(node) {
            if bridge.source == End::Start && inputs.flags[node] & (STARTED | PINNED) != 0 {
                continue;
            }
            if compiled.takes_earliest(bridge.other as usize) && !leads(compiled, inputs, early, node, bridge)
            {
                continue;
            }
            for (entry, limit) in limits.iter_mut().enumerate() {
                let latest = latest_end(
                    compiled,
                    node,
                    bridge.source,
                    self.behind(outside, node, bridge.other as usize).limit_across(compiled, bridge, entry),
                );
                *limit = (*limit).min(latest.saturating_add(back[bridge.source as usize]));
            }
        }
        limits
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
    let hub = early.holds(compiled, inputs, bridge.other as usize, bridge.target);
    let own = early.holds(compiled, inputs, node, bridge.source);
    !own.is_none() && own.last() <= hub.last()
}

/// What an end of a leaf that must not be after a place limits.
pub(crate) fn limit_at(compiled: &Compiled, node: usize, end: End, place: i32) -> Instants {
    if place >= UNBOUND / 2 {
        return Instants::FREE;
    }
    let axis = compiled.axis_of(node);
    match (compiled.kind[node], end) {
        (Kind::Point, _) => Instants::of_latest_point(axis, place),
        (_, End::Start) => Instants::of_latest_start(axis, place),
        (_, End::Finish) => Instants::of_latest_finish(axis, place),
    }
}

/// The last place of an end of a leaf that keeps a limit.
pub(crate) fn latest_end(compiled: &Compiled, node: usize, end: End, limit: Instants) -> i32 {
    let axis = compiled.axis_of(node);
    if limit.morning >= UNBOUND / 2 {
        return UNBOUND;
    }
    match (compiled.kind[node], end) {
        (Kind::Point, _) => limit.latest_point(axis),
        (_, End::Start) => axis.ordinal_starting_by(limit.morning),
        (_, End::Finish) => axis.ordinal(limit.evening),
    }
}
