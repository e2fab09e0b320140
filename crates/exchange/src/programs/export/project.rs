//! One project of a document: its own fields, labels, sprints, risks and baselines.
//! Values that a document cannot hold are brought into bounds, so that every export can be read again.

use std::collections::{HashMap, HashSet};

use chrono::Days;
use planwright_domain::ids::{
    BaselineId, CalendarId, LabelId, ProjectId, ResourceId, RiskId, SprintId, TaskId, UserId,
};
use planwright_domain::words::{DefaultView, Lifecycle, Signal, SprintState, Withheld, Word};
use planwright_plan::baseline_budgets::{Place, looks_like_work};
use planwright_plan::containers::NewProject;
use planwright_plan::sprints::velocity_gate::readable;
use planwright_plan_files::seed::model::{
    Baseline, BaselineCalendar, BaselineTask, KeptOfTask, Label, Project, ProjectSettings, Risk, Shows,
    Sprint, SprintRecord,
};
use planwright_plan_files::seed::{Slugs, TaskReference, scalars};
use planwright_store::{Read, Result};

use super::around::{self, Gathered};
use super::library::money;
use super::queries::*;
use super::task::{Around, points};
use super::{Names, people::Reference, queries, task, unusual};
use crate::programs::overrides;

/// What is stored inside one project.
pub(super) struct Inside {
    pub(super) tasks: Vec<TaskRow>,
    pub(super) risks: Vec<RiskRow>,
    labels: Vec<LabelRow>,
    sprints: Vec<SprintRow>,
    baselines: Vec<BaselineRow>,
    frozen: Vec<FrozenRow>,
    task_labels: Vec<(TaskId, LabelId)>,
    allocations: Vec<(TaskId, ResourceId, i64)>,
    risk_tasks: Vec<(RiskId, TaskId)>,
    /// What its reader may not see.
    hidden: HashSet<Withheld>,
}

impl Inside {
    /// The calendars that were in force when baselines were captured.
    pub(super) fn calendars(&self) -> impl Iterator<Item = CalendarId> + '_ {
        self.baselines.iter().filter_map(|baseline| baseline.calendar_id)
    }

    /// Everything inside each of several projects, in their order.
    pub(super) async fn load(
        db: &dyn Read,
        projects: &[ProjectId],
        reader: Option<UserId>,
    ) -> Result<Vec<Self>> {
        let mut tasks = queries::tasks(db, projects).await?;
        let mut risks = queries::risks(db, projects).await?;
        let mut labels = queries::labels(db, projects).await?;
        let mut sprints = queries::sprints(db, projects).await?;
        let mut hidden: HashMap<ProjectId, HashSet<Withheld>> = HashMap::new();
        if let Some(reader) = reader {
            let open = readable(db, Signal::Velocity, reader, projects.iter().copied()).await?;
            for (project, rows) in sprints.iter_mut().filter(|(project, _)| !open.contains(project)) {
                for row in rows {
                    let hides =
                        row.completed_points.take().is_some() | row.completed_task_count.take().is_some();
                    hidden.entry(*project).or_default().extend(hides.then_some(Withheld::Velocity));
                }
            }
        }
        for (project, rows) in &tasks {
            let hides = rows.iter().any(|row| around::hides_reason(row, reader));
            hidden.entry(*project).or_default().extend(hides.then_some(Withheld::BlockedReasons));
        }
        let mut baselines = queries::baselines(db, projects).await?;
        let mut frozen = queries::frozen(db, projects).await?;
        let mut task_labels = queries::task_labels(db, projects).await?;
        let mut allocations = queries::allocations(db, projects).await?;
        let mut risk_tasks = queries::risk_tasks(db, projects).await?;
        let of = |project: &ProjectId| Self {
            tasks: tasks.remove(project).unwrap_or_default(),
            risks: risks.remove(project).unwrap_or_default(),
            labels: labels.remove(project).unwrap_or_default(),
            sprints: sprints.remove(project).unwrap_or_default(),
            baselines: baselines.remove(project).unwrap_or_default(),
            frozen: frozen.remove(project).unwrap_or_default(),
            task_labels: task_labels.remove(project).unwrap_or_default(),
            allocations: allocations.remove(project).unwrap_or_default(),
            risk_tasks: risk_tasks.remove(project).unwrap_or_default(),
            hidden: hidden.remove(project).unwrap_or_default(),
        };
        Ok(projects.iter().map(of).collect())
    }
}

impl Inside {
    /// What its reader may not see, with what was missing already when it was imported.
    fn withheld(&self, before: Option<&Vec<Withheld>>) -> Vec<Withheld> {
        let is_missing = |word: &Withheld| {
            self.hidden.contains(word) || before.is_some_and(|before| before.contains(word))
        };
        Withheld::ALL.iter().copied().filter(is_missing).collect()
    }

    /// The resources that work in it.
    pub(super) fn working(&self) -> impl Iterator<Item = ResourceId> + '_ {
        self.allocations.iter().map(|(_, resource, _)| *resource)
    }
}

