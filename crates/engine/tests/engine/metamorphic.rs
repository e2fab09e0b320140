//! Changes of a plan that must change nothing: a row without links, projects combined in a program, and links of
//! phases replaced by links of their rows.

use crate::everything::{ALL, Mix, everything, is_summary};
use crate::generate::{Corners, Dice, START, cases, describe};
use crate::naive::leaves_below;
use planwright_engine::{
    Calendar, Fault, LagCalendar, LagUnit, Link, LinkKind, LinkResult, Network, ProjectFrame, Schedule, Task,
    TaskDates, schedule,
};

const PLANS: u64 = 2_000;

/// Asserts on many random plans, and on some in which something differed once, that nothing differs, and shows the
/// smallest plan in which something does.
fn run(from: u64, once: &[u64], difference: impl Fn(&mut Dice, Network) -> Option<(usize, String)>) {
    let mix = Mix { first_of_many: true, ..ALL };
    let (mut found, mut tried): (Vec<(usize, String)>, u64) = (Vec::new(), 0);
    for seed in cases(from, PLANS).chain(once.iter().copied()) {
        let mut dice = Dice::new(seed);
        let mixed_calendars = dice.chance(50);
        let corners = Corners { mixed_calendars, ..mix.corners };
        let plan = everything(&mut dice, Mix { corners, ..mix });
        found.extend(difference(&mut dice, plan).map(|(size, text)| (size, format!("seed {seed}: {text}"))));
        tried += 1;
    }
    let smallest = found.iter().min_by_key(|(size, _)| *size);
    let text = smallest.map_or("", |(_, text)| text);
    assert!(found.is_empty(), "{} of {tried} plans differ: {text}", found.len());
}

fn size(plan: &Network) -> usize {
    plan.tasks.len() + plan.links.len()
}

/// The first of some rows whose dates differ from what they should be.
fn differing<'a>(
    rows: impl Iterator<Item = (usize, &'a Option<TaskDates>, &'a Option<TaskDates>)>,
    plan: &Network,
    before: &Schedule,
) -> Option<(usize, String)> {
    let mut rows = rows.filter(|(_, one, other)| one != other);
    rows.next().map(|(row, one, other)| {
        (size(plan), format!("row {row}\nbefore {one:?}\nafter  {other:?}\n{}", describe(plan, before)))
    })
}

/// A plan without the links that cannot be used.
fn usable(mut plan: Network) -> Network {
    loop {
        let faults = schedule(&plan).faults;
        let cut = |fault: &Fault| match fault {
            Fault::Cycle { links, .. } => links.clone(),
            _ => Vec::new(),
        };
        let mut left_out: Vec<usize> = faults.iter().flat_map(cut).collect();
        left_out.sort_unstable();
        if left_out.is_empty() {
            return plan;
        }
        for link in left_out.into_iter().rev() {
            plan.links.remove(link);
        }
    }
}

/// Rows that no link joins with the rest: in the same project a milestone that ends before the project, in
/// another one work.
fn with_unrelated(dice: &mut Dice, plan: &Network) -> Network {
    let mut more = plan.clone();
    let calendar = more.calendars.len();
    more.calendars.push(Calendar::weekly(dice.pick(&[0b111_1111, 0b001_1111, 0b110_0000])));
    let id = u128::MAX - 1;
    if dice.chance(60) {
        let project = dice.between(0, more.projects.len() as i32 - 1) as usize;
        let actual_finish = Some(START.plus(-300));
        let task = Task { project, calendar: Some(calendar), ..Task::new(id, 0) };
        more.tasks.push(Task { actual_start: actual_finish, actual_finish, ..task });
    }
    if more.tasks.len() == plan.tasks.len() || dice.chance(50) {
        let project = more.projects.len();
        let start = START.plus(dice.between(-30, 60));
        more.projects.push(ProjectFrame { calendar: Some(calendar), ..ProjectFrame::starting(start) });
        let duration = dice.pick(&[0, 0, 4]);
        more.tasks.push(Task { project, ..Task::new(id + 1, duration) });
    }
    more
}

/// All about a row but what it is for the whole program.
fn own(dates: &TaskDates) -> TaskDates {
    let mut own = *dates;
    (own.program_total_float, own.program_critical) = (0, false);
    own
}

fn own_rows(schedule: &Schedule) -> Vec<Option<TaskDates>> {
    schedule.tasks.iter().map(|dates| dates.as_ref().map(own)).collect()
}

