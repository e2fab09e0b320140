//! What news mean for people: whether they are worth telling, who is concerned, and what they are told.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{
    CommentId, MentionId, NotificationId, ProgramId, ProjectId, SprintId, TaskId, UserId,
};
use planwright_domain::words::NotificationKind;

use super::news::News;
use super::queries::{MemberRow, MentionedRow, MoveRow, TaskRow};
use crate::kinds::Concerned;

/// What decides whether news are worth telling.
#[derive(Debug, Default)]
pub struct Grounds {
    /// The tasks that are not deleted.
    pub tasks: HashMap<TaskId, TaskRow>,
    /// The tasks that went to another sprint, by task and time.
    pub moves: HashMap<(TaskId, DateTime<Utc>), MoveRow>,
    /// The milestones whose last forecast differs from the one before.
    pub shifted: HashSet<TaskId>,
    /// The projects whose finish is far from what people were told: the finish then and now.
    pub finishes: HashMap<ProjectId, (NaiveDate, NaiveDate)>,
    /// The sprints that are running.
    pub running: HashSet<SprintId>,
}

/// What is known about the people of the news.
#[derive(Debug, Default)]
pub struct Facts {
    /// The people who see the projects.
    pub members: Vec<MemberRow>,
    /// The mentions in the comments, without those by a group that the person has muted.
    pub mentions: Vec<MentionedRow>,
    /// The comments that are not deleted.
    pub comments: HashSet<CommentId>,
    /// What those who did it are called.
    pub names: HashMap<UserId, String>,
    /// Who is in the default teams.
    pub team: HashSet<(ProjectId, UserId)>,
    /// Who does a task.
    pub doers: HashSet<(ProjectId, UserId)>,
}

/// What one person is told.
#[derive(Debug)]
pub struct Told {
    /// The person.
    pub recipient: UserId,
    /// What it is.
    pub kind: NotificationKind,
    /// What they are told of once.
    pub occasion: String,
    /// The project; none for news of a program.
    pub project: Option<ProjectId>,
    /// The program, for news of a program.
    pub program: Option<ProgramId>,
    /// The task; none for what concerns a project or a program as a whole.
    pub task: Option<TaskId>,
    /// The comment, if it is about one.
    pub comment: Option<CommentId>,
    /// The mention, if it is one.
    pub mention: Option<MentionId>,
    /// What happened, in a sentence.
    pub body: String,
    /// Whether those who chose nothing get a mail, although the kind has none: a group says so of its mentions.
    pub is_mailed_by_default: bool,
}

/// The same with how the person wants to hear of it.
#[derive(Debug)]
pub struct Chosen {
    /// Its id.
    pub id: NotificationId,
    /// What the person is told.
    pub row: Told,
    /// Whether it is in their list.
    pub is_listed: bool,
    /// Whether they get a mail.
    pub is_mailed: bool,
}

/// The news that are worth telling. A task must be there still; a change of it must have blocked it; an assignment is told
/// only to those whose task it still is; a date of a sprint counts only while the sprint runs.
pub fn worth_telling(news: Vec<News>, grounds: &Grounds) -> Vec<News> {
    news.into_iter().filter(|one| is_worth(one, grounds)).collect()
}

fn is_worth(one: &News, grounds: &Grounds) -> bool {
    let Some(id) = one.task else {
        return one.kind.kind != NotificationKind::ProjectEndDateShifted
            || grounds.finishes.contains_key(&one.project);
    };
    let Some(task) = grounds.tasks.get(&id) else { return false };
    let moved = || grounds.moves.get(&(id, one.at));
    let is_running = |sprint: Option<SprintId>| sprint.is_some_and(|id| grounds.running.contains(&id));
    match one.kind.kind {
        NotificationKind::TaskBlocked => task.blocked_since == Some(one.at),
        NotificationKind::TaskMovedSprint => moved().is_some() && task.assignee_id.is_some(),
        NotificationKind::SprintMembershipChanged => {
            moved().is_some_and(|row| is_running(row.old_sprint_id) || is_running(row.new_sprint_id))
        }
        NotificationKind::SprintTaskRescheduled => is_running(task.sprint_id),
        NotificationKind::MilestoneForecastShifted => grounds.shifted.contains(&id),
        // Somebody else may have got the task since.
        _ if one.kind.concerned == Concerned::Assignee => {
            task.assignee_id.is_some() && task.assignee_id == one.assignee
        }
        _ => true,
    }
}

