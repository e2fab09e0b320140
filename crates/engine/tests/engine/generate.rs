//! Random plans for property tests: small, with many special cases, and the same for the same seed.

use planwright_engine::{
    Calendar, CalendarException, Day, DoneWork, LagCalendar, LagUnit, Link, LinkKind, Network, Options,
    ProgressMode, ProjectFrame, Schedule, Task,
};

/// A number that the environment asks for.
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|number| number.parse().ok())
}

/// How many random cases to try of those that a test names: all, unless `ENGINE_TEST_SHARE` asks for every
/// n-th one, as mutation testing does to be quick, or `ENGINE_TEST_TIMES` for n times as many.
pub(crate) fn share_of(count: u64) -> u64 {
    let (share, times) = (asked("ENGINE_TEST_SHARE"), asked("ENGINE_TEST_TIMES"));
    (count * times.unwrap_or(1).max(1) / share.unwrap_or(1).max(1)).max(1)
}

/// The seeds of a test, so many further on as `ENGINE_TEST_FROM` asks for.
pub(crate) fn cases(from: u64, count: u64) -> std::ops::Range<u64> {
    let from = from + asked("ENGINE_TEST_FROM").unwrap_or(0);
    from..from + share_of(count)
}

/// A small generator of numbers; good enough to pick cases.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + (self.next() % (high - low + 1) as u64) as i32
    }

    pub(crate) fn chance(&mut self, per_cent: i32) -> bool {
        self.between(1, 100) <= per_cent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.between(0, from.len() as i32 - 1) as usize]
    }
}

/// Which corners a random plan may enter.
#[derive(Clone, Copy)]
pub(crate) struct Corners {
    pub(crate) projects: i32,
    pub(crate) tasks: i32,
    pub(crate) mixed_calendars: bool,
    pub(crate) progress: bool,
    pub(crate) summaries: bool,
}

/// 2026-01-05, a Monday.
pub(crate) const START: Day = Day(20_458);

pub(crate) fn network(dice: &mut Dice, corners: Corners) -> Network {
    let calendars: Vec<Calendar> = (0..4).map(|_| calendar(dice)).collect();
    let projects: Vec<ProjectFrame> = (0..dice.between(1, corners.projects))
        .map(|_| ProjectFrame {
            start: START.plus(dice.between(0, 6)),
            data_date: (corners.progress && dice.chance(50)).then(|| START.plus(dice.between(0, 20))),
            calendar: Some(if corners.mixed_calendars { dice.between(0, 3) as usize } else { 0 }),
            lag_calendar: dice.pick(&[
                LagCalendar::Successor,
                LagCalendar::Successor,
                LagCalendar::Predecessor,
                LagCalendar::Project,
                LagCalendar::Elapsed,
            ]),
            velocity: None,
        })
        .collect();
    let count = dice.between(2, corners.tasks);
    let mut tasks: Vec<Task> = Vec::new();
    for index in 0..count {
        let task = task(dice, corners, index, projects.len() as i32);
        tasks.push(task);
    }
    if corners.summaries {
        nest(dice, &mut tasks);
    }
    let links = links(dice, count);
    let mut options = Options::default();
    if corners.progress {
        options.progress = dice.pick(&[
            ProgressMode::RetainedLogic,
            ProgressMode::RetainedLogic,
            ProgressMode::ProgressOverride,
            ProgressMode::ActualDates,
        ]);
        options.done_work = dice.pick(&[DoneWork::CutsLogic, DoneWork::Retained]);
    }
    Network { projects, calendars, tasks, links, options }
}

fn calendar(dice: &mut Dice) -> Calendar {
    let exceptions = (0..dice.between(0, 3))
        .map(|_| {
            let first = START.plus(dice.between(-5, 50));
            CalendarException { first, last: first.plus(dice.between(0, 4)), working: dice.chance(30) }
        })
        .collect();
    let working_weekdays = dice.pick(&[0b001_1111, 0b001_1111, 0b011_1111, 0b111_1111, 0b101_0110]);
    Calendar { working_weekdays, exceptions }
}