impl Names<'_> {
    /// The project at a place; the names it gives to sprints and risks are noted for the events.
    pub(super) fn project(
        &self,
        at: usize,
        row: &ProjectRow,
        inside: Inside,
        gathered: &mut Gathered,
        sprint_names: &mut HashMap<SprintId, String>,
        risk_names: &mut HashMap<RiskId, String>,
    ) -> Project {
        let slug = self.project_slugs[at].clone();
        let withheld = inside.withheld(self.left.withheld.get(&row.id));
        let (labels, label_places) = labels(&inside.labels);
        let sprints = self.sprints(&slug, &inside.sprints);
        let working: HashSet<ResourceId> = inside.working().collect();
        let roster = gathered.roster(row.id, at == 0, &working, self.busy, self.library);
        let risks = self.risks(&inside.risks, inside.risk_tasks);
        let own_sprints: HashMap<SprintId, String> = sprint_slugs(&inside.sprints, &sprints);
        let qualified = |name: &String| format!("{slug}:{name}");
        sprint_names.extend(own_sprints.iter().map(|(id, name)| (*id, qualified(name))));
        risk_names.extend(inside.risks.iter().zip(&risks).map(|(row, one)| (row.id, qualified(&one.slug))));
        let around =
            Around::of(inside.task_labels, inside.allocations, &labels, &label_places, own_sprints, self);
        Project {
            name: row.name.clone(),
            methodology: row.methodology,
            start_date: row.start_date,
            status_date: row.status_date,
            description: row.description.clone(),
            calendar: self.library.calendar(row.calendar_id),
            lag_calendar: Some(row.lag_calendar),
            code: Some(row.code.clone()).filter(|code| scalars::is_code(code)).unwrap_or_default(),
            default_view: Some(row.default_view).filter(|view| *view != DefaultView::Schedule),
            estimation_mode: row.estimation_mode,
            forecast_history: self.left.forecasts.get(&row.id).cloned(),
            board_columns: self.left.board_columns.get(&row.id).cloned().unwrap_or_default(),
            tasks: task::tasks(self, at, row.methodology, around, gathered),
            roster,
            overlays: gathered.overlays(row.id, self.library),
            custom_fields: gathered.custom_fields(row.id),
            is_draft: row.lifecycle == Lifecycle::Draft,
            settings: settings(row),
            withheld,
            dependencies: Vec::new(),
            baselines: self.baselines(at, &slug, &inside.baselines, inside.frozen),
            slug,
            labels,
            sprints,
            risks,
        }
    }

    fn sprints(&self, home: &str, rows: &[SprintRow]) -> Vec<Sprint> {
        let mut slugs = Slugs::new();
        let mut has_active = false;
        let milestone = |id: TaskId| {
            let place = self.tree.place(id)?;
            let row = self.tree.row(place);
            let reference = self.tree.reference(id).filter(|one| one.project == home)?;
            task::is_milestone(row).then_some(reference.wbs_path)
        };
        let sprint = |row: &SprintRow| {
            let state = row.state;
            let is_second = state == SprintState::Active && std::mem::replace(&mut has_active, true);
            Sprint {
                slug: slugs.make(&row.name, "sprint"),
                name: row.name.clone(),
                state: if is_second { SprintState::Planned } else { state },
                start_date: row.start_date,
                finish_date: row.finish_date.max(row.start_date + Days::new(1)),
                goal: row.goal.clone(),
                notes: row.notes.clone(),
                committed_points: points(row.committed_points),
                completed_points: points(row.completed_points),
                capacity_points: points(row.capacity_points),
                target_milestone: row.target_milestone_id.and_then(milestone),
                record: sprint_record(row),
            }
        };
        rows.iter().map(sprint).collect()
    }

    fn risks(&self, rows: &[RiskRow], threatened: Vec<(RiskId, TaskId)>) -> Vec<Risk> {
        let mut slugs = Slugs::new();
        let mut tasks: HashMap<RiskId, Vec<TaskId>> = HashMap::new();
        for (risk, task) in threatened {
            tasks.entry(risk).or_default().push(task);
        }
        let grade = |grade: i64| u8::try_from(grade.clamp(1, 5)).unwrap_or(1);
        let risk = |row: &RiskRow| Risk {
            slug: slugs.make(&row.title, "risk"),
            title: row.title.clone(),
            status: row.status,
            probability: grade(row.probability),
            impact: grade(row.impact),
            description: row.description.clone(),
            likelihood_percent: row.likelihood_percent,
            delay_days: [row.delay_low_days, row.delay_days, row.delay_high_days],
            category: row.category,
            response: row.response,
            mitigation_due_date: row.mitigation_due_date,
            trigger: row.trigger_text.clone(),
            contingency: row.contingency.clone(),
            notes: row.notes.clone(),
            owner: self
                .people
                .account(&Reference { user: row.owner_id, account: self.left.owners.get(&row.id).cloned() }),
            tasks: self.tree.references(tasks.remove(&row.id).unwrap_or_default()),
        };
        rows.iter().map(risk).collect()
    }

    /// The rows of a baseline that an import takes for work, if the document does not say it.
    fn taken_for_work(&self, at: usize, rows: &[(usize, FrozenRow)]) -> HashSet<TaskId> {
        let place = |(task, frozen): &(usize, FrozenRow)| {
            let task = &self.tree.row((at, *task)).task;
            let is_recurring = frozen.is_recurring;
            Place { task: task.id, parent: task.parent_id, is_subtask: task.is_subtask, is_recurring }
        };
        looks_like_work(&rows.iter().map(place).collect::<Vec<_>>())
    }

    fn baselines(
        &self,
        at: usize,
        home: &str,
        rows: &[BaselineRow],
        frozen: Vec<FrozenRow>,
    ) -> Vec<Baseline> {
        let mut by_baseline: HashMap<BaselineId, Vec<(usize, FrozenRow)>> = HashMap::new();
        for row in frozen {
            let place = self.tree.place(row.task_id).filter(|(project, _)| *project == at);
            if let Some((_, task)) = place {
                by_baseline.entry(row.baseline_id).or_default().push((task, row));
            }
        }
        let mut has_active = false;
        let baseline = |row: &BaselineRow| {
            let mut own = by_baseline.remove(&row.id).unwrap_or_default();
            own.sort_by_key(|(task, _)| *task);
            let work = self.taken_for_work(at, &own);
            let tasks = own.into_iter().map(|(task, frozen)| BaselineTask {
                task: TaskReference::new(home, &self.tree.row((at, task)).path),
                start: frozen.start_date,
                finish: frozen
                    .finish_date
                    .filter(|finish| frozen.start_date.is_none_or(|start| start <= *finish)),
                duration: task::duration(frozen.duration),
                story_points: points(frozen.story_points),
                kept: KeptOfTask {
                    name: frozen.task_name.filter(|name| !name.trim().is_empty()),
                    actual_start: frozen.actual_start,
                    actual_finish: frozen.actual_finish,
                    budget: frozen.budget.map(money),
                    is_leaf: frozen.is_leaf.filter(|is_leaf| *is_leaf != work.contains(&frozen.task_id)),
                },
            });
            Baseline {
                name: row.name.clone(),
                tasks: tasks.collect(),
                is_active: row.is_active && !std::mem::replace(&mut has_active, row.is_active),
                captured_at: Some(row.created_at),
                calendar: BaselineCalendar {
                    calendar: self.library.calendar(row.calendar_id),
                    working_days: row.working_days.and_then(|days| u8::try_from(days).ok()),
                    hours_per_day: row.hours_per_day,
                },
            }
        };
        rows.iter().map(baseline).collect()
    }
}

