//! `/api/v1/programs/{id}/split/`: validates how a program is to be split; this edition does not carry it out.

use std::collections::HashSet;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_plan::containers::program;
use planwright_web::input::Name;
use planwright_web::{
    ApiError, ApiResult, App, NoContent, OpenBody, Problem, Problems, ProgramScope, Routes, input, says,
};

/// Where the work on splitting programs is followed.
const TRACKING_ISSUE: &str = "program-split";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/programs/{id}/split/",
        split,
        says("Check a split of a program.").also_answers(&[501]),
    )
}

input! {
    /// One of the programs that a program is to be split into.
    pub struct ProgramSplitPart {
        /// The name it gets.
        pub name: Name<1, 255>,
        /// The projects of the new program.
        pub project_ids: Vec<ProjectId>,
    }
}

input! {
    /// How a program is to be split.
    pub struct ProgramSplitRequest {
        /// The new programs.
        pub splits: Vec<ProgramSplitPart>,
    }
}

async fn split(
    State(app): State<App>,
    scope: ProgramScope<may::OwnProgram>,
    OpenBody(request): OpenBody<ProgramSplitRequest>,
) -> ApiResult<NoContent> {
    let held = program::projects_of(&app.db, scope.program).await?;
    validate(&request.splits, &held.into_iter().collect())?;
    Err(ApiError::not_implemented("This edition does not split programs. Nothing was changed.")
        .with("tracking_issue", TRACKING_ISSUE))
}

/// Every project must be one of the program's, and go to one place only.
fn validate(splits: &[ProgramSplitPart], held: &HashSet<ProjectId>) -> ApiResult<()> {
    if splits.is_empty() {
        return Err(ApiError::invalid_field("splits", "At least one part is required."));
    }
    let mut placed = HashSet::new();
    let parts: Vec<Option<Problems>> = splits
        .iter()
        .map(|part| {
            let mut problems = Problems::default();
            if part.project_ids.is_empty() {
                problems.say("project_ids", "At least one project is required.");
            }
            for project in &part.project_ids {
                if !held.contains(project) {
                    problems.say("project_ids", format!("{project} is not a project of this program."));
                } else if !placed.insert(*project) {
                    problems.say("project_ids", format!("{project} is named more than once."));
                }
            }
            (!problems.is_empty()).then_some(problems)
        })
        .collect();
    let mut problems = Problems::default();
    if parts.iter().any(Option::is_some) {
        problems.add("splits", Problem::Items(parts));
    }
    problems.check()
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    fn checked(body: Value, held: &[Uuid]) -> Result<(), Value> {
        let Value::Object(body) = body else { panic!("tests send objects") };
        let held = held.iter().copied().map(ProjectId).collect();
        let request =
            ProgramSplitRequest::read(&body).map_err(|problems| Value::Object(problems.into_json()))?;
        validate(&request.splits, &held).map_err(|error| Value::Object(error.body().clone()))
    }

    #[test]
    fn a_project_goes_to_one_part_only_and_must_be_one_of_the_program() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let part = |projects: &[Uuid]| json!({ "name": "Part", "project_ids": projects });
        assert_eq!(checked(json!({ "splits": [part(&[one])] }), &[one]), Ok(()));
        assert!(checked(json!({ "splits": [] }), &[one]).is_err());
        let twice = checked(json!({ "splits": [part(&[one]), part(&[one])] }), &[one]).unwrap_err();
        assert!(twice["splits"][1]["project_ids"][0].as_str().unwrap().contains("more than once"));
        assert!(checked(json!({ "splits": [part(&[other])] }), &[one]).is_err());
        assert!(checked(json!({ "splits": [{ "project_ids": [one] }] }), &[one]).is_err());
    }
}