/// What people are told: those who are concerned, see the project, and did not do it themselves.
pub fn told(news: &[News], grounds: &Grounds, facts: &Facts) -> Vec<Told> {
    let mut rows = Vec::new();
    for one in news {
        if one.comment.is_some_and(|comment| !facts.comments.contains(&comment)) {
            continue;
        }
        let task = one.task.and_then(|id| grounds.tasks.get(&id));
        let is_gone = one.kind.kind == NotificationKind::ProjectDeleted;
        let sees = |person: &UserId| {
            let in_project = |row: &&MemberRow| row.project_id == one.project && row.user_id == *person;
            facts.members.iter().find(in_project).is_some_and(|row| row.is_deleted == is_gone)
        };
        for (recipient, mention) in concerned(one, task, facts) {
            if one.actor != Some(recipient) && sees(&recipient) {
                rows.push(row(one, recipient, mention, grounds, facts));
            }
        }
    }
    rows
}

fn row(
    one: &News,
    recipient: UserId,
    mention: Option<&MentionedRow>,
    grounds: &Grounds,
    facts: &Facts,
) -> Told {
    let who = one.actor.and_then(|actor| facts.names.get(&actor)).map_or("Somebody", String::as_str);
    let mention_id = mention.map(|row| row.id);
    Told {
        recipient,
        kind: one.kind.kind,
        occasion: occasion(one, mention_id),
        project: Some(one.project),
        program: None,
        task: one.task,
        comment: one.comment,
        mention: mention_id,
        body: sentence(one, who, grounds),
        is_mailed_by_default: mention.is_some_and(|row| row.is_mailed_by_default),
    }
}

/// What a person is told of once: a mention, a comment, that a task is blocked since a time, otherwise the event.
fn occasion(one: &News, mention: Option<MentionId>) -> String {
    match (mention, one.comment, one.kind.kind, one.task) {
        (Some(mention), ..) => mention.to_string(),
        (None, Some(comment), ..) => comment.to_string(),
        (None, None, NotificationKind::TaskBlocked, Some(task)) => {
            format!("{task} {}", one.at.timestamp_micros())
        }
        _ => one.event.to_string(),
    }
}

/// Why a task is blocked is for its assignee alone, so no sentence says it.
fn sentence(one: &News, who: &str, grounds: &Grounds) -> String {
    let moved = || one.task.and_then(|task| grounds.moves.get(&(task, one.at)));
    match one.kind.kind {
        NotificationKind::MentionIndividual => format!("{who} mentioned you in a comment."),
        NotificationKind::MentionGroup => format!("{who} mentioned a group in which you are."),
        NotificationKind::TaskAssigned => format!("{who} assigned the task to you."),
        NotificationKind::TaskDueDateChanged | NotificationKind::SprintTaskRescheduled => {
            format!("{who} changed the dates of the task.")
        }
        NotificationKind::CommentOnMyTask => format!("{who} wrote a comment."),
        NotificationKind::TaskBlocked => format!("{who} noted that the task is blocked."),
        NotificationKind::MilestoneForecastShifted => {
            "The close of a sprint has changed the forecast of the milestone.".to_owned()
        }
        NotificationKind::CeilingProposalOpened => {
            format!("{who} proposes to show a figure of the team to more people. Vote on it.")
        }
        NotificationKind::CeilingProposalResolved => {
            "It is decided who may see a figure of the team.".to_owned()
        }
        NotificationKind::ProjectDeleted => format!("{who} deleted the project."),
        NotificationKind::TaskMovedSprint | NotificationKind::SprintMembershipChanged => {
            moved().map(|row| movement(row, who)).unwrap_or_default()
        }
        NotificationKind::ProjectEndDateShifted => match grounds.finishes.get(&one.project) {
            Some((before, now)) => format!("The project ends on {now}. You were told {before}."),
            None => String::new(),
        },
        NotificationKind::PlanAmended => {
            format!("{who} committed the plan. Its baseline has the dates that count now.")
        }
        // Jobs write their sentences themselves.
        NotificationKind::TaskStale
        | NotificationKind::ProgramHealthDigest
        | NotificationKind::ResourceOverallocationDigest => String::new(),
    }
}

fn movement(row: &MoveRow, who: &str) -> String {
    match (&row.old_sprint_name, &row.new_sprint_name) {
        (Some(old), Some(new)) => format!("{who} moved the task from {old} to {new}."),
        (None, Some(new)) => format!("{who} put the task into {new}."),
        (Some(old), None) => format!("{who} took the task out of {old}."),
        (None, None) => String::new(),
    }
}

