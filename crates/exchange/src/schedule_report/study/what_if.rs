//! What another duration of one task would do to the finish of projects and program, and to the likely dates.

use std::fmt::Write;

use planwright_engine::{self as engine, Day, FinishForecast, Progress, Simulation, Task, ThreePoint};
use planwright_plan_files::seed::Rejection;
use serde_json::{Value, json};

use super::super::json::{day, forecast};
use super::super::terminal::printable;
use super::{Change, View};

/// A plan with a change in it.
struct Supposed {
    /// Duration before and after.
    duration: [i32; 2],
    /// The duration that was asked for, if it could not be had.
    cut_from: Option<i64>,
    schedule: engine::Schedule,
    /// What the runs say without the change, and with it.
    runs: Option<[Simulation; 2]>,
}

impl View<'_> {
    pub(super) fn what_if(&self, place: usize, change: Change) -> Result<String, Rejection> {
        let then = self.suppose(place, change)?;
        let [before, after] = then.duration;
        let by = i64::from(after) - i64::from(before);
        let label = self.subject.label(place);
        let mut text = format!("If {label} took {by:+} days: {after} instead of {before}\n");
        if let Some(asked) = then.cut_from {
            let _ = writeln!(text, "  {asked} days are less than possible; reduced to {after}");
        }
        let row = &self.subject.network.tasks[place];
        if row.estimate.is_none() && row.story_points.is_some() && then.runs.is_some() {
            text += "  Its story points do not change, so its simulated duration does not change.\n";
        }
        let shown = |day: Option<Day>| day.map_or("–".to_owned(), |day| day.to_string());
        let several = self.subject.projects.len() > 1;
        let runs = then.runs.as_ref().filter(|_| self.is_uncertain());
        let likely = |text: &mut String, of: &dyn Fn(&Simulation) -> Option<FinishForecast>| {
            let Some([now, then]) = runs else { return };
            let (Some(now), Some(then)) = (of(now), of(then)) else { return };
            for percent in [50.0, 80.0, 95.0] {
                let (now, then) = (now.percentile(percent), then.percentile(percent));
                let _ = writeln!(text, "  P{percent:<5} {now} → {then}");
            }
        };
        for index in 0..self.subject.projects.len() {
            let [now, later] = [self.schedule, &then.schedule].map(|schedule| finish_of(schedule, index));
            let is_own = self.subject.network.tasks[place].project == index;
            if several && (is_own || now != later) {
                let name = printable(&self.subject.projects[index].name);
                let _ = writeln!(text, "  {name}: finish {} → {}", shown(now), shown(later));
                likely(&mut text, &|run| run.projects.get(index)?.clone());
            }
        }
        let of = if several { "program finish" } else { "finish" };
        let _ = writeln!(text, "  {of} {} → {}", shown(self.schedule.finish), shown(then.schedule.finish));
        likely(&mut text, &|run| run.finish.clone());
        Ok(text)
    }

    pub(super) fn difference(&self, place: usize, change: Change) -> Result<Value, Rejection> {
        let then = self.suppose(place, change)?;
        let [before, after] = then.duration;
        let pair = |now: Value, later: Value| json!({ "before": now, "after": later });
        let likely = |of: &dyn Fn(&Simulation) -> Option<FinishForecast>, finishes: [Option<Day>; 2]| {
            let [now, later] = then.runs.as_ref()?.each_ref().map(of);
            Some(pair(forecast(now.as_ref(), finishes[0]), forecast(later.as_ref(), finishes[1])))
        };
        let finishes = [self.schedule.finish, then.schedule.finish];
        let project = |index: usize| {
            let own = [self.schedule, &then.schedule].map(|schedule| finish_of(schedule, index));
            json!({
                "project": self.subject.projects[index].slug,
                "finish": pair(day(own[0]), day(own[1])),
                "forecast": likely(&|run| run.projects.get(index)?.clone(), own),
            })
        };
        Ok(json!({
            "study": "what_if",
            "task": self.subject.reference(place),
            "days": i64::from(after) - i64::from(before),
            "duration": { "before": before, "after": after },
            "cut_from": then.cut_from,
            "finish": pair(day(finishes[0]), day(finishes[1])),
            "forecast": likely(&|run| run.finish.clone(), finishes),
            "projects": (0..self.subject.projects.len()).map(project).collect::<Vec<_>>(),
        }))
    }

    fn suppose(&self, place: usize, change: Change) -> Result<Supposed, Rejection> {
        if self.subject.rows[place].is_summary {
            return Err(self.refusal(place, "is a summary; its duration comes from the rows below it"));
        }
        if self.dates(place)?.progress == Progress::Complete {
            return Err(self.refusal(place, "is complete; another duration would change nothing"));
        }
        let mut changed = self.subject.network.clone();
        let task = &mut changed.tasks[place];
        let (before, asked) = (task.duration, asked_for(task, change));
        lengthen(task, asked);
        let after = task.duration;
        let schedule = engine::schedule(&changed);
        // The same random numbers in both: the difference is the change and not chance.
        let runs = self.simulated(&self.subject.network).zip(self.simulated(&changed));
        Ok(Supposed {
            duration: [before, after],
            cut_from: (asked < i64::from(after)).then_some(asked),
            schedule,
            runs: runs.map(|(now, then)| [now, then]),
        })
    }
}

