//! Skills on the wire and in storage, with who has them and what asks for them.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{RequirementId, ResourceId, ResourceSkillId, SkillId, TaskId};
use planwright_plan::calendars::Library;
use planwright_store::{record, tracked};
use planwright_web::input::{Int, Name, Patch};
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::Serialize;

use planwright_plan::tasks::of_task::OfTask;

/// How well somebody masters a skill: 1, 2 or 3.
pub type Proficiency = Int<1, 3>;

/// What a proficiency is called.
pub fn proficiency_label(level: i64) -> &'static str {
    match level {
        ..=1 => "Beginner",
        2 => "Intermediate",
        3.. => "Expert",
    }
}

record! {
    /// A skill as it is stored.
    pub struct SkillRow in skills {
        #[serde(skip)]
        pub id: SkillId,
        pub name: String,
        #[serde(skip)]
        pub normalized_name: String,
        pub category: String,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { SkillRow as "skill" }

impl Resource for SkillRow {
    type Container = Library;

    fn container(&self) -> Library {
        Library
    }
}

/// A skill of the catalogue.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Skill {
    pub id: SkillId,
    pub server_version: i64,
    pub name: String,
    /// The name in lower case and with single blanks. It is unique.
    pub normalized_name: String,
    pub category: String,
}

impl From<SkillRow> for Skill {
    fn from(row: SkillRow) -> Self {
        let SkillRow { id, server_version, name, normalized_name, category, .. } = row;
        Self { id, server_version, name, normalized_name, category }
    }
}

body! {
    /// All fields of a skill.
    pub struct SkillRequest;
    /// Some fields of a skill.
    pub struct PatchedSkillRequest;
    required {
        /// The name. It is unique. Case and blanks do not matter.
        name: Name<1, 120>,
    }
    optional {
        /// The category.
        category: Name<0, 60>,
    }
}

record! {
    /// A skill of a resource as it is stored.
    pub struct ResourceSkillRow in resource_skills {
        #[serde(skip)]
        pub id: ResourceSkillId,
        #[serde(rename = "resource")]
        pub resource_id: ResourceId,
        #[serde(rename = "skill")]
        pub skill_id: SkillId,
        pub proficiency: i64,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { ResourceSkillRow as "resource_skill" }

impl Resource for ResourceSkillRow {
    type Container = Library;

    fn container(&self) -> Library {
        Library
    }
}

record! {
    /// A skill of a resource with its name.
    pub struct NamedResourceSkillRow {
        pub skill_name: String,
    }
    and pub row: ResourceSkillRow
}

/// A skill that a resource has.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResourceSkill {
    pub id: ResourceSkillId,
    pub server_version: i64,
    pub resource: ResourceId,
    pub skill: SkillId,
    pub skill_name: String,
    /// 1 for beginners, 2 for intermediates, 3 for experts.
    pub proficiency: i64,
}

impl From<NamedResourceSkillRow> for ResourceSkill {
    fn from(NamedResourceSkillRow { skill_name, row }: NamedResourceSkillRow) -> Self {
        Self {
            id: row.id,
            server_version: row.server_version,
            resource: row.resource_id,
            skill: row.skill_id,
            skill_name,
            proficiency: row.proficiency,
        }
    }
}

body! {
    /// All fields of a skill of a resource.
    pub struct ResourceSkillRequest;
    /// Some fields of a skill of a resource.
    pub struct PatchedResourceSkillRequest;
    required {
        /// The resource. It cannot be changed later.
        resource: ResourceId,
        /// The skill. It cannot be changed later.
        skill: SkillId,
    }
    optional {
        /// 1 for beginners, 2 for intermediates, 3 for experts. The default is 2.
        proficiency: Proficiency,
    }
}

input! {
    /// Which skills of resources a list shows.
    pub struct ResourceSkillFilter {
        /// Only those of this resource.
        pub resource: Patch<ResourceId>,
    }
}

record! {
    /// A skill that a task asks for, as it is stored.
    pub struct RequirementRow in task_skill_requirements {
        #[serde(skip)]
        pub id: RequirementId,
        #[serde(rename = "task")]
        pub task_id: TaskId,
        #[serde(rename = "skill")]
        pub skill_id: SkillId,
        pub min_proficiency: i64,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { RequirementRow as "task_skill_requirement" }

impl Resource for RequirementRow {
    type Container = OfTask;

    fn container(&self) -> OfTask {
        OfTask(self.task_id)
    }
}

record! {
    /// A skill that a task asks for, with its name.
    pub struct NamedRequirementRow {
        pub skill_name: String,
    }
    and pub row: RequirementRow
}

/// A skill that a task requires.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskSkillRequirement {
    pub id: RequirementId,
    pub server_version: i64,
    pub task: TaskId,
    pub skill: SkillId,
    pub skill_name: String,
    /// 1 for beginners, 2 for intermediates, 3 for experts.
    pub min_proficiency: i64,
}

impl From<NamedRequirementRow> for TaskSkillRequirement {
    fn from(NamedRequirementRow { skill_name, row }: NamedRequirementRow) -> Self {
        Self {
            id: row.id,
            server_version: row.server_version,
            task: row.task_id,
            skill: row.skill_id,
            skill_name,
            min_proficiency: row.min_proficiency,
        }
    }
}

body! {
    /// All fields of a skill requirement of a task.
    pub struct TaskSkillRequirementRequest;
    /// Some fields of a requirement of a task.
    pub struct PatchedTaskSkillRequirementRequest;
    required {
        /// The task. It cannot be changed later.
        task: TaskId,
        /// The skill. It cannot be changed later.
        skill: SkillId,
    }
    optional {
        /// 1 for beginners, 2 for intermediates, 3 for experts. The default is 1.
        min_proficiency: Proficiency,
    }
}

input! {
    /// Which requirements a list shows.
    pub struct RequirementFilter {
        /// Only those of this task.
        pub task: Patch<TaskId>,
    }
}
