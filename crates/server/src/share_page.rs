//! The pages of public links: a board as columns of cards, a schedule as a picture with a table. They are written here, need no
//! script and print well. Whether a link still works is decided in sharing.

use axum::extract::State;
use http::header::{CACHE_CONTROL, ETAG, REFERRER_POLICY};
use http::{HeaderMap, HeaderValue, StatusCode};
use planwright_domain::words::{SharedContent, Word};
use planwright_sharing::shared::drawings::{self, Drawing, Form};
use planwright_sharing::shared::model::{SharedBoard, SharedCard, SharedSchedule, SharedTask};
use planwright_sharing::shared::{self, OpenLink};
use planwright_web::limits::Limit;
use planwright_web::reply::Raw;
use planwright_web::{ApiError, ApiResult, App, Path, Routes, says};
use serde_json::Value as Json;

use crate::share_picture;
use planwright_web::form_page::{self, escaped};

/// The routes of this file.
pub fn routes() -> Routes {
    let of = |summary| says(summary).public().hidden().limit(Limit::ShareAccess);
    Routes::new().get("/share/board/{token}", board, of("The page of a public board.")).get(
        "/share/schedule/{token}",
        schedule,
        of("The page of a public schedule."),
    )
}

async fn board(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> ApiResult<Raw<Json>> {
    let draw = async |link: &OpenLink| {
        let board = shared::board(&app, link).await?;
        let text = board_content(&board);
        Ok(Drawing::new(board.project.name, text))
    };
    shown(&app, shared::open(&app, &token, SharedContent::Board).await, &headers, draw).await
}

async fn schedule(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> ApiResult<Raw<Json>> {
    let draw = async |link: &OpenLink| {
        let schedule = shared::schedule(&app, link).await?;
        let text = schedule_content(&schedule);
        Ok(Drawing::new(schedule.project.name, text))
    };
    shown(&app, shared::open(&app, &token, SharedContent::Schedule).await, &headers, draw).await
}

/// The page of a link with its tag. The outer layer turns it into 304 for a reader that has it.
async fn shown(
    app: &App,
    opened: ApiResult<OpenLink>,
    headers: &HeaderMap,
    draw: impl AsyncFnOnce(&OpenLink) -> ApiResult<Drawing>,
) -> ApiResult<Raw<Json>> {
    let link = match opened {
        Ok(link) => link,
        Err(refusal) => return no_picture(refusal),
    };
    let shown = drawings::shown(app, &link, headers, Form::Page, async || draw(&link).await).await?;
    let mut answer = page(StatusCode::OK, shown.title(), shown.text());
    answer.0.headers_mut().insert(ETAG, shown.tag()?);
    Ok(answer)
}

/// A link that shows nothing gets a page that says so; a database that is away stays an error.
fn no_picture(refusal: ApiError) -> ApiResult<Raw<Json>> {
    let (status, text) = match refusal.status() {
        404 => (StatusCode::NOT_FOUND, "There is nothing at this address."),
        410 => {
            (StatusCode::GONE, "This link does not work any more. Ask the person who sent it for a new one.")
        }
        _ => return Err(refusal),
    };
    Ok(page(status, "Shared project", &format!("<h1>Shared project</h1><p>{text}</p>")))
}

/// A page that its reader may keep for a moment, and whose address goes to nobody.
fn page(status: StatusCode, title: &str, content: &str) -> Raw<Json> {
    let mut page = form_page::page(status, title, &format!("<div class=\"shared\">{content}</div>"));
    let headers = page.0.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=30"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    page
}

fn heading(name: &str, code: &str, truncated: bool) -> String {
    let cut = if truncated { "<p class=\"cut\">Only the first part is shown.</p>" } else { "" };
    format!("<h1>{} <small>{}</small></h1>{cut}", escaped(name), escaped(code))
}

fn board_content(board: &SharedBoard) -> String {
    let columns: String = board
        .columns
        .iter()
        .map(|column| {
            let cards: String = column.cards.iter().map(card).collect();
            format!(
                "<section><h2>{} <small>{}</small></h2><ul>{cards}</ul></section>",
                escaped(&column.label),
                column.cards.len()
            )
        })
        .collect();
    let head = heading(&board.project.name, &board.project.short_id, board.truncated);
    format!("{head}<div class=\"board\">{columns}</div>")
}

fn card(card: &SharedCard) -> String {
    let mut facts: Vec<String> = Vec::new();
    facts.extend(card.is_milestone.then(|| "milestone".to_owned()));
    facts.extend(card.due_date.map(|day| day.to_string()));
    facts.extend((card.percent_complete > 0).then(|| format!("{} %", card.percent_complete)));
    facts.extend(card.assignee.as_deref().map(escaped));
    format!(
        "<li><small>{}</small><strong>{}</strong><span>{}</span></li>",
        escaped(&card.short_id),
        escaped(&card.name),
        facts.join(" · ")
    )
}

fn schedule_content(schedule: &SharedSchedule) -> String {
    let head = heading(&schedule.project.name, &schedule.project.short_id, schedule.truncated);
    let rows: String = schedule.tasks.iter().map(|task| row(task, schedule.show_assignees)).collect();
    let who = if schedule.show_assignees { "<th>Who</th>" } else { "" };
    format!(
        "{head}<div class=\"picture\">{}</div><table><thead><tr><th>WBS</th><th>Task</th><th>Start</th><th>Finish</th><th>Done</th><th>Status</th>\
         {who}</tr></thead><tbody>{rows}</tbody></table>",
        share_picture::svg(schedule)
    )
}

fn row(task: &SharedTask, shows_assignee: bool) -> String {
    let who = task.assignee.as_deref().map(escaped).unwrap_or_default();
    let who = if shows_assignee { format!("<td>{who}</td>") } else { String::new() };
    let day = |day: Option<chrono::NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
    format!(
        "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} %</td><td>{}</td>{who}</tr>",
        if task.is_critical { " class=\"critical\"" } else { "" },
        escaped(task.wbs_path.as_deref().unwrap_or_default()),
        escaped(&task.name),
        day(task.early_start),
        day(task.early_finish),
        task.percent_complete,
        task.status.as_str().replace('_', " ").to_lowercase()
    )
}
