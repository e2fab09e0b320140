//! People as members, leads and team mates are shown: id, name, and an address for those who may see it.
//! Whose membership it is belongs to the files around this one.

use std::collections::{HashMap, HashSet};

use planwright_domain::access::Action;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};
use planwright_web::Actor;
use schemars::JsonSchema;
use serde::Serialize;

row! {
    /// A person in short.
    #[derive(Serialize, JsonSchema)]
    #[schemars(rename = "_UserSummary")]
    pub struct UserSummary {
        /// Who it is.
        pub id: UserId,
        /// The user name.
        pub username: String,
        /// The e-mail address. Left out for callers who do not administer the workspace, except on their own row.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub email: Option<String>,
    }
}

/// Several people in short, as far as the caller may see them.
pub async fn in_short(
    db: &dyn Read,
    caller: &Actor,
    people: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, UserSummary>> {
    let select = "SELECT id, username, email FROM users WHERE id IN (:people)";
    let people: Vec<UserSummary> = db.all(sql!(select, people = list(people))).await?;
    let sees_all = caller.may(Action::AdministerWorkspace, caller.workspace_role);
    let shown = people.into_iter().map(|mut person| {
        if !sees_all && person.id != caller.id {
            person.email = None;
        }
        (person.id, person)
    });
    Ok(shown.collect())
}

/// Those of some people who are members of a project.
pub async fn members_among(
    db: &dyn Read,
    project: ProjectId,
    people: Vec<UserId>,
) -> Result<HashSet<UserId>> {
    if people.is_empty() {
        return Ok(HashSet::new());
    }
    let select = "SELECT user_id FROM project_members
         WHERE project_id = :project AND deletion_id IS NULL AND user_id IN (:people)";
    Ok(db.scalars(sql!(select, project = project, people = list(people))).await?.into_iter().collect())
}

/// Whether somebody can own a project or a program: they are active and no guest of the workspace.
pub async fn may_own(db: &dyn Read, person: UserId) -> Result<bool> {
    let owns = "SELECT COUNT(*) FROM users WHERE id = :id AND is_active = TRUE AND status = 'active'";
    Ok(db.count(sql!(owns, id = person)).await? == 1)
}

/// Whether a person may still act, so that they can be given a place.
pub async fn is_active(db: &dyn Read, person: UserId) -> Result<bool> {
    let active = "SELECT COUNT(*) FROM users WHERE id = :id AND is_active = TRUE AND status <> 'deactivated'";
    Ok(db.count(sql!(active, id = person)).await? == 1)
}
