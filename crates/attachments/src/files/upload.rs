//! Taking in an attachment: a file piece by piece into the storage, or an address. The row is written when the file is
//! complete and checked, so that nobody ever sees half of one.

use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::media_types::{is_denied, normal_form};
use planwright_file_storage::{FileStorage, Incoming, StorageFailure};
use planwright_plan::Edit;
use planwright_plan::containers::inheritance::in_force;
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::Read;
use planwright_web::{
    ApiError, ApiResult, App, ProjectScope, Scope, StreamedFile, StreamedForm, StreamedPart,
};
use serde_json::Value as Json;

use super::model::{AttachmentRow, ShownRow, TaskAttachmentRequest};
use super::rules::Used;
use super::settings::FileSettings;
use super::{queries, rules, sniff};

type Author = ProjectScope<may::TakePart>;

/// A file that was taken in and checked, and has no row yet.
struct Taken {
    incoming: Incoming,
    name: String,
    media_type: String,
    size: u64,
}

/// Puts a file or an address on a task.
///
/// # Errors
/// 400 for both or neither, a file that is too large, a task that has enough, or a quota that is used up. 403 where files may
/// not be uploaded. 415 for a type that is not allowed, and for content of another type.
pub(super) async fn add(
    app: &App,
    scope: &Author,
    task: TaskId,
    mut form: StreamedForm<TaskAttachmentRequest>,
) -> ApiResult<ShownRow> {
    if queries::count(&app.db, task).await? >= rules::MOST_ON_A_TASK {
        return Err(enough());
    }
    let mut fields = form.fields().clone();
    let mut taken = None;
    while let Some(part) = form.next_part().await? {
        match part {
            StreamedPart::Text(name, text) => drop(fields.insert(name, Json::String(text))),
            StreamedPart::File(_) if taken.is_some() => {
                return Err(ApiError::invalid_field("file", "This part was sent more than once."));
            }
            StreamedPart::File(file) => taken = Some(take(app, scope, *file).await?),
        }
    }
    let request = form.request(&fields)?;
    if request.file.as_given().is_some_and(|text| text.as_deref().is_some_and(|text| !text.is_empty())) {
        return Err(ApiError::invalid_field("file", "Send the file as a part of a form, with its name."));
    }
    let url = request.external_url.as_given().map(|url| url.trim().to_owned()).filter(|url| !url.is_empty());
    match (taken, url) {
        (Some(taken), None) => keep_file(app, scope, task, taken, request).await,
        (None, Some(url)) => keep_address(app, scope, task, &url, request).await,
        _ => Err(ApiError::invalid_field("non_field_errors", "Send either a file or external_url.")),
    }
}

fn enough() -> ApiError {
    ApiError::invalid_field(
        "non_field_errors",
        format!("A task has at most {} attachments.", rules::MOST_ON_A_TASK),
    )
}

/// Reads a file into the storage, after everything that can be known before its first byte.
async fn take(app: &App, scope: &Author, mut file: StreamedFile<'_>) -> ApiResult<Taken> {
    let settings = app.get::<FileSettings>();
    let media_type = normal_form(&file.media_type);
    check_policy(&app.db, scope.project, &media_type).await?;
    let used = used(&app.db, scope.project).await?;
    rules::check_room(settings, used, 1)?;
    let mut incoming = app.get::<FileStorage>().begin().await?;
    let (mut head, mut size) = (Vec::with_capacity(sniff::HEAD), 0u64);
    let mut is_checked = false;
    while let Some(piece) = file.piece().await? {
        size += piece.len() as u64;
        if size > settings.most_bytes {
            let most = settings.most_bytes >> 20;
            return Err(ApiError::invalid_field("file", format!("The file is larger than {most} MB.")));
        }
        rules::check_room(settings, used, size)?;
        if head.len() < sniff::HEAD {
            head.extend(piece.iter().take(sniff::HEAD - head.len()));
        }
        if head.len() == sniff::HEAD && !is_checked {
            check_head(&media_type, &head)?;
            is_checked = true;
        }
        incoming.write(&piece).await.map_err(StorageFailure::from)?;
    }
    check_head(&media_type, &head)?;
    incoming.flush().await.map_err(StorageFailure::from)?;
    check_inside(&media_type, &incoming).await?;
    let name = rules::name_of_type(&file.name, &media_type);
    Ok(Taken { incoming, name, media_type, size })
}

/// Refuses a file where none may be uploaded, or none of this type.
async fn check_policy(db: &dyn Read, project: ProjectId, media_type: &str) -> ApiResult<()> {
    let effective = in_force(db, project).await?;
    if !effective.attachments_enabled {
        return Err(ApiError::forbidden("Files may not be uploaded in this project."));
    }
    match is_denied(media_type) || !effective.allowed_attachment_types.allow(media_type) {
        true => Err(ApiError::unsupported_file(
            "attachment_unsupported_mime",
            "Files of this type are not allowed here.",
        )),
        false => Ok(()),
    }
}

