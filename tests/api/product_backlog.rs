//! The product backlog: what waits, in which order, and how ready it is.

use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};

use crate::site::Site;

async fn story(site: &Site<'_>, name: &str, more: Value) -> String {
    let mut fields = json!({"name": name, "type": "story", "status": "BACKLOG"});
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    site.create(fields).await.id()
}

fn names(rows: &Value) -> Vec<&str> {
    rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

async fn backlog(site: &Site<'_>) -> Answer {
    site.owner.get(&site.at("product-backlog/")).await.expect(200)
}

/// Rows as they are sent back in another order.
async fn seen(site: &Site<'_>, ids: &[&str]) -> Value {
    let mut rows = Vec::new();
    for id in ids {
        rows.push(json!({"id": id, "server_version": site.read(id).await["server_version"]}));
    }
    json!(rows)
}

both_engines! {
    async fn what_waits_is_shown_by_epics_and_an_epic_counts_what_is_done(app: &TestApp) {
        let site = Site::new(app).await;
        let epic = site.create(json!({"name": "Offline", "type": "epic", "status": "BACKLOG"})).await.id();
        let below = |points: i64| json!({"parent_epic": epic, "story_points": points});
        story(&site, "Read offline", below(3)).await;
        let done = story(&site, "Cache", below(5)).await;
        site.change(&done, json!({"status": "COMPLETE"})).await;
        story(&site, "Dark theme", json!({})).await;
        site.task("Dig", 1).await;
        let shown = backlog(&site).await;
        assert_eq!(names(&shown["ungrouped"]), ["Dark theme"], "a planned task is no story");
        assert_eq!(shown["epics"][0]["epic"]["name"], "Offline");
        assert_eq!(names(&shown["epics"][0]["stories"]), ["Read offline"]);
        assert_eq!(shown["epics"][0]["rollup"], json!({"story_count": 2, "points_total": 8, "points_done": 5}));
        let health = &shown["health"];
        assert_eq!((&health["story_count"], &health["unestimated"], &health["dor_pct"]), (&json!(2), &json!(1), &json!(0)));
        assert_eq!(shown["scoring"], json!({"model": "none"}));
        let slim = site.owner.get(&site.at("product-backlog/?fields=name")).await.expect(200);
        assert_eq!(slim["ungrouped"][0].as_object().unwrap().len(), 2, "the name and the id");
    }

    async fn a_story_that_is_moved_gets_another_rank_and_the_others_stay(app: &TestApp) {
        let site = Site::new(app).await;
        let mut ids = Vec::new();
        for name in ["A", "B", "C", "D"] {
            ids.push(story(&site, name, json!({})).await);
        }
        let reorder = site.at("product-backlog/reorder/");
        let whole = seen(&site, &[&ids[3], &ids[0], &ids[1], &ids[2]]).await;
        let moved = site.owner.post(&reorder, json!({"stories": whole})).await.expect(200);
        assert_eq!(moved["updated"], 1, "one story was moved");
        assert_eq!(names(&backlog(&site).await["ungrouped"]), ["D", "A", "B", "C"]);
        let told = app.told("backlog_reranked").await;
        assert_eq!((told.len(), &told[0].3), (1, &json!({"project_id": site.project})));
        let one = seen(&site, &[&ids[2]]).await;
        let behind = json!({"stories": one, "after": ids[3]});
        assert_eq!(site.owner.post(&reorder, behind).await.expect(200)["updated"], 1);
        assert_eq!(names(&backlog(&site).await["ungrouped"]), ["D", "C", "A", "B"]);
        let two = seen(&site, &[&ids[1], &ids[3]]).await;
        site.owner.post(&reorder, json!({"stories": two, "before": ids[2]})).await.expect(200);
        assert_eq!(names(&backlog(&site).await["ungrouped"]), ["B", "D", "C", "A"]);
        let last = seen(&site, &[&ids[1]]).await;
        site.owner.post(&reorder, json!({"stories": last, "to_end": true})).await.expect(200);
        assert_eq!(names(&backlog(&site).await["ungrouped"]), ["D", "C", "A", "B"]);
        assert_eq!(site.read(&ids[0]).await["server_version"], 1, "nobody moved it");
    }

    async fn an_order_from_another_state_is_refused_with_what_has_changed(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (story(&site, "A", json!({})).await, story(&site, "B", json!({})).await);
        let reorder = site.at("product-backlog/reorder/");
        let whole = seen(&site, &[&b, &a]).await;
        site.change(&a, json!({"name": "A, but better"})).await;
        let stale = site.owner.post(&reorder, json!({"stories": whole})).await.expect(409);
        assert_eq!(stale["conflicts"], json!([{"id": a, "server_version": 2}]));
        let part = seen(&site, &[&b]).await;
        let partial = site.owner.post(&reorder, json!({"stories": part})).await.expect(409);
        assert_eq!(partial["conflicts"], json!([{"id": a, "server_version": 2}]));
        let doubled = json!({"stories": [part[0], part[0]]});
        site.owner.post(&reorder, doubled).await.expect(400);
        site.owner.post(&reorder, json!({"stories": part, "before": b})).await.expect(400);
        site.owner.post(&reorder, json!({"stories": part, "before": a, "after": a})).await.expect(400);
        site.owner.post(&reorder, json!({"stories": []})).await.expect(400);
        assert_eq!(names(&backlog(&site).await["ungrouped"]), ["A, but better", "B"]);
    }

    async fn the_order_is_for_those_who_shape_the_backlog(app: &TestApp) {
        let site = Site::new(app).await;
        let (member, scheduler) = (site.person("mara", 100).await, site.person("sven", 200).await);
        let stranger = app.person("stranger").await;
        let a = story(&site, "A", json!({})).await;
        let body = json!({"stories": seen(&site, &[&a]).await});
        for path in ["product-backlog/reorder/", "queue/reorder/", "product-backlog/auto-rank/"] {
            member.lenient().post(&site.at(path), body.clone()).await.expect(403);
            scheduler.lenient().post(&site.at(path), body.clone()).await.expect(403);
            stranger.lenient().post(&site.at(path), body.clone()).await.expect(404);
        }
        let teams = site.owner.get(&site.at("teams/")).await.expect(200);
        let members = format!("/api/v1/teams/{}/members/", teams["results"][0]["id"].as_str().unwrap());
        let rows = site.owner.get(&members).await.expect(200);
        let row = rows.results().iter().find(|row| row["user"] == json!(member.id)).unwrap();
        let one = format!("{members}{}/", row["id"].as_str().unwrap());
        site.owner.patch(&one, json!({"is_product_owner": true})).await.expect(200);
        member.post(&site.at("product-backlog/reorder/"), body).await.expect(200);
    }

    async fn the_order_of_scores_leaves_ties_as_they_were(app: &TestApp) {
        let site = Site::new(app).await;
        site.settle(json!({"prioritization_model": "value_effort"})).await;
        let worth = |value: i64| json!({"value": value, "effort_estimate": 2.0});
        story(&site, "Unscored", json!({})).await;
        story(&site, "Low", worth(2)).await;
        story(&site, "First of two", worth(8)).await;
        story(&site, "Second of two", worth(8)).await;
        let path = site.at("product-backlog/auto-rank/");
        let ranked = site.owner.post(&path, json!({})).await.expect(200);
        assert_eq!(ranked["model"], "value_effort");
        assert_eq!(names(&backlog(&site).await["ungrouped"]), ["First of two", "Second of two", "Low", "Unscored"]);
        assert_eq!(site.owner.post(&path, json!({})).await.expect(200)["reranked"], 0, "nothing moves twice");
        site.settle(json!({"prioritization_model": "wsjf"})).await;
        let first = backlog(&site).await["ungrouped"][3]["id"].as_str().unwrap().to_owned();
        let inputs = json!({"business_value": 5, "time_criticality": 3, "risk_reduction": 2, "job_size": 5});
        site.change(&first, inputs).await;
        site.owner.post(&path, json!({})).await.expect(200);
        let shown = backlog(&site).await;
        assert_eq!((&shown["ungrouped"][0]["name"], &shown["ungrouped"][0]["prioritization_score"]), (&json!("Unscored"), &json!(2.0)));
    }

    async fn rows_of_the_queue_get_ranks_by_their_place(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        let body = json!({"stories": seen(&site, &[&b, &a]).await});
        assert_eq!(site.owner.post(&site.at("queue/reorder/"), body.clone()).await.expect(200)["updated"], 2);
        assert_eq!(site.read(&b).await["priority_rank"], 10);
        assert_eq!(site.read(&a).await["priority_rank"], 20);
        let stale = site.owner.post(&site.at("queue/reorder/"), body).await.expect(409);
        assert_eq!(stale["conflicts"].as_array().unwrap().len(), 2);
        assert_eq!(app.told("queue_reordered").await.len(), 1);
    }

    async fn one_move_among_ten_thousand_stories_writes_one_of_them(app: &TestApp) {
        let site = Site::new(app).await;
        let mut operations = Vec::new();
        for at in 1..=10_000 {
            operations.push(json!({"op": "create", "data": {
                "name": format!("S{at}"), "type": "story", "status": "BACKLOG", "priority_rank": at * 1024}}));
        }
        let mut ids = Vec::new();
        for part in operations.chunks(500) {
            let made = site.owner.post(&site.at("tasks/bulk/"), json!({"operations": part})).await.expect(207);
            ids.extend(made["applied"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()));
        }
        let reorder = site.at("product-backlog/reorder/");
        for at in 0..20 {
            let body = json!({"stories": [{"id": ids[9_000 + at], "server_version": 1}], "after": ids[5_000]});
            assert_eq!(site.owner.post(&reorder, body).await.expect(200)["updated"], 1);
        }
        let first = site.read(&ids[9_019]).await["priority_rank"].as_i64().unwrap();
        let last = site.read(&ids[9_000]).await["priority_rank"].as_i64().unwrap();
        let anchor = site.read(&ids[5_000]).await["priority_rank"].as_i64().unwrap();
        assert!(anchor < first && first < last, "{anchor} {first} {last}");
    }
}
