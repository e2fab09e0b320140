//! Edits: the one way to change rows over the interface. An edit begins a transaction, locks what it changes, asks the
//! caller's rank again under the lock, and writes row, version, change number, history and event together.
//! Dropped for any reason it rolls back; committed, it recalculates first what it moved.

mod delete;
mod following;
mod open;

use std::ops::{Deref, DerefMut};

use futures_util::future::BoxFuture;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{DeletionId, ProjectId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::record::{Columns, Numbered, OnDelete, RowImage, Tracked, TrackedTable, column};
use planwright_store::row::Rows;
use planwright_store::{Engine, Read, Result, Sql, Tx};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, Grant, Place, Resource};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::deletion::queries::close_deletion;
use crate::schedule::PlanLock;
use crate::span::Reach;

pub use delete::delete_row;
pub use open::{open, open_plan, open_with_linked, open_within};

/// A change under way. It is a transaction too: statements are run through it.
pub struct Edit {
    tx: Tx,
    /// What the caller may do, as it stands under the lock.
    pub grant: Grant,
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

impl Edit {
    fn new(mut tx: Tx, grant: Grant) -> Self {
        tx.acts_for(grant.actor.id);
        Self { tx, grant, expected: None, plan: PlanLock::default(), change_number: None }
    }

    /// The project that this edit is about.
    ///
    /// # Errors
    /// If it is about no project, which is a mistake of the program.
    pub fn project(&self) -> Result<ProjectId> {
        self.grant.project()
    }

    /// Adds a row, with its history and its event.
    pub fn create<R: Tracked>(&mut self, row: &R) -> BoxFuture<'_, ApiResult<()>> {
        self.create_row(row.image(), row.fields())
    }

