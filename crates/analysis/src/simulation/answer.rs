//! From a simulation to its answer: percentiles, curves, indices, and why the forecast is as wide as it is.
//! Pure; the simulation itself is the engine's.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::words::DeliveryMode;
use planwright_engine::{self as engine, FinishForecast, Simulation};
use planwright_plan::schedule::network::{Plan, date, day};

use super::model::*;

const MOST_SENSITIVE: usize = 20;
const MOST_CRITICAL: usize = 50;
const MOST_BARS: usize = 30;
const MOST_SAMPLES: i64 = 1000;

/// What the answer is made from.
pub struct Material<'a> {
    /// The plan that was simulated; the answer is about its first project.
    pub plan: &'a Plan,
    /// The dates without chance.
    pub schedule: &'a engine::Schedule,
    /// The runs.
    pub simulation: &'a Simulation,
    /// Tasks whose estimates were left out, since nobody has approved them.
    pub pending: i64,
    /// Now.
    pub now: DateTime<Utc>,
}

/// The answer of a run that was just made.
pub fn answer(material: &Material<'_>) -> MonteCarloRun {
    let Material { plan, schedule, simulation, now, .. } = material;
    let forecast = simulation.projects.first().and_then(Option::as_ref);
    let cpm_finish = schedule.projects[0].finish.and_then(|finish| date(finish.0));
    let at = |percent: f64| forecast.and_then(|forecast| date(forecast.percentile(percent).0));
    let (p50, p80, p95) = (at(50.0), at(80.0), at(95.0));
    let delta =
        |finish: Option<NaiveDate>| finish.zip(cpm_finish).map(|(finish, cpm)| (finish - cpm).num_days());
    let premium = premium(delta(p80), cpm_finish, now.date_naive());
    MonteCarloRun {
        project_id: plan.projects[0].id,
        runs: simulation.runs.into(),
        runs_reduced: false,
        risks_counted: 0,
        seed: i64::try_from(simulation.seed).unwrap_or_default(),
        p50,
        p80,
        p95,
        percentiles: (2..=19)
            .filter_map(|step| Some((format!("p{}", step * 5), at(f64::from(step * 5))?)))
            .collect(),
        mean_delta_days: forecast.zip(cpm_finish).map(|(forecast, cpm)| mean_delta(forecast, cpm)),
        sd_days: forecast.map(|forecast| rounded(forecast.sd_days)),
        distribution: forecast.map(distribution).unwrap_or_default(),
        sensitivity: indices(material, MOST_SENSITIVE, |task| task.sensitivity),
        criticality: indices(material, MOST_CRITICAL, |task| task.criticality),
        cpm_finish,
        cpm_confidence: forecast
            .zip(cpm_finish)
            .map(|(forecast, cpm)| rounded(forecast.confidence(day(cpm)) * 100.0)),
        delta_vs_cpm: PercentileDays { p50: delta(p50), p80: delta(p80), p95: delta(p95) },
        confidence_curve: forecast.map(curve).unwrap_or_default(),
        histogram_buckets: forecast.map(histogram).unwrap_or_default(),
        milestones: Vec::new(),
        forecast_diagnostic: diagnostic(material, forecast),
        last_run_at: *now,
        status_date: plan.projects[0].status_date,
        run_id: None,
        risk_premium_days: premium.days,
        risk_premium_ratio: premium.ratio,
        risk_premium_band: None,
        risk_premium_as_of: Some(*now),
        risk_premium_reason: premium.days.is_none().then(|| "no_finish".to_owned()),
        risk_premium_state: premium.state.to_owned(),
        from_history: false,
    }
}

/// Three decimals.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn mean_delta(forecast: &FinishForecast, cpm: NaiveDate) -> f64 {
    let base = day(cpm).0;
    let sum: f64 =
        forecast.counts.iter().map(|(day, count)| f64::from(day.0 - base) * f64::from(*count)).sum();
    rounded(sum / f64::from(forecast.runs.max(1)))
}

fn distribution(forecast: &FinishForecast) -> Vec<NaiveDate> {
    let samples = MOST_SAMPLES.min(forecast.runs.into());
    (0..samples)
        .filter_map(|at| date(forecast.percentile((at as f64 + 0.5) / samples as f64 * 100.0).0))
        .collect()
}

