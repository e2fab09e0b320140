//! Finding tasks: search, filters, orders and pages of a plan that was written through the interface.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, TASKS, text};

/// The names of the tasks that a query finds, in its order.
async fn found(site: &Site<'_>, query: &str) -> Vec<String> {
    let answer = site.owner.get(&format!("{TASKS}?project={}{query}", site.project)).await.expect(200);
    answer.results().iter().map(|task| text(&task["name"]).to_owned()).collect()
}

both_engines! {
    async fn pages_and_their_count_follow_every_row_that_comes_and_goes(app: &TestApp) {
        let site = Site::new(app).await;
        let mut ids = Vec::new();
        let pages = async |rows: &[Value]| {
            for page in 1..=rows.len().div_ceil(2).max(1) {
                let path = format!("{TASKS}?project={}&page_size=2&page={page}", site.project);
                // Twice, since the second time the count is remembered.
                for _ in 0..2 {
                    let answer = site.owner.get(&path).await.expect(200);
                    let shown: Vec<Value> = answer.results().iter().map(|task| task["id"].clone()).collect();
                    assert_eq!(shown, rows.iter().skip(2 * page - 2).take(2).cloned().collect::<Vec<_>>());
                    assert_eq!(answer["count"], rows.len());
                }
            }
            let behind = format!("{TASKS}?project={}&page_size=2&page={}", site.project, rows.len() / 2 + 2);
            site.owner.get(&behind).await.expect(404);
        };
        pages(&ids).await;
        for number in 0..7 {
            ids.push(site.create(json!({"name": format!("Task {number}")})).await["id"].clone());
            ids.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            pages(&ids).await;
        }
        for _ in 0..3 {
            let gone = ids.remove(1);
            site.owner.delete(&format!("{TASKS}{}/", text(&gone))).await.expect(204);
            pages(&ids).await;
        }
    }

    async fn rows_without_a_value_stand_last_whichever_way_the_others_go(app: &TestApp) {
        let site = Site::new(app).await;
        for (name, start, status) in
            [("parked", Value::Null, "BACKLOG"), ("late", json!("2026-02-02"), "NOT_STARTED"),
             ("early", json!("2026-01-05"), "NOT_STARTED"), ("shelved", Value::Null, "BACKLOG")]
        {
            site.create(json!({"name": name, "planned_start": start, "status": status})).await;
        }
        assert_eq!(found(&site, "&ordering=early_start").await, ["early", "late", "parked", "shelved"]);
        assert_eq!(found(&site, "&ordering=-early_start").await, ["late", "early", "parked", "shelved"]);
        for (page, expected) in [(1, "late"), (2, "early"), (3, "parked"), (4, "shelved")] {
            let query = format!("&ordering=-early_start&page_size=1&page={page}");
            assert_eq!(found(&site, &query).await, [expected], "from the end the order is the same");
        }
    }

    async fn a_number_is_taken_for_a_text(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.create(json!({"name": 12})).await.id();
        assert_eq!(site.change(&id, json!({"notes": 1.5})).await["notes"], "1.5");
        assert_eq!(site.read(&id).await["name"], "12");
        assert!(site.refuse(&id, json!({"name": true})).await["name"].is_array());
    }

    async fn search_finds_names_first_and_notes_after_whatever_the_case(app: &TestApp) {
        let site = Site::new(app).await;
        site.create(json!({"name": "Zebra", "notes": "needs a CRANE"})).await;
        let crane = site.create(json!({"name": "crane day"})).await;
        site.create(json!({"name": "A Crane"})).await;
        let gone = site.task("Crane gone", 1).await;
        site.owner.delete(&format!("{TASKS}{gone}/")).await.expect(204);
        let ask = async |q: &str| {
            site.owner.get(&format!("{TASKS}search/?project={}&q={q}", site.project)).await
        };
        let hits = ask("Crane").await.expect(200);
        let names: Vec<&str> = hits.json.as_array().unwrap().iter().map(|hit| text(&hit["name"])).collect();
        assert_eq!(names, ["A Crane", "crane day", "Zebra"]);
        let expected = json!({"id": crane["id"], "name": "crane day", "status": "NOT_STARTED", "short_id": crane["short_id"]});
        assert_eq!(hits.json[1], expected, "a hit is slim");
        assert_eq!(ask("").await.expect(200).json, json!([]));
        assert_eq!(ask("%25").await.expect(200).json, json!([]));
        let endless = "q".repeat(101);
        assert!(ask(&endless).await.expect(400)["q"].is_array());
        let nowhere = site.owner.get(&format!("{TASKS}search/?q=Crane")).await.expect(400);
        assert!(nowhere["project"].is_array(), "{}", nowhere.text);
        app.person("sue").await.get(&format!("{TASKS}search/?project={}&q=x", site.project)).await.expect(404);
    }

    async fn tasks_are_found_by_what_was_written_on_them(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let phase = site.task("P", 1).await;
        let work = site.under(&phase, "A", 3).await;
        let drawer = json!({"name": "drawer", "parent_id": work, "is_subtask": true});
        site.create(drawer).await;
        let late = json!({"name": "late", "planned_start": "2026-01-19", "duration": 2, "assignee": member.id});
        let late = site.create(late).await;
        site.create(json!({"name": "parked", "status": "BACKLOG", "type": "story"})).await;
        assert_eq!(found(&site, "&status=BACKLOG").await, ["parked"]);
        assert_eq!(found(&site, "&type=story").await, ["parked"]);
        assert_eq!(found(&site, "&is_subtask=true").await, ["drawer"]);
        assert_eq!(found(&site, &format!("&parent={work}")).await, ["drawer"], "its subtasks");
        assert_eq!(found(&site, "&is_critical=true").await, ["late"]);
        assert_eq!(found(&site, "&search=LAT").await, ["late"]);
        let short = text(&late["short_id"]).to_lowercase();
        assert_eq!(found(&site, &format!("&short_id={short}")).await, ["late"]);
        assert_eq!(found(&site, "&start__gte=2026-01-20").await, ["late"], "it is still going on");
        assert_eq!(found(&site, "&start__gte=2026-01-21").await, [""; 0]);
        assert_eq!(found(&site, "&finish__lte=2026-01-18&ordering=wbs_path").await.len(), 3, "begun by then");
        assert_eq!(found(&site, "&sprint=none").await.len(), 5);
        let refused = site.owner.get(&format!("{TASKS}?status=DONE&sprint=x")).await.expect(400);
        assert!(refused["status"].is_array(), "{}", refused.text);
    }

    async fn the_outline_orders_by_number_and_every_order_holds_over_pages(app: &TestApp) {
        let site = Site::new(app).await;
        let rows: Vec<Value> = (1..=12)
            .map(|at| json!({"op": "create", "data": {"name": format!("T{}", at % 3), "duration": at}}))
            .collect();
        site.bulk(json!({"operations": rows})).await;
        let paths: Vec<String> = site.tasks().await.iter().map(|task| text(&task["wbs_path"]).to_owned()).collect();
        let expected: Vec<String> = (1..=12).map(|at: i32| at.to_string()).collect();
        assert_eq!(paths, expected);
        for order in ["name", "-name", "wbs_path", "-wbs_path", "early_start", "status", "-status"] {
            let mut seen = Vec::new();
            for page in 1..=4 {
                let path = format!("{TASKS}?project={}&ordering={order}&page_size=3&page={page}", site.project);
                let answer = site.owner.get(&path).await.expect(200);
                assert_eq!(answer["count"], 12);
                seen.extend(answer.results().iter().map(|task| text(&task["id"]).to_owned()));
            }
            let whole = format!("{TASKS}?project={}&ordering={order}", site.project);
            let whole = site.owner.get(&whole).await.expect(200);
            let at_once: Vec<String> = whole.results().iter().map(|task| text(&task["id"]).to_owned()).collect();
            assert_eq!(seen, at_once, "{order}");
        }
        site.owner.get(&format!("{TASKS}?project={}&page_size=3&page=5", site.project)).await.expect(404);
    }
}

