//! Groups that can be mentioned, on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::access::{May, may};
use planwright_domain::ids::{MentionGroupId, ProgramId, ProjectId, UserId};
use planwright_plan::people::UserSummary;
use planwright_store::{record, row, tracked};
use planwright_web::input::{LongText, Name};
use planwright_web::{ProjectOrProgram, Resource, body, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// A group as it is stored. It belongs to a project or to a program.
    pub struct GroupRow in mention_groups {
        #[serde(skip)]
        pub id: MentionGroupId,
        #[serde(skip)]
        pub project_id: Option<ProjectId>,
        #[serde(skip)]
        pub program_id: Option<ProgramId>,
        pub name: String,
        /// The name without regard to case, unique in its place.
        #[serde(skip)]
        pub name_key: String,
        pub description: String,
        pub email_default_on: bool,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { GroupRow as "mention_group" }

impl Resource for GroupRow {
    type Container = ProjectOrProgram;

    fn container(&self) -> ProjectOrProgram {
        ProjectOrProgram::of_columns(self.project_id, self.program_id)
    }
}

impl GroupRow {
    /// An empty group, before anything is said of it.
    pub fn fresh(id: MentionGroupId, home: ProjectOrProgram, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id: home.project(),
            program_id: home.program(),
            name: String::new(),
            name_key: String::new(),
            description: String::new(),
            email_default_on: false,
            created_at: now,
            server_version: 1,
        }
    }
}

body! {
    /// A new group.
    pub struct UserDefinedMentionGroupWriteRequest;
    /// What of a group is to change.
    pub struct PatchedUserDefinedMentionGroupWriteRequest;
    required {
        /// What stands behind the @; letters, digits, `_`, `.` and `-`, unique without regard to case.
        name: Name<1, 32>,
    }
    optional {
        description: LongText<0, 140>,
        /// Whether its members are to be told by mail unless they say otherwise. It is kept and has no effect yet.
        email_default_on: bool,
    }
}

input! {
    /// Who comes into a group or leaves it.
    pub struct MentionGroupAddMemberRequestRequest {
        pub user: UserId,
    }
}

row! {
    /// A member of a group.
    pub struct GroupMemberRow {
        pub group_id: MentionGroupId,
        pub user_id: UserId,
    }
}

/// What is the same of groups of projects and of programs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "_MentionGroup")]
pub struct ShownGroup {
    pub id: MentionGroupId,
    pub server_version: i64,
    /// What stands behind the @.
    pub name: String,
    pub description: String,
    pub email_default_on: bool,
    /// Those of the group who are members of its place, by name.
    pub members: Vec<UserSummary>,
    pub member_count: usize,
    /// Whether the caller does not want to be told of it.
    pub muted_by_me: bool,
}

/// A group of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UserDefinedMentionGroupRead {
    pub project: ProjectId,
    #[serde(flatten)]
    pub group: ShownGroup,
}

/// A group of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramUserDefinedMentionGroupRead {
    pub program: ProgramId,
    #[serde(flatten)]
    pub group: ShownGroup,
}

/// Where groups are: in projects or in programs. Every handler is written once and is in the route table twice.
pub trait Home: Send + Sync + 'static {
    /// Who makes, renames and deletes them.
    type Manage: May;
    /// Who says who is in them.
    type Fill: May;
    /// How they look.
    type Shown: Serialize + JsonSchema + Send + 'static;

    /// How a group of this place looks.
    fn shown(home: ProjectOrProgram, group: ShownGroup) -> Self::Shown;
}

/// Groups of projects.
pub enum InProject {}

/// Groups of programs.
pub enum InProgram {}

impl Home for InProject {
    type Manage = may::ManageMentionGroups;
    type Fill = may::FillMentionGroups;
    type Shown = UserDefinedMentionGroupRead;

    fn shown(home: ProjectOrProgram, group: ShownGroup) -> Self::Shown {
        UserDefinedMentionGroupRead { project: ProjectId(home.uuid()), group }
    }
}

impl Home for InProgram {
    type Manage = may::ManageProgramMentionGroups;
    type Fill = may::FillProgramMentionGroups;
    type Shown = ProgramUserDefinedMentionGroupRead;

    fn shown(home: ProjectOrProgram, group: ShownGroup) -> Self::Shown {
        ProgramUserDefinedMentionGroupRead { program: ProgramId(home.uuid()), group }
    }
}
