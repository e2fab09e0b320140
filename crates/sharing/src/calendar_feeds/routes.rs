//! The routes of the feeds of a person. No token manages feeds, and a new one needs a recent proof of who one is: whoever stole a
//! credential must not be able to make it outlive its owner's notice.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::CalendarFeedId;
use planwright_domain::words::AuditKind;
use planwright_plan::edit::Edit;
use planwright_store::audit::Audited;
use planwright_store::{Read, Result, Tx};
use planwright_web::limits::Limit;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Json, NoContent, Path, ProgramScope, ProjectScope,
    Routes, says, token,
};
use serde_json::json;

use super::model::{CalendarFeed, CalendarFeedCreateRequest, CalendarFeedCreateResponse, CalendarFeedRow};
use super::queries;
use super::rules::{self, Source};

const ALL: &str = "/api/v1/me/calendar-feeds/";
const ONE: &str = "/api/v1/me/calendar-feeds/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("List your calendar feeds, the newest first.").session_only())
        .post(
            ALL,
            create,
            says("Make a calendar feed. Its address is shown only once.")
                .session_only()
                .confirmed()
                .returns_secret()
                .limit(Limit::TokenIssuance),
        )
        .delete(
            ONE,
            revoke,
            says("Revoke a calendar feed. Its address answers 404 at once.")
                .session_only()
                .limit(Limit::TokenRevocation),
        )
}

async fn list(State(app): State<App>, actor: Actor) -> ApiResult<Json<Vec<CalendarFeed>>> {
    let rows = queries::of_person(&app.db, actor.id).await?;
    Ok(Json(rows.into_iter().map(CalendarFeed::from).collect()))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<CalendarFeedCreateRequest>,
) -> ApiResult<Created<CalendarFeedCreateResponse>> {
    let source = rules::source(&request)?;
    // The person is locked, so that feeds made at once are counted one after another.
    let mut edit = Edit::locked(&app, &actor).await?;
    rules::check_room(queries::count(&edit, actor.id).await?)?;
    let usual_name = usual_name(&edit, &actor, source).await?;
    let secret = token::random();
    let row = new_row(&edit, &actor, source, request, usual_name, &secret);
    edit.insert(&row, Vec::new()).await?;
    audit(&mut edit, AuditKind::CalendarFeedCreated, &row).await?;
    edit.commit().await?;
    Ok(Created(CalendarFeedCreateResponse { feed: row.into(), feed_path: rules::path(&secret) }))
}

/// How a feed is called unless its person says otherwise.
///
/// # Errors
/// 404 when the person does not see what it reads.
async fn usual_name(db: &dyn Read, actor: &Actor, source: Source) -> ApiResult<String> {
    match source {
        Source::MyTasks => Ok("My tasks".to_owned()),
        Source::Project(project) => {
            ProjectScope::<may::ReadProject>::of(db, actor, project).await?;
            Ok(queries::name_of_project(db, project).await?)
        }
        Source::Program(program) => {
            ProgramScope::<may::ReadProgram>::of(db, actor, program).await?;
            Ok(queries::name_of_program(db, program).await?)
        }
    }
}

fn new_row(
    tx: &Tx,
    actor: &Actor,
    source: Source,
    request: CalendarFeedCreateRequest,
    usual_name: String,
    secret: &str,
) -> CalendarFeedRow {
    let name = request.name.given().map(String::from).filter(|name| !name.is_empty());
    CalendarFeedRow {
        id: tx.mint(),
        user_id: actor.id,
        name: name.unwrap_or(usual_name),
        content_kind: source.content_kind(),
        project_id: source.project(),
        program_id: source.program(),
        include_done: request.include_done.given().unwrap_or(false),
        token_hash: token::hash(secret),
        token_prefix: token::shown_part(secret),
        created_at: tx.now(),
        last_used_at: None,
    }
}

async fn revoke(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<CalendarFeedId>,
) -> ApiResult<NoContent> {
    let mut edit = Edit::locked(&app, &actor).await?;
    let row = queries::find(&edit, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    if queries::remove(&mut edit, id).await? {
        audit(&mut edit, AuditKind::CalendarFeedRevoked, &row).await?;
    }
    edit.commit().await?;
    Ok(NoContent)
}

async fn audit(tx: &mut Tx, kind: AuditKind, row: &CalendarFeedRow) -> Result<()> {
    let metadata = json!({
        "content_kind": row.content_kind,
        "project": row.project_id,
        "program": row.program_id,
        "include_done": row.include_done,
    });
    let (target, label) = (Some(row.id.0), row.name.clone());
    tx.audit(Audited {
        kind,
        actor: Some(row.user_id),
        target_type: "calendar_feed",
        target,
        label,
        metadata,
    })
    .await
}
