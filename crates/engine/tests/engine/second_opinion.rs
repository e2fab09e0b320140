//! Compares the engine with a second scheduler (`naive`) that shares no code with it: every date, float and missed
//! limit, on random plans with everything at once.

use crate::everything::{ALL, Mix, everything, is_summary};
use crate::generate::{Corners, Dice, cases, describe};
use crate::naive::{Answer, Naive};
use planwright_engine::{Fault, Network, Schedule, TaskDates, schedule};

fn left_out(schedule: &Schedule) -> Vec<usize> {
    let links = |fault: &Fault| match fault {
        Fault::Cycle { links, .. } => links.clone(),
        _ => Vec::new(),
    };
    schedule.faults.iter().flat_map(links).collect()
}

fn of_engine(dates: TaskDates) -> Answer {
    Answer {
        early: [dates.early_start, dates.early_finish],
        late: [dates.late_start, dates.late_finish],
        scheduled_start: dates.scheduled_start,
        floats: [dates.total_float, dates.program_total_float, dates.free_float],
        evening: dates.falls_at_day_end,
    }
}

/// The first leaf about which the two do not agree, told with everything that it takes to see why.
fn difference(plan: &Network, exact: bool) -> Option<String> {
    let result = schedule(plan);
    let naive = Naive::of(plan, &left_out(&result));
    for index in (0..plan.tasks.len()).filter(|index| !is_summary(plan, *index)) {
        let found = of_engine(result.tasks[index].expect("nothing is wrong with the row"));
        let wanted = naive.answer(index);
        // The first of several rows holds what follows: what all may use at once is less than one alone.
        // Where a limit is missed already, that says nothing of how the rows share what they lack.
        let missed = !result.conflicts.is_empty();
        let within = missed || found.floats.iter().zip(wanted.floats).all(|(found, wanted)| *found <= wanted);
        let early = (found.early, found.evening) == (wanted.early, wanted.evening);
        if found != wanted && (exact || !early || !within) {
            let bounds = naive.why(index);
            let plan = describe(plan, &result);
            return Some(format!("task {index}\nengine {found:?}\nnaive  {wanted:?}\n{bounds:?}\n{plan}"));
        }
    }
    None
}

fn run(mix: Mix, from: u64, count: u64) {
    let mut differing: Vec<(usize, String)> = Vec::new();
    for seed in cases(from, count) {
        let plan = everything(&mut Dice::new(seed), mix);
        let difference = difference(&plan, !mix.first_of_many);
        let size = plan.tasks.len() + plan.links.len();
        differing.extend(difference.map(|text| (size, format!("seed {seed} {text}"))));
    }
    let smallest = differing.iter().min_by_key(|(size, _)| *size);
    assert!(
        smallest.is_none(),
        "{} of {count} differ: {}",
        differing.len(),
        smallest.map_or("", |(_, text)| text)
    );
}

#[test]
fn on_one_calendar_without_limits() {
    let corners =
        Corners { projects: 1, mixed_calendars: false, progress: false, summaries: false, tasks: 8 };
    run(Mix { corners, limits: 0, lazy: 0, ..ALL }, 0, 250);
}

#[test]
fn on_mixed_calendars_without_limits() {
    let corners = Corners { projects: 1, progress: false, summaries: false, ..ALL.corners };
    run(Mix { corners, limits: 0, lazy: 0, ..ALL }, 1_000_000, 250);
}

#[test]
fn with_limits() {
    let corners = Corners { projects: 1, progress: false, summaries: false, ..ALL.corners };
    run(Mix { corners, ..ALL }, 2_000_000, 250);
}

#[test]
fn with_progress() {
    let corners = Corners { projects: 1, summaries: false, ..ALL.corners };
    run(Mix { corners, limits: 0, lazy: 0, ..ALL }, 3_000_000, 250);
}

#[test]
fn with_summaries() {
    let corners = Corners { projects: 1, progress: false, ..ALL.corners };
    run(Mix { corners, limits: 0, lazy: 0, ..ALL }, 4_000_000, 250);
}

#[test]
fn with_everything_at_once() {
    run(ALL, 5_000_000, 1_000);
}

#[test]
fn where_the_first_of_many_holds_what_follows() {
    run(Mix { first_of_many: true, lazy: 0, ..ALL }, 6_000_000, 400);
}
