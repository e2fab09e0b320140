//! Two changes of projects, calendars or batches at once, where what one needs the other has: nobody is sent away because
//! the database chose them to make way, and no half of either is left.

use futures_util::future::join_all;
use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::crossing::Crossing;
use crate::site::{Site, TASKS, task_path, text};

const CALENDARS: &str = "/api/v1/calendars/";

both_engines! {
    async fn projects_that_links_tie_together_can_be_changed_at_once(app: &TestApp) {
        let owner = app.admin().await;
        let link = json!([{"predecessor": "north:1.1", "successor": "1", "dep_type": "FS"}]);
        let plan = Crossing::linked(app, &owner, link).await;
        let project = |id: &str| format!("/api/v1/projects/{id}/");
        let (north, south) = (project(&plan.north), project(&plan.south));
        let (dig, frame) = (task_path(text(plan.task("Dig"))), task_path(text(plan.task("Frame"))));
        for round in 0..5 {
            let start = json!({"start_date": format!("2026-01-{:02}", 5 + round)});
            let answers = join_all([
                owner.patch(&north, start.clone()),
                owner.patch(&south, start),
                owner.patch(&dig, json!({"duration": 3 + round % 2})),
                owner.patch(&frame, json!({"duration": 4 + round % 2})),
            ])
            .await;
            answers.into_iter().for_each(|answer| drop(answer.expect(200)));
        }
        let lists = [format!("{north}calendars/"), format!("{south}calendars/")];
        let lists = join_all(lists.iter().map(|path| owner.put(path, json!({"overlays": []})))).await;
        lists.into_iter().for_each(|answer| drop(answer.expect(200)));
        let gone = join_all([owner.delete(&north), owner.delete(&south)]).await;
        gone.into_iter().for_each(|answer| drop(answer.expect(204)));
    }

    async fn a_calendar_is_taken_or_deleted_and_never_both(app: &TestApp) {
        let site = Site::new(app).await;
        let admin = app.admin().await;
        for round in 0..4 {
            let calendar = admin.post(CALENDARS, json!({"name": format!("C{round}")})).await.expect(201);
            let path = format!("{CALENDARS}{}/", text(&calendar["id"]));
            let at = site.at("");
            let taken = site.owner.patch(&at, json!({"calendar": calendar["id"]}));
            let (taken, deleted) = tokio::join!(taken, admin.delete(&path));
            let statuses = (taken.status, deleted.status);
            assert!(matches!(statuses, (200, 409) | (400, 204)), "{statuses:?}");
            site.owner.get(&site.at("calendars/")).await.expect(200);
            site.owner.patch(&site.at(""), json!({"calendar": null})).await.expect(200);
        }
    }

    async fn batches_that_create_the_same_rows_at_once_share_them(app: &TestApp) {
        let site = Site::new(app).await;
        let path = site.at("tasks/bulk/");
        for round in 0..3 {
            let id = |row: u32| format!("00000000-0000-4000-8000-{:012}", round * 100 + row);
            let rows: Vec<Value> = (0..20)
                .map(|row| json!({"op": "create", "id": id(row), "data": {"name": format!("T{row}")}}))
                .collect();
            let batch = json!({"operations": rows});
            let answers = join_all((0..3).map(|_| site.owner.post(&path, batch.clone()))).await;
            for answer in answers {
                let answer = answer.expect(207);
                assert_eq!(answer["applied"].as_array().map(Vec::len), Some(20), "{}", answer.text);
            }
        }
        let found = site.owner.get(&format!("{TASKS}?project={}", site.project)).await.expect(200);
        assert_eq!(found["count"], 60);
    }

    async fn settings_based_on_one_tag_are_written_once(app: &TestApp) {
        let admin = app.admin().await;
        let project = format!("/api/v1/projects/{}/", app.project(&admin, "Bridge").await);
        let program = admin.post("/api/v1/programs/", json!({"name": "Sea"})).await.expect(201).id();
        for path in [project, format!("/api/v1/programs/{program}/"), "/api/v1/workspace/".to_owned()] {
            let tag = admin.get(&path).await.expect(200).header("etag").to_owned();
            let writer = admin.with_header("if-match", &tag);
            let answers = join_all((0..3).map(|round| writer.patch(&path, json!({"name": format!("N{round}")})))).await;
            let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 412, 412], "{path}");
        }
    }

    async fn a_profile_and_a_rank_written_at_once_are_both_kept(app: &TestApp) {
        let (admin, mara) = (app.admin().await, app.person("mara").await);
        let (profile, member) = ("/api/v1/auth/me/profile/", format!("/api/v1/workspace/members/{}/", mara.id));
        for (zone, role) in [("Europe/Berlin", 300), ("Europe/Lisbon", 100)] {
            let (of_zone, of_view, of_rank) = tokio::join!(
                mara.patch(profile, json!({"timezone": zone})),
                mara.patch(profile, json!({"hidden_views": ["grid"]})),
                admin.patch(&member, json!({"role": role})),
            );
            for answer in [of_zone, of_view, of_rank] {
                answer.expect(200);
            }
            let kept = mara.get(profile).await.expect(200);
            assert_eq!((&kept["timezone"], &kept["hidden_views"]), (&json!(zone), &json!(["grid"])));
            assert_eq!(mara.get("/api/v1/auth/me/").await["workspace_role"], role);
        }
    }

    async fn somebody_is_added_once_however_many_ask(app: &TestApp) {
        let (owner, mara) = (app.admin().await, app.person("mara").await);
        let project = format!("/api/v1/projects/{}/", app.project(&owner, "Bridge").await);
        let program = owner.post("/api/v1/programs/", json!({"name": "Sea"})).await.expect(201).id();
        for path in [project, format!("/api/v1/programs/{program}/")] {
            let members = format!("{path}members/");
            let answers = join_all((0..3).map(|_| owner.post(&members, json!({"user": mara.id})))).await;
            let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
            statuses.sort_unstable();
            assert_eq!(statuses, [201, 409, 409], "{path}");
            assert_eq!(owner.get(&members).await.json.as_array().unwrap().len(), 2);
        }
    }
}
