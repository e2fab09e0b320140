//! The providers that people of the world may sign in with. None of them is called.

use serde_json::json;

use super::Builder;

impl Builder<'_> {
    /// Providers that are whole, and point to a port at which nobody listens.
    pub(super) async fn single_sign_on(&mut self) {
        for number in 1..=self.size {
            let slug = format!("generic-{number}");
            let provider = json!({
                "slug": slug, "client_id": "planwright", "client_secret": "a secret", "enabled": true,
                "server_url": "http://127.0.0.1:1", "allowed_email_domains": ["example.test"],
            });
            self.admin.post("/api/v1/workspace/sso/providers/", provider).await.expect(201);
            self.rows.insert("providers", slug);
        }
    }
}
