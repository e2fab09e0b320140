//! One project of a document: its shell, labels, sprints, risks, baselines and roster.

use std::collections::HashSet;

use planwright_domain::words as domain;
use planwright_plan::containers::NewProject;
use planwright_plan::import::model::*;
use planwright_plan_files::seed::model::{Baseline, Project, Risk, Sprint};

use super::{Places, around, money, task};
use crate::programs::overrides;

pub(super) fn project(places: &Places<'_>, place: usize) -> ImportedProject {
    let project = &places.document.projects[place];
    let labels = project.labels.iter().enumerate().map(|(at, label)| ImportedLabel {
        name: label.name.clone(),
        color: label.color,
        position: label.position.map_or(at as i64 + 1, i64::from),
    });
    ImportedProject {
        fields: project_fields(places, project),
        calendar: places.calendar(project.calendar.as_deref()),
        labels: labels.collect(),
        tasks: task::tasks(places, place),
        sprints: project.sprints.iter().map(|one| sprint(places, place, one)).collect(),
        risks: project.risks.iter().map(|one| risk(places, one)).collect(),
        baselines: project.baselines.iter().map(|one| baseline(places, place, one)).collect(),
        roster: Vec::new(),
        layers: project
            .overlays
            .iter()
            .filter_map(|one| Some((places.calendar(Some(&one.calendar))?, one.role)))
            .collect(),
        custom_fields: project.custom_fields.iter().map(around::custom_field).collect(),
    }
}

fn project_fields(places: &Places<'_>, project: &Project) -> NewProject {
    let (own, usual) = (&project.settings, NewProject::named(project.name.clone(), project.start_date));
    NewProject {
        health: own.health.unwrap_or(usual.health),
        visibility: own.visibility.unwrap_or(usual.visibility),
        timezone: own.timezone.clone().unwrap_or_else(|| usual.timezone.clone()),
        board_cadence: own.board_cadence.unwrap_or(usual.board_cadence),
        stale_task_threshold_days: own.stale_task_threshold_days.unwrap_or(usual.stale_task_threshold_days),
        end_date_shift_threshold_days: own
            .end_date_shift_threshold_days
            .unwrap_or(usual.end_date_shift_threshold_days),
        prioritization_model: own.prioritization_model.unwrap_or(usual.prioritization_model),
        default_member_role: own.default_member_role.unwrap_or(usual.default_member_role),
        show_reporting: own.shows.reporting,
        show_time_tracking: own.shows.time_tracking,
        show_baselines: own.shows.baselines,
        show_monte_carlo: own.shows.monte_carlo,
        overrides: overrides::to_columns(&own.overrides),
        description: project.description.clone(),
        code: project.code.clone(),
        status_date: project.status_date,
        lag_calendar: places.document.lag_calendar_of(project),
        default_view: project.default_view.unwrap_or(domain::DefaultView::Schedule),
        estimation_mode: project.estimation_mode,
        methodology: (!own.inherits_methodology).then_some(project.methodology),
        lifecycle: if project.is_draft { domain::Lifecycle::Draft } else { domain::Lifecycle::Active },
        ..usual
    }
}

fn sprint(places: &Places<'_>, place: usize, sprint: &Sprint) -> ImportedSprint {
    ImportedSprint {
        name: sprint.name.clone(),
        goal: sprint.goal.clone(),
        notes: sprint.notes.clone(),
        state: sprint.state,
        start_date: sprint.start_date,
        finish_date: sprint.finish_date,
        committed_points: sprint.committed_points.map(i64::from),
        completed_points: sprint.completed_points.map(i64::from),
        capacity_points: sprint.capacity_points.map(i64::from),
        target_milestone: sprint.target_milestone.as_deref().and_then(|path| places.task_in(place, path)),
        goal_outcome: sprint.record.goal_outcome,
        wip_limit: sprint.record.wip_limit.map(i64::from),
        exclude_from_velocity: sprint.record.exclude_from_velocity,
        committed_task_count: sprint.record.committed_task_count.map(i64::from),
        completed_task_count: sprint.record.completed_task_count.map(i64::from),
        begun_on: sprint.record.begun_on,
        activated_at: sprint.record.activated_at,
        closed_at: sprint.record.closed_at,
    }
}

pub(super) fn risk(places: &Places<'_>, risk: &Risk) -> ImportedRisk {
    ImportedRisk {
        description: risk.description.clone(),
        likelihood_percent: risk.likelihood_percent,
        delay_days: risk.delay_days,
        title: risk.title.clone(),
        status: risk.status,
        probability: risk.probability.into(),
        impact: risk.impact.into(),
        category: risk.category,
        response: risk.response,
        mitigation_due_date: risk.mitigation_due_date,
        trigger: risk.trigger.clone(),
        contingency: risk.contingency.clone(),
        notes: risk.notes.clone(),
        owner: places.person(risk.owner.as_deref()),
        tasks: risk.tasks.iter().filter_map(|reference| places.task(reference)).collect(),
    }
}

fn baseline(places: &Places<'_>, place: usize, baseline: &Baseline) -> ImportedBaseline {
    let frozen = baseline.tasks.iter().filter_map(|row| {
        Some(FrozenTask {
            task: places.task_in(place, &row.task.wbs_path)?,
            start: row.start,
            finish: row.finish,
            duration: row.duration.map(i64::from),
            story_points: row.story_points.map(i64::from),
            name: row.kept.name.clone(),
            actual_start: row.kept.actual_start,
            actual_finish: row.kept.actual_finish,
            budget: row.kept.budget.map(money),
            is_leaf: row.kept.is_leaf,
        })
    });
    ImportedBaseline {
        name: baseline.name.clone(),
        is_active: baseline.is_active,
        captured_at: baseline.captured_at,
        calendar: places.calendar(baseline.calendar.calendar.as_deref()),
        working_days: baseline.calendar.working_days.map(i64::from),
        hours_per_day: baseline.calendar.hours_per_day,
        tasks: frozen.collect(),
    }
}

/// Who works in each project. Whoever works nowhere, and is on no roster, is on that of the first project.
pub(super) fn rosters(places: &Places<'_>) -> Vec<Vec<usize>> {
    let document = places.document;
    let mut busy: HashSet<usize> = HashSet::new();
    let mut rosters = Vec::with_capacity(document.projects.len());
    for project in &document.projects {
        let assigned = project.tasks.iter().flat_map(|task| &task.assignments);
        let own: HashSet<usize> =
            assigned.filter_map(|assignment| places.resource(&assignment.resource)).collect();
        busy.extend(&own);
        let listed = project.roster.iter().flatten();
        busy.extend(listed.filter_map(|entry| places.resource(&entry.resource)));
        rosters.push(own);
    }
    if let Some(first) = rosters.first_mut() {
        first.extend((0..document.resources.len()).filter(|resource| !busy.contains(resource)));
    }
    let in_order = |roster: HashSet<usize>| {
        let mut places: Vec<usize> = roster.into_iter().collect();
        places.sort_unstable();
        places
    };
    rosters.into_iter().map(in_order).collect()
}
