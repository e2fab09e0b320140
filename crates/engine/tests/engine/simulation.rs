//! Compares the simulation with results that can be computed on paper, and with the deterministic schedule.

use crate::generate::{Corners, Dice, START, cases};
use planwright_engine::{
    Calendar, Cause, Correlation, Day, FinishForecast, GroupFactor, LagCalendar, LagUnit, Link, LinkKind,
    Network, ProjectFrame, RiskEvent, Shape, SimulationOptions, Task, ThreePoint, Velocity, drivers,
    schedule, simulate, what_if,
};

fn estimate(optimistic: f64, most_likely: f64, pessimistic: f64) -> Option<ThreePoint> {
    Some(ThreePoint { optimistic, most_likely, pessimistic })
}

fn plan(estimates: &[Option<ThreePoint>]) -> Network {
    let task = |(index, estimate): (usize, &Option<ThreePoint>)| Task {
        estimate: *estimate,
        ..Task::new(index as u128 + 1, estimate.map_or(5, |days| days.most_likely.ceil().max(1.0) as i32))
    };
    Network {
        projects: vec![ProjectFrame::starting(START)],
        tasks: estimates.iter().enumerate().map(task).collect(),
        ..Network::default()
    }
}

fn chained(estimates: &[Option<ThreePoint>]) -> Network {
    let mut plan = plan(estimates);
    plan.links = (1..estimates.len()).map(|index| Link::new(index - 1, index)).collect();
    plan
}

fn options() -> SimulationOptions {
    SimulationOptions { runs: 20_000, seed: 7, ..SimulationOptions::default() }
}

#[test]
fn a_fixed_network_forecasts_its_own_finish() {
    let corners = Corners { projects: 3, tasks: 14, mixed_calendars: true, progress: true, summaries: true };
    let one_calendar = Corners { mixed_calendars: false, ..corners };
    for seed in cases(0, 3_000) {
        let corners = if seed % 2 == 0 { corners } else { one_calendar };
        let plan = crate::generate::network(&mut Dice::new(seed), corners);
        let result = schedule(&plan);
        let forecast = simulate(&plan, &SimulationOptions { runs: 3, ..options() });
        for (dates, forecast) in result.projects.iter().zip(&forecast.projects) {
            let days = forecast.as_ref().map(|finish| (finish.percentile(10.0), finish.percentile(95.0)));
            let context = || format!("seed {seed}\n{}", crate::generate::describe(&plan, &result));
            assert_eq!(days, dates.finish.map(|day| (day, day)), "{}", context());
        }
        assert_eq!(forecast.finish.map(|finish| finish.percentile(50.0)), result.finish);
    }
}

#[test]
fn a_chain_adds_means_and_variances() {
    let legs = [(2.0, 4.0, 12.0), (1.0, 1.0, 7.0), (3.0, 8.0, 9.0), (5.0, 5.0, 5.0), (0.0, 10.0, 10.0)];
    let plan = chained(&legs.map(|(o, m, p)| estimate(o, m, p)));
    let mean_of = |(o, m, p): &(f64, f64, f64)| (o + 4.0 * m + p) / 6.0;
    let mean: f64 = legs.iter().map(mean_of).sum();
    let variance: f64 = legs.iter().map(|leg| (mean_of(leg) - leg.0) * (leg.2 - mean_of(leg)) / 7.0).sum();
    let forecast = simulate(&plan, &options());
    let finish = forecast.finish.expect("something to finish");
    assert!(
        (finish.mean_days - mean).abs() < 4.0 * (variance / 20_000.0).sqrt() + 0.01,
        "{}",
        finish.mean_days
    );
    assert!((finish.sd_days.powi(2) / variance - 1.0).abs() < 0.05, "{} {variance}", finish.sd_days);
    let criticality: Vec<f64> = forecast.tasks.iter().flatten().map(|task| task.criticality).collect();
    assert_eq!(criticality, [1.0; 5]);
}

