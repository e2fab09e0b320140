//! Edits: the one way to change rows over the interface. An edit begins a transaction, locks what it changes, asks the
//! caller's rank again under the lock, and writes row, version, change number, history and event together.
//! Dropped for any reason it rolls back; committed, it recalculates first what it moved.

mod delete;
mod following;
mod open;

use std::ops::{Deref, DerefMut};

use futures_util::future::BoxFuture;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{DeletionId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::Engine;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::record::{Numbered, OnDelete, Tracked, column};
use planwright_store::row::Rows;
use planwright_store::{Read, Result, Sql, Tx};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, Place, Resource, Scope};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::deletion::queries::close_deletion;
use crate::schedule::PlanLock;
use crate::span::Reach;

pub use delete::delete_row;
pub use following::Following;
pub use open::{open, open_plan, open_with_linked, open_within};

/// A change under way. It is a transaction too: statements are run through it.
pub struct Edit<S> {
    tx: Tx,
    /// What the caller may do, as it stands under the lock.
    pub scope: S,
    /// What the caller believes about the version of which row.
    expected: Option<(Uuid, Precondition)>,
    plan: PlanLock,
    /// The number of this change in a project, a program or the workspace.
    change_number: Option<(Option<Uuid>, i64)>,
}

/// A row after its change.
#[derive(Clone, Debug)]
pub struct Written<R> {
    /// The row as it is stored now.
    pub row: R,
    /// The fields that others changed since the caller's base and that were kept.
    pub merged: Vec<String>,
    /// Whether anything was written: a change that changes nothing leaves version and history as they are.
    pub is_changed: bool,
}

impl<R: Tracked> Written<R> {
    /// The answer to a change, with the row as it is shown.
    pub fn shown<T>(self, show: impl FnOnce(R) -> T) -> Versioned<T> {
        Versioned::new(self.row.version(), show(self.row)).merged(self.merged)
    }
}

impl<S: Scope> Edit<S> {
    fn new(mut tx: Tx, scope: S) -> Self {
        tx.acts_for(scope.actor().id);
        Self { tx, scope, expected: None, plan: PlanLock::default(), change_number: None }
    }

    /// Adds a row, with its history and its event.
    pub async fn create<R: Tracked>(&mut self, row: &R) -> ApiResult<()> {
        let number = self.numbered::<R>().await?;
        self.tx.insert(row, number).await?;
        let created = self.change::<R>(row, ChangeKind::Created).whole(row);
        Ok(self.note(row, created).await?)
    }

    /// Writes a row whose fields have changed: its next version, its history and its event. Nothing is written when nothing
    /// has changed.
    ///
    /// # Errors
    /// 409 when `X-Base-Version` is older than a change of the same fields by others.
    pub async fn update<R: Tracked>(&mut self, before: &R, after: R) -> ApiResult<Written<R>> {
        self.update_noting(before, after, Map::new()).await
    }

    /// The same with more to note in the history than the fields of the row, as `{field: [old, new]}`.
    pub async fn update_noting<R: Tracked>(
        &mut self,
        before: &R,
        mut after: R,
        notes: Map<String, Json>,
    ) -> ApiResult<Written<R>> {
        let mut change = self.change(before, ChangeKind::Updated).between(before, &after);
        change.fields.extend(notes);
        let wanted: Map<String, Json> =
            change.fields.iter().map(|(field, sides)| (field.clone(), sides[1].clone())).collect();
        let merged = self.merge::<R>(before, &wanted).await?;
        if change.fields.is_empty() {
            return Ok(Written { row: before.clone(), merged, is_changed: false });
        }
        after.set_version(before.version() + 1);
        let number = self.numbered::<R>().await?;
        self.tx.update(&after, number).await?;
        self.note(&after, Change { version: after.version(), ..change }).await?;
        Ok(Written { row: after, merged, is_changed: true })
    }

    /// Writes the one row of its kind that a project or program has: the first time it is created.
    pub async fn save<R: Tracked>(&mut self, before: Option<R>, after: R) -> ApiResult<Written<R>> {
        match before {
            Some(before) => self.update(&before, after).await,
            None => {
                self.create(&after).await?;
                Ok(Written { row: after, merged: Vec::new(), is_changed: true })
            }
        }
    }

