//! What people are told of sprints, of whole projects and of programs, and the digests that some ask for.

use chrono::Duration;
use planwright_domain::Role;
use planwright_testkit::{Person, both_engines};
use serde_json::json;

use crate::notifications::{preference, say, told, unsubscribe_link};
use crate::site::{Site, task_path, text};

const ALL: &str = "/api/v1/me/notifications/";

async fn bodies(person: &Person<'_>) -> Vec<String> {
    let list = person.get(ALL).await.expect(200);
    let mut bodies: Vec<String> = list.results().iter().map(|row| text(&row["body"]).to_owned()).collect();
    bodies.sort();
    bodies
}

both_engines! {
    async fn a_move_into_a_running_sprint_is_told_to_the_assignee_and_the_managers(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, pia) = (site.person("mara", 100).await, site.person("pia", 300).await);
        let task = site.create(json!({"name": "Dig", "assignee": mara.id})).await.id();
        let next = site.plan_sprint("Sprint 2").await;
        site.change(&task, json!({"sprint": next})).await;
        site.hush().await;
        assert_eq!(told(&mara).await, [
            "task.assigned | A task was assigned to you: Dig",
            "task.moved_sprint | Your task is in another sprint: Dig",
        ]);
        assert!(told(&pia).await.is_empty(), "the sprint is not running");
        let (running, _) = site.running("Sprint 1", &[3]).await;
        site.hush().await;
        site.change(&task, json!({"sprint": running})).await;
        site.hush().await;
        assert_eq!(told(&pia).await, ["sprint.membership_changed | The tasks of a running sprint have changed: Dig"]);
        assert_eq!(bodies(&pia).await, ["ona moved the task from Sprint 2 to Sprint 1."]);
        site.change(&task, json!({"planned_start": "2026-01-06"})).await;
        site.hush().await;
        site.change(&task, json!({"sprint": null})).await;
        site.hush().await;
        assert_eq!(told(&pia).await, [
            "sprint.membership_changed | The tasks of a running sprint have changed: Dig",
            "sprint.membership_changed | The tasks of a running sprint have changed: Dig",
            "sprint.task_rescheduled | A task of a running sprint was rescheduled: Dig",
        ]);
        assert!(bodies(&pia).await.contains(&"ona took the task out of Sprint 1.".to_owned()));
        assert!(told(&site.owner).await.is_empty(), "she did it all herself");
    }

    async fn a_vote_is_announced_to_the_team_and_so_is_its_end(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let vera = site.person("vera", 1).await;
        site.hush().await;
        let policy = site.at("signal-privacy/");
        let raised = json!({"signal": "velocity", "ceiling": "team_sm_pm"});
        let proposal = site.owner.post(&format!("{policy}raise-ceiling/"), raised).await.expect(202);
        site.hush().await;
        assert_eq!(told(&mara).await, ["signal.ceiling_proposal_opened | Your vote is needed: Bridge"]);
        assert!(told(&vera).await.is_empty(), "who only reads does not vote");
        let one = format!("{policy}ceiling-proposals/{}/", proposal.id());
        for person in [&mara, &site.owner] {
            person.post(&format!("{one}vote/"), json!({"choice": "approve"})).await.expect(200);
        }
        site.hush().await;
        assert_eq!(told(&mara).await, [
            "signal.ceiling_proposal_opened | Your vote is needed: Bridge",
            "signal.ceiling_proposal_resolved | A vote of your team is over: Bridge",
        ]);
    }

    async fn a_far_shift_of_the_finish_is_told_to_managers_once(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, pia) = (site.person("mara", 100).await, site.person("pia", 300).await);
        let task = site.task("Dig", 5).await;
        site.hush().await;
        site.change(&task, json!({"duration": 6})).await;
        site.hush().await;
        assert!(told(&pia).await.is_empty(), "three days are less than five");
        site.change(&task, json!({"duration": 9})).await;
        site.hush().await;
        assert_eq!(told(&pia).await, ["project.end_date_shifted | The end of a project has shifted: Bridge"]);
        assert_eq!(bodies(&pia).await, ["The project ends on 2026-01-15. You were told 2026-01-09."]);
        site.change(&task, json!({"duration": 10})).await;
        site.hush().await;
        assert_eq!((told(&pia).await.len(), told(&mara).await.len()), (1, 0));
    }

    async fn a_committed_plan_and_a_deleted_project_are_told_to_those_whom_they_concern(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let gone = site.person("gone", 100).await;
        site.create(json!({"name": "Dig", "duration": 3, "assignee": mara.id})).await;
        let members = crate::site::listed(&site.owner.get(&site.at("members/")).await.expect(200));
        let row = members.iter().find(|row| row["user"] == json!(gone.id)).unwrap();
        site.owner.delete(&site.at(&format!("members/{}/", text(&row["id"])))).await.expect(204);
        site.hush().await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({"name": "First"})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        site.hush().await;
        assert!(told(&mara).await.contains(&"plan.amended | The plan was committed: Bridge".to_owned()));
        assert!(told(&vera).await.is_empty(), "she has no task");
        site.owner.delete(&site.at("")).await.expect(204);
        site.hush().await;
        assert_eq!(told(&vera).await, ["project.deleted | A project was deleted: Bridge"]);
        assert_eq!(bodies(&vera).await, ["ona deleted the project."]);
        assert!(told(&gone).await.is_empty(), "who has left hears nothing");
        assert_eq!(vera.get(&format!("{ALL}?search=bridge")).await.expect(200)["count"], 1);
    }

    async fn a_task_on_which_nothing_happens_is_told_to_its_assignee_once(app: &TestApp) {
        let site = Site::new(app).await;
        let mut mara = site.person("mara", 100).await;
        let task = site.create(json!({"name": "Dig", "assignee": mara.id, "planned_start": "2026-01-05", "status": "IN_PROGRESS"})).await.id();
        site.create(json!({"name": "Later", "assignee": mara.id})).await;
        site.hush().await;
        let stale = |lines: Vec<String>| lines.into_iter().filter(|line| line.starts_with("task.stale")).count();
        app.later(Duration::days(6));
        site.hush().await;
        mara.sign_in_again().await;
        assert_eq!(stale(told(&mara).await), 0);
        for days in [2, 1, 1] {
            app.later(Duration::days(days));
            site.hush().await;
        }
        mara.sign_in_again().await;
        assert_eq!(stale(told(&mara).await), 1, "seven days, and once");
        mara.patch(&task_path(&task), json!({"percent_complete": 10})).await.expect(200);
        for days in [2, 6] {
            app.later(Duration::days(days));
            site.hush().await;
        }
        mara.sign_in_again().await;
        assert_eq!(stale(told(&mara).await), 2, "the days began again");
    }

    async fn digests_come_once_a_week_to_those_who_asked(app: &TestApp) {
        let admin = app.admin().await;
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Harbour"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let (mut pia, vera) = (site.person("pia", 300).await, site.person("vera", 1).await);
        let path = format!("/api/v1/programs/{program}/");
        for person in [&pia, &vera] {
            site.owner.let_in(&path, person, Role::Viewer).await;
        }
        let secret = json!({"name": "Secret", "program": program, "visibility": "PRIVATE", "start_date": "2030-01-07"});
        site.owner.post("/api/v1/projects/", secret).await.expect(201);
        let nora = site.resource("Nora", true).await;
        for name in ["Dig", "Fill"] {
            site.create(json!({"name": name, "duration": 5, "owners": [{"resource": nora, "units": 0.8}]})).await;
        }
        for (kind, channel) in [("program.health_digest", "in_app"), ("program.health_digest", "email"), ("resource.overallocation_digest", "in_app")] {
            pia.patch(&preference(&pia, kind, channel).await, json!({"enabled": true})).await.expect(200);
        }
        let hour = json!({"digest_weekday": 1, "digest_hour": 10, "digest_timezone": "Europe/Berlin"});
        pia.patch("/api/v1/me/notification-settings/", hour).await.expect(200);
        site.hush().await;
        app.later(Duration::hours(23));
        site.hush().await;
        pia.sign_in_again().await;
        assert!(told(&pia).await.is_empty(), "it is Tuesday at eight in Berlin");
        for _ in 0..4 {
            app.later(Duration::hours(1));
            site.hush().await;
        }
        pia.sign_in_again().await;
        assert_eq!(told(&pia).await, [
            "program.health_digest | The health of a program: Harbour",
            "resource.overallocation_digest | Who has more work than time: Bridge",
        ]);
        let bodies = bodies(&pia).await;
        assert_eq!(bodies[0], "1 project: 1 on track, 0 at risk, 0 critical. 0 tasks are late. The last project ends on 2026-01-09.");
        assert_eq!(bodies[1], "In the next four weeks these have more work than time: Nora.");
        let mail = app.sent_mail();
        assert!(mail.iter().any(|mail| mail.contains("The health of a program: Harbour")), "{mail:?}");
        let digest = mail.iter().find(|mail| mail.contains("The health of a program: Harbour")).unwrap();
        app.anonymous().post(&unsubscribe_link(digest), json!({})).await.expect(200);
        for _ in 0..7 * 24 {
            app.later(Duration::hours(1));
            site.hush().await;
        }
        pia.sign_in_again().await;
        assert_eq!((told(&pia).await.len(), app.sent_mail().len()), (3, mail.len()), "the week after it comes into the list alone");
        let digests = pia.get(&format!("{ALL}?category=digests")).await.expect(200);
        assert_eq!((digests.results().len(), &digests.results()[0]["task_id"]), (3, &json!(null)));
        drop(admin);
    }

    async fn a_group_may_mail_its_mentions_to_those_who_chose_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, noor) = (site.person("mara", 100).await, site.person("noor", 100).await);
        let groups = site.at("mention-groups/");
        let made = json!({"name": "Crew", "email_default_on": true});
        let group = site.owner.post(&groups, made).await.expect(201).id();
        for person in [&mara, &noor] {
            site.owner.post(&format!("{groups}{group}/add-member/"), json!({"user": person.id})).await.expect(200);
        }
        noor.patch(&preference(&noor, "mention_group", "email").await, json!({"enabled": false})).await.expect(200);
        let task = site.task("Dig", 1).await;
        say(&site, &site.owner, &task, "@crew deep?").await;
        site.hush().await;
        site.hush().await;
        let mail = app.sent_mail();
        assert_eq!(mail.len(), 1, "Noor chose otherwise");
        assert!(mail[0].contains("mara@example.test"));
    }
}
