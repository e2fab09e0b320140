//! The backward pass: how late each node may be, for its project and for its successors. The forward
//! pass that it inverts is `early`.

use std::ops::Range;

use crate::axis::{Axis, FAR};
use crate::bridge::{Bridge, Source};
use crate::compiled::Compiled;
use crate::edges::Step;
use crate::engine::project_of;
use crate::graph::End;
use crate::inputs::{BEGUN, CAPPED, DETACHED, HELD, Inputs, LAZY, PINNED, POINT, STARTED};
use crate::network::Network;

use super::{Early, UNBOUND};

/// Late positions and what is free.
#[derive(Debug, Clone, Default)]
pub(crate) struct Late {
    spots: Vec<Spot>,
}

/// What is known of a node: what links into its start and its finish must not exceed, what crossings into
/// its start must not exceed as boundaries (of no use in a plain plan), and its own latest start. Each is
/// there twice, as `LATE` and as `FREE`; `UNBOUND` where facts have happened.
type Spot = [[i32; 2]; 4];

/// The entry of a spot for crossings.
const AT: usize = 2;
/// The entry of a spot for the node itself.
const OWN: usize = 3;

/// The entry that late dates keep to.
pub(crate) const LATE: usize = 0;
/// The entry that free float keeps to: early ends of leaves, seen through hubs.
pub(crate) const FREE: usize = 1;

/// Calendars times projects up to which a table of latest finishes is made.
const FEW: usize = 4_096;

/// The places by which leaves must be finished.
struct Seeds<'a> {
    /// The boundary by which the leaves of each project must be finished; nothing asks where there is none.
    of_project: &'a [Option<i32>],
    /// The same as places, by project and axis, once for leaves that are computed on their own axis and
    /// once for points; empty where that would be too many.
    places: Vec<[i32; 2]>,
    /// The one place of one project on one calendar.
    only: Option<i32>,
}

impl<'a> Seeds<'a> {
    fn new(compiled: &Compiled, of_project: &'a [Option<i32>]) -> Seeds<'a> {
        let axes = &compiled.calendars.axes;
        let mut places = Vec::new();
        if axes.len() * of_project.len() <= FEW {
            for boundary in of_project {
                places.extend(axes.iter().map(|axis| places_by(axis, *boundary)));
            }
        }
        let only = match of_project {
            [boundary] if compiled.plain => {
                compiled.own_axis.first().map(|axis| places_by(&axes[*axis as usize], *boundary)[0])
            }
            _ => None,
        };
        Seeds { of_project, places, only }
    }

    /// The latest finish of a leaf; `UNBOUND` if nothing asks.
    #[inline(always)]
    fn of(&self, network: &Network, compiled: &Compiled, node: usize) -> i32 {
        if let Some(place) = self.only {
            return place;
        }
        let project = project_of(network, compiled, node);
        let own = compiled.own_axis[node];
        let known = self.places.get(project * compiled.calendars.axes.len() + own as usize).copied();
        let places = known.unwrap_or_else(|| places_by(compiled.own_axis_of(node), self.of_project[project]));
        places[usize::from(compiled.axis[node] != own)]
    }
}

/// The last ordinal of an axis that is over by a boundary, and the boundary at which it is.
fn places_by(axis: &Axis, boundary: Option<i32>) -> [i32; 2] {
    boundary.map_or([UNBOUND; 2], |boundary| {
        let ordinal = axis.ordinal(boundary);
        [ordinal, axis.start(ordinal)]
    })
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
        self.inputs.flags[node] & !(POINT | HELD | CAPPED) != 0
            || !self.compiled.is_leaf(node)
            || self.compiled.bridges_out.has(node)
    }
}

impl Late {
    /// The backward pass. Leaves must be finished by the boundary of their project.
    pub(crate) fn pass(forward: &Forward<'_>, finishes: &[Option<i32>]) -> Late {
        let mut late = Late::default();
        late.run(forward, finishes);
        late
    }

    /// The backward pass in the memory of an earlier one.
    pub(crate) fn run(&mut self, forward: &Forward<'_>, finishes: &[Option<i32>]) {
        // Against the sequence every node is set before it is read.
        let compiled = forward.compiled;
        let count = compiled.nodes.len();
        self.spots.resize(count, [[UNBOUND; 2]; 4]);
        let seeds = Seeds::new(compiled, finishes);
        match (compiled.in_order, compiled.plain) {
            (false, _) => {
                let nodes = compiled.sequence.iter().rev();
                nodes.for_each(|node| self.place(forward, &seeds, *node as usize));
            }
            (true, true) => self.run_back::<true>(forward, &seeds),
            (true, false) => self.run_back::<false>(forward, &seeds),
        }
    }