fn asked_for(task: &Task, change: Change) -> i64 {
    match change {
        Change::By(days) => i64::from(task.duration) + i64::from(days),
        Change::To(days) => i64::from(days),
    }
}

/// Gives a task another duration; what is done of it stays done, and a day of work begun is left.
fn lengthen(task: &mut Task, asked: i64) {
    let done = (f64::from(task.duration) * task.percent_complete / 100.0).floor();
    let begun = task.percent_complete > 0.0 || task.actual_start.is_some();
    let least = if begun && task.duration > 0 { done as i64 + 1 } else { 0 };
    let after = asked.clamp(least, 366_000) as i32;
    let by = f64::from(after - task.duration);
    if task.percent_complete > 0.0 && after != task.duration {
        // Half a thousandth of a day above, so that dividing and multiplying loses no whole day.
        let share = if done > 0.0 { (done + 0.000_5) / f64::from(after) } else { 0.000_1 };
        task.percent_complete = (100.0 * share).clamp(0.0, 99.99);
    }
    let longer = |days: f64| (days + by).max(0.0);
    task.estimate = task.estimate.map(|estimate| ThreePoint {
        optimistic: longer(estimate.optimistic),
        most_likely: longer(estimate.most_likely),
        pessimistic: longer(estimate.pessimistic),
    });
    task.duration = after;
}

fn finish_of(schedule: &engine::Schedule, project: usize) -> Option<Day> {
    schedule.projects.get(project).and_then(|dates| dates.finish)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_of_work_stays_done_and_a_day_is_left() {
        let begun = Task { percent_complete: 50.0, ..Task::new(1, 10) };
        for (asked, duration, done) in [(15, 15, 5), (7, 7, 5), (2, 6, 5), (10, 10, 5)] {
            let mut task = begun.clone();
            lengthen(&mut task, asked);
            let share = f64::from(task.duration) * task.percent_complete / 100.0;
            assert_eq!((task.duration, share.floor() as i32), (duration, done), "{asked} days");
        }
        let mut task = Task {
            estimate: Some(ThreePoint { optimistic: 1.0, most_likely: 2.0, pessimistic: 6.0 }),
            ..Task::new(1, 2)
        };
        lengthen(&mut task, -3);
        let shifted = ThreePoint { optimistic: 0.0, most_likely: 0.0, pessimistic: 4.0 };
        assert_eq!((task.duration, task.estimate), (0, Some(shifted)));
    }
}
