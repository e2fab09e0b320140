//! Every statement behind telling people. Each reads for all news at once.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CommentId, MentionId, ProjectId, SprintId, TaskId, UserId};
use planwright_domain::words::SprintState;
use planwright_domain::{Role, person};
use planwright_store::value::list;
use planwright_store::{Read, Result, ToValue, Tx, Value, row, sql};
use planwright_web::visible::project_is_open_to;

use super::news::News;
use super::rules::Chosen;
use crate::kinds::Kind;

row! {
    /// What is known of a task.
    pub struct TaskRow {
        pub id: TaskId,
        pub assignee_id: Option<UserId>,
        pub blocked_since: Option<DateTime<Utc>>,
        pub sprint_id: Option<SprintId>,
    }
}

row! {
    /// That a task went to another sprint, or into or out of one.
    pub struct MoveRow {
        pub task_id: TaskId,
        pub at: DateTime<Utc>,
        pub old_sprint_id: Option<SprintId>,
        pub new_sprint_id: Option<SprintId>,
        pub old_sprint_name: Option<String>,
        pub new_sprint_name: Option<String>,
    }
}

row! {
    /// Somebody who sees a project, or saw it until it was deleted.
    pub struct MemberRow { pub project_id: ProjectId, pub user_id: UserId, pub role: Role, pub is_deleted: bool }
}

row! {
    /// A mention that its person hears of.
    pub struct MentionedRow {
        pub id: MentionId,
        pub comment_id: CommentId,
        pub mentioned_id: UserId,
        pub group_key: Option<String>,
        pub is_mailed_by_default: bool,
    }
}

fn comments(news: &[News]) -> Vec<CommentId> {
    let comments: HashSet<CommentId> = news.iter().filter_map(|one| one.comment).collect();
    comments.into_iter().collect()
}

fn projects_of(news: &[News]) -> Value {
    let projects: HashSet<ProjectId> = news.iter().map(|one| one.project).collect();
    list(projects)
}

