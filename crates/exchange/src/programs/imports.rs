//! Taking in a document: read, decide, create the program, queue the rest; or only say what would come of it.
//! Everything here happens inside the request; building the plan is a job.

use chrono::Duration;
use planwright_domain::ids::{ProgramId, UserId};
use planwright_domain::words::LagCalendar;
use planwright_jobs::{NewJob, queue};
use planwright_plan::Edit;
use planwright_plan::containers::create_program;
use planwright_plan::import::replacement::{self, Candidate};
use planwright_plan_files::seed::{Draft, Rejection, render};
use planwright_store::{Read, Tx};
use planwright_web::{Actor, ApiError, ApiResult, App, FileOrJson, Input, off_thread};
use serde_json::{Map, json};
use uuid::Uuid;

use super::intake::{self, Importer};
use super::jobs::{BUILD, BuildSeedImport};
use super::lags::settle_lags;
use super::model::{
    OPTIONS, SeedImportQueuedResponse, SeedImportRequest, SeedReplaceConflict, SeedValidateResponse,
};
use super::queries::{self, NewImport};
use super::rules::{self, Replacement};
use crate::ExchangeSettings;
use crate::packed::pack;

/// How long an import can be followed, in days.
const KEPT_DAYS: i64 = 7;

/// A document as it was sent, with what was said beside it.
pub(super) struct Upload {
    pub(super) draft: Draft,
    pub(super) filename: String,
    pub(super) request: Replacement,
    pub(super) lag_calendar: Option<LagCalendar>,
}

impl Upload {
    /// Reads a request. What is no JSON at all, or too large, ends here.
    pub(super) async fn read(app: &App, sent: FileOrJson) -> ApiResult<Self> {
        let (ceiling, text) = (app.get::<ExchangeSettings>().seed, sent.document);
        let mut draft = off_thread(move || Draft::read(&text, ceiling)).await?.map_err(refused)?;
        let fields = sent.fields.unwrap_or_else(|| {
            let mut beside = Map::new();
            for key in OPTIONS {
                beside.extend(draft.take(key).map(|value| (key.to_owned(), value)));
            }
            beside
        });
        let options = SeedImportRequest::read(&fields).map_err(ApiError::invalid)?;
        let request = Replacement {
            replace: options.replace.given().unwrap_or_default(),
            expected: options.expected_program_id.given().flatten(),
        };
        let lag_calendar = options.lag_calendar.given().flatten();
        Ok(Self { draft, filename: sent.filename.chars().take(255).collect(), request, lag_calendar })
    }
}

/// What is wrong with a document as an answer: one text when it cannot be read, else the list.
fn refused(rejection: Rejection) -> ApiError {
    match rejection {
        Rejection::Unreadable(detail) => ApiError::bad_request(detail),
        Rejection::Invalid(errors) => ApiError::bad_request("").with("detail", json!(errors)),
    }
}

/// Accepts a document: the program is there when this returns, its plan follows.
pub(super) async fn accept(app: &App, actor: &Actor, upload: Upload) -> ApiResult<SeedImportQueuedResponse> {
    let (draft, today, lag_calendar) = (upload.draft, app.clock.today(), upload.lag_calendar);
    let understood = move || {
        let mut document = draft.parse(today)?;
        drop(draft);
        let lags = settle_lags(&mut document, lag_calendar);
        let kept = pack(&render(&document));
        Ok::<_, Rejection>((document, lags, kept))
    };
    let (document, lags, kept) = off_thread(understood).await?.map_err(refused)?;
    let kept = kept?;
    let importer = Importer { id: actor.id, username: actor.username.clone() };
    let mut edit = Edit::begin(app, actor).await?;
    let replaced = make_way(&mut edit, actor.id, &document.program.slug, upload.request).await?;
    let program = create_program(&mut edit, actor.id, intake::program_fields(&document, &importer)).await?;
    let new = NewImport {
        program,
        user: actor.id,
        document: &kept,
        filename: &upload.filename,
        replace: upload.request.replace,
        replaced,
        expires_at: edit.now() + Duration::days(KEPT_DAYS),
    };
    let import = queries::insert_import(&mut edit, &new).await?;
    queue_build(&mut edit, program, import).await?;
    edit.commit().await?;
    Ok(SeedImportQueuedResponse {
        queued: true,
        program_id: program,
        import_request_id: import,
        replaced_program_id: replaced,
        lags,
    })
}

/// Removes the program that has the code already, if the caller asked for that.
pub(super) async fn make_way(
    tx: &mut Tx,
    user: UserId,
    code: &str,
    request: Replacement,
) -> ApiResult<Option<ProgramId>> {
    replacement::lock_person(tx, user).await?;
    let candidates = replacement::candidates(tx, user, code).await?;
    let replaced = rules::replaced(candidates, request)?;
    if let Some(program) = replaced {
        replacement::replace(tx, user, program).await?;
    }
    Ok(replaced)
}

async fn queue_build(tx: &mut Tx, program: ProgramId, import: Uuid) -> ApiResult<()> {
    let job = NewJob::new(BUILD, &BuildSeedImport { import })?;
    queue::enqueue(tx, job.once(format!("{BUILD}:{program}"))).await?;
    Ok(())
}

/// Says what an import would do, without doing it.
pub(super) async fn rehearse(app: &App, actor: &Actor, upload: Upload) -> ApiResult<SeedValidateResponse> {
    let (draft, today, request) = (upload.draft, app.clock.today(), upload.request);
    let (claims, read) = off_thread(move || (draft.claims(), draft.parse(today))).await?;
    let errors = match read {
        Ok(_) => Vec::new(),
        Err(Rejection::Invalid(errors)) => errors,
        Err(unreadable) => return Err(refused(unreadable)),
    };
    let (replaces, conflicts) = match &claims.program_slug {
        Some(slug) => in_the_way(&app.db, actor.id, slug, request).await?,
        None => Default::default(),
    };
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    Ok(SeedValidateResponse {
        valid: errors.is_empty(),
        errors,
        schema_version: claims.schema_version,
        program_slug: claims.program_slug,
        program_name: claims.program_name,
        project_count: count(claims.project_count),
        task_count: count(claims.task_count),
        resource_count: count(claims.resource_count),
        replaces,
        conflicts,
    })
}

/// The program that an import would replace: the expected one where several could be meant, else the oldest. If several could be
/// meant and none is expected, all of them come second.
async fn in_the_way(
    db: &dyn Read,
    user: UserId,
    code: &str,
    request: Replacement,
) -> ApiResult<(Option<SeedReplaceConflict>, Vec<SeedReplaceConflict>)> {
    // A claimed slug may hold anything, and storage refuses what no program could be called.
    if code.contains('\0') {
        return Ok(Default::default());
    }
    let mut candidates = replacement::candidates(db, user, code).await?;
    let is_expected = |one: &Candidate| Some(one.program_id) == request.expected;
    candidates.sort_by_key(|one| !is_expected(one));
    let is_clear = candidates.len() < 2 || candidates.first().is_some_and(is_expected);
    let all: Vec<SeedReplaceConflict> = candidates.into_iter().map(SeedReplaceConflict::from).collect();
    Ok((all.first().cloned(), if is_clear { Vec::new() } else { all }))
}
