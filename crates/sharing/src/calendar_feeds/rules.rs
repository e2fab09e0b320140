//! Which calendar feeds may be made; without a database.

use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_domain::words::FeedContent;
use planwright_web::{ApiError, ApiResult};

use super::model::CalendarFeedCreateRequest;

/// How many calendar feeds a person may have.
pub const MOST_FEEDS: i64 = 20;

/// What a feed reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The milestones of a project.
    Project(ProjectId),
    /// The milestones of the projects of a program.
    Program(ProgramId),
    /// The tasks of its person.
    MyTasks,
}

impl Source {
    /// How it is stored.
    pub fn content_kind(self) -> FeedContent {
        match self {
            Source::MyTasks => FeedContent::MyTasks,
            Source::Project(_) | Source::Program(_) => FeedContent::Milestones,
        }
    }

    /// The project, if it reads one.
    pub fn project(self) -> Option<ProjectId> {
        match self {
            Source::Project(project) => Some(project),
            _ => None,
        }
    }

    /// The program, if it reads one.
    pub fn program(self) -> Option<ProgramId> {
        match self {
            Source::Program(program) => Some(program),
            _ => None,
        }
    }
}

/// What the feed that was asked for reads.
///
/// # Errors
/// 400 for milestones of nothing or of two places, and for own tasks of one place.
pub fn source(request: &CalendarFeedCreateRequest) -> ApiResult<Source> {
    let project = request.project.as_given().copied().flatten();
    let program = request.program.as_given().copied().flatten();
    match (request.content_kind, project, program) {
        (FeedContent::MyTasks, None, None) => Ok(Source::MyTasks),
        (FeedContent::Milestones, Some(project), None) => Ok(Source::Project(project)),
        (FeedContent::Milestones, None, Some(program)) => Ok(Source::Program(program)),
        (FeedContent::MyTasks, Some(_), _) => {
            Err(ApiError::invalid_field("project", "Your tasks are those of all projects. Name none."))
        }
        (FeedContent::MyTasks, None, Some(_)) => {
            Err(ApiError::invalid_field("program", "Your tasks are those of all programs. Name none."))
        }
        (FeedContent::Milestones, None, None) => {
            Err(ApiError::invalid_field("project", "Name a project or a program."))
        }
        (FeedContent::Milestones, Some(_), Some(_)) => {
            Err(ApiError::invalid_field("program", "Name a project or a program, and not both."))
        }
    }
}

/// Refuses a feed beyond the most that a person may have.
pub fn check_room(count: i64) -> ApiResult<()> {
    match count < MOST_FEEDS {
        true => Ok(()),
        false => Err(ApiError::bad_request(format!(
            "You have {MOST_FEEDS} calendar feeds. This is the maximum. Revoke one first."
        ))),
    }
}

/// The path at which a calendar program reads a feed.
pub fn path(secret: &str) -> String {
    format!("/calendar/{secret}.ics")
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::{Value as Json, json};
    use uuid::Uuid;

    use super::*;

    fn asked(fields: Json) -> Result<Source, Vec<String>> {
        let fields = fields.as_object().cloned().unwrap_or_default();
        let request = CalendarFeedCreateRequest::read(&fields).map_err(ApiError::invalid);
        let source = request.and_then(|request| source(&request));
        source.map_err(|error| error.body().keys().cloned().collect())
    }

    #[test]
    fn milestones_are_those_of_one_place_and_tasks_those_of_all() {
        let id = Uuid::from_u128(7);
        assert_eq!(asked(json!({"content_kind": "my_tasks", "project": null})), Ok(Source::MyTasks));
        let of_project = asked(json!({"content_kind": "milestones", "project": id}));
        assert_eq!(of_project, Ok(Source::Project(ProjectId(id))));
        let of_program = asked(json!({"content_kind": "milestones", "program": id}));
        assert_eq!(of_program, Ok(Source::Program(ProgramId(id))));
        for (fields, wrong) in [
            (json!({"content_kind": "milestones"}), "project"),
            (json!({"content_kind": "milestones", "project": id, "program": id}), "program"),
            (json!({"content_kind": "my_tasks", "project": id}), "project"),
            (json!({"content_kind": "my_tasks", "program": id}), "program"),
            (json!({"content_kind": "risks"}), "content_kind"),
        ] {
            let found = asked(fields.clone()).unwrap_err();
            assert!(found.iter().any(|field| field == wrong), "{fields}: {found:?}");
        }
    }

    #[test]
    fn a_person_has_so_many_feeds_and_no_more() {
        assert!(check_room(MOST_FEEDS - 1).is_ok());
        assert!(check_room(MOST_FEEDS).is_err());
    }
}
