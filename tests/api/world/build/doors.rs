//! What an administrator keeps of the workspace as a whole: groups, invitations, what comes with them.

use serde_json::json;

use super::Builder;

impl Builder<'_> {
    /// Groups in which people of the world are, and that give places in the first of the further projects.
    pub(super) async fn doors(&mut self) {
        for number in 1..=self.size {
            let request = json!({"name": format!("Group {number}"), "lead": self.owner.id});
            let group = self.admin.post("/api/v1/workspace/groups/", request).await.expect(201).id();
            let at = format!("/api/v1/workspace/groups/{group}/");
            let member = self.rows["members"].clone();
            self.admin.post(&format!("{at}members/{member}/"), json!({})).await.expect(201);
            let link = json!({"project": self.south, "role": 1});
            self.admin.post(&format!("{at}projects/"), link).await.expect(201);
            let email = json!({"email": format!("invited{number}@example.test")});
            let invite = self.admin.post("/api/v1/workspace/invites/", email).await.expect(201).id();
            self.rows.extend([
                ("invites", invite),
                ("groups", group),
                ("groups/members", member),
                ("groups/projects", self.south.clone()),
            ]);
        }
        crate::whole_workspace::send_logo(&self.admin, b"\x89PNG\r\n\x1a\npicture").await.expect(200);
        for _ in 0..self.size {
            let export = self.admin.post("/api/v1/workspace/export/", json!({})).await.expect(202).id();
            self.app.run_jobs().await;
            self.rows.insert("export", export);
        }
        self.app.run_jobs().await;
    }
}
