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

    async fn a_split_adds_no_scope_to_the_sprint_that_runs(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let task = site.create(json!({"name": "Dig", "duration": 4, "story_points": 8, "sprint": sprint})).await.id();
        site.owner.post(&format!("/api/v1/sprints/{sprint}/activate/"), json!({})).await.expect(200);
        let made = site.owner.post(&split(&task), json!({})).await.expect(201);
        assert_eq!((&made["sprint"], &made["sprint_pending"]), (&json!(sprint), &json!(false)));
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

    async fn a_split_is_not_taken_back_while_something_hangs_on_the_new_row(app: &TestApp) {
        let site = Site::new(app).await;
        let other = site.task("Other", 1).await;
        let (hangs, all) = (site.task("Dig", 10).await, site.at("risks/"));
        let rest = site.owner.post(&split(&hangs), json!({})).await.expect(201).id();
        let refused = async |word: &str| {
            let refused = site.owner.post(&unsplit(&rest), json!({})).await.expect(409);
            assert!(text(&refused["detail"]).contains(word), "{word}: {}", refused.text);
        };
        let comments = site.at(&format!("tasks/{rest}/comments/"));
        let comment = site.owner.post(&comments, json!({"body": "Wait"})).await.expect(201).id();
        refused("comments").await;
        site.owner.delete(&format!("{comments}{comment}/")).await.expect(204);
        let link = site.link(&rest, &other).await;
        refused("links").await;
        site.owner.delete(&format!("{LINKS}{link}/")).await.expect(204);
        let risk = json!({"title": "Rain", "probability": 2, "impact": 3, "tasks": [rest]});
        let risk = site.owner.post(&all, risk).await.expect(201).id();
        refused("risks").await;
        site.owner.delete(&format!("{all}{risk}/")).await.expect(204);
        let below = site.create(json!({"name": "Mix", "parent_id": rest, "is_subtask": true})).await.id();
        refused("rows below it").await;
        site.owner.delete(&task_path(&below)).await.expect(204);
        let entry = json!({"minutes": 30, "entry_date": "2026-01-05"});
        site.owner.post(&format!("{}time-entries/", task_path(&rest)), entry).await.expect(201);
        refused("time entries").await;
        assert_eq!(site.tasks().await.len(), 3, "nothing was lost");
        let whole = site.task("Whole", 10).await;
        let rest = site.owner.post(&split(&whole), json!({})).await.expect(201).id();
        site.owner.post(&site.at("baselines/"), json!({})).await.expect(201);
        let refused = site.owner.post(&unsplit(&rest), json!({})).await.expect(409);
        assert!(text(&refused["detail"]).contains("a baseline that has it"), "{}", refused.text);
    }

    async fn what_arrives_while_a_split_is_taken_back_is_kept_or_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let other = site.task("Other", 1).await;
        for turn in 0..24 {
            let task = site.task("Dig", 10).await;
            let rest = site.owner.post(&split(&task), json!({})).await.expect(201).id();
            let (path, body) = match turn % 4 {
                0 => (format!("{}time-entries/", task_path(&rest)), json!({"minutes": 30, "entry_date": "2026-01-05"})),
                1 => (site.at(&format!("tasks/{rest}/comments/")), json!({"body": "Wait"})),
                2 => ("/api/v1/task-relations/".to_owned(), json!({"source": rest, "target": other, "relation_type": "relates_to"})),
                _ => ("/api/v1/acceptance-criteria/".to_owned(), json!({"task": rest, "text": "Deep"})),
            };
            let (whole, hung) = (unsplit(&rest), site.owner.post(&path, body));
            let (whole, hung) = tokio::join!(site.owner.post(&whole, json!({})), hung);
            let (whole, hung) = (whole.status, hung.status);
            assert!(matches!((whole, hung), (200, 400..=404) | (409, 201)), "{path}: {whole} and {hung}");
        }
    }

    async fn a_split_whose_link_was_deleted_is_not_taken_back(app: &TestApp) {
        let site = Site::new(app).await;
        let (task, after) = (site.task("Dig", 10).await, site.task("Pour", 3).await);
        let onward = site.link(&task, &after).await;
        let rest = site.owner.post(&split(&task), json!({})).await.expect(201).id();
        site.owner.delete(&format!("{LINKS}{onward}/")).await.expect(204);
        let refused = site.owner.post(&unsplit(&rest), json!({})).await.expect(409);
        assert!(text(&refused["detail"]).contains("links"), "{}", refused.text);
    }

    async fn splits_are_taken_back_in_reverse_order_and_leave_nothing_in_the_trash(app: &TestApp) {
        let site = Site::new(app).await;
        let (task, after) = (site.task("Dig", 12).await, site.task("Pour", 3).await);
        let onward = site.link(&task, &after).await;
        let second = site.owner.post(&split(&task), json!({})).await.expect(201).id();
        let third = site.owner.post(&split(&second), json!({})).await.expect(201).id();
        let early = site.owner.post(&unsplit(&second), json!({})).await.expect(409);
        assert!(text(&early["detail"]).contains("split again"), "{}", early.text);
        let fourth = site.owner.post(&split(&task), json!({})).await.expect(201).id();
        site.hush().await;
        site.owner.post(&unsplit(&fourth), json!({})).await.expect(200);
        assert!(site.announced_names().await.iter().any(|name| name == "tasks_reordered"));
        site.owner.post(&unsplit(&third), json!({})).await.expect(200);
        let whole = site.owner.post(&unsplit(&second), json!({})).await.expect(200);
        assert_eq!((&whole["id"], &whole["duration"]), (&json!(task), &json!(12)));
        assert_eq!(site.owner.get(&format!("{LINKS}{onward}/")).await.expect(200)["predecessor"], json!(task));
        let trash = site.owner.get(&format!("/api/v1/tasks/trash/?project={}", site.project)).await.expect(200);
        assert_eq!(trash["results"], json!([]), "its work is in the whole row");
        site.owner.post(&format!("{}restore/", task_path(&second)), json!({})).await.expect(404);
    }

    async fn both_rows_have_their_share_and_the_sum_stays(app: &TestApp) {
        let site = Site::new(app).await;
        let legs = json!({"name": "Dig", "duration": 10, "optimistic_duration": 8, "most_likely_duration": 10, "pessimistic_duration": 12});
        let task = site.create(legs).await.id();
        let rest = site.owner.post(&split(&task), json!({})).await.expect(201);
        for row in [site.read(&task).await, site.read(&rest.id()).await] {
            let legs = [&row["duration"], &row["optimistic_duration"], &row["most_likely_duration"], &row["pessimistic_duration"]];
            assert_eq!(legs, [&json!(5), &json!(4), &json!(5), &json!(6)], "{}", row.text);
        }
        let whole = site.owner.post(&unsplit(&rest.id()), json!({})).await.expect(200);
        assert_eq!((&whole["optimistic_duration"], &whole["pessimistic_duration"]), (&json!(8), &json!(12)));
        let eight = site.task("Pour", 8).await;
        for made in [201, 201, 201, 400] {
            site.owner.post(&split(&eight), json!({})).await.expect(made);
        }
        let days: i64 = site.tasks().await.iter().map(|row| row["duration"].as_i64().unwrap()).sum();
        assert_eq!(days, 10 + 8);
    }

    async fn what_threatens_a_task_threatens_what_is_left_of_it(app: &TestApp) {
        let site = Site::new(app).await;
        site.settle(json!({"status_date": "2026-01-09"})).await;
        let task = site.create(json!({"name": "Dig", "duration": 10, "percent_complete": 40, "actual_start": "2026-01-05"})).await.id();
        let risk = json!({"title": "Rain", "probability": 2, "impact": 3, "tasks": [task], "likelihood_percent": 90, "delay_days": 5});
        let risk = site.owner.post(&site.at("risks/"), risk).await.expect(201).id();
        let one = site.at(&format!("risks/{risk}/"));
        let rest = site.owner.post(&split(&task), json!({})).await.expect(201).id();
        assert_eq!(site.read(&task).await["actual_finish"], "2026-01-09", "done by the status date");
        assert_eq!(site.owner.get(&one).await.expect(200)["tasks"], json!([task, rest]));
        let run = site.owner.post(&site.at("monte-carlo/"), json!({"n_simulations": 500, "seed": 7})).await.expect(200);
        assert!(text(&run["p80"]) > text(&run["cpm_finish"]), "{}", run.text);
        site.owner.post(&unsplit(&rest), json!({})).await.expect(200);
        assert_eq!(site.owner.get(&one).await.expect(200)["tasks"], json!([task]));
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