fn labels(rows: &[LabelRow]) -> (Vec<Label>, HashMap<LabelId, usize>) {
    let mut slugs = Slugs::new();
    let label = |row: &LabelRow| Label {
        slug: slugs.make(&row.name, "label"),
        name: row.name.clone(),
        color: row.color,
        position: u32::try_from(row.position.clamp(0, 32_767)).ok(),
    };
    let labels = rows.iter().map(label).collect();
    (labels, rows.iter().enumerate().map(|(at, row)| (row.id, at)).collect())
}

/// What a project says of itself where that is not what a new one says.
fn settings(row: &ProjectRow) -> ProjectSettings {
    let (kept, usual) = (row.kept.clone(), NewProject::named("", row.start_date));
    ProjectSettings {
        inherits_methodology: row.own_methodology.is_none(),
        health: unusual(kept.health, usual.health),
        visibility: unusual(kept.visibility, usual.visibility),
        timezone: unusual(kept.timezone, usual.timezone),
        board_cadence: unusual(kept.board_cadence, usual.board_cadence),
        stale_task_threshold_days: unusual(kept.stale_task_threshold_days, usual.stale_task_threshold_days),
        end_date_shift_threshold_days: unusual(
            kept.end_date_shift_threshold_days,
            usual.end_date_shift_threshold_days,
        ),
        prioritization_model: unusual(kept.prioritization_model, usual.prioritization_model),
        default_member_role: unusual(kept.default_member_role, usual.default_member_role),
        shows: Shows {
            reporting: kept.show_reporting,
            time_tracking: kept.show_time_tracking,
            baselines: kept.show_baselines,
            monte_carlo: kept.show_monte_carlo,
        },
        overrides: overrides::from_columns(kept.overrides),
    }
}

fn sprint_record(row: &SprintRow) -> SprintRecord {
    SprintRecord {
        goal_outcome: row.goal_outcome,
        wip_limit: points(row.wip_limit),
        exclude_from_velocity: row.exclude_from_velocity,
        committed_task_count: points(row.committed_task_count),
        completed_task_count: points(row.completed_task_count),
        begun_on: row.begun_on,
        activated_at: row.activated_at,
        closed_at: row.closed_at,
    }
}

fn sprint_slugs(rows: &[SprintRow], sprints: &[Sprint]) -> HashMap<SprintId, String> {
    rows.iter().zip(sprints).map(|(row, sprint)| (row.id, sprint.slug.clone())).collect()
}
