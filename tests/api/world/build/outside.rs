//! What reaches the world from outside: public links and what other machines send.

use serde_json::json;

use super::Builder;
use crate::site::{project_path, text};

impl Builder<'_> {
    /// What an agent of the owner asked for.
    pub(super) async fn agents(&mut self) {
        let wish = json!({"name": "Reader", "scopes": ["mcp:read"], "expires_at": "2026-06-01T00:00:00Z"});
        let token = self.owner.post("/api/v1/me/api-tokens/", wish).await.expect(201);
        let agent = self.owner.with_token(text(&token["token"]));
        for _ in 0..self.size {
            agent.get(&project_path(&self.north)).await.expect(200);
        }
        let actions = self.owner.get("/api/v1/agent-actions/").await.expect(200);
        self.rows.insert("agent-actions", text(&actions["results"][0]["id"]).to_owned());
    }

    /// Public links of North.
    pub(super) async fn sharing(&mut self) {
        let north = project_path(&self.north);
        self.owner.patch(&north, json!({"public_sharing": true})).await.expect(200);
        for number in 1..=self.size {
            for kind in ["board", "schedule"] {
                let wish = json!({"label": format!("Link {number}"), "content_kind": kind});
                let made = self.owner.post(&format!("{north}share-links/"), wish).await.expect(201);
                let token = text(&made["token"]).to_owned();
                self.rows.extend([("projects/share-links", made.id()), (kind, token)]);
            }
        }
    }

    /// What the calendar program of the owner reads.
    pub(super) async fn calendar_feeds(&mut self) {
        for number in 1..=self.size {
            let wish = json!({"content_kind": "milestones", "project": self.north, "name": format!("Feed {number}")});
            let made = self.owner.post("/api/v1/me/calendar-feeds/", wish).await.expect(201);
            self.rows.insert("calendar-feeds", made.id());
        }
    }

    /// What machines and forges bring into North.
    pub(super) async fn inbound(&mut self) {
        let north = project_path(&self.north);
        let config = format!("/api/v1/integrations/projects/{}/git-automation/", self.north);
        self.owner.put(&config, json!({"enabled": true})).await.expect(200);
        let minted = self.owner.post(&format!("{north}api-tokens/"), json!({"name": "CI"})).await.expect(201);
        let machine = self.app.anonymous().with_token(text(&minted["token"]));
        for number in 1..=self.size {
            let issue = json!({"source": "jira", "external_id": format!("A-{number}"), "status": "backlog"});
            machine.post(&format!("{north}task-sync/"), issue).await.expect(201);
        }
        self.rows.extend([("credentials", "github".to_owned()), ("connections", "jira".to_owned())]);
        self.app.run_jobs().await;
    }
}
