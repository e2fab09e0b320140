//! Projects: who sees and changes them, what they inherit, the trash, versions.

use planwright_domain::Role;
use planwright_store::{Read, sql};
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::{Value, json};
use uuid::Uuid;

const ALL: &str = "/api/v1/projects/";

async fn project(owner: &Person<'_>, name: &str) -> String {
    let made = owner.post(ALL, json!({"name": name, "start_date": "2026-01-05"})).await.expect(201);
    format!("{ALL}{}/", made.id())
}

async fn program(owner: &Person<'_>, name: &str) -> (String, String) {
    let made = owner.post("/api/v1/programs/", json!({"name": name})).await.expect(201);
    (made.id(), format!("/api/v1/programs/{}/", made.id()))
}

async fn label(app: &TestApp, project: &str, name: &str) -> Uuid {
    let mut tx = app.app.db.begin().await.unwrap();
    let id: Uuid = tx.mint();
    let statement = sql!(
        "INSERT INTO labels (id, project_id, name, name_key, color, position, created_at, server_version)
         VALUES (:id, :project, :name, :name, 'teal', 0, :now, 1)",
        id = id,
        project = project.parse::<Uuid>().unwrap(),
        name = name,
        now = tx.now()
    );
    tx.run(statement).await.unwrap();
    tx.commit().await.unwrap();
    id
}

async fn live_labels(app: &TestApp) -> Vec<String> {
    let live = "SELECT name FROM labels WHERE deletion_id IS NULL ORDER BY name";
    app.app.db.scalars(sql!(live)).await.unwrap()
}