    /// The backward pass where nodes are numbered in order; as the forward pass, it reads edges as one list.
    fn run_back<const PLAIN: bool>(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>) {
        let compiled = forward.compiled;
        let count = compiled.nodes.len();
        let steps = compiled.steps_out.all();
        self.stand::<PLAIN>(forward, seeds, 0..count);
        let mut end = steps.len();
        for node in (0..count).rev().filter(|node| forward.is_rare(*node)) {
            let group = compiled.steps_out.range(node);
            self.relax::<PLAIN>(compiled, &steps[group.end..end]);
            self.place_rare(forward, seeds, node);
            end = group.start;
        }
        self.relax::<PLAIN>(compiled, &steps[..end]);
    }

    /// Places one node anew; `finishes` as in `pass`.
    pub(crate) fn revisit(&mut self, forward: &Forward<'_>, finishes: &[Option<i32>], node: usize) {
        // A table of places would cost more than one look-up.
        self.place(forward, &Seeds { of_project: finishes, places: Vec::new(), only: None }, node);
    }

    /// Places one node as late as what it leads to, and the end of its project, allows.
    fn place(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>, node: usize) {
        let steps = forward.compiled.steps_out.of(node);
        match (forward.is_rare(node), forward.compiled.plain) {
            (true, _) => self.place_rare(forward, seeds, node),
            (_, true) => {
                self.stand::<true>(forward, seeds, node..node + 1);
                self.relax::<true>(forward.compiled, steps);
            }
            (_, false) => {
                self.stand::<false>(forward, seeds, node..node + 1);
                self.relax::<false>(forward.compiled, steps);
            }
        }
    }

    /// Puts nodes where their own limits, and the end of their project, let them stand.
    #[inline(always)]
    fn stand<const PLAIN: bool>(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>, nodes: Range<usize>) {
        let Forward { network, compiled, inputs, early } = *forward;
        let limits = inputs.high[nodes.clone()].iter().zip(&inputs.remaining[nodes.clone()]);
        let spots = &mut self.spots[nodes.clone()];
        for (node, (spot, (high, days))) in nodes.zip(spots.iter_mut().zip(limits)) {
            let by_seed = seeds.of(network, compiled, node);
            let start = (by_seed - days).min(*high).max(-FAR);
            let [now, over] = early.ends(node);
            let at = match PLAIN {
                true => [UNBOUND; 2],
                false => [compiled.axis_of(node).start(start), early.at(node, End::Start)],
            };
            *spot = [[start, now], [start + days, over], at, [start, UNBOUND]];
        }
    }

    /// Pulls nodes back as far as steps out of them ask.
    #[inline(always)]
    fn relax<const PLAIN: bool>(&mut self, compiled: &Compiled, steps: &[Step]) {
        let (spots, axis_of) = (&mut self.spots[..], &compiled.axis[..]);
        let axes = &compiled.calendars.axes[..];
        for step in steps.iter().rev() {
            let [late, stays] = spots.as_flattened()[step.target_of_four()];
            let (mut late, mut stays) = (late - step.lag, stays - step.lag);
            let axis = &axes[if PLAIN { 0 } else { axis_of[step.here()] as usize }];
            if !PLAIN {
                (late, stays) = (pull_across(axis, step, late), pull_across(axis, step, stays));
            }
            let [start, finish, at, own] = &mut spots[step.here()];
            let days = finish[LATE] - start[LATE];
            let held = days & step.source_mask();
            let latest = (late - held).min(own[LATE]).max(-FAR);
            *own = [latest, (stays - held).min(own[FREE])];
            start[LATE] = latest;
            finish[LATE] = latest + days;
            if !PLAIN {
                at[LATE] = axis.start(latest);
            }
        }
    }

    /// Places a node that has more to it than edges and limits.
    fn place_rare(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>, node: usize) {
        self.settle(forward, seeds, node);
        if !forward.compiled.plain {
            let axis = forward.compiled.axis_of(node);
            let [start, _, at, _] = &mut self.spots[node];
            *at = start.map(|limit| bounded(limit, |limit| axis.start(limit)));
        }
    }

