//! What people say on tasks: comments, mentions, groups, reactions, notes and decisions.

use chrono::Duration;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};
use crate::sockets::Socket;

/// Where the comments of a task are.
fn comments(site: &Site<'_>, task: &str) -> String {
    site.at(&format!("tasks/{task}/comments/"))
}

async fn say(person: &Person<'_>, path: &str, body: &str) -> String {
    person.post(path, json!({ "body": body })).await.expect(201).id()
}

both_engines! {
    async fn a_comment_is_answered_changed_and_leaves_an_empty_place(app: &TestApp) {
        let mut site = Site::new(app).await;
        let (mut mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let task = site.task("Dig", 1).await;
        let all = comments(&site, &task);
        site.hush().await;
        vera.post(&all, json!({"body": "May I?"})).await.expect(403);
        let first = mara.post(&all, json!({"body": "How **deep**?"})).await.expect(201);
        assert_eq!((&first["author"]["username"], &first["parent"], &first["is_deleted"]), (&json!("mara"), &Value::Null, &json!(false)));
        let hook = &site.payloads("comment.created").await[0];
        assert_eq!((&hook["comment_id"], &hook["author_display"]), (&first["id"], &json!("mara")));
        assert!(!hook.to_string().contains("deep"), "what it says is not told");
        let answer = site.owner.post(&all, json!({"body": "Two metres", "parent": first.id()})).await.expect(201);
        let deeper = json!({"body": "Sure?", "parent": answer.id()});
        assert!(mara.post(&all, deeper).await.expect(400)["parent"].is_array());
        mara.post(&all, json!({"body": "  "})).await.expect(400);
        let one = format!("{all}{}/", first.id());
        let changed = mara.patch(&one, json!({"body": "How deep, please?"})).await.expect(200);
        assert!(changed["edited_at"].is_string());
        site.owner.patch(&one, json!({"body": "No"})).await.expect(403);
        app.later(Duration::minutes(16));
        mara.sign_in_again().await;
        site.owner.sign_in_again().await;
        mara.patch(&one, json!({"body": "Too late"})).await.expect(403);
        let other = site.person("noor", 100).await;
        other.delete(&one).await.expect(403);
        site.owner.delete(&one).await.expect(204);
        let list = mara.get(&all).await.expect(200);
        assert_eq!((&list["count"], &list["results"][0]["body"], &list["results"][0]["deleted_by"]["username"]), (&json!(2), &json!(""), &json!("ona")));
        assert_eq!(list["results"][1]["parent"], first["id"]);
        mara.post(&all, json!({"body": "Late", "parent": first.id()})).await.expect(400);
        app.person("nobody").await.get(&all).await.expect(404);
        let elsewhere = app.project(&site.owner, "Tunnel").await;
        let wrong = format!("/api/v1/projects/{elsewhere}/tasks/{task}/comments/{}/", answer.id());
        site.owner.get(&wrong).await.expect(404);
    }

    async fn a_mention_reaches_people_and_groups_and_names_what_it_cannot(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, noor) = (site.person("mara", 100).await, site.person("noor", 100).await);
        let task = site.task("Dig", 1).await;
        let all = comments(&site, &task);
        let groups = site.at("mention-groups/");
        mara.post(&groups, json!({"name": "diggers"})).await.expect(403);
        let group = site.owner.post(&groups, json!({"name": "Diggers", "description": "Who digs"})).await.expect(201);
        assert!(site.owner.post(&groups, json!({"name": "DIGGERS"})).await.expect(400)["name"].is_array());
        site.owner.post(&groups, json!({"name": "owners"})).await.expect(400);
        let one = format!("{groups}{}/", group.id());
        for person in [&mara, &noor] {
            site.owner.post(&format!("{one}add-member/"), json!({"user": person.id})).await.expect(200);
        }
        let stranger = app.person("stranger").await;
        site.owner.post(&format!("{one}add-member/"), json!({"user": stranger.id})).await.expect(400);
        assert_eq!(noor.post(&format!("{one}mute/"), json!({})).await.expect(200)["muted_by_me"], true);
        site.hush().await;
        say(&mara, &all, "@diggers see `@code` and mail a@b.example").await;
        assert_eq!(site.payloads("task.mentioned").await[0]["mention_count"], 1, "Mara wrote it herself");
        site.hush().await;
        let refused = mara.post(&all, json!({"body": "@nobody @all"})).await.expect(400);
        assert_eq!((&refused["skipped_users"], &refused["skipped_groups"]), (&json!(["nobody"]), &json!(["all"])));
        assert_eq!(mara.get(&all).await.expect(200)["count"], 1, "nothing was stored");
        say(&site.owner, &all, "@all hands").await;
        assert_eq!(site.payloads("task.mentioned").await[0]["mention_count"], 2);
        let shown = mara.get(&groups).await.expect(200);
        assert_eq!((&shown.json[0]["member_count"], &shown.json[0]["muted_by_me"]), (&json!(2), &json!(false)));
        site.owner.post(&format!("{one}remove-member/"), json!({"user": mara.id})).await.expect(200);
        site.owner.patch(&one, json!({"name": "crew"})).await.expect(200);
        site.owner.delete(&one).await.expect(204);
        mara.post(&all, json!({"body": "@crew"})).await.expect(400);
    }

    async fn mentions_are_limited_by_the_people_they_reach(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        for number in 0..60 {
            site.person(&format!("crew{number}"), 100).await;
        }
        let all = comments(&site, &task);
        say(&site.owner, &all, "@all one").await;
        let refused = site.owner.post(&all, json!({"body": "@all two"})).await.expect(429);
        assert_eq!(refused.header("ratelimit"), "\"mention_hour\";r=40;t=3600");
        assert_eq!((refused.header("ratelimit-policy"), refused.header("retry-after")), ("\"mention_hour\";q=100;w=3600", "3600"));
        assert_eq!(site.owner.get(&all).await.expect(200)["count"], 1);
    }

    async fn comments_are_seen_and_reacted_to_once_by_each(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let task = site.task("Dig", 1).await;
        let all = comments(&site, &task);
        let comment = say(&site.owner, &all, "Done").await;
        let seen = format!("{all}{comment}/acknowledge/");
        mara.post(&seen, json!({})).await.expect(200);
        mara.post(&seen, json!({})).await.expect(200);
        let reactions = format!("{all}{comment}/reactions/");
        let thumb = mara.post(&reactions, json!({"emoji": "👍"})).await.expect(201);
        assert_eq!(mara.post(&reactions, json!({"emoji": "👍"})).await.expect(200)["id"], thumb["id"]);
        mara.post(&reactions, json!({"emoji": "🤖"})).await.expect(400);
        let shown = mara.get(&format!("{all}{comment}/")).await.expect(200);
        assert_eq!((&shown["acknowledged_count"], &shown["reaction_count"], &shown["my_reaction_id"]), (&json!(1), &json!(1), &thumb["id"]));
        let others = site.owner.get(&format!("{all}{comment}/")).await.expect(200);
        assert_eq!((&others["has_my_acknowledgement"], &others["has_my_reaction"]), (&json!(false), &json!(false)));
        site.owner.delete(&format!("{reactions}{}/", thumb.id())).await.expect(404);
        mara.delete(&format!("{reactions}{}/", thumb.id())).await.expect(204);
        assert_eq!(mara.delete(&seen).await.expect(200)["deleted"], true);
        mara.delete(&seen).await.expect(404);
    }

    async fn notes_are_pinned_decided_and_read_as_decisions(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/notes/"));
        let first = say(&mara, &all, "We dig by hand").await;
        app.later(Duration::minutes(1));
        let second = say(&mara, &all, "Bring lamps").await;
        assert!(site.read(&task).await["latest_note_at"].is_string());
        let one = format!("{all}{first}/");
        assert_eq!(mara.post(&format!("{one}pin/"), json!({})).await.expect(200)["pinned"], true);
        let listed = vera.get(&all).await.expect(200);
        let order: Vec<&str> = listed.results().iter().map(|row| text(&row["id"])).collect();
        assert_eq!(order, [first.as_str(), second.as_str()], "pinned ones first");
        assert_eq!(mara.post(&format!("{one}decision/"), json!({})).await.expect(200)["decision"], true);
        let decisions = site.at("decisions/");
        let found = mara.get(&decisions).await.expect(200);
        assert_eq!((&found["count"], &found["results"][0]["task"]["name"], &found["results"][0]["sprint"]), (&json!(1), &json!("Dig"), &Value::Null));
        vera.get(&decisions).await.expect(403);
        let policy = site.at("decisions-policy/");
        mara.patch(&policy, json!({"oversight_visible": true})).await.expect(403);
        assert_eq!(site.owner.patch(&policy, json!({"oversight_visible": true})).await.expect(200)["can_edit"], true);
        assert_eq!(vera.get(&decisions).await.expect(200)["count"], 1);
        assert_eq!(vera.get(&policy).await.expect(200).json, json!({"oversight_visible": true, "can_edit": false}));
        site.owner.patch(&one, json!({"body": "By machine"})).await.expect(403);
        mara.delete(&one).await.expect(204);
        assert_eq!(mara.get(&decisions).await.expect(200)["count"], 0);
    }

    async fn what_is_said_on_a_task_in_the_trash_is_out_of_reach_and_comes_back(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let comments = site.at(&format!("tasks/{task}/comments/"));
        let comment = format!("{comments}{}/", say(&site.owner, &comments, "Deeper").await);
        let notes = site.at(&format!("tasks/{task}/notes/"));
        let note = site.owner.post(&notes, json!({"body": "Wet"})).await.expect(201).id();
        let note = format!("{notes}{note}/");
        site.owner.delete(&format!("/api/v1/tasks/{task}/")).await.expect(204);
        for path in [&comment, &note] {
            site.owner.get(path).await.expect(404);
            site.owner.patch(path, json!({"body": "Changed"})).await.expect(404);
            site.owner.delete(path).await.expect(404);
        }
        for action in ["acknowledge/", "reactions/"] {
            site.owner.post(&format!("{comment}{action}"), json!({"emoji": "👍"})).await.expect(404);
        }
        for action in ["pin/", "decision/"] {
            site.owner.post(&format!("{note}{action}"), json!({})).await.expect(404);
        }
        site.owner.post(&format!("/api/v1/tasks/{task}/restore/"), json!({})).await.expect(200);
        assert_eq!(site.owner.get(&comment).await.expect(200)["body"], "Deeper");
        site.owner.get(&note).await.expect(200);
    }

    async fn groups_of_a_program_serve_all_its_projects(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Harbour"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let (admin, viewer) = (app.person("adam").await, app.person("vito").await);
        let place = format!("/api/v1/programs/{program}/");
        site.owner.let_in(&place, &admin, planwright_domain::Role::ProjectManager).await;
        site.owner.let_in(&place, &viewer, planwright_domain::Role::Viewer).await;
        let groups = format!("{place}mention-groups/");
        admin.post(&groups, json!({"name": "board"})).await.expect(403);
        let group = site.owner.post(&groups, json!({"name": "board"})).await.expect(201);
        assert_eq!(group["program"], json!(program));
        admin.post(&format!("{groups}{}/add-member/", group.id()), json!({"user": viewer.id})).await.expect(200);
        let task = site.task("Dig", 1).await;
        site.hush().await;
        say(&site.owner, &comments(&site, &task), "@board @program-pms").await;
        assert_eq!(site.payloads("task.mentioned").await[0]["mention_count"], 2);
        let reach = admin.get(&format!("{place}mention-reach/")).await.expect(200);
        assert_eq!((&reach["group_key"], &reach["viewer_member_count"]), (&json!("program-stakeholders"), &json!(1)));
        viewer.get(&format!("{place}mention-reach/")).await.expect(403);
        site.owner.post(&format!("{place}close/"), json!({})).await.expect(200);
        assert_eq!(admin.get(&format!("{place}mention-reach/")).await.expect(200)["viewer_member_count"], 1);
        viewer.get(&format!("{place}mention-reach/")).await.expect(403);
        admin.post(&format!("{groups}{}/add-member/", group.id()), json!({"user": viewer.id})).await.expect(403);
    }

    async fn each_change_of_a_group_of_a_program_is_told_in_its_projects(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Harbour"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &site.owner).await;
        let groups = format!("/api/v1/programs/{program}/mention-groups/");
        let group = site.owner.post(&groups, json!({"name": "board"})).await.expect(201).id();
        let one = format!("{groups}{group}/");
        let mut told = async |change: &str| {
            let event = socket.until("mention_group_changed").await;
            let expected = json!({"group_id": group, "change": change, "scope": "program", "program_id": program});
            assert_eq!(event["payload"], expected);
        };
        told("created").await;
        site.owner.post(&format!("{one}add-member/"), json!({"user": site.owner.id})).await.expect(200);
        told("members").await;
        site.owner.patch(&one, json!({"name": "bridge"})).await.expect(200);
        told("updated").await;
        site.owner.delete(&one).await.expect(204);
        told("deleted").await;
        drop(socket);
        served.stop().await;
    }

    async fn people_outside_are_kept_by_those_who_manage_the_program(app: &TestApp) {
        let owner = app.person("ona").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "Harbour"})).await.expect(201).id();
        let place = format!("/api/v1/programs/{program}/");
        let (admin, member) = (app.person("adam").await, app.person("mara").await);
        owner.let_in(&place, &admin, planwright_domain::Role::ProjectManager).await;
        owner.let_in(&place, &member, planwright_domain::Role::Member).await;
        let all = format!("{place}external-stakeholders/");
        member.get(&all).await.expect(403);
        let made = admin.post(&all, json!({"name": "Lind", "email": "Lind@Example.org"})).await.expect(201);
        assert!(admin.post(&all, json!({"name": "L", "email": "lind@example.org"})).await.expect(400)["email"].is_array());
        let wrong = admin.post(&all, json!({"name": "", "email": "nowhere"})).await.expect(400);
        assert!(wrong["name"].is_array(), "{}", wrong.text);
        let one = format!("{all}{}/", made.id());
        assert_eq!(admin.patch(&one, json!({"note": "Harbour office"})).await.expect(200)["note"], "Harbour office");
        assert_eq!(admin.get(&all).await.expect(200).json[0]["email"], "Lind@Example.org");
        let reach = admin.get(&format!("{place}mention-reach/")).await.expect(200);
        assert_eq!(reach["external_stakeholder_count"], 1);
        admin.delete(&one).await.expect(204);
        assert_eq!(admin.get(&all).await.expect(200).json, json!([]));
    }
}
