//! The pages of public links: a board as columns of cards, a schedule as a picture with a table. They are written here, need no
//! script and print well. Whether a link still works is decided in sharing.

use axum::extract::State;
use http::header::{CACHE_CONTROL, ETAG, REFERRER_POLICY};
use http::{HeaderMap, HeaderValue, StatusCode};
use planwright_domain::words::SharedContent;
use planwright_sharing::shared::drawings::{self, Drawing, Form};
use planwright_sharing::shared::model::{SharedBoard, SharedCard, SharedColumn, SharedSchedule, SharedTask};
use planwright_sharing::shared::{self, OpenLink};
use planwright_web::form_page::{self, escaped};
use planwright_web::language::{Language, Words};
use planwright_web::limits::Limit;
use planwright_web::reply::Raw;
use planwright_web::{ApiError, ApiResult, App, Path, Routes, says};
use serde_json::Value as Json;

use crate::{share_picture, words};

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
    language: Language,
    headers: HeaderMap,
) -> ApiResult<Raw<Json>> {
    let draw = async |link: &OpenLink| {
        let board = shared::board(&app, link).await?;
        let text = board_content(language, &board);
        Ok(Drawing::new(Form::Page(language), board.project.name, text))
    };
    let opened = shared::open(&app, &token, SharedContent::Board).await;
    shown(&app, language, opened, &headers, draw).await
}

async fn schedule(
    State(app): State<App>,
    Path(token): Path<String>,
    language: Language,
    headers: HeaderMap,
) -> ApiResult<Raw<Json>> {
    let draw = async |link: &OpenLink| {
        let schedule = shared::schedule(&app, link).await?;
        let text = schedule_content(language, &schedule);
        Ok(Drawing::new(Form::Page(language), schedule.project.name, text))
    };
    let opened = shared::open(&app, &token, SharedContent::Schedule).await;
    shown(&app, language, opened, &headers, draw).await
}

/// The page of a link with its tag. The outer layer turns it into 304 for a reader that has it.
async fn shown(
    app: &App,
    language: Language,
    opened: ApiResult<OpenLink>,
    headers: &HeaderMap,
    draw: impl AsyncFnOnce(&OpenLink) -> ApiResult<Drawing>,
) -> ApiResult<Raw<Json>> {
    let link = match opened {
        Ok(link) => link,
        Err(refusal) => return no_picture(language, refusal),
    };
    let form = Form::Page(language);
    let shown = drawings::shown(app, &link, headers, form, async || draw(&link).await).await?;
    let mut answer = page(language, StatusCode::OK, shown.title(), shown.text());
    answer.0.headers_mut().insert(ETAG, shown.tag()?);
    Ok(answer)
}

/// A link that shows nothing gets a page that says so; a database that is away stays an error.
fn no_picture(language: Language, refusal: ApiError) -> ApiResult<Raw<Json>> {
    let (status, text) = match refusal.status() {
        404 => (StatusCode::NOT_FOUND, words::NOTHING_HERE),
        410 => (StatusCode::GONE, words::DEAD_SHARE_LINK),
        _ => return Err(refusal),
    };
    let (title, text) = (words::SHARED_PROJECT.text(language), text.text(language));
    Ok(page(language, status, title, &format!("<h1>{title}</h1><p>{text}</p>")))
}

/// A page that its reader may keep for a moment, and whose address goes to nobody.
fn page(language: Language, status: StatusCode, title: &str, content: &str) -> Raw<Json> {
    let content = format!("<div class=\"shared\">{content}</div>");
    let mut page = form_page::page(language, status, title, &content);
    let headers = page.0.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=30"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    page
}

fn heading(language: Language, name: &str, code: &str, truncated: bool) -> String {
    let cut = match truncated {
        true => format!("<p class=\"cut\">{}</p>", words::CUT.text(language)),
        false => String::new(),
    };
    format!("<h1>{} <small>{}</small></h1>{cut}", escaped(name), escaped(code))
}

fn board_content(language: Language, board: &SharedBoard) -> String {
    let columns: String = board
        .columns
        .iter()
        .map(|column| {
            let cards: String = column.cards.iter().map(|one| card(language, one)).collect();
            format!(
                "<section><h2>{} <small>{}</small></h2><ul>{cards}</ul></section>",
                escaped(column_name(language, column)),
                column.cards.len()
            )
        })
        .collect();
    let head = heading(language, &board.project.name, &board.project.short_id, board.truncated);
    format!("{head}<div class=\"board\">{columns}</div>")
}

/// The name of a column. One that a project never named differently is translated, like the status that it stands for.
fn column_name(language: Language, column: &SharedColumn) -> &str {
    let usual = words::status(column.key);
    let is_usual = column.label.eq_ignore_ascii_case(usual.text(Language::English));
    match is_usual && language != Language::English {
        true => usual.text(language),
        false => &column.label,
    }
}

fn card(language: Language, card: &SharedCard) -> String {
    let mut facts: Vec<String> = Vec::new();
    facts.extend(card.is_milestone.then(|| words::MILESTONE.text(language).to_owned()));
    facts.extend(card.due_date.map(|day| language.day(day)));
    facts.extend((card.percent_complete > 0).then(|| format!("{} %", card.percent_complete)));
    facts.extend(card.assignee.as_deref().map(escaped));
    format!(
        "<li><small>{}</small><strong>{}</strong><span>{}</span></li>",
        escaped(&card.short_id),
        escaped(&card.name),
        facts.join(" · ")
    )
}

/// The heads of the table.
const HEADS: [Words; 6] = [words::WBS, words::TASK, words::START, words::FINISH, words::DONE, words::STATUS];

fn schedule_content(language: Language, schedule: &SharedSchedule) -> String {
    let head = heading(language, &schedule.project.name, &schedule.project.short_id, schedule.truncated);
    let rows: String =
        schedule.tasks.iter().map(|task| row(language, task, schedule.show_assignees)).collect();
    let who = schedule.show_assignees.then_some(words::WHO);
    let heads: String =
        HEADS.into_iter().chain(who).map(|words| format!("<th>{}</th>", words.text(language))).collect();
    format!(
        "{head}<div class=\"picture\">{}</div><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>",
        share_picture::svg(language, schedule)
    )
}

fn row(language: Language, task: &SharedTask, shows_assignee: bool) -> String {
    let who = task.assignee.as_deref().map(escaped).unwrap_or_default();
    let who = if shows_assignee { format!("<td>{who}</td>") } else { String::new() };
    let day = |day: Option<chrono::NaiveDate>| day.map(|day| language.day(day)).unwrap_or_default();
    format!(
        "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} %</td><td>{}</td>{who}</tr>",
        if task.is_critical { " class=\"critical\"" } else { "" },
        escaped(task.wbs_path.as_deref().unwrap_or_default()),
        escaped(&task.name),
        day(task.start()),
        day(task.early_finish),
        task.percent_complete,
        words::status(task.status).text(language)
    )
}

#[cfg(test)]
mod tests {
    use planwright_domain::words::TaskStatus;

    use super::*;

    #[test]
    fn a_column_that_was_named_by_somebody_keeps_its_name() {
        let name = |language, label: &str| {
            let (key, label) = (TaskStatus::InProgress, label.to_owned());
            column_name(language, &SharedColumn { key, label, cards: Vec::new() }).to_owned()
        };
        assert_eq!(name(Language::German, "In Progress"), "In Arbeit");
        assert_eq!(name(Language::English, "In Progress"), "In Progress");
        assert_eq!(name(Language::German, "Doing"), "Doing");
    }
}