    fn settle(&mut self, forward: &Forward<'_>, seeds: &Seeds<'_>, node: usize) {
        let Forward { network, compiled, inputs, early } = *forward;
        let flags = inputs.flags[node];
        let limits = self.limits(forward, node);
        if flags & PINNED != 0 {
            let mut ends = [UNBOUND; 2];
            if inputs.passing {
                // What leads in may slip until the actual finish without being passed on.
                let finish = compiled.axis_of(node).ordinal(inputs.fact[node][1]);
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
        let stays = if !is_leaf {
            free
        } else if flags & LAZY != 0 {
            free.min(start).max(now)
        } else {
            now
        };
        self.set(node, [start, free], [[start, stays], [start + remaining, stays + remaining]]);
    }

    fn set(&mut self, node: usize, own: [i32; 2], [start, finish]: [[i32; 2]; 2]) {
        self.spots[node] = [start, finish, [UNBOUND; 2], own];
    }

    /// Latest start of the remaining work of a node.
    #[inline]
    pub(crate) fn start(&self, node: usize) -> i32 {
        self.spots[node][OWN][LATE]
    }

    /// Latest start of a node that moves no successor.
    #[inline]
    pub(crate) fn free(&self, node: usize) -> i32 {
        self.spots[node][OWN][FREE]
    }

    /// What links into an end of a node must not exceed, late and free.
    #[inline]
    pub(crate) fn limit(&self, node: usize, end: End) -> [i32; 2] {
        self.spots[node][end as usize]
    }

    /// What others may read of a node, and all that is known of it; `None` if there is no such node.
    pub(crate) fn of(&self, node: usize) -> Option<([[i32; 2]; 2], Spot)> {
        self.spots.get(node).map(|spot| ([spot[0], spot[1]], *spot))
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self) {
        self.spots.push([[UNBOUND; 2]; 4]);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Spot>() * self.spots.capacity()
    }

    /// Where a node that wants to be late goes: as far as no successor moves, nor its project's finish.
    pub(crate) fn lazy_start(&self, node: usize) -> i32 {
        self.free(node).min(self.start(node))
    }

    /// Latest starts of a node that keep its successors' late dates, and their early dates.
    fn limits(&self, forward: &Forward<'_>, node: usize) -> [i32; 2] {
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
            let allowed = match step.is_crossing() {
                true => self.spots[step.other()][AT].map(|at| bounded(at, |at| place(at) + back)),
                false => self.limit(step.other(), step.target()).map(|limit| limit - step.lag + back),
            };
            limits = [limits[LATE].min(allowed[LATE]), limits[FREE].min(allowed[FREE])];
        }
        self.limits_across(forward, node, limits)
    }

    /// What bridges take from what steps allow.
    fn limits_across(&self, forward: &Forward<'_>, node: usize, mut limits: [i32; 2]) -> [i32; 2] {
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
            let ends = self.limit(bridge.other as usize, bridge.target);
            for (limit, end) in limits.iter_mut().zip(ends) {
                let latest = latest_end(compiled, inputs, node, bridge, end);
                *limit = (*limit).min(latest.saturating_add(back[bridge.source as usize]));
            }
        }
        limits
    }
}

/// The latest place of the end that a step leaves from: for a crossing from a boundary, else from a place on
/// the same axis, which stays as it is. There is no branch on which of them it is.
#[inline(always)]
fn pull_across(axis: &Axis, step: &Step, limit: i32) -> i32 {
    let crossing = step.crossing_mask();
    // A start may lie at the boundary, a finish must.
    let ahead = 1 + step.source_mask();
    let ordinal = axis.ordinal_where(crossing, limit + ahead) - ahead;
    let across = if limit < UNBOUND / 2 { ordinal } else { UNBOUND };
    across & crossing | limit & !crossing
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
    early.bound(compiled, inputs, hub, &inward).is_some_and(|bound| bound <= early.start(inputs, hub))
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
    let back = |from| bridge.backward(&compiled.calendars.axes, target, limit, from);
    let mut boundary = back(Source::Work);
    if inputs.flags[node] & POINT != 0 {
        let own = compiled.own_axis_of(node);
        boundary = own.start(own.ordinal(boundary)).min(back(Source::DayStart));
    }
    let axis = compiled.axis_of(node);
    if bridge.source == End::Start { axis.ordinal_starting_by(boundary) } else { axis.ordinal(boundary) }
}
