//! A task becomes two: the remaining work is a row of its own, and one call makes them one again.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{LINKS, Site, task_path, text};

fn split(task: &str) -> String {
    format!("{}split/", task_path(task))
}

fn unsplit(task: &str) -> String {
    format!("{}unsplit/", task_path(task))
}

both_engines! {
    async fn remaining_work_becomes_a_row_and_takes_the_end_of_the_task_along(app: &TestApp) {
        let site = Site::new(app).await;
        let (before, task, after) = (site.task("Survey", 2).await, site.task("Dig", 10).await, site.task("Pour", 3).await);
        site.link(&before, &task).await;
        let onward = site.link(&task, &after).await;
        let mo = site.resource("Mo", true).await;
        let owners = json!({"owners": [{"resource": mo, "units": "0.50"}], "story_points": 5, "deadline": "2026-03-02",
            "percent_complete": 40, "actual_start": "2026-01-07"});
        site.change(&task, owners).await;
        let dates = site.window(&after).await;
        site.hush().await;
        let made = site.owner.post(&split(&task), json!({})).await.expect(201);
        let rest = made.id();
        assert_eq!((&made["name"], &made["duration"], &made["story_points"]), (&json!("Dig (rest)"), &json!(6), &json!(3)));
        assert_eq!((&made["deadline"], &made["status"]), (&json!("2026-03-02"), &json!("NOT_STARTED")));
        assert_eq!(made["assignments"][0]["units"], "0.50");
        let first = site.read(&task).await;
        assert_eq!((&first["duration"], &first["story_points"], &first["status"]), (&json!(4), &json!(2), &json!("COMPLETE")));
        assert_eq!(first["deadline"], Value::Null);
        let order: Vec<String> = site.tasks().await.iter().map(|row| text(&row["name"]).to_owned()).collect();
        assert_eq!(order, ["Survey", "Dig", "Dig (rest)", "Pour"]);
        let link = site.owner.get(&format!("{LINKS}{onward}/")).await.expect(200);
        assert_eq!((&link["predecessor"], &link["successor"]), (&json!(rest), &json!(after)));
        let links = site.owner.get(&format!("{LINKS}?project={}&page_size=100", site.project)).await.expect(200);
        let into = links.results().iter().find(|link| link["successor"] == json!(rest)).unwrap();
        assert_eq!(into["predecessor"], json!(task));
        let names = site.announced_names().await;
        for event in ["task_created", "task_updated", "dependency_created", "dependency_updated"] {
            assert!(names.iter().any(|name| name == event), "{event} is missing in {names:?}");
        }

        let whole = site.owner.post(&unsplit(&rest), json!({})).await.expect(200);
        assert_eq!((&whole["id"], &whole["duration"], &whole["story_points"]), (&json!(task), &json!(10), &json!(5)));
        assert_eq!((&whole["percent_complete"], &whole["deadline"]), (&json!(40.0), &json!("2026-03-02")));
        assert_eq!(site.owner.get(&format!("{LINKS}{onward}/")).await.expect(200)["predecessor"], json!(task));
        assert_eq!(site.window(&after).await, dates, "all is as it was");
        assert_eq!(site.tasks().await.len(), 3);
        site.owner.post(&unsplit(&rest), json!({})).await.expect(404);
        site.owner.post(&unsplit(&task), json!({})).await.expect(409);
    }

    async fn what_cannot_be_split_is_refused_with_a_reason(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("Phase", 1).await;
        let inside = site.under(&phase, "Inside", 4).await;
        let gate = site.create(json!({"name": "Gate", "is_milestone": true})).await.id();
        for (task, reason) in [(&phase, "phase"), (&gate, "milestone")] {
            let refused = site.owner.post(&split(task), json!({})).await.expect(400);
            assert!(text(&refused["detail"]).contains(reason), "{}", refused.text);
        }
        for body in [json!({"remaining_duration": 5}), json!({"remaining_duration": 0}), json!({"remaining_duration": "x"}),
            json!({"remaining_story_points": 1}), json!({"split_name": ""})] {
            let refused = site.owner.post(&split(&inside), body.clone()).await.expect(400);
            assert!(refused.json.as_object().unwrap().keys().eq(body.as_object().unwrap().keys()), "{}", refused.text);
        }
        site.change(&inside, json!({"status": "COMPLETE"})).await;
        let refused = site.owner.post(&split(&inside), json!({})).await.expect(400);
        assert!(text(&refused["detail"]).contains("complete"), "{}", refused.text);
    }

    async fn product_owners_and_managers_split_and_others_do_not(app: &TestApp) {
        let site = Site::new(app).await;
        let story = site.create(json!({"name": "Story", "type": "story", "status": "BACKLOG", "story_points": 8, "duration": 2})).await.id();
        let (member, viewer) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let stranger = app.person("stella").await;
        member.post(&split(&story), json!({})).await.expect(403);
        viewer.post(&split(&story), json!({})).await.expect(403);
        stranger.post(&split(&story), json!({})).await.expect(404);
        site.give_facet(&member, json!({"is_product_owner": true})).await;
        let asked = json!({"split_name": "Second half", "remaining_story_points": 3});
        let made = member.post(&split(&story), asked).await.expect(201);
        assert_eq!((&made["name"], &made["story_points"], &made["status"]), (&json!("Second half"), &json!(3), &json!("BACKLOG")));
        assert_eq!(site.read(&story).await["story_points"], 5);
        site.change(&made.id(), json!({"notes": "Mine now"})).await;
        let late = member.post(&unsplit(&made.id()), json!({})).await.expect(409);
        assert!(text(&late["detail"]).contains("changed"), "{}", late.text);
    }
}