fn curve(forecast: &FinishForecast) -> Vec<CurvePoint> {
    let points = forecast.s_curve().into_iter();
    points
        .filter_map(|point| Some(CurvePoint { date: date(point.day.0)?, pct: rounded(point.share * 100.0) }))
        .collect()
}

fn histogram(forecast: &FinishForecast) -> Vec<HistogramBucket> {
    let bars = forecast.histogram(MOST_BARS).into_iter();
    bars.filter_map(|(day, count)| Some(HistogramBucket { date: date(day.0)?, count: count.into() }))
        .collect()
}

fn indices(
    material: &Material<'_>,
    most: usize,
    of: impl Fn(&engine::TaskForecast) -> f64,
) -> Vec<TaskIndex> {
    let Material { plan, simulation, .. } = material;
    let mut indices: Vec<TaskIndex> = simulation
        .tasks
        .iter()
        .enumerate()
        .filter(|(node, _)| plan.network.tasks[*node].project == 0)
        .filter_map(|(node, task)| Some((plan.tasks[plan.of_node[node]].id, of(task.as_ref()?))))
        .filter(|(_, index)| *index > 0.0)
        .map(|(task_id, index)| TaskIndex { task_id, index: rounded(index) })
        .collect();
    indices.sort_by(|a, b| b.index.total_cmp(&a.index).then(a.task_id.cmp(&b.task_id)));
    indices.truncate(most);
    indices
}

fn diagnostic(material: &Material<'_>, forecast: Option<&FinishForecast>) -> ForecastDiagnostic {
    let Material { plan, schedule, simulation, pending, .. } = material;
    let leaves: Vec<usize> =
        (0..plan.of_node.len()).filter(|node| simulation.tasks[*node].is_some()).collect();
    let open = leaves
        .iter()
        .filter(|node| {
            schedule.tasks[**node].is_some_and(|dates| dates.progress != engine::Progress::Complete)
        })
        .count();
    let varied = leaves
        .iter()
        .filter(|node| simulation.tasks[**node].as_ref().is_some_and(|task| task.sd_remaining > 0.0))
        .count();
    let without_velocity = leaves
        .iter()
        .map(|node| &plan.tasks[plan.of_node[*node]])
        .filter(|task| task.delivery_mode == DeliveryMode::Scrum && task.story_points.is_some())
        .filter(|_| plan.network.projects[0].velocity.is_none())
        .count();
    let deterministic = forecast.is_none_or(|forecast| forecast.counts.len() <= 1);
    let reason = match () {
        () if !deterministic => None,
        () if leaves.is_empty() => Some("no_committed_tasks"),
        () if open == 0 => Some("all_complete"),
        () if varied > 0 => Some("estimates_off_critical_path"),
        () if *pending > 0 => Some("estimates_pending_approval"),
        () if without_velocity > 0 => Some("no_velocity_history"),
        () => Some("no_estimates"),
    };
    ForecastDiagnostic {
        deterministic,
        reason: reason.map(str::to_owned),
        tasks_total: leaves.len() as i64,
        tasks_with_variance: varied as i64,
        tasks_pending_approval: *pending,
        agile_tasks_without_velocity: without_velocity as i64,
    }
}

struct Premium {
    days: Option<i64>,
    ratio: Option<f64>,
    state: &'static str,
}

fn premium(days: Option<i64>, cpm_finish: Option<NaiveDate>, today: NaiveDate) -> Premium {
    let remaining = cpm_finish.map(|finish| (finish - today).num_days()).filter(|remaining| *remaining > 0);
    let ratio = days.zip(remaining).map(|(days, remaining)| rounded(days as f64 / remaining as f64));
    let state = match days {
        None => "unmeasurable",
        Some(0) => "zero",
        Some(days) if days > 0 => "premium",
        Some(_) => "negative",
    };
    Premium { days, ratio, state }
}

/// A recorded run as it is shown later: without its distribution, and stale after a week.
pub fn from_history(mut run: MonteCarloRun, now: DateTime<Utc>) -> MonteCarloRun {
    const FRESH_DAYS: i64 = 7;
    run.from_history = true;
    run.distribution.clear();
    if (now - run.last_run_at).num_days() >= FRESH_DAYS {
        run.risk_premium_state = "stale".into();
    }
    run
}
