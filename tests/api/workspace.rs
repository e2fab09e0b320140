//! The workspace: settings, members, finding people.

use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::both_engines;
use serde_json::{Value as Json, json};

const SETTINGS: &str = "/api/v1/workspace/";
const MEMBERS: &str = "/api/v1/workspace/members/";

fn names(rows: &[Json]) -> Vec<&str> {
    rows.iter().filter_map(|row| row["name"].as_str()).collect()
}

both_engines! {
    async fn everybody_reads_the_settings_and_only_administrators_write_them(app: &TestApp) {
        let admin = app.admin().await;
        let member = app.person("mara").await;
        let read = member.get(SETTINGS).await.expect(200);
        assert_eq!(read["timezone"], "UTC");
        assert_eq!(read["fiscal_year_start_display"], "January 1");
        assert_eq!(read["work_week"], json!([true, true, true, true, true, false, false]));
        assert_eq!(read["default_project_view"], "board");
        assert_eq!(read["methodology"], "HYBRID");
        assert_eq!(read["allowed_attachment_types"].as_array().unwrap().len(), 7);
        assert_eq!(read["calendar"], json!(null));
        assert_eq!(read["logo_url"], json!(null));
        member.patch(SETTINGS, json!({"name": "Mine"})).await.expect(403);
        app.anonymous().get(SETTINGS).await.expect(401);
        let fiscal = json!({"name": " Shipyard ", "fiscal_year_start_month": 4, "fiscal_year_start_day": 6});
        let written = admin.patch(SETTINGS, fiscal).await.expect(200);
        assert_eq!(written["name"], "Shipyard");
        assert_eq!(written["fiscal_year_start_display"], "April 6");
        assert_eq!(written.header("etag"), "\"v2\"");
    }

    async fn a_change_is_recorded_with_its_fields_and_a_repetition_is_none(app: &TestApp) {
        let boss = app.person_ranked("boss", Role::ProjectManager).await;
        let request = json!({"iteration_label": "Cycle", "timezone": "Europe/Lisbon"});
        boss.patch(SETTINGS, request.clone()).await.expect(200);
        let again = boss.patch(SETTINGS, request).await.expect(200);
        assert_eq!(again.header("etag"), "\"v2\"");
        let select = "SELECT fields FROM history WHERE entity = 'workspace'";
        let changes: Vec<Json> = app.app.db.scalars(sql!(select)).await.unwrap();
        assert_eq!(changes, [json!({"timezone": ["UTC", "Europe/Lisbon"], "iteration_label": ["Sprint", "Cycle"]})]);
        boss.with_header("if-match", "\"v1\"").patch(SETTINGS, json!({"name": "Late"})).await.expect(412);
    }

    async fn enforcing_is_written_as_suggesting(app: &TestApp) {
        let admin = app.admin().await;
        let request = json!({"public_sharing_override_policy": "enforce", "calendar_override_policy": "inherit"});
        admin.patch(SETTINGS, request).await.expect(200);
        let read = admin.get(SETTINGS).await.expect(200);
        assert_eq!(read["public_sharing_override_policy"], "suggest");
        assert_eq!(read["calendar_override_policy"], "inherit");
    }

    async fn every_wrong_setting_is_named_at_once_and_nothing_is_written(app: &TestApp) {
        let admin = app.admin().await;
        let wrong = json!({
            "name": "Kept out", "timezone": "Mars/Olympus", "work_week": [false, false, false, false, false, false, false],
            "fiscal_year_start_month": 2, "fiscal_year_start_day": 29, "feedback_url": "ftp://host/",
            "allowed_attachment_types": ["image/png", "text/html"],
        });
        let refused = admin.patch(SETTINGS, wrong).await.expect(400);
        for field in ["timezone", "work_week", "fiscal_year_start_day", "feedback_url", "allowed_attachment_types"] {
            assert!(refused[field][0].is_string(), "{field}: {}", refused.text);
        }
        let shapes = json!({"fiscal_year_start_month": 13, "methodology": "CHAOS", "mcp_enabled": "perhaps", "name": ""});
        let refused = admin.patch(SETTINGS, shapes).await.expect(400);
        assert_eq!(refused["fiscal_year_start_month"][0], "Must be at most 12.");
        assert_eq!(refused["name"][0], "This field may not be blank.");
        assert!(refused["methodology"][0].is_string() && refused["mcp_enabled"][0].is_string());
        assert_eq!(admin.get(SETTINGS).await["name"], "Workspace");
    }

    async fn an_allow_list_is_kept_bare_sorted_and_may_be_empty(app: &TestApp) {
        let admin = app.admin().await;
        let request = json!({"allowed_attachment_types": ["Text/CSV; charset=utf-8", "image/png", "text/csv"]});
        let written = admin.patch(SETTINGS, request).await.expect(200);
        assert_eq!(written["allowed_attachment_types"], json!(["image/png", "text/csv"]));
        for denied in ["text/html", "IMAGE/SVG+XML", "application/xhtml+xml;charset=utf-8"] {
            admin.patch(SETTINGS, json!({"allowed_attachment_types": [denied]})).await.expect(400);
        }
        let emptied = admin.patch(SETTINGS, json!({"allowed_attachment_types": []})).await.expect(200);
        assert_eq!(emptied["allowed_attachment_types"], json!([]));
    }

    async fn the_calendar_of_the_workspace_must_exist_and_is_in_use_then(app: &TestApp) {
        let admin = app.admin().await;
        let nowhere = json!({"calendar": "01890000-0000-7000-8000-000000000000"});
        let refused = admin.patch(SETTINGS, nowhere).await.expect(400);
        assert!(refused["calendar"][0].is_string());
        let calendar = admin.post("/api/v1/calendars/", json!({"name": "Six days", "working_days": 63})).await.expect(201);
        let written = admin.patch(SETTINGS, json!({"calendar": calendar.id()})).await.expect(200);
        assert_eq!(written["calendar"], calendar["id"]);
        let path = format!("/api/v1/calendars/{}/", calendar.id());
        assert_eq!(admin.delete(&path).await.expect(409)["code"], "calendar_in_use");
        admin.patch(SETTINGS, json!({"calendar": null})).await.expect(200);
        admin.delete(&path).await.expect(204);
    }

    async fn administrators_walk_the_whole_list_and_others_see_themselves(app: &TestApp) {
        let admin = app.admin().await;
        let mara = app.person("mara").await;
        app.person("zoe").await;
        let first = admin.get(&format!("{MEMBERS}?page_size=2")).await.expect(200);
        assert_eq!(names(first.results()), ["admin", "mara"]);
        assert_eq!(first["previous"], json!(null));
        let next = first["next"].as_str().unwrap().replace("http://test.local", "");
        assert!(next.contains("page_size=2"));
        let second = admin.get(&next).await.expect(200);
        assert_eq!(names(second.results()), ["zoe"]);
        assert_eq!(second["next"], json!(null));
        let own = mara.get(MEMBERS).await.expect(200);
        assert_eq!(names(own.results()), ["mara"]);
        assert_eq!(own["results"][0]["role"], "Member");
        assert_eq!(own["results"][0]["role_value"], 100);
        assert_eq!(own["results"][0]["initials"], "MA");
        assert_eq!(own["results"][0]["availability_percent"], 100);
        admin.get(&format!("{MEMBERS}?cursor=nonsense")).await.expect(400);
        admin.get(&format!("{MEMBERS}?page_size=0")).await.expect(400);
        app.anonymous().get(MEMBERS).await.expect(401);
    }

    async fn a_member_gets_a_rank_and_an_availability(app: &TestApp) {
        let admin = app.admin().await;
        let mara = app.person("mara").await;
        let path = format!("{MEMBERS}{}/", mara.id);
        let request = json!({
            "role": 300, "availability_percent": 50, "availability_effective_from": "2026-02-01",
            "availability_notes": "Half days",
        });
        let written = admin.patch(&path, request).await.expect(200);
        assert_eq!((&written["role"], &written["role_value"]), (&json!("Admin"), &json!(300)));
        assert_eq!(written["availability_effective_from"], "2026-02-01");
        let rows = mara.get(MEMBERS).await.expect(200);
        assert_eq!(names(rows.results()), ["admin", "mara"]);
        assert_eq!(rows["results"][1]["availability_notes"], "Half days");
        let cleared = admin.patch(&path, json!({"availability_effective_from": null, "role": 100})).await.expect(200);
        assert_eq!(cleared["availability_effective_from"], json!(null));
        assert_eq!(cleared["availability_percent"], 50);
        let early = json!({"availability_effective_from": "2026-03-01", "availability_effective_to": "2026-02-01"});
        assert!(admin.patch(&path, early).await.expect(400)["availability_effective_to"][0].is_string());
        admin.patch(&path, json!({})).await.expect(400);
        admin.patch(&path, json!({"role": 200})).await.expect(400);
        admin.patch(&path, json!({"status": "asleep"})).await.expect(400);
        mara.patch(&path, json!({"role": 400})).await.expect(403);
    }

    async fn nobody_reaches_up_and_the_last_owner_stays(app: &TestApp) {
        let owner = app.admin().await;
        let boss = app.person_ranked("boss", Role::ProjectManager).await;
        let other_boss = app.person_ranked("other", Role::ProjectManager).await;
        let mara = app.person("mara").await;
        let path = |person: &planwright_testkit::Person<'_>| format!("{MEMBERS}{}/", person.id);
        boss.patch(&path(&owner), json!({"status": "guest"})).await.expect(403);
        boss.patch(&path(&other_boss), json!({"role": 100})).await.expect(403);
        boss.patch(&path(&boss), json!({"role": 100})).await.expect(403);
        boss.patch(&path(&mara), json!({"role": 300})).await.expect(403);
        boss.delete(&path(&owner)).await.expect(403);
        boss.patch(&path(&boss), json!({"availability_percent": 80})).await.expect(200);
        owner.patch(&path(&mara), json!({"role": 400})).await.expect(403);
        for body in [json!({"role": 300}), json!({"status": "guest"}), json!({"status": "deactivated"})] {
            let refused = owner.patch(&path(&owner), body).await.expect(400);
            assert!(refused["detail"].is_string());
        }
        owner.delete(&path(&owner)).await.expect(400);
        owner.patch(&path(&mara), json!({"status": "guest"})).await.expect(200);
        owner.delete(&format!("{MEMBERS}01890000-0000-7000-8000-000000000000/")).await.expect(404);
        owner.delete(&format!("{MEMBERS}7/")).await.expect(404);
    }

    async fn a_deactivated_member_is_shut_out_at_once_and_can_be_let_in_again(app: &TestApp) {
        let admin = app.admin().await;
        let mut mara = app.person("mara").await;
        let path = format!("{MEMBERS}{}/", mara.id);
        admin.delete(&path).await.expect(204);
        assert_eq!(mara.get(SETTINGS).await.expect(401)["code"], "user_inactive");
        admin.delete(&path).await.expect(204);
        let rows = admin.get(MEMBERS).await.expect(200);
        assert_eq!(rows["results"][1]["status"], "deactivated");
        app.run_jobs().await;
        admin.patch(&path, json!({"status": "active"})).await.expect(200);
        assert_eq!(mara.get(SETTINGS).await.expect(401)["code"], "token_not_valid");
        mara.sign_in_again().await;
        mara.get(SETTINGS).await.expect(200);
    }

    async fn people_are_found_by_a_part_of_their_name(app: &TestApp) {
        let admin = app.admin().await;
        let mara = app.person("mara").await;
        app.person("tamara").await;
        app.person("100%").await;
        let search = |text: &str| format!("/api/v1/users/search/?q={text}");
        let found = mara.get(&search("ARA")).await.expect(200);
        let usernames: Vec<_> = found.json.as_array().unwrap().iter().map(|row| row["username"].clone()).collect();
        assert_eq!(usernames, ["mara", "tamara"]);
        assert_eq!(found.json[0], json!({"id": mara.id, "username": "mara", "display_name": "mara", "initials": "MA"}));
        assert_eq!(mara.get(&search("a")).await.expect(200).json, json!([]));
        assert_eq!(mara.get("/api/v1/users/search/").await.expect(200).json, json!([]));
        assert_eq!(mara.get(&search("0%25")).await.expect(200).json[0]["username"], "100%");
        assert_eq!(mara.get(&search("%25%25")).await.expect(200).json, json!([]));
        admin.delete(&format!("{MEMBERS}{}/", mara.id)).await.expect(204);
        let left = admin.get(&search("ara")).await.expect(200);
        assert_eq!(left.json.as_array().unwrap().len(), 1);
        app.anonymous().get(&search("ara")).await.expect(401);
    }

    async fn a_deactivation_is_taken_back_only_when_all_old_credentials_have_ended(app: &TestApp) {
        let admin = app.admin().await;
        let mut mara = app.person("mara").await;
        let one = format!("/api/v1/workspace/members/{}/", mara.id);
        admin.patch(&one, json!({"status": "deactivated"})).await.expect(200);
        app.later(chrono::Duration::seconds(1));
        let early = admin.patch(&one, json!({"status": "active"})).await.expect(409);
        assert_eq!(early["code"], "offboarding_pending");
        app.run_jobs().await;
        admin.patch(&one, json!({"status": "active"})).await.expect(200);
        assert_eq!(mara.get("/api/v1/auth/me/").await.expect(401)["code"], "token_not_valid");
        mara.sign_in_again().await;
        app.run_jobs().await;
        mara.get("/api/v1/auth/me/").await.expect(200);
        let active = "SELECT COUNT(*) FROM users WHERE id = :id AND is_active = TRUE";
        assert_eq!(app.app.db.count(sql!(active, id = mara.id)).await.unwrap(), 1);
    }
}
