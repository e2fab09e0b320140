//! Rosters: which resources a project works with, and what holds them there.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::Site;

const ROSTER: &str = "/api/v1/project-resources/";
const ALLOCATIONS: &str = "/api/v1/task-resources/";

async fn resource(site: &Site<'_>, name: &str) -> String {
    let body = json!({"name": name, "email": format!("{name}@example.org")});
    site.owner.post("/api/v1/resources/", body).await.expect(201).id()
}

fn entry(site: &Site<'_>, resource: &str) -> Value {
    json!({"project": site.project, "resource": resource})
}

both_engines! {
    async fn a_resource_comes_onto_the_roster_is_changed_and_leaves(app: &TestApp) {
        let site = Site::new(app).await;
        let scheduler = site.person("sue", 200).await;
        let mara = resource(&site, "Mara").await;
        site.hush().await;
        let made = scheduler.post(ROSTER, entry(&site, &mara)).await.expect(201);
        assert_eq!(made["resource_detail"]["name"], "Mara");
        assert!(made["resource_detail"].get("email").is_none(), "a Resource Manager sees no address");
        assert_eq!((&made["units_override"], &made["effective_max_units"]), (&Value::Null, &json!("1.00")));
        assert_eq!(site.announced().await, [("roster_changed".to_owned(), json!({"resource_id": mara}))]);
        scheduler.post(ROSTER, entry(&site, &mara)).await.expect(400);
        let one = format!("{ROSTER}{}/", made.id());
        let body = json!({"role_title": "Lead", "units_override": "0.50", "notes": "Mornings"});
        let changed = scheduler.patch(&one, body).await.expect(200);
        assert_eq!((&changed["effective_max_units"], &changed["role_title"]), (&json!("0.50"), &json!("Lead")));
        let refused = scheduler.patch(&one, json!({"resource": "0198aaaa-0000-7000-8000-000000000000"})).await;
        assert!(refused.expect(400)["resource"].is_array());
        scheduler.delete(&one).await.expect(204);
        scheduler.get(&one).await.expect(404);
        scheduler.post(ROSTER, entry(&site, &mara)).await.expect(201);
    }

    async fn members_read_the_roster_resource_managers_keep_it_and_others_see_none(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, member, stranger) =
            (site.person("vic", 1).await, site.person("mia", 100).await, app.person("zoe").await);
        let mara = resource(&site, "Mara").await;
        let made = site.owner.post(ROSTER, entry(&site, &mara)).await.expect(201);
        let one = format!("{ROSTER}{}/", made.id());
        assert_eq!(viewer.get(&format!("{ROSTER}?project={}", site.project)).await.expect(200)["count"], 1);
        member.post(ROSTER, entry(&site, &mara)).await.expect(403);
        member.delete(&one).await.expect(403);
        stranger.get(&one).await.expect(404);
        assert_eq!(stranger.get(ROSTER).await.expect(200)["count"], 0);
        assert!(stranger.post(ROSTER, entry(&site, &mara)).await.expect(400)["project"].is_array());
    }

    async fn a_resource_with_tasks_stays_until_it_is_forced_off(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = resource(&site, "Mara").await;
        let mut tasks = Vec::new();
        for name in ["A", "B", "C", "D", "E", "F"] {
            let task = site.task(name, 1).await;
            site.owner.post(ALLOCATIONS, json!({"task": task, "resource": mara})).await.expect(201);
            tasks.push(task);
        }
        let list = site.owner.get(&format!("{ROSTER}?project={}", site.project)).await.expect(200);
        let one = format!("{ROSTER}{}/", list.results()[0]["id"].as_str().unwrap());
        let refused = site.owner.delete(&one).await.expect(409);
        assert_eq!(refused["code"], "has_assignments");
        assert_eq!(refused["assignment_count"], 6);
        assert_eq!(refused["affected_tasks"][0], json!({"id": tasks[0], "name": "A"}));
        assert_eq!(refused["task_names"], json!(["A", "B", "C", "D", "E"]));
        site.hush().await;
        site.owner.delete(&format!("{one}?force=true")).await.expect(204);
        let told: Vec<String> = site.announced().await.into_iter().map(|(name, _)| name).collect();
        assert_eq!(told.iter().filter(|name| *name == "assignment_deleted").count(), 6, "{told:?}");
        for name in ["roster_changed", "cpm_complete", "schedule.recalculated"] {
            assert!(told.iter().any(|one| one == name), "{name} is missing in {told:?}");
        }
        assert_eq!(site.read(&tasks[0]).await["assignments"], json!([]));
        assert_eq!(site.owner.get(ALLOCATIONS).await.expect(200)["count"], 0);
    }

    async fn of_two_removals_at_once_one_finds_it_gone(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = resource(&site, "Mara").await;
        let task = site.task("A", 1).await;
        site.owner.post(ALLOCATIONS, json!({"task": task, "resource": mara})).await.expect(201);
        let list = site.owner.get(&format!("{ROSTER}?project={}", site.project)).await.expect(200);
        let one = format!("{ROSTER}{}/?force=true", list.results()[0]["id"].as_str().unwrap());
        let (first, second) = futures_util::future::join(site.owner.delete(&one), site.owner.delete(&one)).await;
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 404]);
    }

    async fn a_roster_goes_and_comes_back_with_its_project(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = resource(&site, "Mara").await;
        site.owner.post(ROSTER, entry(&site, &mara)).await.expect(201);
        site.owner.delete(&site.at("")).await.expect(204);
        assert_eq!(site.owner.get(ROSTER).await.expect(200)["count"], 0);
        site.owner.post(&site.at("restore/"), json!({})).await.expect(200);
        assert_eq!(site.owner.get(ROSTER).await.expect(200)["count"], 1);
    }
}