#[test]
fn parallel_tasks_multiply_their_distributions() {
    // A triangle from 0 to 10 with its tip at 0: F(x) = 1 − (1 − x/10)².
    let plan = plan(&[estimate(0.0, 0.0, 10.0); 4]);
    let forecast = simulate(&plan, &SimulationOptions { shape: Shape::Triangular, ..options() });
    let finish = forecast.finish.expect("something to finish");
    let working_day = |index: i32| START.plus(index / 5 * 7 + index % 5);
    for day in 0..10 {
        let wanted = (1.0 - (1.0 - f64::from(day + 1) / 10.0_f64).powi(2)).powi(4);
        let found = finish.confidence(working_day(day));
        assert!((found - wanted).abs() < 0.015, "day {day}: {found}, wanted {wanted}");
    }
    for task in forecast.tasks.iter().flatten() {
        assert!((task.criticality - 0.25).abs() < 0.02 && task.sensitivity > 0.2, "{task:?}");
    }
}

/// The share of a triangle that lies below a number of days.
fn below(days: f64, (low, mode, high): (f64, f64, f64)) -> f64 {
    let x = days.clamp(low, high);
    let rising = (x - low).powi(2) / ((high - low) * (mode - low).max(1e-12));
    let falling = 1.0 - (high - x).powi(2) / ((high - low) * (high - mode).max(1e-12));
    if x <= mode { rising } else { falling }
}

#[test]
fn the_eightieth_percentile_is_true() {
    // Up to five equal triangles side by side: the true confidence of a day is known, and so is its mass.
    // A sample cannot tell 80 % from what lies within its own error of it, here more than four standard
    // deviations; such plans are passed over before they are simulated.
    let error = 4.0 * (0.8 * 0.2 / f64::from(options().runs)).sqrt();
    let (mut cases, mut tried) = (0, 0);
    while cases < 1_000 {
        tried += 1;
        let width = f64::from(2 + tried % 39);
        let (low, high) = (width / 3.0, width * 1.7);
        let triangle = (low, (low + (high - low) * f64::from(tried % 7) / 6.0).min(high), high);
        let side_by_side = 1 + tried % 5;
        let truth = |day: i32| below(f64::from(day), triangle).powi(side_by_side);
        if (0..100).any(|day| (truth(day) - 0.8).abs() < error) {
            continue;
        }
        let task = estimate(triangle.0, triangle.1, triangle.2);
        let plan = plan(&vec![task; side_by_side as usize]);
        let asked = SimulationOptions { shape: Shape::Triangular, seed: tried as u64, ..options() };
        let finish = simulate(&plan, &asked).finish.expect("something to finish");
        let day = finish.percentile(80.0).0 - START.0;
        let days = day / 7 * 5 + day % 7 + 1;
        let (true_confidence, mass) = (truth(days), truth(days) - truth(days - 1));
        let context = || format!("plan {tried}: {true_confidence}, of it {mass} on the day itself");
        assert!(true_confidence >= 0.8 && true_confidence <= 0.8 + mass, "{}", context());
        cases += 1;
    }
    assert!(tried < 2_000, "{tried} plans for a thousand cases");
}

#[test]
fn a_worse_estimate_never_improves_a_percentile() {
    let mut plan = chained(&[estimate(2.0, 4.0, 6.0), estimate(2.0, 3.0, 20.0), estimate(1.0, 2.0, 3.0)]);
    plan.links.push(Link::new(0, 2));
    let mut before: Option<Vec<Day>> = None;
    for pessimistic in 6..30 {
        plan.tasks[0].estimate = estimate(2.0, 4.0, f64::from(pessimistic));
        let finish = simulate(&plan, &options()).finish.expect("something to finish");
        let days: Vec<Day> = (1..20).map(|step| finish.percentile(f64::from(step) * 5.0)).collect();
        let falls = |before: &Vec<Day>| before.iter().zip(&days).any(|(before, day)| day < before);
        assert!(!before.as_ref().is_some_and(falls), "pessimistic {pessimistic}");
        before = Some(days);
    }
}

