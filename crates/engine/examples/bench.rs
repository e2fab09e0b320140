//! Measures the engine on generated plans. Each result is one line with a tab between measure and result. If there is
//! one number, it is the best of several repetitions, because others use the machine too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use planwright_engine::{
    Calendar, CalendarException, CompiledPlan, Day, Edit, Link, Network, ProjectFrame, SimulationOptions,
    Task, ThreePoint, schedule, simulate,
};

/// The system's allocator, counting what is asked of it.
struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn note(more: usize, less: usize) {
    CALLS.fetch_add(usize::from(more > 0), Relaxed);
    HELD.fetch_sub(less, Relaxed);
    MOST.fetch_max(HELD.fetch_add(more, Relaxed) + more, Relaxed);
}

// An allocator cannot be written without; each function hands its arguments on as they are.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        note(0, layout.size());
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size, layout.size());
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations that some work makes, and the most memory it holds at once beyond what was held before.
fn allocations(work: impl FnOnce()) -> (usize, usize) {
    let (calls, held) = (CALLS.load(Relaxed), HELD.load(Relaxed));
    MOST.store(held, Relaxed);
    work();
    (CALLS.load(Relaxed) - calls, MOST.load(Relaxed).saturating_sub(held))
}

/// 2026-01-05, a Monday.
const START: Day = Day(20_458);

/// A small generator of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound.max(1) as u64) as usize
    }
}

/// What a plan looks like.
#[derive(Clone, Copy, Default)]
struct Looks {
    /// Rows stand in random order, not predecessors first.
    shuffled: bool,
    /// Rows work on three calendars, not one.
    mixed: bool,
}

/// A plan with one and a half links a task, each to one of the 5 000 tasks before. Durations of 1 to 9
/// days, calendars with twenty holidays.
fn plan(count: usize, looks: Looks) -> Network {
    let mut dice = Dice(1);
    let mut place: Vec<usize> = (0..count).collect();
    if looks.shuffled {
        (1..count).rev().for_each(|last| place.swap(last, dice.below(last + 1)));
    }
    let mut tasks = vec![Task::new(0, 0); count];
    for (index, place) in place.iter().enumerate() {
        let id = (dice.below(usize::MAX) as u128) << 64 | index as u128;
        let calendar = Some(if looks.mixed { dice.below(3) } else { 0 });
        tasks[*place] = Task { calendar, ..Task::new(id, 1 + dice.below(9) as i32) };
    }
    let mut link = |_| {
        let to = 1 + dice.below(count - 1);
        let from = to - 1 - dice.below(to.min(5_000));
        Link::new(place[from], place[to])
    };
    let links = (0..count * 3 / 2).map(&mut link).collect();
    let calendar = |working_weekdays| {
        let holiday = |index| {
            let first = START.plus(index * 37);
            CalendarException { first, last: first.plus(1), working: false }
        };
        Calendar { working_weekdays, exceptions: (0..20).map(holiday).collect() }
    };
    Network {
        projects: vec![ProjectFrame::starting(START)],
        calendars: [0b001_1111, 0b011_1111, 0b111_1111].map(calendar).to_vec(),
        tasks,
        links,
        ..Network::default()
    }
}

