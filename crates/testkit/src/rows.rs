//! Rows that tests write or read without the interface: unsent events, and rows that no route can create yet. All
//! other rows are created through routes.

use chrono::Duration;
use planwright_domain::ids::{ProjectId, SessionId, UserId};
use planwright_plan::standing::queries as standing;
use planwright_store::{Sql, sql};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{Person, TestApp};

/// An unsent event: channel, name, project, payload.
pub type Told = (String, String, String, Json);

impl TestApp {
    /// The unsent events whose names begin like this, in order.
    pub async fn told(&self, start: &str) -> Vec<Told> {
        let select = sql!("SELECT channel, name, project_id, payload FROM outbox ORDER BY id");
        let rows: Vec<(String, String, Option<Uuid>, Json)> =
            self.app.db.all(select).await.expect("the outbox can be read");
        let place = |project: Option<Uuid>| project.map(|id| id.to_string()).unwrap_or_default();
        let events = rows.into_iter().filter(|(_, name, ..)| name.starts_with(start));
        events.map(|(channel, name, project, payload)| (channel, name, place(project), payload)).collect()
    }

    /// Holds what is kept of where projects stand against their rows. Answers of which projects something is kept that holds.
    pub async fn kept_standings(&self) -> Vec<ProjectId> {
        let all = sql!("SELECT project_id FROM project_schedule ORDER BY project_id");
        let all: Vec<ProjectId> = self.app.db.scalars(all).await.expect("projects can be read");
        let kept = standing::kept(&self.app.db, &all).await.expect("what is kept can be read");
        let counted = standing::counted(&self.app.db, &all).await.expect("rows can be counted");
        for (project, kept) in &kept {
            let counted = &counted[project];
            assert!(kept.agrees_with(counted), "{project} has {counted:?}, and kept is {kept:?}");
        }
        kept.into_keys().collect()
    }

    /// Writes in its own transaction.
    pub async fn write(&self, statement: Sql) {
        let mut tx = self.app.db.begin().await.expect("a transaction begins");
        tx.run(statement).await.expect("the statement fits the schema");
        tx.commit().await.expect("the row is kept");
    }

    /// An active sign-in.
    pub(crate) async fn begin_session(&self, user: UserId, session: SessionId) {
        let statement = sql!(
            "INSERT INTO sessions (id, user_id, user_agent, created_at, ends_at)
             VALUES (:id, :user, 'tests', :now, :ends)",
            id = session,
            user = user,
            now = self.clock.now(),
            ends = self.clock.now() + Duration::days(90)
        );
        self.write(statement).await;
    }

    /// One more sign-in of a person; returns its id.
    pub async fn another_session(&self, person: &Person<'_>) -> String {
        let session: SessionId = self.clock.mint();
        self.begin_session(person.id, session).await;
        session.to_string()
    }

    /// A passkey of a person that no authenticator has; returns its id.
    pub async fn passkey(&self, person: &Person<'_>) -> String {
        let id: Uuid = self.clock.mint();
        let statement = sql!(
            "INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter_state, created_at)
             VALUES (:id, :person, 'Key', :credential, '', '', :now)",
            id = id,
            person = person.id,
            credential = id.to_string(),
            now = self.clock.now()
        );
        self.write(statement).await;
        id.to_string()
    }

    /// An access token of a sign-in.
    pub(crate) fn access_token(&self, user: UserId, session: SessionId) -> String {
        let now = self.clock.now();
        let ends_at = now + Duration::days(90);
        let token = self.app.session_tokens.access(user, session, ends_at, now, self.clock.mint());
        token.expect("a token can be signed")
    }

    /// A suggestion that somebody takes a task; returns its id.
    pub async fn suggestion(&self, task: &str, to: UserId, by: UserId) -> String {
        let id: Uuid = self.clock.mint();
        let statement = sql!(
            "INSERT INTO task_suggestions (id, task_id, suggested_user_id, suggested_by_id, state, created_at,
                server_version, change_number)
             VALUES (:id, :task, :to, :by, 'pending', :now, 1, 1)",
            id = id,
            task = uuid(task),
            to = to,
            by = by,
            now = self.clock.now()
        );
        self.write(statement).await;
        id.to_string()
    }

    /// A resource that is on no roster; returns its id.
    pub async fn resource(&self, name: &str) -> String {
        let id: Uuid = self.clock.mint();
        let statement = sql!(
            "INSERT INTO resources (id, name, email, job_role, max_units, created_at, server_version)
             VALUES (:id, :name, '', '', 100, :now, 1)",
            id = id,
            name = name,
            now = self.clock.now()
        );
        self.write(statement).await;
        id.to_string()
    }

    /// Puts a resource on the roster of a project.
    pub async fn put_on_roster(&self, project: &str, resource: &str) {
        let id: Uuid = self.clock.mint();
        let statement = sql!(
            "INSERT INTO project_resources (id, project_id, resource_id, created_at, server_version)
             VALUES (:id, :project, :resource, :now, 1)",
            id = id,
            project = uuid(project),
            resource = uuid(resource),
            now = self.clock.now()
        );
        self.write(statement).await;
    }
}

fn uuid(text: &str) -> Uuid {
    text.parse().expect("ids are UUIDs")
}