#[test]
fn threads_and_the_order_of_rows_change_nothing() {
    let mut plan =
        chained(&[estimate(2.0, 4.0, 9.0), estimate(1.0, 5.0, 6.0), None, estimate(0.0, 1.0, 20.0)]);
    plan.tasks[3].story_points = Some(8.0);
    let alone = simulate(&plan, &options());
    let together = simulate(&plan, &SimulationOptions { threads: 3, ..options() });
    assert_eq!(alone, together);
    plan.tasks.reverse();
    for link in &mut plan.links {
        (link.predecessor, link.successor) = (3 - link.predecessor, 3 - link.successor);
    }
    let mirrored = simulate(&plan, &options());
    assert_eq!(alone.finish, mirrored.finish);
    assert_eq!(alone.tasks[0], mirrored.tasks[3]);
    let other = simulate(&plan, &SimulationOptions { seed: 8, ..options() });
    assert_ne!(alone.finish, other.finish);
}

#[test]
fn done_work_is_certain_and_work_in_progress_only_in_its_rest() {
    let mut plan = chained(&[estimate(2.0, 4.0, 9.0), estimate(5.0, 10.0, 20.0)]);
    plan.tasks[0].actual_start = Some(START);
    plan.tasks[0].actual_finish = Some(START.plus(4));
    plan.tasks[1].actual_start = Some(START.plus(7));
    plan.tasks[1].percent_complete = 50.0;
    let forecast = simulate(&plan, &options());
    let [done, open] = [0, 1].map(|task| forecast.tasks[task].expect("a leaf"));
    assert_eq!((done.sd_remaining, done.criticality), (0.0, 0.0));
    let mean = (5.0 + 40.0 + 20.0) / 6.0 / 2.0;
    assert!((open.mean_remaining - mean).abs() < 0.1, "{}", open.mean_remaining);
    assert_eq!(open.criticality, 1.0);
}

#[test]
fn shared_causes_widen_the_finish() {
    let plan = chained(&[estimate(2.0, 5.0, 14.0); 12]);
    let spread = |correlation: Correlation| {
        let forecast = simulate(&plan, &SimulationOptions { correlation, ..options() });
        let finish = forecast.finish.expect("something to finish");
        (finish.mean_days, finish.sd_days)
    };
    let apart = spread(Correlation::default());
    let systemic = spread(Correlation { systemic: 0.6, groups: Vec::new() });
    let group = GroupFactor { tasks: (0..6).collect(), weight: 0.8 };
    let grouped = spread(Correlation { systemic: 0.0, groups: vec![group] });
    assert!(systemic.1 > 1.8 * apart.1 && grouped.1 > 1.3 * apart.1, "{apart:?} {systemic:?} {grouped:?}");
    assert!((systemic.0 - apart.0).abs() < 0.6, "the mean stays: {apart:?} {systemic:?}");
}

#[test]
fn risks_cost_time_when_they_happen() {
    let plan = chained(&[None, None]);
    let impacts = vec![(1, ThreePoint { optimistic: 4.0, most_likely: 4.0, pessimistic: 4.0 })];
    let risks = vec![RiskEvent { id: 99, probability: 0.3, impacts }];
    let finish =
        simulate(&plan, &SimulationOptions { risks, ..options() }).finish.expect("something to finish");
    assert_eq!(finish.counts.iter().map(|(day, _)| day.0 - START.0).collect::<Vec<_>>(), [11, 17]);
    assert!((finish.confidence(START.plus(11)) - 0.7).abs() < 0.015);
    assert_eq!(finish.percentile(70.0).0.clamp(START.0 + 11, START.0 + 17), finish.percentile(70.0).0);
}

/// A risk that costs exactly so many days on each of some tasks.
fn certain_days(id: u128, probability: f64, tasks: &[usize], days: f64) -> RiskEvent {
    let exact = ThreePoint { optimistic: days, most_likely: days, pessimistic: days };
    RiskEvent { id, probability, impacts: tasks.iter().map(|task| (*task, exact)).collect() }
}

/// The finish of a plan under some risks.
fn finish_under(plan: &Network, risks: Vec<RiskEvent>) -> FinishForecast {
    simulate(plan, &SimulationOptions { risks, ..options() }).finish.expect("something to finish")
}

