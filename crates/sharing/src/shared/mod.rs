//! `/api/v1/share/…`: the pictures that public links show. The caller is nobody; the token in the path decides, and it is
//! asked anew at every read whether the link, its project and the installation still share.

pub mod drawings;
pub mod model;
mod phases;
mod queries;
mod routes;
mod rules;

use planwright_domain::words::SharedContent;
use planwright_plan::containers::inheritance::in_force;
use planwright_store::StoreError;
use planwright_web::{ApiError, ApiResult, App, token};

pub use routes::table;

use crate::links::{ShareLinkRow, Worth};
use crate::settings::SharingSettings;
use model::{SharedBoard, SharedSchedule};

/// A longer text cannot be a token.
const LONGEST_TOKEN: usize = 128;

/// A link that shows its picture now.
pub struct OpenLink(pub(crate) ShareLinkRow);

/// The link of a token.
///
/// # Errors
/// 404 for a token that never was, for one that shows something else, and while the installation has no public links;
/// 410 once the link was revoked or is over, its project is in the trash, or its policy forbids links.
pub async fn open(app: &App, text: &str, kind: SharedContent) -> ApiResult<OpenLink> {
    if !app.get::<SharingSettings>().is_enabled || text.len() > LONGEST_TOKEN {
        return Err(ApiError::not_found());
    }
    let found = crate::links::by_hash(&app.db, &token::hash(text), kind).await?;
    let link = found.ok_or_else(ApiError::not_found)?;
    let is_shared = match in_force(&app.db, link.project_id).await {
        Ok(settings) => settings.public_sharing && queries::is_live(&app.db, link.project_id).await?,
        Err(StoreError::Missing) => false,
        Err(error) => return Err(error.into()),
    };
    match link.worth(app.clock.now(), is_shared) {
        Worth::Open => Ok(OpenLink(link)),
        Worth::Over => Err(ApiError::gone("This link does not work any more.")),
    }
}

/// The board that a link shows.
pub async fn board(app: &App, link: &OpenLink) -> ApiResult<SharedBoard> {
    let most = app.get::<SharingSettings>().most_cards;
    let OpenLink(link) = link;
    let project = queries::project(&app.db, link.project_id).await?;
    let columns = rules::columns(queries::columns(&app.db, link.project_id).await?);
    let cards = queries::cards(&app.db, link.project_id, rules::statuses(&columns), most).await?;
    Ok(rules::board(project, columns, cards, link, most))
}

/// The schedule that a link shows.
pub async fn schedule(app: &App, link: &OpenLink) -> ApiResult<SharedSchedule> {
    let most = app.get::<SharingSettings>().most_tasks;
    let OpenLink(link) = link;
    let project = queries::project(&app.db, link.project_id).await?;
    let tasks = queries::tasks(&app.db, link.project_id, most).await?;
    let links = queries::dependencies(&app.db, link.project_id, most).await?;
    Ok(rules::schedule(project, tasks, links, link, most))
}

/// Notes that a picture was sent. A picture is shown also while nothing can be written.
async fn count(app: &App, OpenLink(link): &OpenLink) {
    if let Err(error) = counted(app, link).await {
        tracing::warn!(link = %link.id, error = %format!("{error:#}"), "the use of a public link was not counted");
    }
}

async fn counted(app: &App, link: &ShareLinkRow) -> Result<(), StoreError> {
    let mut tx = app.db.begin().await?;
    crate::links::count_access(&mut tx, link.id).await?;
    tx.commit().await
}