    fn create_row(&mut self, mut row: RowImage, fields: Map<String, Json>) -> BoxFuture<'_, ApiResult<()>> {
        Box::pin(async move {
            let number = self.number(row.table).await?;
            let columns = with(std::mem::take(&mut row.columns), number);
            self.tx.insert_columns(row.table.name, vec![columns]).await?;
            let created = self.change_of(&row, ChangeKind::Created).whole_fields(fields);
            Ok(self.note(row, created).await?)
        })
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
        let (old, new) = (before.fields(), after.fields());
        after.set_version(before.version() + 1);
        let (merged, is_changed) = self.update_row(after.image(), old, new, notes).await?;
        Ok(Written { row: if is_changed { after } else { before.clone() }, merged, is_changed })
    }

    /// Writes a row with its next version, unless nothing has changed. Returns the fields of others that were kept, and whether
    /// it was written.
    fn update_row(
        &mut self,
        mut row: RowImage,
        old: Map<String, Json>,
        new: Map<String, Json>,
        notes: Map<String, Json>,
    ) -> BoxFuture<'_, ApiResult<(Vec<String>, bool)>> {
        Box::pin(async move {
            let mut change = self.change_of(&row, ChangeKind::Updated).between_fields(&old, new);
            change.fields.extend(notes);
            let wanted: Map<String, Json> =
                change.fields.iter().map(|(field, sides)| (field.clone(), sides[1].clone())).collect();
            let merged = self.merge_fields(row.table.entity, row.id, row.version - 1, &wanted, &old).await?;
            if change.fields.is_empty() {
                return Ok((merged, false));
            }
            self.write(&mut row).await?;
            self.note(row, change).await?;
            Ok((merged, true))
        })
    }

    /// Writes all columns of a row, with the number of this change.
    async fn write(&mut self, row: &mut RowImage) -> Result<()> {
        let number = self.number(row.table).await?;
        self.write_with(row, number).await
    }

    /// The same with more columns. The image is left without its columns.
    async fn write_with(&mut self, row: &mut RowImage, more: Columns) -> Result<()> {
        let columns = with(std::mem::take(&mut row.columns), more);
        self.tx.update_columns(row.table.name, vec![(row.key.clone(), columns)]).await
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
        self.touch_row(after.image(), fields).await?;
        Ok(after)
    }

    fn touch_row(&mut self, mut row: RowImage, fields: Map<String, Json>) -> BoxFuture<'_, ApiResult<()>> {
        Box::pin(async move {
            self.write(&mut row).await?;
            let change = Change { fields, ..self.change_of(&row, ChangeKind::Updated) };
            Ok(self.note(row, change).await?)
        })
    }

    /// Locks one more row and reads it as it stands then; 404 when it is gone.
    pub async fn lock<R: Resource>(&self, id: impl Into<Uuid>) -> ApiResult<R> {
        R::lock(&self.tx, id.into()).await?.ok_or_else(ApiError::not_found)
    }

    /// Deletes a row, with its history and its event.
    ///
    /// # Errors
    /// 409 when the deletion was based on an older version of the row.
    pub fn delete<R: Tracked>(&mut self, row: &R) -> BoxFuture<'_, ApiResult<()>> {
        let mut gone = row.clone();
        gone.set_version(row.version() + 1);
        self.delete_row(gone.image(), row.fields())
    }

    fn delete_row(&mut self, mut gone: RowImage, fields: Map<String, Json>) -> BoxFuture<'_, ApiResult<()>> {
        Box::pin(async move {
            let table = gone.table;
            if let Some(expected) = self.expected_of(gone.id) {
                expected.nothing_unseen(&self.tx, table.entity, gone.id, gone.version - 1, &fields).await?;
            }
            match table.on_delete {
                OnDelete::Remove => self.tx.remove(table, gone.id).await?,
                OnDelete::Mark => {
                    let (actor, project) = (Some(self.grant.actor.id), self.grant.place.project);
                    let act = self.tx.begin_deletion(table.entity, gone.id, actor, project).await?;
                    let number = self.number(table).await?;
                    self.write_with(&mut gone, with(number, column("deletion_id", act))).await?;
                }
            }
            let deleted = self.change_of(&gone, ChangeKind::Deleted).whole_fields(fields);
            Ok(self.note(gone, deleted).await?)
        })
    }

    /// Brings back a row that an act of deletion took, with its history and its event.
    pub async fn restore<R: Tracked>(&mut self, row: &R, deletion: DeletionId) -> ApiResult<R> {
        let mut back = row.clone();
        back.set_version(row.version() + 1);
        self.restore_row(back.image(), back.fields(), deletion).await?;
        Ok(back)
    }

    fn restore_row(
        &mut self,
        mut back: RowImage,
        fields: Map<String, Json>,
        deletion: DeletionId,
    ) -> BoxFuture<'_, ApiResult<()>> {
        Box::pin(async move {
            let number = self.number(back.table).await?;
            self.write_with(&mut back, with(number, column("deletion_id", None::<DeletionId>))).await?;
            close_deletion(&mut self.tx, deletion).await?;
            let restored = self.change_of(&back, ChangeKind::Restored).whole_fields(fields);
            Ok(self.note(back, restored).await?)
        })
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
        self.merge_fields(R::ENTITY, before.id(), before.version(), wanted, &before.fields()).await
    }

    async fn merge_fields(
        &self,
        entity: &'static str,
        id: Uuid,
        version: i64,
        wanted: &Map<String, Json>,
        current: &Map<String, Json>,
    ) -> ApiResult<Vec<String>> {
        let Some(expected) = self.expected_of(id) else { return Ok(Vec::new()) };
        expected.merge(&self.tx, entity, id, version, wanted, current).await
    }

    /// A change of a row that belongs where this edit is.
    pub fn change<R: Tracked>(&self, row: &R, kind: ChangeKind) -> Change {
        self.change_at(R::ENTITY, row.id(), row.version(), kind)
    }

    fn change_of(&self, row: &RowImage, kind: ChangeKind) -> Change {
        self.change_at(row.table.entity, row.id, row.version, kind)
    }

    fn change_at(&self, entity: &'static str, id: Uuid, version: i64, kind: ChangeKind) -> Change {
        let Place { project, program } = self.grant.place;
        Change { project, program, version, ..Change::of(entity, id, kind, self.grant.actor.id) }
    }

    /// Tells those who look at the project or program of this edit.
    pub async fn announce(&mut self, event: SocketEvent, payload: Json) -> Result<()> {
        let place = self.grant.place;
        self.tx.emit(Event::Socket(event), place.project, place.program, payload).await
    }

    /// Tells the subscriptions of the project and the program of this edit.
    pub async fn hook(&mut self, event: WebhookEvent, payload: Json) -> Result<()> {
        let place = self.grant.place;
        self.tx.emit(Event::Webhook(event), place.project, place.program, payload).await
    }

    /// The number of this change among all that offline clients read, taken when it is first asked for in a place.
    pub async fn change_number(&mut self) -> Result<i64> {
        let place = self.grant.place;
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
        (&mut self.tx, &mut self.plan, self.grant.actor.id)
    }

    /// Brings dates up to date that this edit has moved, for answers that show them; the commit does the rest.
    pub async fn recalculate(&mut self) -> Result<()> {
        self.plan.recalculate(&mut self.tx).await
    }

    /// The same for a write that is refused when its plan comes to lie outside the years by it; `field` is to blame then.
    pub async fn recalculate_within_reach(&mut self, field: &str) -> ApiResult<()> {
        let Some(project) = self.grant.place.project.filter(|_| self.plan.is_due()) else { return Ok(()) };
        // What is stored of the span is that of before the write until here.
        let reach = Reach::of(&self.tx, project).await?;
        self.recalculate().await?;
        reach.keep(&self.tx, field).await
    }

    /// Recalculates what was moved and makes everything permanent.
    pub fn commit(mut self) -> BoxFuture<'static, Result<()>> {
        Box::pin(async move {
            self.recalculate().await?;
            self.tx.commit().await
        })
    }

    /// Checks once more that the caller may do this, after more was locked.
    ///
    /// # Errors
    /// 404 for what the caller does not see any more, 403 for what they may not do any more.
    pub async fn recheck(&mut self) -> ApiResult<()> {
        self.grant = self.grant.recheck(&self.tx).await?;
        Ok(())
    }

    async fn number(&mut self, table: &TrackedTable) -> Result<Columns> {
        let number = match (table.numbered, self.grant.place.project) {
            (Numbered::Nowhere, _) => return Ok(Vec::new()),
            (Numbered::InPlan, Some(project)) => self.plan.counter(project),
            _ => self.change_number().await?,
        };
        Ok(column("change_number", number))
    }

    async fn note(&mut self, row: RowImage, change: Change) -> Result<()> {
        let event = (row.table.event)(change.kind);
        self.tx.record(change).await?;
        match event {
            Some(event) => self.announce(event, row.payload).await,
            None => Ok(()),
        }
    }
}

fn with(mut columns: Columns, more: Columns) -> Columns {
    columns.extend(more);
    columns
}

impl Deref for Edit {
    type Target = Tx;

    fn deref(&self) -> &Tx {
        &self.tx
    }
}

impl DerefMut for Edit {
    fn deref_mut(&mut self) -> &mut Tx {
        &mut self.tx
    }
}

impl Read for Edit {
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
