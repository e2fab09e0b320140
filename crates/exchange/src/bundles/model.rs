//! Exports on the wire.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::RunStatus;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::queries::ExportRow;
use crate::under_way::JobProgress;

/// An export of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectExportJob {
    pub id: Uuid,
    pub project: ProjectId,
    pub status: RunStatus,
    /// The size of the archive in bytes.
    pub file_size: Option<i64>,
    /// Why it failed.
    pub error_detail: String,
    /// The time until which it can be fetched.
    pub expires_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    /// When somebody cancelled it.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// How far it has come. Null before it begins.
    pub progress: Option<JobProgress>,
    /// The address of the archive, once it is there. Null for those who did not ask for it.
    pub download_url: Option<String>,
}

/// An export of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramExportJob {
    pub id: Uuid,
    pub program: ProgramId,
    pub status: RunStatus,
    /// The size of the archive in bytes.
    pub file_size: Option<i64>,
    /// Why it failed.
    pub error_detail: String,
    /// The time until which it can be fetched.
    pub expires_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    /// When somebody cancelled it.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// How far it has come. Null before it begins.
    pub progress: Option<JobProgress>,
    /// The address of the archive, once it is there. Null for those who did not ask for it.
    pub download_url: Option<String>,
}

/// An export of the workspace.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkspaceExportJob {
    pub id: Uuid,
    pub status: RunStatus,
    /// The size of the archive in bytes.
    pub file_size: Option<i64>,
    /// Why it failed.
    pub error_detail: String,
    /// The time until which it can be fetched.
    pub expires_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    /// When somebody cancelled it.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// How far it has come. Null before it begins.
    pub progress: Option<JobProgress>,
    /// The address of the archive, once it is there. Null for those who did not ask for it.
    pub download_url: Option<String>,
}

impl From<ExportRow> for WorkspaceExportJob {
    fn from(row: ExportRow) -> Self {
        let (is_there, progress) = (row.status == RunStatus::Success, row.progress());
        Self {
            id: row.id,
            status: row.status,
            file_size: row.file_size,
            error_detail: row.error_detail,
            expires_at: row.expires_at,
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
            cancelled_at: row.cancelled_at,
            progress,
            download_url: is_there.then(|| format!("/api/v1/workspace/export/{}/download/", row.id)),
        }
    }
}

impl ExportRow {
    fn progress(&self) -> Option<JobProgress> {
        JobProgress::of(self.phase.clone(), self.rows_done, self.rows_total)
    }

    /// For those who asked for it: an archive holds what they may see, and nobody else can fetch it.
    fn download_url(&self, place: &str, reader: UserId) -> Option<String> {
        let is_there = self.status == RunStatus::Success && self.created_by == reader;
        is_there.then(|| format!("/api/v1/{place}/export/jobs/{}/download/", self.id))
    }

    /// As an export of a project.
    pub(super) fn of_project(self, project: ProjectId, reader: UserId) -> ProjectExportJob {
        let download_url = self.download_url(&format!("projects/{project}"), reader);
        let progress = self.progress();
        let Self {
            id,
            status,
            file_size,
            error_detail,
            created_at,
            started_at,
            completed_at,
            expires_at,
            cancelled_at,
            ..
        } = self;
        ProjectExportJob {
            id,
            project,
            status,
            file_size,
            error_detail,
            expires_at,
            created_at,
            started_at,
            completed_at,
            cancelled_at,
            progress,
            download_url,
        }
    }

    /// As an export of a program.
    pub(super) fn of_program(self, program: ProgramId, reader: UserId) -> ProgramExportJob {
        let download_url = self.download_url(&format!("programs/{program}"), reader);
        let progress = self.progress();
        let Self {
            id,
            status,
            file_size,
            error_detail,
            created_at,
            started_at,
            completed_at,
            expires_at,
            cancelled_at,
            ..
        } = self;
        ProgramExportJob {
            id,
            program,
            status,
            file_size,
            error_detail,
            expires_at,
            created_at,
            started_at,
            completed_at,
            cancelled_at,
            progress,
            download_url,
        }
    }
}