both_engines! {
    async fn whoever_creates_a_project_owns_it(app: &TestApp) {
        let mara = app.person("mara").await;
        let made = mara.post(ALL, json!({"name": " Bridge ", "start_date": "2026-01-05", "code": "BR-1"})).await.expect(201);
        assert_eq!(made["name"], "Bridge");
        assert_eq!(made["my_role"], 400);
        assert_eq!(made["my_role_label"], "Owner");
        assert_eq!(made["can_author"], true);
        assert_eq!(made["member_count"], 1);
        assert_eq!(made["lag_calendar"], "successor");
        assert_eq!(made["methodology"], Value::Null);
        assert_eq!(made["effective_methodology"], "HYBRID");
        assert_eq!(made["agile_features"], true);
        assert_eq!(made["calendar_source"], "system");
        assert_eq!(made["percent_complete"], Value::Null);
        assert_eq!(made["effective_surface_visibility"]["baselines"], true);
        let path = format!("{ALL}{}/", made.id());
        let shown = mara.get(&path).await.expect(200);
        assert!(shown.header("etag").starts_with("W/\"v1."));
        assert_eq!(shown["start_floor"], "2026-01-05");
        assert_eq!(shown["program_detail"], Value::Null);
        let teams = mara.get(&format!("{path}teams/")).await.expect(200);
        assert_eq!(teams.results()[0]["short_id"], "T01");
        assert_eq!(teams.results()[0]["member_count"], 1);
    }

    async fn an_outsider_finds_nothing_and_a_viewer_changes_nothing(app: &TestApp) {
        let (owner, viewer, stranger) = (app.person("ona").await, app.person("vic").await, app.person("sue").await);
        let path = project(&owner, "Bridge").await;
        owner.let_in(&path, &viewer, Role::Viewer).await;
        for way in ["", "members/", "teams/"] {
            stranger.get(&format!("{path}{way}")).await.expect(404);
            viewer.get(&format!("{path}{way}")).await.expect(200);
        }
        stranger.patch(&path, json!({"name": "Mine"})).await.expect(404);
        stranger.delete(&path).await.expect(404);
        viewer.patch(&path, json!({"name": "Mine"})).await.expect(403);
        viewer.delete(&path).await.expect(403);
        viewer.post(&format!("{path}archive/"), json!({})).await.expect(403);
        viewer.post(&format!("{path}members/"), json!({"user": stranger.id})).await.expect(403);
        assert_eq!(viewer.get(&path).await["can_author"], false);
        assert_eq!(stranger.get(ALL).await["count"], 0);
        assert_eq!(viewer.get(ALL).await["count"], 1);
    }

    async fn every_wrong_field_of_a_project_is_named_at_once(app: &TestApp) {
        let mara = app.person("mara").await;
        let wrong = json!({
            "start_date": "soon", "code": "br_1", "default_member_role": 400, "stale_task_threshold_days": 0,
            "calendar": "00000000-0000-0000-0000-000000000001"
        });
        let refused = mara.post(ALL, wrong).await.expect(400);
        assert_eq!(refused["name"][0], "This field is required.");
        assert!(refused["start_date"].is_array());
        assert!(refused["stale_task_threshold_days"].is_array());
        let unfit = json!({
            "name": "Bridge", "start_date": "2026-01-05", "code": "br_1", "default_member_role": 400,
            "calendar": "00000000-0000-0000-0000-000000000001",
            "program": "00000000-0000-0000-0000-000000000002", "lead": "00000000-0000-0000-0000-000000000003"
        });
        let refused = mara.post(ALL, unfit).await.expect(400);
        for field in ["code", "default_member_role", "calendar", "program", "lead"] {
            assert!(refused[field].is_array(), "{field}: {}", refused.text);
        }
    }

    async fn a_resource_manager_changes_how_the_team_works_and_nothing_else(app: &TestApp) {
        let (owner, manager) = (app.person("ona").await, app.person("rob").await);
        let path = project(&owner, "Bridge").await;
        owner.let_in(&path, &manager, Role::ResourceManager).await;
        let fine = json!({"methodology": "AGILE", "estimation_scale": "", "board_cadence": "continuous"});
        assert_eq!(manager.patch(&path, fine).await.expect(200)["effective_methodology"], "AGILE");
        let refused = manager.patch(&path, json!({"name": "Mine", "public_sharing": true})).await.expect(400);
        assert!(refused["name"].is_array());
        assert!(refused["public_sharing"].is_array());
        let whole = json!({"name": "Bridge", "start_date": "2026-01-05", "methodology": "WATERFALL"});
        assert_eq!(manager.put(&path, whole).await.expect(200)["methodology"], "WATERFALL");
    }

    async fn a_setting_comes_from_the_nearest_scope_that_has_one(app: &TestApp) {
        let mara = app.person("mara").await;
        let mut tx = app.app.db.begin().await.unwrap();
        tx.run(sql!("UPDATE workspace SET public_sharing = TRUE")).await.unwrap();
        tx.commit().await.unwrap();
        let (program_id, program_path) = program(&mara, "Roads").await;
        let path = project(&mara, "Bridge").await;
        mara.patch(&path, json!({"program": program_id})).await.expect(200);
        let sharing = async || {
            let shown = mara.get(&path).await.expect(200);
            let part = |name: &str| shown[name].clone();
            [part("public_sharing"), part("inherited_public_sharing"), part("effective_public_sharing")]
        };
        assert_eq!(sharing().await, [json!(null), json!(true), json!(true)]);
        mara.patch(&program_path, json!({"public_sharing": false})).await.expect(200);
        assert_eq!(sharing().await, [json!(null), json!(false), json!(false)]);
        mara.patch(&path, json!({"public_sharing": true})).await.expect(200);
        assert_eq!(sharing().await, [json!(true), json!(false), json!(true)]);
        mara.patch(&path, json!({"public_sharing": null})).await.expect(200);
        assert_eq!(sharing().await, [json!(null), json!(false), json!(false)]);
        let shown = mara.get(&path).await.expect(200);
        assert_eq!(shown["program_detail"]["name"], "Roads");
        assert_eq!(shown["inherited_iteration_label"], "Sprint");
        mara.patch(&program_path, json!({"iteration_label": "Cycle"})).await.expect(200);
        assert_eq!(mara.get(&path).await["effective_iteration_label"], "Cycle");
    }

    async fn what_a_browser_would_run_is_denied_at_every_scope(app: &TestApp) {
        let mara = app.person("mara").await;
        let (_, program_path) = program(&mara, "Roads").await;
        let path = project(&mara, "Bridge").await;
        for place in [&program_path, &path] {
            for denied in ["text/html", "Image/SVG+XML", "application/xhtml+xml; charset=utf-8"] {
                let request = json!({"allowed_attachment_types": ["image/png", denied]});
                let refused = mara.patch(place, request).await.expect(400);
                assert!(refused["allowed_attachment_types"]["1"].is_array(), "{}", refused.text);
            }
            let nothing = mara.patch(place, json!({"allowed_attachment_types": []})).await.expect(200);
            assert_eq!(nothing["allowed_attachment_types"], json!([]));
            assert_eq!(nothing["effective_allowed_attachment_types"], json!([]));
        }
        let request = json!({"allowed_attachment_types": ["Image/PNG; q=1", "application/pdf", "image/png"]});
        let some = mara.patch(&path, request).await.expect(200);
        assert_eq!(some["effective_allowed_attachment_types"], json!(["application/pdf", "image/png"]));
    }

    async fn a_restore_brings_back_exactly_what_the_deletion_took(app: &TestApp) {
        let (owner, left, stays) = (app.person("ona").await, app.person("lee").await, app.person("sam").await);
        let path = project(&owner, "Bridge").await;
        let id = path.split('/').rev().nth(1).unwrap().to_owned();
        owner.let_in(&path, &left, Role::Member).await;
        owner.let_in(&path, &stays, Role::Viewer).await;
        let gone = label(app, &id, "gone before").await;
        label(app, &id, "kept").await;
        let mut tx = app.app.db.begin().await.unwrap();
        let earlier = tx.begin_deletion("label", gone, None, None).await.unwrap();
        tx.run(sql!("UPDATE labels SET deletion_id = :deletion WHERE id = :id", deletion = earlier, id = gone)).await.unwrap();
        tx.commit().await.unwrap();
        let members = owner.get(&format!("{path}members/")).await.expect(200);
        let leaving = members.json.as_array().unwrap().iter().find(|row| row["user"] == json!(left.id)).unwrap()["id"].clone();
        owner.delete(&format!("{path}members/{}/", leaving.as_str().unwrap())).await.expect(204);

        owner.delete(&path).await.expect(204);
        owner.get(&path).await.expect(404);
        assert!(live_labels(app).await.is_empty());
        let trash = owner.get("/api/v1/projects/trash/").await.expect(200);
        assert_eq!(trash.json[0]["id"], json!(id));
        assert_eq!(trash.json[0]["days_remaining"], 30);
        assert_eq!(trash.json[0]["deleted_by_name"], "ona");
        assert_eq!(trash.json[0]["can_restore"], true);
        assert_eq!(stays.get("/api/v1/projects/trash/").await.json[0]["can_restore"], false);
        let restore = format!("{path}restore/");
        stays.post(&restore, json!({})).await.expect(403);
        left.post(&restore, json!({})).await.expect(404);

        let back = owner.post(&restore, json!({})).await.expect(200);
        assert_eq!(back["member_count"], 2);
        assert_eq!(live_labels(app).await, ["kept"]);
        left.get(&path).await.expect(404);
        stays.get(&path).await.expect(200);
        owner.post(&restore, json!({})).await.expect(404);
    }

    async fn the_trash_keeps_a_project_for_thirty_days(app: &TestApp) {
        let mut owner = app.person("ona").await;
        let path = project(&owner, "Bridge").await;
        owner.delete(&path).await.expect(204);
        app.later(chrono::Duration::days(31));
        owner.sign_in_again().await;
        assert_eq!(owner.get("/api/v1/projects/trash/").await.json, json!([]));
        owner.post(&format!("{path}restore/"), json!({})).await.expect(404);
    }

    async fn an_archived_project_is_read_and_not_written(app: &TestApp) {
        let owner = app.person("ona").await;
        let path = project(&owner, "Bridge").await;
        owner.delete(&format!("{path}?force=true")).await.expect(400);
        let archived = owner.post(&format!("{path}archive/"), json!({})).await.expect(200);
        assert_eq!(archived["is_archived"], true);
        assert_eq!(archived["archived_by"], json!(owner.id));
        assert_eq!(archived["can_author"], false);
        let again = owner.post(&format!("{path}archive/"), json!({})).await.expect(200);
        assert_eq!(again["server_version"], archived["server_version"]);
        owner.patch(&path, json!({"name": "New"})).await.expect(403);
        owner.get(&path).await.expect(200);
        assert_eq!(owner.get(&format!("{ALL}?program__isnull=true")).await["count"], 0);
        owner.post(&format!("{path}unarchive/"), json!({})).await.expect(200);
        owner.patch(&path, json!({"name": "New"})).await.expect(200);
        owner.post(&format!("{path}archive/"), json!({})).await.expect(200);
        owner.delete(&format!("{path}?force=true")).await.expect(204);
        assert_eq!(owner.get("/api/v1/projects/trash/").await.json, json!([]));
        owner.post(&format!("{path}restore/"), json!({})).await.expect(404);
    }

    async fn a_project_is_handed_over_to_a_member(app: &TestApp) {
        let (owner, heir, stranger) = (app.person("ona").await, app.person("hal").await, app.person("sue").await);
        let path = project(&owner, "Bridge").await;
        let transfer = format!("{path}transfer/");
        owner.let_in(&path, &heir, Role::Member).await;
        for wrong in [stranger.id, owner.id] {
            let refused = owner.post(&transfer, json!({"new_owner_user_id": wrong})).await.expect(400);
            assert!(refused["new_owner_user_id"].is_array());
        }
        heir.post(&transfer, json!({"new_owner_user_id": heir.id})).await.expect(403);
        let done = owner.post(&transfer, json!({"new_owner_user_id": heir.id})).await.expect(200);
        assert_eq!(done["my_role"], 300);
        assert_eq!(heir.get(&path).await["my_role"], 400);
    }

    async fn disjoint_edits_merge_and_overlapping_ones_conflict(app: &TestApp) {
        let owner = app.person("ona").await;
        let path = project(&owner, "Bridge").await;
        owner.patch(&path, json!({"name": "New bridge"})).await.expect(200);
        owner.with_header("if-match", "\"v1\"").patch(&path, json!({"code": "BR"})).await.expect(412);
        let based = owner.with_header("x-base-version", "1");
        let merged = based.patch(&path, json!({"code": "BR"})).await.expect(200);
        assert!(merged.header("etag").starts_with("W/\"v3."));
        assert_eq!(merged.header("x-merged-concurrent-fields"), "name");
        assert_eq!(merged["name"], "New bridge");
        let conflict = based.patch(&path, json!({"name": "Old bridge"})).await.expect(409);
        assert_eq!(conflict["code"], "sync_conflict");
        assert_eq!(conflict["conflict_fields"], json!(["name"]));
        assert_eq!(conflict["server_value"]["name"], "New bridge");
        assert_eq!(conflict["client_value"]["name"], "Old bridge");
        assert_eq!(conflict["server_version"], 3);
        let same = owner.patch(&path, json!({"name": "New bridge"})).await.expect(200);
        assert_eq!(same["server_version"], 3);
    }

    async fn projects_are_listed_searched_and_told_apart_by_program(app: &TestApp) {
        let owner = app.person("ona").await;
        let (program_id, _) = program(&owner, "Roads").await;
        for (name, start, inside) in [("Bridge", "2026-02-02", true), ("Tunnel", "2026-01-05", false), ("Ferry", "2026-01-05", false)] {
            let program = if inside { json!(program_id) } else { json!(null) };
            owner.post(ALL, json!({"name": name, "start_date": start, "program": program})).await.expect(201);
        }
        let names = async |query: &str| {
            let page = owner.get(&format!("{ALL}{query}")).await.expect(200);
            page.results().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("").await, ["Ferry", "Tunnel", "Bridge"]);
        assert_eq!(names("?ordering=-name").await, ["Tunnel", "Ferry", "Bridge"]);
        assert_eq!(names("?search=RR").await, ["Ferry"]);
        assert_eq!(names("?program__isnull=true").await, ["Ferry", "Tunnel"]);
        assert_eq!(names("?program__isnull=false").await, ["Bridge"]);
        assert_eq!(names("?page_size=1&page=2").await, ["Tunnel"]);
        owner.get(&format!("{ALL}?ordering=code")).await.expect(400);
    }

    async fn only_who_manages_both_sides_moves_a_project(app: &TestApp) {
        let (owner, other) = (app.person("ona").await, app.person("bea").await);
        let (foreign, _) = program(&other, "Rail").await;
        let (own, own_path) = program(&owner, "Roads").await;
        let path = project(&owner, "Bridge").await;
        assert!(owner.patch(&path, json!({"program": foreign})).await.expect(400)["program"].is_array());
        assert_eq!(owner.patch(&path, json!({"program": own})).await.expect(200)["program"], json!(own));
        owner.post(&format!("{own_path}close/"), json!({})).await.expect(200);
        assert!(owner.patch(&path, json!({"program": null})).await.expect(400)["program"].is_array());
        owner.post(&format!("{own_path}reopen/"), json!({})).await.expect(200);
        assert_eq!(owner.patch(&path, json!({"program": null})).await.expect(200)["program"], Value::Null);
    }

    async fn a_new_project_can_take_over_the_settings_of_another(app: &TestApp) {
        let (owner, stranger) = (app.person("ona").await, app.person("sue").await);
        let model = project(&owner, "Model").await;
        let id = model.split('/').rev().nth(1).unwrap();
        owner.patch(&model, json!({"methodology": "AGILE", "mcp_enabled": false, "code": "M"})).await.expect(200);
        let request = json!({"name": "Copy", "start_date": "2026-03-02", "copy_settings_from": id, "board_cadence": "continuous"});
        let made = owner.post(ALL, request.clone()).await.expect(201);
        assert_eq!(made["methodology"], "AGILE");
        assert_eq!(made["mcp_enabled"], false);
        assert_eq!(made["board_cadence"], "continuous");
        assert_eq!(made["code"], "");
        assert!(stranger.post(ALL, request).await.expect(400)["copy_settings_from"].is_array());
        assert!(owner.patch(&model, json!({"copy_settings_from": id})).await.expect(400)["copy_settings_from"].is_array());
    }
}

/// Tables whose rows are deleted on their own, not with a project.
/// Minutes belong to the person who logged them, who keeps them when a project goes.
const ON_THEIR_OWN: [&str; 12] = [
    "projects",
    "programs",
    "program_members",
    "calendars",
    "resources",
    "skills",
    "resource_skills",
    "time_entries",
    "backlog_items",
    "ceremonies",
    "external_stakeholders",
    // It says of an act of deletion what it took, and goes with that.
    "deleted_sprint_tasks",
];

both_engines! {
    async fn every_table_that_knows_deletion_goes_with_its_project_or_is_known_not_to(app: &TestApp) {
        let columns: Vec<(String, String, String, bool)> =
            app.app.db.all(app.app.db.engine().schema_listing()).await.unwrap();
        let taken = planwright_plan::deletion::tables_of_a_project();
        let forgotten: Vec<&str> = columns
            .iter()
            .filter(|(_, column, ..)| column == "deletion_id")
            .map(|(table, ..)| table.as_str())
            .filter(|table| !taken.contains(table) && !ON_THEIR_OWN.contains(table))
            .collect();
        assert!(forgotten.is_empty(), "a project's deletion would leave rows of {forgotten:?}");
    }
}