async fn used(db: &dyn Read, project: ProjectId) -> ApiResult<Used> {
    let of_project = queries::bytes(db, Some(project)).await?;
    Ok(Used { of_project, of_all: queries::bytes(db, None).await? })
}

fn mismatch() -> ApiError {
    ApiError::unsupported_file(
        "attachment_content_mismatch",
        "The content of the file is not of the type that was declared.",
    )
}

fn check_head(media_type: &str, head: &[u8]) -> ApiResult<()> {
    if sniff::head_fits(media_type, head) { Ok(()) } else { Err(mismatch()) }
}

async fn check_inside(media_type: &str, incoming: &Incoming) -> ApiResult<()> {
    if !sniff::has_inside(media_type) {
        return Ok(());
    }
    let (path, media_type) = (incoming.path().to_owned(), media_type.to_owned());
    let looked = tokio::task::spawn_blocking(move || {
        let file = std::fs::File::open(path)?;
        Ok::<bool, std::io::Error>(sniff::inside_fits(&media_type, std::io::BufReader::new(file)))
    });
    match looked.await.map_err(anyhow::Error::from)?.map_err(anyhow::Error::from)? {
        true => Ok(()),
        false => Err(mismatch()),
    }
}

async fn keep_file(
    app: &App,
    scope: &Author,
    task: TaskId,
    taken: Taken,
    request: TaskAttachmentRequest,
) -> ApiResult<ShownRow> {
    let named =
        request.file_name.as_given().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let file_name = named.map_or(taken.name, |name| rules::name_of_type(&name, &taken.media_type));
    let key = app.get::<FileStorage>().keep(taken.incoming).await?;
    let (media_type, size) = (taken.media_type.clone(), taken.size);
    let row = |fresh: AttachmentRow| AttachmentRow {
        storage_key: key.clone(),
        file_name,
        file_size: i64::try_from(taken.size).ok(),
        file_mime: taken.media_type,
        is_pinned: request.is_pinned.given().unwrap_or_default(),
        ..fresh
    };
    let written = write(app, scope, task, Some((&media_type, size)), row).await;
    if written.is_err() {
        // One that cannot be removed now is found by the sweep.
        let removed = app.get::<FileStorage>().delete(&key).await;
        removed
            .unwrap_or_else(|error| tracing::warn!(%error, key, "a file without a row could not be removed"));
    }
    written
}

async fn keep_address(
    app: &App,
    scope: &Author,
    task: TaskId,
    url: &str,
    request: TaskAttachmentRequest,
) -> ApiResult<ShownRow> {
    let external_url = rules::external_url(url)?;
    let external_title = request.external_title.given().map(String::from).unwrap_or_default();
    let row = |fresh: AttachmentRow| AttachmentRow {
        external_url,
        external_title: external_title.trim().to_owned(),
        is_pinned: request.is_pinned.given().unwrap_or_default(),
        ..fresh
    };
    write(app, scope, task, None, row).await
}

/// Writes the row. What was checked before a file came is checked again, since it may have changed meanwhile.
async fn write(
    app: &App,
    scope: &Author,
    task: TaskId,
    file: Option<(&str, u64)>,
    row: impl FnOnce(AttachmentRow) -> AttachmentRow,
) -> ApiResult<ShownRow> {
    let mut edit = Edit::locked(app, scope).await?;
    // A large file comes for a while, in which its sender may have lost their account.
    let actor = scope.actor.reload(&edit).await?;
    edit.grant = Author::of(&edit, &actor, scope.project).await?.grant();
    edit.lock::<TaskRecord>(task).await?;
    if let Some((media_type, size)) = file {
        check_policy(&edit, scope.project, media_type).await?;
        queries::lock_room(&edit).await?;
        rules::check_room(app.get::<FileSettings>(), used(&edit, scope.project).await?, size)?;
    }
    if queries::count(&edit, task).await? >= rules::MOST_ON_A_TASK {
        return Err(enough());
    }
    let row = row(AttachmentRow {
        id: edit.mint(),
        project_id: scope.project,
        task_id: task,
        storage_key: String::new(),
        file_name: String::new(),
        file_size: None,
        file_mime: String::new(),
        external_url: String::new(),
        external_title: String::new(),
        is_pinned: false,
        uploaded_by: scope.actor.id,
        created_at: edit.now(),
        server_version: 1,
    });
    edit.create(&row).await?;
    let shown = queries::shown(&edit, row.id).await?.ok_or_else(ApiError::not_found)?;
    edit.commit().await?;
    Ok(shown)
}