fn task(dice: &mut Dice, corners: Corners, index: i32, projects: i32) -> Task {
    // Ids do not follow positions, so that nothing may rely on it.
    let id = u128::from(dice.next()) << 32 | index as u128;
    let duration = if dice.chance(15) { 0 } else { dice.between(1, 9) };
    let mut task = Task { project: dice.between(0, projects - 1) as usize, ..Task::new(id, duration) };
    if corners.mixed_calendars && dice.chance(30) {
        task.calendar = Some(dice.between(0, 3) as usize);
    }
    if dice.chance(20) {
        task.planned_start = Some(START.plus(dice.between(0, 25)));
    }
    if !corners.progress || dice.chance(60) {
        return task;
    }
    if dice.chance(70) {
        task.actual_start = Some(START.plus(dice.between(0, 12)));
    }
    task.percent_complete = f64::from(dice.between(0, 10)) * 10.0;
    if dice.chance(30) {
        let from = task.actual_start.unwrap_or(START);
        task.actual_finish = Some(from.plus(dice.between(0, 9)));
    }
    task
}

/// Hangs some rows below earlier ones.
fn nest(dice: &mut Dice, tasks: &mut [Task]) {
    for index in 1..tasks.len() {
        if dice.chance(40) {
            let parent = dice.between(0, (index as i32 - 1).min(2)) as usize;
            tasks[index].parent = Some(parent);
            tasks[index].project = tasks[parent].project;
        }
    }
}

fn links(dice: &mut Dice, count: i32) -> Vec<Link> {
    let mut links = Vec::new();
    for _ in 0..dice.between(0, 2 * count) {
        let predecessor = dice.between(0, count - 2);
        let successor = dice.between(predecessor + 1, count - 1);
        let kind = dice.pick(&[
            LinkKind::FinishToStart,
            LinkKind::FinishToStart,
            LinkKind::StartToStart,
            LinkKind::FinishToFinish,
            LinkKind::StartToFinish,
        ]);
        let lag = if dice.chance(50) { 0 } else { dice.between(-4, 6) };
        let lag_unit = dice.pick(&[LagUnit::Working, LagUnit::Working, LagUnit::Elapsed]);
        links.push(Link { kind, lag, lag_unit, ..Link::new(predecessor as usize, successor as usize) });
    }
    links
}

/// A plan and its schedule, a line a row, for the message of a failed test.
pub(crate) fn describe(plan: &Network, schedule: &Schedule) -> String {
    let mut text = format!("{:?}\n", plan.options);
    for (index, frame) in plan.projects.iter().enumerate() {
        let finish = schedule.projects[index].finish;
        text += &format!("project {index}: {frame:?} finishes {finish:?}\n");
    }
    for (index, calendar) in plan.calendars.iter().enumerate() {
        text += &format!("calendar {index}: {:07b}", calendar.working_weekdays);
        for range in &calendar.exceptions {
            text += &format!(" {}..{} {}", range.first, range.last, range.working);
        }
        text += "\n";
    }
    for (index, task) in plan.tasks.iter().enumerate() {
        let duration = task.duration;
        text +=
            &format!("task {index}: {duration} d, project {}, calendar {:?}", task.project, task.calendar);
        text += &format!(", parent {:?}, planned {:?}", task.parent, task.planned_start);
        text += &format!(", {:?} deadline {:?}", task.constraint, task.deadline);
        text += &format!(", actual {:?} {:?}", task.actual_start, task.actual_finish);
        text += &format!(" {} %", task.percent_complete);
        if let Some(dates) = schedule.tasks[index] {
            text += &format!(" => {}..{}", dates.early_start, dates.early_finish);
            text += &format!(" late {}..{}", dates.late_start, dates.late_finish);
            text += &format!(" float {} {}", dates.total_float, dates.free_float);
        }
        text += "\n";
    }
    for (link, result) in plan.links.iter().zip(&schedule.links) {
        let (predecessor, successor) = (link.predecessor, link.successor);
        text += &format!("link {predecessor} {:?} {successor} lag {}", link.kind, link.lag);
        text += &format!(" {:?} {:?} => {result:?}\n", link.lag_unit, link.lag_calendar);
    }
    text
}
