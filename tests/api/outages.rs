//! What happens when something the program stands on is away: a clear answer, nothing half-written, recovery by itself.

use planwright_domain::clock::Clock;
use planwright_store::{Read, sql};
use planwright_testkit::{Engine, TestApp};
use serde_json::json;

#[tokio::test]
#[cfg_attr(test, ignore = "needs PostgreSQL")]
async fn while_postgres_is_away_requests_get_503_and_afterwards_they_work_again() {
    let (app, line) = TestApp::start_behind_a_line().await;
    let admin = app.admin().await;
    admin.post("/api/v1/calendars/", json!({"name": "Before"})).await.expect(201);
    line.cut();
    for _ in 0..3 {
        let refused = admin.get("/api/v1/calendars/").await.expect(503);
        assert_eq!(refused["code"], "database_unavailable");
        assert_eq!(refused.header("retry-after"), "1");
        admin.post("/api/v1/calendars/", json!({"name": "During"})).await.expect(503);
    }
    app.anonymous().get("/api/v1/health/").await.expect(200);
    let ready = app.anonymous().get("/api/v1/readyz").await.expect(503);
    assert_eq!(ready["migration_state"], "unknown");
    line.mend();
    admin.post("/api/v1/calendars/", json!({"name": "After"})).await.expect(201);
    let list = admin.get("/api/v1/calendars/").await.expect(200);
    assert_eq!(list["count"], 2);
    app.finish().await;
}

#[tokio::test]
async fn a_full_disk_is_said_clearly_and_leaves_the_database_intact() {
    let app = TestApp::start(Engine::Sqlite).await;
    let admin = app.admin().await;
    let pages = app.app.db.count(sql!("SELECT page_count FROM pragma_page_count()")).await.unwrap();
    limit_pages(&app, pages + 3).await;
    let mut refused = None;
    for number in 0..2000 {
        let answer = admin.post("/api/v1/calendars/", json!({"name": format!("C{number}").repeat(40)})).await;
        if answer.status != 201 {
            refused = Some((number, answer));
            break;
        }
    }
    let (made, answer) = refused.expect("the disk fills up");
    let answer = answer.expect(503);
    assert_eq!(answer["code"], "storage_full");
    assert_eq!(admin.get("/api/v1/calendars/?page_size=1").await["count"], made);
    let sound: Option<String> = app.app.db.scalar(sql!("PRAGMA integrity_check")).await.unwrap();
    assert_eq!(sound.as_deref(), Some("ok"));
    limit_pages(&app, 1_000_000).await;
    admin.post("/api/v1/calendars/", json!({"name": "After"})).await.expect(201);
    app.finish().await;
}

async fn limit_pages(app: &TestApp, pages: i64) {
    let tx = app.app.db.begin().await.unwrap();
    tx.rows(sql!(format!("PRAGMA max_page_count = {pages}"))).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn limits_fail_open_while_redis_is_away() {
    let app = TestApp::start_with(Engine::Sqlite, &[("SVC_REDIS_URL", "redis://127.0.0.1:1/")]).await;
    let admin = app.admin().await;
    admin.get("/api/v1/calendars/").await.expect(200);
    app.finish().await;
}

#[tokio::test]
#[cfg_attr(test, ignore = "needs Redis")]
async fn limits_counted_in_redis_hold_across_nodes() {
    let url = planwright_testkit::redis_url();
    // A prefix of its own keeps runs apart that share a server.
    let name = format!("/api/v1/calendars/?search={}", Clock::machine().mint::<uuid::Uuid>());
    let one =
        TestApp::start_with(Engine::Sqlite, &[("SVC_REDIS_URL", &url), ("SVC_THROTTLE_USER_RATE", "3/min")])
            .await;
    let admin = one.admin().await;
    for _ in 0..3 {
        admin.get(&name).await.expect(200);
    }
    let refused = admin.get(&name).await.expect(429);
    assert_eq!(refused.header("retry-after"), "60");
    one.finish().await;
}
