//! Cycles of links: what is reported, which links are left out, and that nothing else is left out.

use crate::generate::{Dice, cases};
use planwright_engine::{Day, Fault, Link, Network, ProjectFrame, Task, schedule};

/// 2026-01-05, a Monday.
const MONDAY: Day = Day(20_458);

/// Links that a fault left out for being on a circle.
pub(crate) fn links_of(fault: &Fault) -> Vec<usize> {
    match fault {
        Fault::Cycle { links, .. } => links.clone(),
        _ => Vec::new(),
    }
}

/// Rows with ids that follow their positions, and finish-to-start links.
fn plan(rows: usize, links: &[(usize, usize)]) -> Network {
    Network {
        projects: vec![ProjectFrame::starting(MONDAY)],
        tasks: (0..rows).map(|row| Task::new(row as u128 + 1, 1 + row as i32 % 4)).collect(),
        links: links.iter().map(|(from, to)| Link::new(*from, *to)).collect(),
        ..Network::default()
    }
}

/// For each pair of rows whether links lead from the one to the other.
fn reach(plan: &Network) -> Vec<Vec<bool>> {
    let count = plan.tasks.len();
    let mut reach = vec![vec![false; count]; count];
    plan.links.iter().for_each(|link| reach[link.predecessor][link.successor] = true);
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    reach
}

/// The plan without the links that a schedule left out.
fn without_circles(plan: &Network) -> (Network, Vec<usize>) {
    let left_out: Vec<usize> = schedule(plan).faults.iter().flat_map(links_of).collect();
    let mut rest = plan.clone();
    let kept = plan.links.iter().enumerate().filter(|(index, _)| !left_out.contains(index));
    rest.links = kept.map(|(_, link)| *link).collect();
    (rest, left_out)
}

fn check(plan: &Network) -> usize {
    let told = schedule(plan).faults.iter().all(|fault| !links_of(fault).is_empty());
    assert!(told, "a circle was reported twice");
    let (rest, left_out) = without_circles(plan);
    let reach = reach(plan);
    for link in &left_out {
        let Link { predecessor, successor, .. } = plan.links[*link];
        assert!(reach[successor][predecessor], "a link on no circle went: {predecessor} to {successor}");
    }
    let mut unique = left_out.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), left_out.len(), "a link was left out twice");
    let (whole, parted) = (schedule(plan), schedule(&rest));
    assert_eq!((parted.faults.len(), whole.tasks), (0, parted.tasks));
    left_out.len()
}

#[test]
fn a_circle_is_reported_with_its_path_and_nothing_else_goes() {
    // 0 → 1 → 2 → 3 → 1, and 3 → 4; two links lead from 2 to 3.
    let plan = plan(5, &[(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (2, 3)]);
    let result = schedule(&plan);
    assert_eq!(result.faults, [Fault::Cycle { path: vec![2, 3, 4], links: vec![1, 2, 5, 3] }]);
    let start = |row: usize| result.tasks[row].expect("scheduled").early_start;
    assert_eq!([0, 1, 2, 3, 4].map(start), [0, 1, 0, 0, 4].map(|days| MONDAY.plus(days)));
}

#[test]
fn circles_that_share_no_row_are_reported_one_by_one() {
    let plan = plan(6, &[(4, 5), (5, 4), (0, 1), (1, 0), (1, 2), (2, 3), (3, 4)]);
    let result = schedule(&plan);
    let paths = [vec![1, 2], vec![5, 6]].map(|path| (path.clone(), path.len()));
    let found: Vec<(Vec<u128>, usize)> = result
        .faults
        .iter()
        .map(|fault| match fault {
            Fault::Cycle { path, links } => (path.clone(), links.len()),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(found, paths);
    assert_eq!(check(&plan), 4);
}

#[test]
fn a_star_of_circles_loses_its_circles_and_nothing_behind_them() {
    // Each of a hundred rows waits for the first and it for each of them; a chain leads in, one leads out.
    let mut links: Vec<(usize, usize)> = (1..=100).flat_map(|row| [(0, row), (row, 0)]).collect();
    links.extend([(101, 102), (102, 0), (50, 103), (103, 104)]);
    // Two knots and what lies between them.
    links.extend((106..=160).flat_map(|row| [(105, row), (row, 105)]));
    links.extend([(104, 161), (161, 105)]);
    let plan = plan(162, &links);
    assert_eq!(check(&plan), 200 + 110);
}

#[test]
fn whatever_links_there_are_only_circles_lose_theirs() {
    let mut cut = 0;
    for seed in cases(900_000, 6_000) {
        let mut dice = Dice::new(seed);
        let rows = dice.between(2, 9);
        let mut row = || dice.between(0, rows - 1) as usize;
        let links: Vec<(usize, usize)> = (0..2 * rows).map(|_| (row(), row())).collect();
        let links: Vec<(usize, usize)> = links.into_iter().filter(|(from, to)| from != to).collect();
        cut += check(&plan(rows as usize, &links));
    }
    assert!(cut > 10, "{cut}");
}