fn best(repetitions: usize, mut work: impl FnMut()) -> Duration {
    let mut once = |_| {
        let begin = Instant::now();
        work();
        begin.elapsed()
    };
    (0..repetitions).map(&mut once).min().unwrap_or_default()
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn report(measure: &str, result: String) {
    println!("{measure}\t{result}");
}

/// Whether to measure something: all, or what has the first argument in its name.
fn is_asked_for(name: &str) -> bool {
    std::env::args().nth(1).is_none_or(|part| name.contains(&part))
}

fn whole_plan(name: &str, count: usize, looks: Looks, repetitions: usize) {
    if !is_asked_for(name) {
        return;
    }
    let network = plan(count, looks);
    let whole = best(repetitions, || drop(black_box(schedule(&network))));
    report(
        &format!("{name}: rows to result"),
        format!("{:.1} ms, {:.0} ns a task", milliseconds(whole), whole.as_nanos() as f64 / count as f64),
    );
    let (calls, most) = allocations(|| drop(black_box(schedule(&network))));
    report(
        &format!("{name}: rows to result, allocations"),
        format!("{calls} calls, at most {:.0} bytes a task held at once", most as f64 / count as f64),
    );
    let mut compiled = CompiledPlan::new(network);
    let passes = best(repetitions.max(9), || compiled.passes());
    report(
        &format!("{name}: both passes, compiled"),
        format!("{:.2} ms, {:.1} ns a task", milliseconds(passes), passes.as_nanos() as f64 / count as f64),
    );
    let (calls, most) = allocations(|| compiled.passes());
    report(&format!("{name}: both passes, allocations"), format!("{calls} calls, {most} bytes in all"));
    report(
        &format!("{name}: memory of the compiled plan"),
        format!("{:.0} bytes a task", compiled.bytes() as f64 / count as f64),
    );
}

/// A link between two rows that cannot close a cycle: the one ends before the other starts.
fn new_link(dice: &mut Dice, compiled: &CompiledPlan) -> Edit {
    let count = compiled.network().tasks.len();
    loop {
        let (one, other) = (dice.below(count), dice.below(count));
        if let (Some(first), Some(second)) = (compiled.task(one), compiled.task(other))
            && first.early_finish < second.early_start
        {
            return Edit::AddLink(Link::new(one, other));
        }
    }
}

fn some_edit(dice: &mut Dice, compiled: &CompiledPlan) -> Edit {
    let network = compiled.network();
    let task = dice.below(network.tasks.len());
    let link = dice.below(network.links.len());
    match dice.below(10) {
        0..=3 => Edit::Duration { task, days: 1 + dice.below(9) as i32 },
        4 => Edit::PlannedStart { task, day: Some(START.plus(dice.below(600) as i32)) },
        5 => Edit::Deadline { task, day: Some(START.plus(dice.below(2_000) as i32)) },
        6 => Edit::Lag { link, lag: dice.below(4) as i32 },
        7 => new_link(dice, compiled),
        8 => Edit::RemoveLink(link),
        _ if dice.below(2) == 0 => Edit::RemoveTask(task),
        _ => {
            let id = dice.below(usize::MAX) as u128;
            Edit::AddTask(Box::new(Task { calendar: Some(0), ..Task::new(id, 3) }))
        }
    }
}

/// Edits one by one, each followed by reading all dates that it changed.
fn edits(name: &str, count: usize, looks: Looks, edits: usize) {
    if !is_asked_for(name) {
        return;
    }
    let mut compiled = CompiledPlan::new(plan(count, looks));
    let mut dice = Dice(7);
    let (mut times, mut reached, mut rebuilt, mut calls) = (Vec::with_capacity(edits), 0, 0, 0);
    for _ in 0..edits {
        let edit = some_edit(&mut dice, &compiled);
        let before = CALLS.load(Relaxed);
        let begin = Instant::now();
        if let Ok(changes) = compiled.edit(edit) {
            reached += changes.tasks.len();
            rebuilt += usize::from(changes.rebuilt);
            for task in changes.tasks {
                black_box(compiled.task(task));
            }
        }
        times.push(begin.elapsed());
        calls += CALLS.load(Relaxed) - before;
    }
    times.sort_unstable();
    let at = |share: f64| milliseconds(times[((times.len() - 1) as f64 * share) as usize]);
    report(
        &format!("{name}: one edit and its changed dates"),
        format!(
            "p50 {:.3} ms, p99 {:.2} ms, worst {:.2} ms; {} rows changed on average, {rebuilt} of {edits} built anew, {} allocations on average",
            at(0.5),
            at(0.99),
            at(1.0),
            reached / edits,
            calls / edits
        ),
    );
}

/// Projects of a program, each linked to later ones: in a line, or also back to earlier ones.
fn program(projects: usize, rows: usize, circles: bool) -> Network {
    let mut network = plan(projects * rows, Looks::default());
    let mut dice = Dice(3);
    network.projects = vec![ProjectFrame::starting(START); projects];
    network.links.clear();
    for (index, task) in network.tasks.iter_mut().enumerate() {
        task.project = if circles { index % projects } else { index / rows };
        let within = if circles { index } else { index % rows };
        let before = if circles { projects } else { 1 };
        for _ in 0..within.div_ceil(before).min(1 + index % 2) {
            let back = before * (1 + dice.below((within / before).clamp(1, 50)));
            network.links.push(Link::new(index - back.min(index), index));
        }
    }
    let pairs = 2 * projects - 2;
    let between = (0..pairs).map(|pair| {
        let (from, to) = if circles {
            let from = dice.below(projects * rows - 1);
            (from, from + 1)
        } else {
            let project = 1 + pair % (projects - 1);
            ((project - 1) * rows + dice.below(rows), project * rows + dice.below(rows))
        };
        Link::new(from, to)
    });
    network.links.extend(between.collect::<Vec<_>>());
    network
}

/// What the drag of all work costs, and the longest path to the last row, on a compiled plan.
fn drags(name: &str, count: usize, looks: Looks) {
    if !is_asked_for(name) {
        return;
    }
    let compiled = CompiledPlan::new(plan(count, looks));
    let found = compiled.drags(0).len();
    let time = best(5, || drop(black_box(compiled.drags(0))));
    report(name, format!("{:.2} ms, {found} rows hold the finish up", milliseconds(time)));
    let path = best(5, || drop(black_box(compiled.longest_path_to(count - 1))));
    let near = best(5, || drop(black_box(compiled.near_critical(0, 10))));
    let (path, near) = (milliseconds(path), milliseconds(near));
    report(&format!("{name}: longest path and near-critical band"), format!("{path:.2} ms and {near:.2} ms"));
}

/// What a program costs: the whole, and one edit after the other.
fn programs(projects: usize, rows: usize, circles: bool) {
    let way = if circles { "in circles" } else { "in a line" };
    let name = format!("program, {projects} projects of {rows} rows {way}");
    if !is_asked_for(&name) {
        return;
    }
    let network = program(projects, rows, circles);
    let whole = best(5, || drop(black_box(schedule(&network))));
    report(&format!("{name}: rows to result"), format!("{:.1} ms", milliseconds(whole)));
    let mut compiled = CompiledPlan::new(network);
    let mut dice = Dice(11);
    let mut times: Vec<Duration> = (0..if projects > 100 { 20 } else { 500 })
        .map(|_| {
            let task = dice.below(compiled.network().tasks.len());
            let edit = Edit::Duration { task, days: 1 + dice.below(9) as i32 };
            let begin = Instant::now();
            let _ = black_box(compiled.edit(edit));
            begin.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |share: f64| milliseconds(times[((times.len() - 1) as f64 * share) as usize]);
    report(&format!("{name}: one edit"), format!("p50 {:.3} ms, p99 {:.2} ms", at(0.5), at(0.99)));
}

fn monte_carlo() {
    if !is_asked_for("runs") {
        return;
    }
    let mut network = plan(1_000, Looks::default());
    for task in &mut network.tasks {
        let days = f64::from(task.duration);
        task.estimate =
            Some(ThreePoint { optimistic: 0.7 * days, most_likely: days, pessimistic: 2.0 * days });
    }
    let options = SimulationOptions::default();
    let time = best(15, || drop(black_box(simulate(&network, &options))));
    report(
        "10 000 runs of 1 000 tasks, with criticality, one thread",
        format!("{:.1} ms", milliseconds(time)),
    );
    let (calls, most) = allocations(|| drop(black_box(simulate(&network, &options))));
    report(
        "10 000 runs of 1 000 tasks, allocations",
        format!("{calls} calls, at most {:.1} MiB held at once", most as f64 / f64::from(1 << 20)),
    );
}

/// A chain of tasks, the plan that others publish times of.
fn chain() {
    if !is_asked_for("chain") {
        return;
    }
    let mut network = plan(10_000, Looks::default());
    network.links = (1..10_000).map(|to| Link::new(to - 1, to)).collect();
    let whole = best(50, || drop(black_box(schedule(&network))));
    report("a chain of 10 000 tasks: rows to result", format!("{:.1} ms", milliseconds(whole)));
}

fn main() {
    let (plain, shuffled) = (Looks::default(), Looks { shuffled: true, mixed: false });
    let mixed = Looks { shuffled: true, mixed: true };
    whole_plan("10 000 tasks", 10_000, plain, 50);
    whole_plan("10 000 tasks, shuffled, three calendars", 10_000, mixed, 50);
    whole_plan("100 000 tasks", 100_000, plain, 15);
    whole_plan("100 000 tasks, shuffled", 100_000, shuffled, 15);
    whole_plan("100 000 tasks, shuffled, three calendars", 100_000, mixed, 15);
    whole_plan("1 000 000 tasks", 1_000_000, plain, 3);
    edits("10 000 tasks", 10_000, plain, 5_000);
    edits("100 000 tasks", 100_000, plain, 1_000);
    edits("100 000 tasks, shuffled, three calendars", 100_000, mixed, 1_000);
    drags("drag of 100 000 tasks", 100_000, plain);
    drags("drag of 100 000 tasks, shuffled, three calendars", 100_000, mixed);
    programs(20, 500, false);
    programs(20, 500, true);
    programs(3_000, 10, false);
    chain();
    monte_carlo();
}