/// The tasks of the news, without deleted ones.
pub async fn tasks(db: &dyn Read, news: &[News]) -> Result<HashMap<TaskId, TaskRow>> {
    let tasks: HashSet<TaskId> = news.iter().filter_map(|one| one.task).collect();
    if tasks.is_empty() {
        return Ok(HashMap::new());
    }
    let select = "SELECT id, assignee_id, blocked_since, sprint_id FROM tasks
         WHERE id IN (:tasks) AND deletion_id IS NULL";
    let rows: Vec<TaskRow> = db.all(sql!(select, tasks = list(tasks))).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Where tasks went from one sprint to another since a time.
pub async fn moves(
    db: &dyn Read,
    tasks: Vec<TaskId>,
    since: DateTime<Utc>,
) -> Result<HashMap<(TaskId, DateTime<Utc>), MoveRow>> {
    let select = "SELECT x.task_id, x.at, x.old_sprint_id, x.new_sprint_id, o.name AS old_sprint_name,
            w.name AS new_sprint_name
         FROM task_transitions x
         LEFT JOIN sprints o ON o.id = x.old_sprint_id
         LEFT JOIN sprints w ON w.id = x.new_sprint_id
         WHERE x.task_id IN (:tasks) AND x.at >= :since
           AND (x.old_sprint_id IS NOT NULL OR x.new_sprint_id IS NOT NULL)
           AND (x.old_sprint_id IS NULL OR x.new_sprint_id IS NULL OR x.old_sprint_id <> x.new_sprint_id)";
    let rows: Vec<MoveRow> = db.all(sql!(select, tasks = list(tasks), since = since)).await?;
    Ok(rows.into_iter().map(|row| ((row.task_id, row.at), row)).collect())
}

/// Those of some sprints that are running.
pub async fn running(db: &dyn Read, sprints: Vec<SprintId>) -> Result<HashSet<SprintId>> {
    let select = "SELECT id FROM sprints WHERE id IN (:sprints) AND state = :active AND deletion_id IS NULL";
    let found = db.scalars(sql!(select, sprints = list(sprints), active = SprintState::Active)).await?;
    Ok(found.into_iter().collect())
}

/// Those of some milestones whose last forecast has other dates than the one before it.
pub async fn shifted(db: &dyn Read, milestones: Vec<TaskId>) -> Result<HashSet<TaskId>> {
    let select = "SELECT a.milestone_id FROM milestone_forecasts a
         JOIN milestone_forecasts b ON b.milestone_id = a.milestone_id
         WHERE a.milestone_id IN (:milestones)
           AND a.id = (SELECT x.id FROM milestone_forecasts x WHERE x.milestone_id = a.milestone_id
                ORDER BY x.taken_at DESC, x.id DESC LIMIT 1)
           AND b.id = (SELECT x.id FROM milestone_forecasts x WHERE x.milestone_id = a.milestone_id
                ORDER BY x.taken_at DESC, x.id DESC LIMIT 1 OFFSET 1)
           AND (a.p50 IS DISTINCT FROM b.p50 OR a.p80 IS DISTINCT FROM b.p80)";
    Ok(db.scalars(sql!(select, milestones = list(milestones))).await?.into_iter().collect())
}

/// The people who see the projects of the news, or saw them until they were deleted.
pub async fn members(db: &dyn Read, news: &[News]) -> Result<Vec<MemberRow>> {
    let is_open = project_is_open_to("u", "p");
    let select = format!(
        "SELECT m.project_id, m.user_id, m.role, p.deletion_id IS NOT NULL AS is_deleted
         FROM project_members m
         JOIN projects p ON p.id = m.project_id
         JOIN users u ON u.id = m.user_id AND u.is_active
         WHERE m.project_id IN (:projects) AND {is_open}
           AND (m.deletion_id IS NULL OR (p.deletion_id IS NOT NULL AND m.deletion_id = p.deletion_id))
         ORDER BY m.user_id"
    );
    db.all(sql!(select, projects = projects_of(news))).await
}

/// Who is in the default teams of the projects of the news.
pub async fn team(db: &dyn Read, news: &[News]) -> Result<HashSet<(ProjectId, UserId)>> {
    let select =
        "SELECT t.project_id, x.user_id FROM team_members x JOIN teams t ON t.id = x.team_id AND t.is_default
         WHERE t.project_id IN (:projects)";
    Ok(db.all(sql!(select, projects = projects_of(news))).await?.into_iter().collect())
}

/// Who does a task of the projects of the news: as assignee, or as a resource.
pub async fn doers(db: &dyn Read, news: &[News]) -> Result<HashSet<(ProjectId, UserId)>> {
    let select = "SELECT t.project_id, t.assignee_id FROM tasks t
         WHERE t.project_id IN (:projects) AND t.deletion_id IS NULL AND t.assignee_id IS NOT NULL
         UNION SELECT t.project_id, r.user_id FROM tasks t
         JOIN task_resources a ON a.task_id = t.id AND a.deletion_id IS NULL
         JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
         WHERE t.project_id IN (:projects) AND t.deletion_id IS NULL AND r.user_id IS NOT NULL";
    Ok(db.all(sql!(select, projects = projects_of(news))).await?.into_iter().collect())
}

/// The mentions in the comments of the news, without those by a group that the person has muted.
pub async fn mentions(db: &dyn Read, news: &[News]) -> Result<Vec<MentionedRow>> {
    let comments = comments(news);
    if comments.is_empty() {
        return Ok(Vec::new());
    }
    let select = "SELECT m.id, m.comment_id, m.mentioned_id, m.group_key,
            EXISTS (SELECT 1 FROM mention_groups g JOIN projects p ON p.id = m.project_id
                WHERE g.name_key = LOWER(m.group_key) AND g.deletion_id IS NULL AND g.email_default_on
                  AND (g.project_id = p.id OR g.program_id = p.program_id)) AS is_mailed_by_default
         FROM mentions m WHERE m.comment_id IN (:comments) AND NOT m.is_muted ORDER BY m.id";
    db.all(sql!(select, comments = list(comments))).await
}

/// The comments of the news that are not deleted.
pub async fn live_comments(db: &dyn Read, news: &[News]) -> Result<HashSet<CommentId>> {
    let comments = comments(news);
    if comments.is_empty() {
        return Ok(HashSet::new());
    }
    let select = "SELECT id FROM task_comments
         WHERE id IN (:comments) AND deleted_at IS NULL AND deletion_id IS NULL";
    Ok(db.scalars(sql!(select, comments = list(comments))).await?.into_iter().collect())
}

/// What those who made the news are called.
pub async fn names(db: &dyn Read, news: &[News]) -> Result<HashMap<UserId, String>> {
    let actors: HashSet<UserId> = news.iter().filter_map(|one| one.actor).collect();
    let select = "SELECT id, first_name, last_name, username FROM users WHERE id IN (:actors)";
    let rows: Vec<(UserId, String, String, String)> = db.all(sql!(select, actors = list(actors))).await?;
    let name = |(id, first, last, username): (UserId, String, String, String)| {
        (id, person::display_name(&first, &last, &username))
    };
    Ok(rows.into_iter().map(name).collect())
}

/// Writes what people are told. Who was told of the same occasion before is not told again.
pub async fn insert(tx: &mut Tx, rows: &[Chosen]) -> Result<()> {
    let insert = "INSERT INTO notifications (id, recipient_id, kind, category, occasion, project_id, program_id, task_id,
            comment_id, mention_id, body, is_listed, is_archived, created_at)
         VALUES (:id, :recipient, :kind, :category, :occasion,
            :project, :program, :task, :comment, :mention, :body, :listed, :archived, :now)
         ON CONFLICT (recipient_id, kind, occasion) DO NOTHING";
    let now = tx.now();
    let values = |Chosen { id, row, is_listed, .. }: &Chosen| {
        vec![
            ("id", id.to_value()),
            ("recipient", row.recipient.to_value()),
            ("kind", row.kind.to_value()),
            ("category", Kind::of(row.kind).category.to_value()),
            ("occasion", row.occasion.as_str().to_value()),
            ("project", row.project.to_value()),
            ("program", row.program.to_value()),
            ("task", row.task.to_value()),
            ("comment", row.comment.to_value()),
            ("mention", row.mention.to_value()),
            ("body", row.body.as_str().to_value()),
            ("listed", is_listed.to_value()),
            ("archived", false.to_value()),
            ("now", now.to_value()),
        ]
    };
    let values: Vec<_> = rows.iter().map(values).collect();
    tx.run_rows(insert, values).await.map(drop)
}
