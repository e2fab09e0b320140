//! Programs: who sees and changes them, closing and deleting, policies, many rows at once.

use planwright_domain::Role;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

const ALL: &str = "/api/v1/programs/";
const PROJECTS: &str = "/api/v1/projects/";

async fn program(owner: &Person<'_>, name: &str) -> (String, String) {
    let made = owner.post(ALL, json!({"name": name})).await.expect(201);
    (made.id(), format!("{ALL}{}/", made.id()))
}

async fn project(owner: &Person<'_>, name: &str, program: &str) -> String {
    let request = json!({"name": name, "start_date": "2026-01-05", "program": program});
    owner.post(PROJECTS, request).await.expect(201).id()
}

both_engines! {
    async fn whoever_creates_a_program_owns_it_and_others_do_not_see_it(app: &TestApp) {
        let (owner, viewer, stranger) = (app.person("ona").await, app.person("vic").await, app.person("sue").await);
        let request = json!({"name": "Roads", "code": "roads-26", "color": "#1a2B3c", "lead": owner.id});
        let made = owner.post(ALL, request).await.expect(201);
        assert_eq!(made["methodology"], "HYBRID");
        assert_eq!(made["my_role_label"], "Owner");
        assert_eq!(made["lead_detail"]["username"], "ona");
        assert_eq!(made["project_count"], 0);
        assert_eq!(made["member_count"], 1);
        assert_eq!(made["risk_escalation_days"], 3);
        let path = format!("{ALL}{}/", made.id());
        owner.let_in(&path, &viewer, Role::Viewer).await;
        assert!(owner.get(&path).await.header("etag").starts_with("W/\"v1."));
        viewer.get(&path).await.expect(200);
        viewer.patch(&path, json!({"name": "Mine"})).await.expect(403);
        viewer.delete(&path).await.expect(403);
        for way in ["", "members/", "projects/", "rollup-config/", "risk-policy/"] {
            stranger.get(&format!("{path}{way}")).await.expect(404);
        }
        assert_eq!(owner.get(&format!("{ALL}?search=ROADS-2")).await["count"], 1);
        assert_eq!(stranger.get(ALL).await["count"], 0);
        assert!(owner.patch(&path, json!({"color": "red"})).await.expect(400)["color"].is_array());
        assert!(owner.patch(&path, json!({"lead": stranger.id})).await.expect(400)["lead"].is_array());
    }

    async fn a_closed_program_is_frozen_and_its_projects_go_on(app: &TestApp) {
        let owner = app.person("ona").await;
        let (id, path) = program(&owner, "Roads").await;
        let inside = format!("{PROJECTS}{}/", project(&owner, "Bridge", &id).await);
        let closed = owner.post(&format!("{path}close/"), json!({})).await.expect(200);
        assert_eq!(closed["is_closed"], true);
        assert_eq!(closed["closed_by"], json!(owner.id));
        let again = owner.post(&format!("{path}close/"), json!({})).await.expect(200);
        assert_eq!(again["server_version"], closed["server_version"]);
        owner.patch(&path, json!({"name": "New"})).await.expect(403);
        owner.patch(&format!("{path}rollup-config/"), json!({"aggregation_policy": "average"})).await.expect(403);
        owner.get(&format!("{path}rollup-config/")).await.expect(200);
        owner.patch(&inside, json!({"name": "New bridge"})).await.expect(200);
        owner.post(&format!("{path}reopen/"), json!({})).await.expect(200);
        owner.patch(&path, json!({"name": "New"})).await.expect(200);
    }

    async fn deleting_a_program_lets_its_projects_stand_alone(app: &TestApp) {
        let owner = app.person("ona").await;
        let (id, path) = program(&owner, "Roads").await;
        let kept = format!("{PROJECTS}{}/", project(&owner, "Bridge", &id).await);
        let trashed = format!("{PROJECTS}{}/", project(&owner, "Tunnel", &id).await);
        owner.delete(&trashed).await.expect(204);
        owner.delete(&path).await.expect(204);
        owner.get(&path).await.expect(404);
        assert_eq!(owner.get(&kept).await.expect(200)["program"], Value::Null);
        let back = owner.post(&format!("{trashed}restore/"), json!({})).await.expect(200);
        assert_eq!(back["program"], Value::Null);
    }

    async fn a_calendar_of_the_program_is_inherited_by_its_projects(app: &TestApp) {
        let owner = app.admin().await;
        let (id, path) = program(&owner, "Roads").await;
        let inside = format!("{PROJECTS}{}/", project(&owner, "Bridge", &id).await);
        let calendar = owner.post("/api/v1/calendars/", json!({"name": "Six days", "working_days": 63})).await.expect(201).id();
        let changed = owner.patch(&path, json!({"calendar": calendar})).await.expect(200);
        assert_eq!(changed["calendar_source"], "program");
        assert_eq!(changed["inherited_calendar"], Value::Null);
        let shown = owner.get(&inside).await.expect(200);
        assert_eq!(shown["calendar_source"], "program");
        assert_eq!(shown["calendar"], Value::Null);
        assert_eq!(shown["effective_calendar"]["name"], "Six days");
        assert_eq!(shown["effective_calendar"]["holiday_count"], 0);
    }

    async fn members_of_a_program_have_ranks_and_titles(app: &TestApp) {
        let (owner, pam, mara) = (app.person("ona").await, app.person("pam").await, app.person("mara").await);
        let (_, path) = program(&owner, "Roads").await;
        let pam_row = owner.let_in(&path, &pam, Role::ProjectManager).await;
        let mara_row = owner.let_in(&path, &mara, Role::Member).await;
        let one = |id: &str| format!("{path}members/{id}/");
        owner.post(&format!("{path}members/"), json!({"user": mara.id, "role": 1})).await.expect(409);
        assert!(owner.post(&format!("{path}members/"), json!({"user": mara.id, "role": 400})).await.expect(400)["role"].is_array());
        let titled = pam.patch(&one(&mara_row), json!({"role_title": "Signals"})).await.expect(200);
        assert_eq!(titled["role_title"], "Signals");
        assert_eq!(titled["role_changed_at"], Value::Null);
        pam.patch(&one(&mara_row), json!({"role": 1})).await.expect(403);
        mara.patch(&one(&mara_row), json!({"role_title": "Boss"})).await.expect(403);
        assert_eq!(owner.patch(&one(&mara_row), json!({"role": 200})).await.expect(200)["role_label"], "Resource Manager");
        let all = mara.get(&format!("{path}members/")).await.expect(200);
        assert_eq!(all.json.as_array().unwrap().len(), 3);
        assert_eq!(mara.get(&format!("{path}members/?self=true")).await.json[0]["user"], json!(mara.id));
        mara.delete(&one(&pam_row)).await.expect(403);
        mara.delete(&one(&mara_row)).await.expect(204);
        let handed = owner.post(&format!("{path}transfer-sponsorship/"), json!({"new_owner_user_id": pam.id})).await.expect(200);
        assert_eq!(handed["my_role_label"], "Program Manager");
        assert!(pam.delete(&one(&pam_row)).await.expect(400)["detail"].is_string());
    }

    async fn the_figures_of_a_program_are_chosen_from_those_there_are(app: &TestApp) {
        let owner = app.person("ona").await;
        let (_, path) = program(&owner, "Roads").await;
        let config = format!("{path}rollup-config/");
        let before = owner.get(&config).await.expect(200);
        assert_eq!(before["aggregation_policy"], "worst");
        assert_eq!(before["unavailable_kpis"]["cost_variance"], "no_cost_data");
        let wrong = owner.patch(&config, json!({"enabled_kpis": ["risk_score", "luck"]})).await.expect(400);
        assert!(wrong["enabled_kpis"]["1"].is_array());
        let chosen = json!({"enabled_kpis": ["risk_score", "critical_tasks", "risk_score"], "aggregation_policy": "average"});
        let after = owner.patch(&config, chosen).await.expect(200);
        assert_eq!(after["enabled_kpis"], json!(["risk_score", "critical_tasks"]));
        assert_eq!(after["unavailable_kpis"], json!({}));
        assert_eq!(after.header("etag"), "\"v2\"");
        assert_eq!(owner.get(&path).await["rollup_enabled_kpis"], after["enabled_kpis"]);
        let policy = format!("{path}risk-policy/");
        assert!(owner.patch(&policy, json!({"escalation_days": 31})).await.expect(400)["escalation_days"].is_array());
        let changed = owner.patch(&policy, json!({"slip_propagation": "block"})).await.expect(200);
        assert_eq!(changed.json, json!({"slip_propagation": "block", "escalation_days": 3}));
    }

    async fn many_rows_change_together_or_not_at_all(app: &TestApp) {
        let (admin, owner) = (app.admin().await, app.person("ona").await);
        let (first, path) = program(&owner, "Roads").await;
        let (second, _) = program(&admin, "Rail").await;
        let bulk = format!("{ALL}bulk-fields/");
        let request = json!({"ids": [first, second], "fields": {"methodology": "AGILE", "risk_escalation_days": 7}});
        owner.post(&bulk, request.clone()).await.expect(403);
        let done = admin.post(&bulk, request.clone()).await.expect(200);
        assert_eq!(done["fields"], json!(["methodology", "risk_escalation_days"]));
        assert_eq!(done["updated"].as_array().unwrap().len(), 2);
        assert_eq!(done["updated"][0]["server_version"], 2);
        assert_eq!(admin.post(&bulk, request).await.expect(200)["updated"][0]["server_version"], 2);
        let nobody = "00000000-0000-0000-0000-000000000009";
        let refused = admin.post(&bulk, json!({"ids": [first, nobody], "fields": {"methodology": "WATERFALL"}})).await.expect(400);
        assert!(refused["ids"][0].as_str().unwrap().contains(nobody));
        assert_eq!(owner.get(&path).await["methodology"], "AGILE");
        assert!(admin.post(&bulk, json!({"ids": [first], "fields": {"name": "x"}})).await.expect(400)["fields"].is_array());

        let inside = project(&owner, "Bridge", &first).await;
        let outside = owner.post(PROJECTS, json!({"name": "Ferry", "start_date": "2026-01-05"})).await.expect(201).id();
        let bulk = format!("{path}bulk-project-fields/");
        let fields = json!({"methodology": "WATERFALL", "iteration_label": "Cycle"});
        assert!(owner.post(&bulk, json!({"ids": [inside, outside], "fields": fields})).await.expect(400)["ids"].is_array());
        owner.post(&bulk, json!({"ids": [inside], "fields": fields})).await.expect(200);
        let shown = owner.get(&format!("{PROJECTS}{inside}/")).await.expect(200);
        assert_eq!(shown["methodology"], "WATERFALL");
        assert_eq!(shown["iteration_label"], "Cycle");
        assert!(shown.header("etag").starts_with("W/\"v2."));

        let pam = app.person("pam").await;
        owner.let_in(&path, &pam, Role::ProjectManager).await;
        pam.post(&bulk, json!({"ids": [inside], "fields": fields})).await.expect(200);
        owner.patch(&format!("{PROJECTS}{inside}/"), json!({"visibility": "PRIVATE"})).await.expect(200);
        let hidden = pam.post(&bulk, json!({"ids": [inside], "fields": fields})).await.expect(400);
        assert!(hidden["ids"].is_array(), "a project that somebody may not know of is not there");
    }

    async fn a_split_is_judged_and_not_carried_out(app: &TestApp) {
        let (owner, pam) = (app.person("ona").await, app.person("pam").await);
        let (id, path) = program(&owner, "Roads").await;
        owner.let_in(&path, &pam, Role::ProjectManager).await;
        let inside = project(&owner, "Bridge", &id).await;
        let split = format!("{path}split/");
        let fine = json!({"splits": [{"name": "North", "project_ids": [inside]}]});
        pam.post(&split, fine.clone()).await.expect(403);
        let answer = owner.post(&split, fine).await.expect(501);
        assert!(answer["detail"].is_string());
        assert!(answer["tracking_issue"].is_string());
        let twice = json!({"splits": [{"name": "North", "project_ids": [inside]}, {"name": "South", "project_ids": [inside]}]});
        let refused = owner.post(&split, twice).await.expect(400);
        assert_eq!(refused["splits"][0], json!({}));
        assert!(refused["splits"][1]["project_ids"].is_array());
        owner.post(&split, json!({})).await.expect(400);
    }

    async fn a_program_lists_what_its_members_may_know_of(app: &TestApp) {
        let (owner, viewer) = (app.person("ona").await, app.person("vic").await);
        let (id, path) = program(&owner, "Roads").await;
        owner.let_in(&path, &viewer, Role::Viewer).await;
        project(&owner, "Open", &id).await;
        let hidden = project(&owner, "Hidden", &id).await;
        owner.patch(&format!("{PROJECTS}{hidden}/"), json!({"visibility": "PRIVATE"})).await.expect(200);
        let seen = viewer.get(&format!("{path}projects/")).await.expect(200);
        assert_eq!(seen.json.as_array().unwrap().len(), 1);
        assert_eq!(seen.json[0]["name"], "Open");
        assert_eq!(seen.json[0]["my_role"], Value::Null);
        assert_eq!(seen.json[0]["overdue_count"], 0);
        assert_eq!(owner.get(&format!("{path}projects/")).await.json.as_array().unwrap().len(), 2);
    }
}
