//! Templates and their applications on the wire.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::{Methodology, TemplateApplicationStatus, TemplateKind};
use planwright_web::input;
use planwright_web::input::{LongText, Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use super::structure::TemplateCounts;
use crate::under_way::JobProgress;

input! {
    /// Which project becomes a template, and under which name.
    pub struct PublishTemplateRequest {
        /// The project.
        pub project: ProjectId,
        /// The name.
        pub name: Name<1, 200>,
        /// What it is for.
        pub description: Patch<LongText<0, 2000>>,
        /// Who sees it: `workspace`, the default, is everybody; `personal` is its publisher.
        pub source_kind: Patch<TemplateKind>,
        /// The program whose members see it. Without one it is for the whole workspace.
        pub program: Patch<Option<ProgramId>>,
        /// Whether it is the next version of the template of that name.
        pub new_version: Patch<bool>,
    }
}

input! {
    /// Which templates a list shows.
    pub struct TemplateFilter {
        /// Those of this program, and those of the whole workspace.
        pub program: Patch<ProgramId>,
    }
}

input! {
    /// The project that is looked at.
    pub struct PreviewQuery {
        /// The project.
        pub project: ProjectId,
    }
}

input! {
    /// The project that a template is applied to.
    pub struct ApplyTemplateRequest {
        /// The project.
        pub project: ProjectId,
    }
}

input! {
    /// Which applications a list shows.
    pub struct ApplicationFilter {
        /// Those in this project.
        pub project: Patch<ProjectId>,
    }
}

/// A template in the gallery.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectTemplate {
    pub id: Uuid,
    pub name: String,
    pub description: String,
    /// Who it is for.
    pub source_kind: TemplateKind,
    /// How it is shown: `workspace`, `community` or, to its publisher, `Yours`.
    pub provenance: &'static str,
    /// What it holds, in words.
    pub carries: Vec<String>,
    /// How its project was run.
    pub methodology: Methodology,
    /// How many rows it has.
    pub task_count: i64,
    /// Its version, from 1.
    pub version: i64,
    /// The program whose members see it.
    pub program: Option<ProgramId>,
    /// Always true: what is not published is not kept.
    pub is_published: bool,
    pub published_at: DateTime<Utc>,
    pub published_by: Option<UserId>,
    pub published_by_name: String,
    /// The project that it was made of. Null for those who cannot open it.
    pub source_project: Option<ProjectId>,
    pub source_project_name: String,
    /// The version before it.
    pub supersedes: Option<Uuid>,
    /// Whether there is a later version.
    pub is_superseded: bool,
    /// What it holds, in numbers.
    pub counts: TemplateCounts,
    /// How often it was applied.
    pub usage_count: i64,
}

/// What a template of a project would hold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TemplatePreview {
    /// The project.
    pub project: ProjectId,
    /// The name of the project.
    pub name: String,
    /// What it would hold, in numbers.
    #[serde(flatten)]
    pub counts: TemplateCounts,
    /// How many rows of recurring work stay behind.
    pub excluded_recurring_count: usize,
}

/// An application that was queued.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TemplateQueued {
    /// Always true.
    pub queued: bool,
    /// The application.
    pub application: Uuid,
}

/// An application of a template.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TemplateApplication {
    pub id: Uuid,
    /// The template.
    pub template: Option<Uuid>,
    pub template_name: String,
    pub template_version: i64,
    /// The project that it was applied to.
    pub project: ProjectId,
    pub applied_by: UserId,
    pub status: TemplateApplicationStatus,
    /// How many tasks, milestones and links were made.
    pub result_summary: Json,
    /// Why it failed.
    pub error_detail: String,
    pub created_at: DateTime<Utc>,
    /// When the job began.
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    pub undone_at: Option<DateTime<Utc>>,
    /// When somebody cancelled it.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// How far it has come. Null before it begins.
    pub progress: Option<JobProgress>,
}

/// An application that was taken back.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TemplateApplicationUndone {
    /// The application.
    #[serde(flatten)]
    pub application: TemplateApplication,
    /// What became of its rows.
    pub undo: TemplateUndo,
}

/// What became of the rows of an application.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct TemplateUndo {
    /// How many were deleted.
    pub deleted: usize,
    /// How many stay because somebody changed them.
    pub kept: usize,
}
