//! `/api/v1/me/work/`: what the caller has to do in all their projects.

use axum::extract::State;
use planwright_web::{Actor, ApiResult, App, Gathered, Gathering, Query, Routes, Window, says};

use super::model::{MyWork, MyWorkQuery};
use super::{queries, rules};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/me/work/",
        show,
        says("What you have to do in all your projects.").agent_surface(),
    )
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    window: Window<100, 200>,
    Query(query): Query<MyWorkQuery>,
) -> ApiResult<Gathered<MyWork>> {
    let (now, mut gathering) = (app.clock.now(), Gathering::default());
    let (db, today, is_first) = (&app.db, now.date_naive(), window.offset == 0);
    let order = queries::order(&query)?;
    let of_page = (order, window.limit, window.offset);
    let sums = gathering.section("counts", queries::sums(db, &actor, &query, today).await);
    let rows = gathering.section("results", queries::tasks(db, &actor, &query, today, of_page).await);
    let running = gathering.section("active_sprints", queries::running(db, &actor).await);
    let signals = queries::signals(db, &actor, today).await.map(|sums| is_first.then(|| sums.into()));
    let items = gathering.section("external_items", queries::elsewhere(db, actor.id).await);
    let trackers = gathering.section("external_sources", queries::trackers(db, actor.id).await);
    let work = MyWork {
        page: window.envelope(sums.tasks, rows.into_iter().map(|row| rules::shown(row, now)).collect()),
        active_sprints: running.into_iter().map(|sprint| sprint.shown(today)).collect(),
        due_today_count: sums.due_today,
        server_version_high_water: sums.high_water,
        retro_action_items: gathering.section("retro_action_items", queries::promised(db, &actor).await),
        signals: gathering.section("signals", signals),
        external_items: is_first.then_some(items),
        external_sources: is_first.then_some(trackers),
    };
    Ok(gathering.answer(work))
}