    /// Writes a row that belongs elsewhere than what this edit is about, such as an item of a program that becomes a task of a
    /// project. Its history and its change number are those of that place.
    pub async fn update_at<R: Tracked>(&mut self, place: Place, before: &R, mut after: R) -> ApiResult<R> {
        after.set_version(before.version() + 1);
        let container = place.project.map(|id| id.0).or(place.program.map(|id| id.0));
        let number = self.tx.next_change_number(container).await?;
        self.tx.update(&after, column("change_number", number)).await?;
        let change = self.change(&after, ChangeKind::Updated).between(before, &after);
        let (project, program) = (place.project, place.program);
        self.tx.record(Change { project, program, ..change }).await?;
        Ok(after)
    }

    /// Raises the version of a row of which a part has changed that is stored elsewhere, and notes it in its history as
    /// `{field: [old, new]}`.
    pub async fn touch<R: Tracked>(&mut self, before: &R, fields: Map<String, Json>) -> ApiResult<R> {
        let mut after = before.clone();
        after.set_version(before.version() + 1);
        let number = self.numbered::<R>().await?;
        self.tx.update(&after, number).await?;
        let change = self.change(&after, ChangeKind::Updated);
        self.note(&after, Change { fields, ..change }).await?;
        Ok(after)
    }

    /// Locks one more row and reads it as it stands then; 404 when it is gone.
    pub async fn lock<R: Resource>(&self, id: impl Into<Uuid>) -> ApiResult<R> {
        R::lock(&self.tx, id.into()).await?.ok_or_else(ApiError::not_found)
    }

    /// Deletes a row, with its history and its event.
    ///
    /// # Errors
    /// 409 when the deletion was based on an older version of the row.
    pub async fn delete<R: Tracked>(&mut self, row: &R) -> ApiResult<()> {
        if let Some(expected) = self.expected_of(row.id()) {
            let (id, version, current) = (row.id(), row.version(), fields_of(row));
            expected.nothing_unseen(&self.tx, R::ENTITY, id, version, &current).await?;
        }
        let mut gone = row.clone();
        gone.set_version(row.version() + 1);
        match R::ON_DELETE {
            OnDelete::Remove => self.tx.remove::<R>(row.id()).await?,
            OnDelete::Mark => {
                let (actor, project) = (Some(self.scope.actor().id), self.scope.place().project);
                let act = self.tx.begin_deletion(R::ENTITY, row.id(), actor, project).await?;
                let mut more = self.numbered::<R>().await?;
                more.extend(column("deletion_id", act));
                self.tx.update(&gone, more).await?;
            }
        }
        let deleted = self.change(&gone, ChangeKind::Deleted).whole(row);
        Ok(self.note(&gone, deleted).await?)
    }

    /// Brings back a row that an act of deletion took, with its history and its event.
    pub async fn restore<R: Tracked>(&mut self, row: &R, deletion: DeletionId) -> ApiResult<R> {
        let mut back = row.clone();
        back.set_version(row.version() + 1);
        let mut more = self.numbered::<R>().await?;
        more.extend(column("deletion_id", None::<DeletionId>));
        self.tx.update(&back, more).await?;
        close_deletion(&mut self.tx, deletion).await?;
        let restored = self.change::<R>(&back, ChangeKind::Restored).whole(&back);
        self.note(&back, restored).await?;
        Ok(back)
    }

    /// Notes what the caller believes about the version of a row.
    ///
    /// # Errors
    /// 412 when `If-Match` names another version.
    pub fn expect<R: Tracked>(&mut self, row: &R, expected: Precondition) -> ApiResult<()> {
        expected.check(row.version())?;
        self.expected = Some((row.id(), expected));
        Ok(())
    }

    fn expected_of(&self, id: Uuid) -> Option<&Precondition> {
        self.expected.as_ref().filter(|(of, _)| *of == id).map(|(_, expected)| expected)
    }

    /// The fields that others changed since the caller's base and that are kept, for rows that are written by hand.
    ///
    /// # Errors
    /// 409 when both changed the same field.
    pub async fn merge<R: Tracked>(&self, before: &R, wanted: &Map<String, Json>) -> ApiResult<Vec<String>> {
        let (id, version) = (before.id(), before.version());
        let Some(expected) = self.expected_of(id) else { return Ok(Vec::new()) };
        expected.merge(&self.tx, R::ENTITY, id, version, wanted, &fields_of(before)).await
    }

