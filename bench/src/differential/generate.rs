//! Generates the plan of a number. The same seed and number always give the same plan.

use std::collections::HashSet;

use super::calendar::{Calendar, Exception};
use super::day::MONDAY;
use super::groups::{GROUPS, Group, Progress};
use super::plan::{Begun, Demand, Link, Plan, Task};

const WEEKS: [u8; 6] = [0b001_1111, 0b001_1111, 0b011_1111, 0b111_1111, 0b101_0110, 0b010_1101];

/// Numbers that look random and follow from the first one.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number from the first to the second, both included.
    fn from(&mut self, first: i64, last: i64) -> i32 {
        (first + (self.next() % (last - first + 1) as u64) as i64) as i32
    }

    fn chance(&mut self, of_a_hundred: u64) -> bool {
        self.next() % 100 < of_a_hundred
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.next() as usize % choices.len()]
    }
}

/// The plan of a number.
pub(crate) fn plan(seed: u64, number: u64) -> Plan {
    let mut dice = Dice(seed ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93));
    dice.next();
    let group = group_of(number);
    let count = dice.from(2, group.tasks as i64) as usize;
    let any_day = group.mixed && group.progress.is_none();
    let start = MONDAY + if any_day { dice.from(0, 6) } else { 0 };
    let calendars = (0..if group.mixed { 4 } else { 1 }).map(|_| calendar(&mut dice)).collect();
    let tasks = (0..count).map(|_| task(&mut dice, group)).collect();
    let links = links(&mut dice, group, count);
    let mut plan = Plan {
        group: group.name,
        against: group.against,
        start,
        data_date: None,
        honour: group.honour,
        lag_calendar: group.lag_calendar,
        calendars,
        tasks,
        links,
    };
    if let Some(progress) = group.progress {
        begin(&mut dice, &mut plan, progress);
    }
    plan
}

/// Kinds come in turn, so that every hundred plans hold each as often as its share says.
fn group_of(number: u64) -> &'static Group {
    let mut place = number % 100;
    for group in &GROUPS {
        if place < group.share {
            return group;
        }
        place -= group.share;
    }
    &GROUPS[0]
}

fn calendar(dice: &mut Dice) -> Calendar {
    let mut exceptions: Vec<Exception> = Vec::new();
    for _ in 0..dice.from(0, 4) {
        let first = MONDAY + dice.from(0, 70);
        let range = Exception { first, last: first + dice.from(0, 4), working: dice.chance(50) };
        if exceptions.iter().all(|known| known.last + 1 < range.first || range.last + 1 < known.first) {
            exceptions.push(range);
        }
    }
    Calendar::new(dice.one_of(&WEEKS), exceptions)
}

fn task(dice: &mut Dice, group: &Group) -> Task {
    let duration = if dice.chance(group.points) { 0 } else { dice.from(1, 9) };
    let demanding = !group.demands.is_empty() && dice.chance(25);
    let demand = demanding.then(|| (dice.one_of(group.demands), MONDAY + dice.from(0, 45)));
    Task {
        duration,
        calendar: if group.mixed && dice.chance(60) { dice.from(1, 3) as usize } else { 0 },
        // A milestone is only asked when to start: what else it could be asked, tools do not agree on.
        demand: demand.filter(|demand| duration > 0 || demand.0 == Demand::StartFrom),
        deadline: (group.deadlines && dice.chance(30)).then(|| MONDAY + dice.from(5, 60)),
        begun: None,
        remaining: duration,
    }
}

fn links(dice: &mut Dice, group: &Group, count: usize) -> Vec<Link> {
    let mut links = Vec::new();
    let mut known = HashSet::new();
    for _ in 0..dice.from(0, 2 * count as i64) {
        let from = dice.from(0, count as i64 - 2) as usize;
        let to = dice.from(from as i64 + 1, count as i64 - 1) as usize;
        if !known.insert((from, to)) {
            continue;
        }
        let lag = if dice.chance(50) { 0 } else { dice.from(group.lag.0, group.lag.1) };
        let elapsed = dice.chance(group.elapsed);
        links.push(Link { from, to, kind: dice.one_of(group.links), lag, elapsed });
    }
    links
}

/// Lets some work have begun before a data date, and some of that be finished.
fn begin(dice: &mut Dice, plan: &mut Plan, progress: Progress) {
    let data_date = MONDAY + dice.from(0, 18);
    plan.data_date = Some(data_date);
    let past = i64::from(data_date - MONDAY) - 1;
    let in_order = progress == Progress::InOrder;
    for index in 0..plan.tasks.len() {
        let ready = plan.links_to(index).all(|link| plan.tasks[link.from].finished().is_some());
        if in_order && !ready || !dice.chance(if in_order { 60 } else { 40 }) || past < 0 {
            continue;
        }
        let start = dice.from(0, past);
        let finish = dice.chance(45).then(|| MONDAY + dice.from(i64::from(start), past));
        let task = &mut plan.tasks[index];
        task.remaining = if finish.is_some() { 0 } else { dice.from(1, i64::from(task.duration)) };
        task.begun = Some(Begun { start: MONDAY + start, finish });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_always_gives_the_same_plan() {
        assert_eq!(plan(7, 1_234).json(), plan(7, 1_234).json());
        assert_ne!(plan(7, 1_234).json()["tasks"], plan(8, 1_234).json()["tasks"]);
    }
}