both_engines! {
    async fn tasks_are_found_by_who_does_them_and_ordered_by_what_is_shown(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let phase = site.task("phase", 1).await;
        site.create(json!({"name": "inner", "duration": 4, "parent_id": phase, "assignee": mara.id, "percent_complete": 50})).await;
        site.create(json!({"name": "free", "duration": 1})).await;
        site.create(json!({"name": "done", "duration": 2, "percent_complete": 100})).await;
        let of = |id: &str| format!("&assignee={id}&ordering=name");
        assert_eq!(found(&site, &of(&mara.id.to_string())).await, ["inner", "phase"], "a phase shows who does all of it");
        assert_eq!(found(&site, &of("none")).await, ["done", "free"]);
        let wrong = site.owner.get(&format!("{TASKS}?assignee=mara")).await.expect(400);
        assert!(wrong["assignee"].is_array(), "{}", wrong.text);
        assert_eq!(found(&site, "&ordering=-percent_complete,name").await, ["done", "inner", "phase", "free"]);
        assert_eq!(found(&site, "&ordering=-total_float,name").await[0], "free");
        assert_eq!(found(&site, "&ordering=-early_finish,name").await[..2], ["inner", "phase"]);
    }

    async fn what_is_left_of_a_phase_follows_how_much_of_it_is_done(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("phase", 1).await;
        let inner = site.under(&phase, "inner", 11).await;
        assert_eq!(site.read(&phase).await["remaining_duration"], 11);
        site.change(&inner, json!({"percent_complete": 100})).await;
        let done = site.read(&phase).await;
        assert_eq!((&done["percent_complete"], &done["remaining_duration"]), (&json!(100.0), &json!(0)));
    }
}
