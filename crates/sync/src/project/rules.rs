//! By which counters the rows of a project are numbered, and which numbers a pull asks for. Nothing here reads the
//! database.

use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_web::ProjectScope;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What a person had read of a project: how far each counter was, and the role they had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counters {
    /// That of the plan: tasks, their dates, and links.
    pub(crate) plan: i64,
    /// That of all other rows of the project.
    pub(crate) rows: i64,
    /// That of the workspace: calendars, and what people log.
    pub(crate) workspace: i64,
    /// The rank that the person had in the project. Some rows are not for everybody.
    pub(crate) rank: i64,
}

/// A collection of a pull. They are sent in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collection {
    Projects,
    Calendars,
    Memberships,
    Labels,
    Sprints,
    Tasks,
    Dependencies,
    TaskRelations,
    TaskRecurrenceRules,
    TaskSuggestedAssignees,
    TaskLinks,
    Risks,
    SprintRetros,
    RetroActionItems,
    TimeEntries,
}

impl Collection {
    /// All of them. A row comes after those that it refers to.
    pub(super) const ALL: [Self; 15] = [
        Self::Projects,
        Self::Calendars,
        Self::Memberships,
        Self::Labels,
        Self::Sprints,
        Self::Tasks,
        Self::Dependencies,
        Self::TaskRelations,
        Self::TaskRecurrenceRules,
        Self::TaskSuggestedAssignees,
        Self::TaskLinks,
        Self::Risks,
        Self::SprintRetros,
        Self::RetroActionItems,
        Self::TimeEntries,
    ];

    /// Its name in the answer.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Projects => "projects",
            Self::Calendars => "calendars",
            Self::Memberships => "memberships",
            Self::Labels => "labels",
            Self::Sprints => "sprints",
            Self::Tasks => "tasks",
            Self::Dependencies => "dependencies",
            Self::TaskRelations => "task_relations",
            Self::TaskRecurrenceRules => "task_recurrence_rules",
            Self::TaskSuggestedAssignees => "task_suggested_assignees",
            Self::TaskLinks => "task_links",
            Self::Risks => "risks",
            Self::SprintRetros => "sprint_retros",
            Self::RetroActionItems => "retro_action_items",
            Self::TimeEntries => "time_entries",
        }
    }

    /// The counter that numbers its rows.
    fn count(self, counters: &Counters) -> i64 {
        match self {
            Self::Tasks | Self::Dependencies => counters.plan,
            Self::Calendars | Self::TimeEntries => counters.workspace,
            _ => counters.rows,
        }
    }

    /// Whether what somebody sees of it depends on their role.
    const fn is_by_role(self) -> bool {
        matches!(self, Self::SprintRetros | Self::RetroActionItems | Self::TaskSuggestedAssignees)
    }
}

/// A pull: of what, for whom, from where to where.
#[derive(Debug)]
pub(super) struct Pull {
    project: ProjectId,
    me: UserId,
    before: Option<Counters>,
    until: Counters,
}

/// The rows of a collection that a page asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) project: ProjectId,
    pub(super) me: UserId,
    /// Whether the caller reads what teams keep to themselves.
    pub(super) reads_all: bool,
    /// Whether the caller sees how every suggestion was decided.
    pub(super) manages: bool,
    /// Rows with a higher number than this.
    pub(super) since: i64,
    /// Rows with at most this number. What changed later comes with the next pull.
    pub(super) until: i64,
    /// Whether rows that are gone are named.
    pub(super) with_gone: bool,
    /// The number and id of the last row before.
    pub(super) after: (i64, Uuid),
    /// The most rows.
    pub(super) limit: usize,
}

impl Pull {
    /// A pull of a person who had read so far, if that is known.
    pub(super) fn of(
        scope: &ProjectScope<may::ReadProject>,
        before: Option<Counters>,
        until: Counters,
    ) -> Self {
        Self { project: scope.project, me: scope.actor.id, before, until }
    }

    /// Whether it reads everything.
    pub(super) fn is_full(&self) -> bool {
        self.before.is_none()
    }

    /// What it asks of a collection. `None` if nothing there can have changed.
    pub(super) fn window(&self, collection: Collection, after: (i64, Uuid), limit: usize) -> Option<Window> {
        let until = collection.count(&self.until);
        let since = match &self.before {
            None => 0,
            Some(before) if collection.is_by_role() && before.rank != self.until.rank => 0,
            Some(before) => collection.count(before),
        };
        let window = Window {
            project: self.project,
            me: self.me,
            reads_all: self.until.rank >= Role::Member.rank(),
            manages: self.until.rank >= Role::ProjectManager.rank(),
            since,
            until,
            with_gone: self.before.is_some(),
            after,
            limit,
        };
        (since < until).then_some(window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull(before: Option<Counters>) -> Pull {
        let until = Counters { plan: 9, rows: 5, workspace: 3, rank: Role::Member.rank() };
        Pull { project: ProjectId(Uuid::nil()), me: UserId(Uuid::nil()), before, until }
    }

    fn numbers(pull: &Pull, collection: Collection) -> Option<(i64, i64, bool)> {
        let window = pull.window(collection, (0, Uuid::nil()), 10)?;
        Some((window.since, window.until, window.with_gone))
    }

    #[test]
    fn each_collection_is_asked_for_by_its_own_counter() {
        let before = Counters { plan: 7, rows: 4, workspace: 3, rank: Role::Member.rank() };
        let pull = pull(Some(before));
        assert_eq!(numbers(&pull, Collection::Tasks), Some((7, 9, true)));
        assert_eq!(numbers(&pull, Collection::Risks), Some((4, 5, true)));
        assert_eq!(numbers(&pull, Collection::Calendars), None, "nothing has changed there");
    }

    #[test]
    fn whoever_has_read_nothing_gets_everything_but_what_is_gone() {
        let pull = pull(None);
        assert!(pull.is_full());
        assert_eq!(numbers(&pull, Collection::Tasks), Some((0, 9, false)));
    }

    #[test]
    fn after_a_change_of_role_what_depends_on_it_is_read_again() {
        let before = Counters { plan: 9, rows: 4, workspace: 3, rank: Role::Viewer.rank() };
        let pull = pull(Some(before));
        assert_eq!(numbers(&pull, Collection::SprintRetros), Some((0, 5, true)));
        assert_eq!(numbers(&pull, Collection::Labels), Some((4, 5, true)));
    }

    #[test]
    fn every_collection_has_its_place_and_a_name_of_its_own() {
        let mut names: Vec<&str> = Collection::ALL.iter().map(|collection| collection.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Collection::ALL.len());
    }
}