#[test]
fn a_risk_that_cannot_happen_moves_nothing() {
    let plan = chained(&[estimate(2.0, 4.0, 9.0), estimate(1.0, 5.0, 6.0), None]);
    let risks = vec![certain_days(99, 0.0, &[0, 1, 2], 30.0)];
    assert_eq!(finish_under(&plan, risks), finish_under(&plan, Vec::new()));
}

#[test]
fn a_risk_that_always_happens_lengthens_its_tasks() {
    let fixed = chained(&[None, None, None]);
    let mut longer = fixed.clone();
    longer.tasks[0].duration += 3;
    longer.tasks[2].duration += 3;
    let struck = finish_under(&fixed, vec![certain_days(99, 1.0, &[0, 2], 3.0)]);
    assert_eq!(struck.counts, finish_under(&longer, Vec::new()).counts);

    let legs = [(2.0, 4.0, 9.0), (1.0, 5.0, 6.0)];
    let uncertain = chained(&legs.map(|(o, m, p)| estimate(o, m, p)));
    let before = finish_under(&uncertain, Vec::new());
    let struck = finish_under(&uncertain, vec![certain_days(99, 1.0, &[0, 1], 3.0)]);
    assert!((struck.mean_days - before.mean_days - 6.0).abs() < 1e-3, "{struck:?} {before:?}");
    assert!((struck.sd_days - before.sd_days).abs() < 1e-3, "{struck:?} {before:?}");
}

#[test]
fn a_risk_hits_all_its_tasks_in_the_same_run() {
    let plan = chained(&[None, None]);
    let together = finish_under(&plan, vec![certain_days(99, 0.3, &[0, 1], 5.0)]);
    // Ten days more or none; five would mean that one task was hit without the other.
    assert_eq!(together.counts.iter().map(|(day, _)| day.0 - START.0).collect::<Vec<_>>(), [11, 25]);
    let apart = vec![certain_days(98, 0.3, &[0], 5.0), certain_days(99, 0.3, &[1], 5.0)];
    assert_eq!(finish_under(&plan, apart).counts.len(), 3);
}

#[test]
fn risks_repeat_with_the_seed_in_any_order_and_on_any_number_of_threads() {
    let plan = chained(&[estimate(2.0, 4.0, 9.0), None, estimate(1.0, 5.0, 6.0)]);
    let risks = vec![certain_days(98, 0.4, &[0, 2], 7.0), certain_days(99, 0.2, &[1], 12.0)];
    let turned = risks.iter().rev().cloned().collect();
    let first = finish_under(&plan, risks.clone());
    assert_eq!(first.counts, finish_under(&plan, turned).counts);
    let threads = SimulationOptions { risks: risks.clone(), threads: 3, ..options() };
    assert_eq!(simulate(&plan, &threads).finish.as_ref(), Some(&first));
    let other_seed = SimulationOptions { risks, seed: 8, ..options() };
    assert_ne!(simulate(&plan, &other_seed).finish.expect("a finish").counts, first.counts);
}

#[test]
fn drivers_are_the_days_that_each_cause_costs_alone() {
    let mut plan = chained(&[None, None, estimate(5.0, 5.0, 25.0)]);
    // Nothing follows the last task, and it is over long before the others.
    plan.tasks.push(Task { estimate: estimate(1.0, 1.0, 2.0), ..Task::new(4, 1) });
    let risks = vec![
        certain_days(97, 0.0, &[0], 30.0),
        certain_days(98, 1.0, &[0], 5.0),
        certain_days(99, 1.0, &[0, 1], 5.0),
    ];
    let asked = SimulationOptions { risks, runs: 2_000, ..options() };
    let found = drivers(&plan, &asked, 0, 80.0);
    let days = |cause| found.iter().find(|driver| driver.cause == cause).map(|driver| driver.days);
    let costs = [Cause::Risk(0), Cause::Risk(1), Cause::Risk(2), Cause::Task(3)].map(days);
    assert_eq!(costs, [Some(0), Some(7), Some(14), Some(0)]);
    assert!(days(Cause::Task(2)).is_some_and(|days| days > 2), "{found:?}");
    assert!(found.is_sorted_by(|one, other| one.days >= other.days) && found.len() == 5, "{found:?}");
    assert_eq!(found, drivers(&plan, &asked, 0, 80.0));
    assert_eq!(drivers(&plan, &asked, 1, 80.0), [], "there is no such project");
}

