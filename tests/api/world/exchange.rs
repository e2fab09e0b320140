//! The rows of the world that come from files and templates, and the archives of what is there.

use serde_json::json;

use super::build::{Builder, PROGRAMS};
use crate::file_imports::form;
use crate::site::{project_path, text};

impl Builder<'_> {
    /// Imports of tables, templates with their applications, archives of a project and of the program.
    pub(super) async fn exchange(&mut self) {
        let north = project_path(&self.north);
        for number in 1..=self.size {
            let (media_type, body) = form("plan.csv", &format!("Name\nFrom a table {number}\n"), &[]);
            let path = format!("{north}import/csv/");
            let import = self.owner.post_raw(&path, &media_type, body).await.expect(202);
            let import = text(&import["import_request_id"]).to_owned();
            let asked = json!({"project": self.south, "name": format!("Template {number}")});
            let template =
                self.owner.post("/api/v1/project-templates/publish/", asked).await.expect(201).id();
            let apply = format!("/api/v1/project-templates/{template}/apply/");
            let applied = self.owner.post(&apply, json!({"project": self.south})).await.expect(202);
            let of_project = self.owner.post(&format!("{north}export/"), json!({})).await.expect(202).id();
            let of_program = format!("{PROGRAMS}{}/export/", self.program);
            let of_program = self.owner.post(&of_program, json!({})).await.expect(202).id();
            self.rows.extend([
                ("projects/csv", import.clone()),
                ("projects/imports", import),
                ("project-templates", template),
                ("template-applications", text(&applied["application"]).to_owned()),
                ("projects/jobs", of_project),
            ]);
            for shape in [
                "GET /api/v1/programs/{}/export/jobs/{}/",
                "GET /api/v1/programs/{}/export/jobs/{}/download/",
                "POST /api/v1/programs/{}/export/jobs/{}/cancel/",
            ] {
                self.rows_of_operations.insert((shape, "programs/jobs"), of_program.clone());
            }
        }
        self.app.run_jobs().await;
    }
}
