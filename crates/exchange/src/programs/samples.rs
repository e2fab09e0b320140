//! `/api/v1/programs/samples/` and `load-sample/`: the programs that ship with the product.
//! Loading one again takes the earlier copy away; a program that holds anything else is never touched.

use axum::extract::State;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequestParts, RawPathParams};
use http::HeaderMap;
use http::request::Parts;
use planwright_domain::access::may;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_domain::words::SprintState;
use planwright_plan::Edit;
use planwright_plan::import::replacement;
use planwright_plan_files::seed::Ceiling;
use planwright_plan_files::seed::Draft;
use planwright_web::input::{Name, Patch};
use planwright_web::limits::Limit;
use planwright_web::reply::Cached;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Created, IgnoredBody, Json, NoContent, OpenBody, ProgramScope, Routes,
    input, says, token,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::intake::Importer;
use super::model::SeedReplaceConflict;
use super::rules::Obstacle;
use super::{library, queries};
use crate::samples::{SAMPLES, Sample, sample};

/// How a program is shown in answers. Another area defines this.
pub trait ShowProgram: Send + Sync + 'static {
    /// The program on the wire.
    type Program: Serialize + JsonSchema + Send + 'static;

    /// The program as its caller sees it.
    fn show(
        app: &App,
        actor: &Actor,
        program: ProgramId,
    ) -> impl Future<Output = ApiResult<Self::Program>> + Send;
}

/// The routes of this file.
pub(super) fn table<S: ShowProgram>() -> Routes {
    Routes::new()
        .get("/api/v1/programs/samples/", list, says("The bundled samples."))
        .get(
            "/api/v1/programs/samples/{key}/download/",
            download,
            says("The document of a sample.").limit(Limit::SampleDownload),
        )
        .post(
            "/api/v1/programs/load-sample/",
            load::<S>,
            says("Load a bundled sample. It replaces an earlier copy.")
                .members_only()
                .limit(Limit::SampleLoad),
        )
        .post(
            "/api/v1/programs/{id}/remove-sample/",
            remove,
            says("Delete a program that came as a sample, so that nobody can bring it back."),
        )
}

/// A bundled sample.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SampleCatalogEntry {
    /// The key that a request uses.
    pub key: &'static str,
    /// The title in the list.
    pub title: &'static str,
    /// A short description.
    pub description: &'static str,
    /// The name of its file.
    pub filename: &'static str,
    /// Whether it can be loaded.
    pub available: bool,
    /// The size of its file.
    pub size_bytes: Option<i64>,
    /// The hash of its file.
    pub sha256: Option<String>,
    /// The version of its document.
    pub schema_version: Option<String>,
    /// How many projects it holds.
    pub project_count: Option<i64>,
    /// How many tasks.
    pub task_count: Option<i64>,
    /// How many resources.
    pub resource_count: Option<i64>,
    /// The address of the file.
    pub download_url: String,
}

fn entry(sample: &Sample) -> SampleCatalogEntry {
    let claims = Draft::read(sample.text.as_bytes(), Ceiling::NONE).map(|draft| draft.claims()).ok();
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    SampleCatalogEntry {
        key: sample.key,
        title: sample.title,
        description: sample.description,
        filename: sample.filename,
        available: claims.is_some(),
        size_bytes: Some(count(sample.text.len())),
        sha256: Some(token::hash(sample.text)),
        schema_version: claims.as_ref().and_then(|claims| claims.schema_version.clone()),
        project_count: claims.as_ref().map(|claims| count(claims.project_count)),
        task_count: claims.as_ref().map(|claims| count(claims.task_count)),
        resource_count: claims.as_ref().map(|claims| count(claims.resource_count)),
        download_url: format!("/api/v1/programs/samples/{}/download/", sample.key),
    }
}

async fn list(_: Actor) -> Json<Vec<SampleCatalogEntry>> {
    Json(SAMPLES.iter().map(entry).collect())
}

/// The sample that the path names; any other key is 404.
struct Named(&'static Sample);

impl FromRequestParts<App> for Named {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let read: Result<RawPathParams, RawPathParamsRejection> =
            RawPathParams::from_request_parts(parts, app).await;
        let parameters = read.map_err(|_| ApiError::not_found())?;
        let key = parameters.iter().last().map(|(_, key)| key.to_owned());
        key.and_then(|key| sample(&key)).map(Named).ok_or_else(ApiError::not_found)
    }
}

impl planwright_web::describe::Describe for Named {}

async fn download(_: Actor, Named(sample): Named, asked: HeaderMap) -> Cached {
    Cached::of(&asked, "application/json", sample.text).file(sample.filename)
}

input! {
    /// Which sample to load.
    pub struct LoadSampleRequest {
        /// The key of the sample. The default is the first one of the list.
        pub sample: Patch<Name<1, 64>>,
    }
}

/// A sample that was loaded.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoadSampleResponse")]
pub struct LoadSampleResponse<P> {
    /// The program, complete.
    pub program: P,
    /// The project with a running sprint. Null if there is none.
    pub landing_project_id: Option<ProjectId>,
    /// The key of the sample.
    pub sample_key: &'static str,
}

async fn load<S: ShowProgram>(
    State(app): State<App>,
    actor: Actor,
    OpenBody(request): OpenBody<LoadSampleRequest>,
) -> ApiResult<Created<LoadSampleResponse<S::Program>>> {
    let key = request.sample.given();
    let wanted = key.as_ref().map_or(SAMPLES.first(), |key| sample(key.as_str()));
    let unknown = || ApiError::invalid_field("sample", "There is no sample with this key.");
    let wanted = wanted.ok_or_else(unknown)?;
    let program = replace_copy(&app, &actor, wanted).await?;
    Ok(Created(LoadSampleResponse {
        program: S::show(&app, &actor, program).await?,
        landing_project_id: queries::project_with_sprint(&app.db, program, SprintState::Active).await?,
        sample_key: wanted.key,
    }))
}

/// A program that holds anything but what came with a sample stays.
async fn remove(
    State(app): State<App>,
    scope: ProgramScope<may::OwnProgram>,
    _: IgnoredBody,
) -> ApiResult<NoContent> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let (program, actor) = (scope.program, scope.actor.id);
    if !replacement::is_untouched_sample(&edit, program).await? {
        return Err(ApiError::conflict(
            "Only a sample program without other projects can be removed in this way.",
        )
        .with_code("not_a_sample"));
    }
    replacement::remove_outright(&mut edit, actor, program).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn replace_copy(app: &App, actor: &Actor, sample: &Sample) -> ApiResult<ProgramId> {
    let document = Draft::read(sample.text.as_bytes(), Ceiling::NONE)
        .and_then(|draft| draft.parse(app.clock.today()))
        .map_err(|rejection| ApiError::unexpected(rejection.into()))?;
    let importer = Importer { id: actor.id, username: actor.username.clone() };
    let mut edit = Edit::begin(app, actor).await?;
    replacement::lock_person(&mut edit, actor.id).await?;
    let copies = replacement::sample_copies(&edit, actor.id, &document.program.slug).await?;
    match copies.as_slice() {
        [] => {}
        [copy] => replacement::remove_outright(&mut edit, actor.id, copy.program_id).await?,
        _ => {
            let conflicts = copies.into_iter().map(SeedReplaceConflict::from).collect();
            return Err(Obstacle::Ambiguous(conflicts).into());
        }
    }
    let (program, _) = library::create(&mut edit, &importer, &document, true).await?;
    edit.commit().await?;
    Ok(program)
}