/// Who is concerned, each with their mention.
fn concerned<'a>(
    one: &News,
    task: Option<&TaskRow>,
    facts: &'a Facts,
) -> Vec<(UserId, Option<&'a MentionedRow>)> {
    let assignee = || task.and_then(|task| task.assignee_id).map(|id| (id, None)).into_iter();
    let mentions = || facts.mentions.iter().filter(|row| Some(row.comment_id) == one.comment);
    let by = |is_by_group: bool| {
        mentions()
            .filter(move |row| row.group_key.is_some() == is_by_group)
            .map(|row| (row.mentioned_id, Some(row)))
    };
    let members = || facts.members.iter().filter(|row| row.project_id == one.project);
    let managers = || members().filter(|row| row.role.rank() >= Role::ProjectManager.rank());
    let those = |people: &HashSet<(ProjectId, UserId)>| {
        let here = members().filter(|row| people.contains(&(one.project, row.user_id)));
        here.map(|row| (row.user_id, None)).collect()
    };
    match one.kind.concerned {
        Concerned::MentionedByName => by(false).collect(),
        Concerned::MentionedByGroup => by(true).collect(),
        Concerned::Assignee => assignee().collect(),
        Concerned::AssigneeUnlessMentioned => {
            assignee().filter(|(id, _)| mentions().all(|row| row.mentioned_id != *id)).collect()
        }
        Concerned::AssigneeAndManagers => {
            let is_assignee =
                |row: &&MemberRow| task.is_some_and(|task| task.assignee_id == Some(row.user_id));
            let others = managers().filter(|row| !is_assignee(row)).map(|row| (row.user_id, None));
            assignee().chain(others).collect()
        }
        Concerned::Managers => managers().map(|row| (row.user_id, None)).collect(),
        Concerned::Members => members().map(|row| (row.user_id, None)).collect(),
        Concerned::Team => those(&facts.team),
        Concerned::Doers => those(&facts.doers),
        Concerned::Subscribers => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::events::{SocketEvent, WebhookEvent};
    use planwright_domain::words::Word;
    use planwright_store::outbox::Waiting;
    use serde_json::json;
    use uuid::Uuid;

    use super::super::news::news;
    use super::*;

    fn at() -> DateTime<Utc> {
        "2026-01-05T08:00:00Z".parse().unwrap()
    }

    fn uuid(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn event(name: WebhookEvent, actor: u128) -> Waiting {
        Waiting {
            id: uuid(90),
            at: at(),
            actor_id: Some(UserId(uuid(actor))),
            channel: "webhook".to_owned(),
            name: name.as_str().to_owned(),
            project_id: Some(ProjectId(uuid(50))),
            program_id: None,
            payload: json!({"id": uuid(60), "comment_id": uuid(70), "assignee": uuid(1)}),
        }
    }

    /// Person 1 is assigned the task, person 2 manages the project, person 3 is a member, person 4 is gone.
    fn facts(mentioned: &[(u128, Option<&str>)]) -> (Grounds, Facts) {
        let (task_id, project_id) = (TaskId(uuid(60)), ProjectId(uuid(50)));
        let task = TaskRow {
            id: task_id,
            assignee_id: Some(UserId(uuid(1))),
            blocked_since: Some(at()),
            sprint_id: Some(SprintId(uuid(40))),
        };
        let member =
            |(id, role)| MemberRow { project_id, user_id: UserId(uuid(id)), role, is_deleted: false };
        let mention = |(id, group): &(u128, Option<&str>)| MentionedRow {
            id: MentionId(uuid(80 + id)),
            comment_id: CommentId(uuid(70)),
            mentioned_id: UserId(uuid(*id)),
            group_key: group.map(str::to_owned),
            is_mailed_by_default: false,
        };
        let grounds = Grounds { tasks: HashMap::from([(task_id, task)]), ..Grounds::default() };
        let facts = Facts {
            members: [(1, Role::Member), (2, Role::ProjectManager), (3, Role::Member)].map(member).to_vec(),
            mentions: mentioned.iter().map(mention).collect(),
            comments: HashSet::from([CommentId(uuid(70))]),
            names: HashMap::from([(UserId(uuid(2)), "Ona".to_owned())]),
            ..Facts::default()
        };
        (grounds, facts)
    }

    fn heard(events: &[Waiting], (grounds, facts): &(Grounds, Facts)) -> Vec<(u128, &'static str)> {
        let news = worth_telling(news(events), grounds);
        told(&news, grounds, facts).iter().map(|row| (row.recipient.0.as_u128(), row.kind.as_str())).collect()
    }

    #[test]
    fn an_assignee_hears_of_the_task_and_nobody_hears_of_what_they_did() {
        let assigned = |actor| [event(WebhookEvent::TaskAssigned, actor)];
        assert_eq!(heard(&assigned(2), &facts(&[])), [(1, "task.assigned")]);
        assert_eq!(heard(&assigned(1), &facts(&[])), []);
    }

    #[test]
    fn whoever_was_assigned_the_task_for_a_moment_hears_nothing() {
        let mut earlier = event(WebhookEvent::TaskAssigned, 2);
        earlier.payload["assignee"] = json!(uuid(3));
        assert_eq!(heard(&[earlier], &facts(&[])), []);
    }

    #[test]
    fn dates_that_come_with_an_assignment_are_not_told_by_themselves() {
        let both = [event(WebhookEvent::TaskAssigned, 2), event(WebhookEvent::TaskDueDateChanged, 2)];
        assert_eq!(heard(&both, &facts(&[])), [(1, "task.assigned")]);
        let dates = [event(WebhookEvent::TaskUpdated, 2), event(WebhookEvent::TaskDueDateChanged, 2)];
        assert!(heard(&dates, &facts(&[])).contains(&(1, "task.due_date_changed")));
    }

    #[test]
    fn a_mention_wins_over_the_comment_and_people_who_are_gone_hear_nothing() {
        let said = [event(WebhookEvent::CommentCreated, 2), event(WebhookEvent::TaskMentioned, 2)];
        assert_eq!(heard(&said, &facts(&[])), [(1, "comment_on_my_task")]);
        let mentioned = facts(&[(1, None), (3, Some("crew")), (4, None)]);
        assert_eq!(heard(&said, &mentioned), [(1, "mention_individual"), (3, "mention_group")]);
        let (grounds, mentioned) = mentioned;
        let deleted = (grounds, Facts { comments: HashSet::new(), ..mentioned });
        assert_eq!(heard(&said, &deleted), []);
    }

    #[test]
    fn a_block_is_told_to_assignee_and_managers_when_it_begins() {
        let changed = [event(WebhookEvent::TaskUpdated, 3)];
        assert_eq!(heard(&changed, &facts(&[])), [(1, "task.blocked"), (2, "task.blocked")]);
        let mut earlier = facts(&[]);
        earlier.0.tasks.values_mut().for_each(|task| task.blocked_since = None);
        assert_eq!(heard(&changed, &earlier), []);
    }

    fn channel(name: SocketEvent, payload: serde_json::Value) -> Waiting {
        Waiting {
            channel: "socket".to_owned(),
            name: name.as_str().to_owned(),
            payload,
            ..event(WebhookEvent::TaskUpdated, 3)
        }
    }

    #[test]
    fn a_move_between_sprints_is_told_to_the_assignee_and_to_managers_while_a_sprint_runs() {
        let (mut grounds, facts) = facts(&[]);
        let moved =
            |fields| [channel(SocketEvent::TaskUpdated, json!({"id": uuid(60), "changed_fields": fields}))];
        let row = MoveRow {
            task_id: TaskId(uuid(60)),
            at: at(),
            old_sprint_id: None,
            new_sprint_id: Some(SprintId(uuid(40))),
            old_sprint_name: None,
            new_sprint_name: Some("Sprint 1".to_owned()),
        };
        grounds.moves.insert((TaskId(uuid(60)), at()), row);
        let with = (grounds, facts);
        assert_eq!(heard(&moved(["name"]), &with), []);
        assert_eq!(heard(&moved(["sprint"]), &with), [(1, "task.moved_sprint")]);
        let (mut grounds, facts) = with;
        grounds.running.insert(SprintId(uuid(40)));
        let with = (grounds, facts);
        assert_eq!(
            heard(&moved(["sprint"]), &with),
            [(1, "task.moved_sprint"), (2, "sprint.membership_changed")]
        );
        let dates = [event(WebhookEvent::TaskDueDateChanged, 3)];
        assert_eq!(heard(&dates, &with), [(1, "task.due_date_changed"), (2, "sprint.task_rescheduled")]);
    }

    #[test]
    fn a_finish_is_told_when_it_is_far_from_what_people_know() {
        let (grounds, facts) = facts(&[]);
        let mut recalculated = event(WebhookEvent::ScheduleRecalculated, 3);
        recalculated.payload = json!({"project": uuid(50), "project_finish": "2026-03-20"});
        let events = [recalculated];
        let mut with = (grounds, facts);
        assert_eq!(heard(&events, &with), []);
        let days = ("2026-03-02".parse().unwrap(), "2026-03-20".parse().unwrap());
        with.0.finishes.insert(ProjectId(uuid(50)), days);
        assert_eq!(heard(&events, &with), [(2, "project.end_date_shifted")]);
    }
}