#[test]
fn an_unrelated_row_changes_nothing() {
    run(20_000_000, &[20_174_864], |dice, plan| {
        let more = with_unrelated(dice, &plan);
        let (before, after) = (schedule(&plan), schedule(&more));
        let (one, other) = (own_rows(&before), own_rows(&after));
        let rows = one.iter().zip(&other).enumerate().map(|(row, (one, other))| (row, one, other));
        let links = before.links != after.links;
        let text = || (size(&plan), format!("links\n{}", describe(&plan, &before)));
        differing(rows, &plan, &before).or_else(|| links.then(text))
    });
}

/// One project of a plan, its rows and the links between them.
fn alone(plan: &Network, project: usize) -> (Network, Vec<usize>, Vec<usize>) {
    let rows: Vec<usize> = (0..plan.tasks.len()).filter(|row| plan.tasks[*row].project == project).collect();
    let place = |row: usize| rows.iter().position(|other| *other == row);
    let mut links = Vec::new();
    let mut one = Network {
        projects: vec![plan.projects[project].clone()],
        calendars: plan.calendars.clone(),
        options: plan.options,
        ..Network::default()
    };
    for row in &rows {
        let task = plan.tasks[*row].clone();
        one.tasks.push(Task { project: 0, parent: task.parent.and_then(place), ..task });
    }
    for (index, link) in plan.links.iter().enumerate() {
        if let (Some(predecessor), Some(successor)) = (place(link.predecessor), place(link.successor)) {
            one.links.push(Link { predecessor, successor, ..*link });
            links.push(index);
        }
    }
    (one, rows, links)
}

#[test]
fn a_project_alone_equals_the_project_in_a_program() {
    run(21_000_000, &[], |_, mut plan| {
        // What a link across projects does is another matter.
        let project = |row: usize| plan.tasks[row].project;
        let inside: Vec<Link> = plan
            .links
            .iter()
            .copied()
            .filter(|link| project(link.predecessor) == project(link.successor))
            .collect();
        plan.links = inside;
        let whole = schedule(&plan);
        let rows_of_whole = own_rows(&whole);
        (0..plan.projects.len()).find_map(|project| {
            let (one, rows, links) = alone(&plan, project);
            let result = schedule(&one);
            let found = own_rows(&result);
            let pairs = rows.iter().zip(&found).map(|(row, found)| (*row, &rows_of_whole[*row], found));
            let differs = links
                .iter()
                .zip(&result.links)
                .find(|(index, link): &(&usize, &LinkResult)| whole.links[**index] != **link);
            let text = |(index, link): (&usize, &LinkResult)| {
                (size(&plan), format!("link {index}: {link:?}\n{}", describe(&plan, &whole)))
            };
            differing(pairs, &plan, &whole).or_else(|| differs.map(text))
        })
    });
}

/// A plan whose links on phases can be written out: a lag on them counts days that are the same for the phase
/// and for what is below it, and no link leaves the start of several rows, of which the first counts.
fn writable(plan: &mut Network) {
    for index in 0..plan.links.len() {
        let link = plan.links[index];
        let phases = is_summary(plan, link.predecessor) || is_summary(plan, link.successor);
        let frame = &plan.projects[plan.tasks[link.successor].project];
        let calendar = link.lag_calendar.unwrap_or(frame.lag_calendar);
        let several = leaves_below(plan, link.predecessor).len() > 1;
        let from_start = matches!(link.kind, LinkKind::StartToStart | LinkKind::StartToFinish);
        let link = &mut plan.links[index];
        if phases && matches!(calendar, LagCalendar::Successor | LagCalendar::Predecessor) {
            link.lag_calendar = Some(LagCalendar::Project);
        }
        if phases && link.lag_unit == LagUnit::Percent {
            link.lag_unit = LagUnit::Working;
            link.lag = link.lag.clamp(-5, 5);
        }
        if several && from_start {
            let finish = [LinkKind::FinishToStart, LinkKind::FinishToFinish];
            link.kind = finish[usize::from(link.kind == LinkKind::StartToFinish)];
        }
    }
}

#[test]
fn a_link_of_phases_equals_the_links_of_the_rows_below_them() {
    run(22_000_000, &[22_176_428], |_, mut plan| {
        writable(&mut plan);
        let plan = usable(plan);
        let mut written = Network { links: Vec::new(), ..plan.clone() };
        for link in &plan.links {
            for predecessor in leaves_below(&plan, link.predecessor) {
                for successor in leaves_below(&plan, link.successor) {
                    written.links.push(Link { predecessor, successor, ..*link });
                }
            }
        }
        let (before, after) = (schedule(&plan), schedule(&written));
        let rows = before.tasks.iter().zip(&after.tasks).enumerate();
        differing(rows.map(|(row, (one, other))| (row, one, other)), &plan, &before)
    });
}