#[test]
fn story_points_burn_by_past_sprints() {
    let mut plan = plan(&[None]);
    plan.tasks[0].story_points = Some(20.0);
    plan.projects[0].velocity = Some(Velocity { samples: vec![10.0, 20.0], sprint_days: 10 });
    let finish = simulate(&plan, &options()).finish.expect("something to finish");
    // Half of the runs draw 20 at once; all others need exactly one more sprint.
    assert!((finish.confidence(START.plus(11)) - 0.5).abs() < 0.015);
    assert_eq!(finish.confidence(START.plus(25)), 1.0);
}

#[test]
fn a_deadline_has_a_chance() {
    let mut plan = plan(&[estimate(0.0, 0.0, 10.0)]);
    plan.tasks[0].deadline = Some(START.plus(4));
    let asked = SimulationOptions { shape: Shape::Triangular, ..options() };
    let met = simulate(&plan, &asked).tasks[0].and_then(|task| task.deadline_met);
    assert!(met.is_some_and(|share| (share - 0.75).abs() < 0.015), "{met:?}");
}

#[test]
fn a_what_if_differs_by_the_change_alone() {
    let plan = chained(&[estimate(2.0, 4.0, 9.0), estimate(1.0, 5.0, 6.0), None]);
    let (before, after) = what_if(&plan, &options(), |plan| plan.tasks[2].duration += 3);
    let (before, after) = (before.finish.expect("a finish"), after.finish.expect("a finish"));
    assert!((after.mean_days - before.mean_days - 3.0).abs() < 1e-3);
    assert!((after.sd_days - before.sd_days).abs() < 1e-3);
}

#[test]
fn no_run_finishes_on_a_day_off() {
    // About one run in a thousand ends just past the end of a Friday: that is on Monday.
    let mut plan = plan(&[estimate(4.0, 5.0, 6.0)]);
    plan.tasks[0].duration = 5;
    let forecast =
        simulate(&plan, &SimulationOptions { runs: 200_000, ..options() }).finish.expect("a finish");
    let days: Vec<Day> = forecast.counts.iter().map(|(day, _)| *day).collect();
    assert_eq!(days, [START.plus(4), START.plus(7)]);
}

#[test]
fn half_days_cross_calendars_and_lags() {
    // Two and a half days on office days from Monday the 5th: until Wednesday noon.
    let finish = |kind: LinkKind, lag: i32, unit: LagUnit, calendar: usize, duration: i32| {
        let mut plan = plan(&[estimate(2.5, 2.5, 2.5), None]);
        plan.calendars =
            vec![Calendar::default(), Calendar::weekly(0b111_1111), Calendar::weekly(0b000_1001)];
        plan.tasks[1] = Task { duration, calendar: Some(calendar), ..plan.tasks[1].clone() };
        let lag_calendar = Some(LagCalendar::Predecessor);
        plan.links = vec![Link { kind, lag, lag_unit: unit, lag_calendar, ..Link::new(0, 1) }];
        let forecast = simulate(&plan, &SimulationOptions { runs: 3, ..options() });
        forecast.finish.map(|finish| finish.percentile(50.0).0 - START.0)
    };
    // Until Thursday noon, and two days of the week: Saturday the 10th.
    assert_eq!(finish(LinkKind::FinishToStart, 1, LagUnit::Working, 1, 2), Some(5));
    // Three office days later is Monday noon.
    assert_eq!(finish(LinkKind::FinishToFinish, 3, LagUnit::Working, 1, 2), Some(7));
    // Two calendar days later is Friday noon; who works Mondays and Thursdays ends with Thursday or goes on on Monday.
    assert_eq!(finish(LinkKind::FinishToFinish, 2, LagUnit::Elapsed, 1, 1), Some(4));
    assert_eq!(finish(LinkKind::FinishToStart, 2, LagUnit::Elapsed, 2, 1), Some(7));
    // No lag: Thursday's work begins on Thursday morning.
    assert_eq!(finish(LinkKind::FinishToStart, 0, LagUnit::Working, 2, 1), Some(3));
}