    /// A change of a row that belongs where this edit's scope is.
    pub fn change<R: Tracked>(&self, row: &R, kind: ChangeKind) -> Change {
        let place = self.scope.place();
        Change {
            project: place.project,
            program: place.program,
            version: row.version(),
            ..Change::of(R::ENTITY, row.id(), kind, self.scope.actor().id)
        }
    }

    /// Tells those who look at the project or program of this edit.
    pub async fn announce(&mut self, event: SocketEvent, payload: Json) -> Result<()> {
        let place = self.scope.place();
        self.tx.emit(Event::Socket(event), place.project, place.program, payload).await
    }

    /// Tells the subscriptions of the project and the program of this edit.
    pub async fn hook(&mut self, event: WebhookEvent, payload: Json) -> Result<()> {
        let place = self.scope.place();
        self.tx.emit(Event::Webhook(event), place.project, place.program, payload).await
    }

    /// The number of this change among all that offline clients read, taken when it is first asked for in a place.
    pub async fn change_number(&mut self) -> Result<i64> {
        let place = self.scope.place();
        let container = place.project.map(|id| id.0).or(place.program.map(|id| id.0));
        if let Some((_, number)) = self.change_number.filter(|(of, _)| *of == container) {
            return Ok(number);
        }
        let number = self.tx.next_change_number(container).await?;
        self.change_number = Some((container, number));
        Ok(number)
    }

    /// The transaction and the lock of the plan, for commands that write tasks and links.
    pub fn plan(&mut self) -> (&mut Tx, &mut PlanLock) {
        (&mut self.tx, &mut self.plan)
    }

    /// The same with who writes.
    pub fn plan_and_actor(&mut self) -> (&mut Tx, &mut PlanLock, UserId) {
        (&mut self.tx, &mut self.plan, self.scope.actor().id)
    }

    /// Brings dates up to date that this edit has moved, for answers that show them; the commit does the rest.
    pub async fn recalculate(&mut self) -> Result<()> {
        self.plan.recalculate(&mut self.tx).await
    }

    /// The same for a write that is refused when its plan comes to lie outside the years by it; `field` is to blame then.
    pub async fn recalculate_within_reach(&mut self, field: &str) -> ApiResult<()> {
        let Some(project) = self.scope.place().project.filter(|_| self.plan.is_due()) else { return Ok(()) };
        // What is stored of the span is that of before the write until here.
        let reach = Reach::of(&self.tx, project).await?;
        self.recalculate().await?;
        reach.keep(&self.tx, field).await
    }

    /// Recalculates what was moved and makes everything permanent.
    pub async fn commit(mut self) -> Result<()> {
        self.recalculate().await?;
        self.tx.commit().await
    }

    async fn numbered<R: Tracked>(&mut self) -> Result<planwright_store::record::Columns> {
        let number = match (R::NUMBERED, self.scope.place().project) {
            (Numbered::Nowhere, _) => return Ok(Vec::new()),
            (Numbered::InPlan, Some(project)) => self.plan.counter(project),
            _ => self.change_number().await?,
        };
        Ok(column("change_number", number))
    }

    async fn note<R: Tracked>(&mut self, row: &R, change: Change) -> Result<()> {
        let event = R::event(change.kind);
        self.tx.record(change).await?;
        match event {
            Some(event) => self.announce(event, row.payload()).await,
            None => Ok(()),
        }
    }
}

/// A row by the names of its fields in the history.
fn fields_of(row: &impl Serialize) -> Map<String, Json> {
    match serde_json::to_value(row) {
        Ok(Json::Object(fields)) => fields,
        _ => Map::new(),
    }
}

impl<S> Deref for Edit<S> {
    type Target = Tx;

    fn deref(&self) -> &Tx {
        &self.tx
    }
}

impl<S> DerefMut for Edit<S> {
    fn deref_mut(&mut self) -> &mut Tx {
        &mut self.tx
    }
}

impl<S: Sync> Read for Edit<S> {
    fn engine(&self) -> Engine {
        self.tx.engine()
    }

    fn rows(&self, sql: Sql) -> BoxFuture<'_, Result<Rows>> {
        self.tx.rows(sql)
    }

    fn rows_of_each(&self, statements: Vec<Sql>) -> BoxFuture<'_, Result<Vec<Rows>>> {
        self.tx.rows_of_each(statements)
    }
}
