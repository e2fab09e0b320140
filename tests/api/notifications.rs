//! What people are told, what they do with it, and how they want to hear of it.

use chrono::Duration;
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, task_path, text};

const ALL: &str = "/api/v1/me/notifications/";
const PREFERENCES: &str = "/api/v1/me/notification-preferences/";
const SETTINGS: &str = "/api/v1/me/notification-settings/";

/// What a person was told so far, oldest first: the kind and the subject.
pub(crate) async fn told(person: &Person<'_>) -> Vec<String> {
    let list = person.get(&format!("{ALL}?ordering=created_at")).await.expect(200);
    let line = |row: &Value| format!("{} | {}", text(&row["event_type"]), text(&row["subject"]));
    let mut lines: Vec<String> = list.results().iter().map(line).collect();
    lines.sort();
    lines
}

pub(crate) async fn say(site: &Site<'_>, person: &Person<'_>, task: &str, body: &str) -> String {
    let comments = site.at(&format!("tasks/{task}/comments/"));
    person.post(&comments, json!({ "body": body })).await.expect(201).id()
}

/// The id of a preference.
pub(crate) async fn preference(person: &Person<'_>, kind: &str, channel: &str) -> String {
    let all = person.get(PREFERENCES).await.expect(200);
    let found =
        all.results().iter().find(|row| row["event_type"] == kind && row["channel"] == channel).cloned();
    format!("{PREFERENCES}{}/", found.expect("every kind has every channel")["id"])
}

/// A project, Mara, who was mentioned in it, and the link by which she ends that kind of mail.
async fn mentioned_by_mail(app: &TestApp) -> (Site<'_>, Person<'_>, String) {
    app.later(Duration::hours(2));
    let site = Site::new(app).await;
    let mara = site.person("mara", 100).await;
    let task = site.task("Dig", 1).await;
    let wish = preference(&mara, "mention_individual", "email").await;
    mara.patch(&wish, json!({"enabled": true})).await.expect(200);
    say(&site, &site.owner, &task, "@mara one").await;
    site.hush().await;
    let link = unsubscribe_link(&app.sent_mail()[0]);
    (site, mara, link)
}

both_engines! {
    async fn an_assignee_hears_of_the_task_its_dates_and_comments(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let task = site.task("Dig", 2).await;
        site.change(&task, json!({"assignee": mara.id, "planned_start": "2026-01-12"})).await;
        site.hush().await;
        assert_eq!(told(&mara).await, ["task.assigned | A task was assigned to you: Dig"], "one write, one notification");
        site.change(&task, json!({"planned_start": "2026-01-19"})).await;
        say(&site, &site.owner, &task, "Bring lamps").await;
        say(&site, &mara, &task, "I will").await;
        site.hush().await;
        site.hush().await;
        assert_eq!(told(&mara).await, [
            "comment_on_my_task | There is a comment on your task: Dig",
            "task.assigned | A task was assigned to you: Dig",
            "task.due_date_changed | The dates of your task have changed: Dig",
        ]);
        assert!(told(&site.owner).await.is_empty(), "nobody hears of what they did, and Mara's comment is on her own task");
        site.change(&task, json!({"assignee": site.owner.id})).await;
        site.hush().await;
        assert!(told(&site.owner).await.is_empty(), "they took it themselves");
    }

    async fn a_mention_is_told_once_and_not_to_those_who_muted_the_group(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, noor) = (site.person("mara", 100).await, site.person("noor", 100).await);
        let pia = site.person("pia", 100).await;
        let task = site.task("Dig", 1).await;
        site.change(&task, json!({"assignee": mara.id})).await;
        let groups = site.at("mention-groups/");
        let group = site.owner.post(&groups, json!({"name": "crew"})).await.expect(201).id();
        for person in [&mara, &noor] {
            site.owner.post(&format!("{groups}{group}/add-member/"), json!({"user": person.id})).await.expect(200);
        }
        noor.post(&format!("{groups}{group}/mute/"), json!({})).await.expect(200);
        site.hush().await;
        let comment = say(&site, &site.owner, &task, &format!("@crew {}", "deep ".repeat(60))).await;
        site.hush().await;
        assert_eq!(told(&mara).await, [
            "mention_group | Your group was mentioned: Dig",
            "task.assigned | A task was assigned to you: Dig",
        ], "the mention wins over the comment on her task");
        assert!(told(&noor).await.is_empty());
        let mentions = mara.get(&format!("{ALL}?category=mentions")).await.expect(200);
        let row = &mentions.results()[0];
        assert_eq!((&row["mention"]["task_comment"], &row["mention"]["mentioned_group_key"]), (&json!(comment), &json!("crew")));
        assert_eq!(row["mention"]["mentioner"]["username"], "ona");
        assert_eq!(text(&row["snippet"]).chars().count(), 200);
        assert_eq!((&row["body"], &row["task_id"]), (&json!("ona mentioned a group in which you are."), &json!(task)));
        let one = site.at(&format!("tasks/{task}/comments/{comment}/"));
        site.owner.patch(&one, json!({"body": "@crew and @pia"})).await.expect(200);
        site.hush().await;
        assert_eq!(told(&mara).await.len(), 2, "who was told of a comment is not told again");
        assert_eq!(told(&pia).await, ["mention_individual | You were mentioned: Dig"], "her name came in later");
        site.owner.delete(&one).await.expect(204);
        assert_eq!(mara.get(&format!("{ALL}{}/", text(&row["id"]))).await.expect(200)["snippet"], "");
    }

    async fn a_block_is_told_to_the_assignee_and_the_managers_when_it_begins(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, pia) = (site.person("mara", 100).await, site.person("pia", 300).await);
        let noor = site.person("noor", 100).await;
        let task = site.task("Dig", 1).await;
        site.change(&task, json!({"assignee": mara.id})).await;
        site.hush().await;
        mara.patch(&task_path(&task), json!({"blocked_reason": "No lamps"})).await.expect(200);
        site.hush().await;
        app.later(Duration::minutes(5));
        mara.patch(&task_path(&task), json!({"blocked_reason": "No lamps, no rope"})).await.expect(200);
        site.hush().await;
        for person in [&pia, &site.owner] {
            assert_eq!(told(person).await, ["task.blocked | A task is blocked: Dig"]);
        }
        let row = pia.get(ALL).await.expect(200).results()[0].clone();
        assert!(!row.to_string().contains("lamps"), "the reason is for the assignee");
        assert_eq!(told(&mara).await.len(), 1, "she did it herself");
        assert!(told(&noor).await.is_empty());
    }

    async fn notifications_are_read_archived_put_off_and_nobody_elses(app: &TestApp) {
        let site = Site::new(app).await;
        let mut mara = site.person("mara", 100).await;
        let task = site.task("Dig", 1).await;
        say(&site, &site.owner, &task, "@mara one").await;
        say(&site, &site.owner, &task, "@mara two").await;
        site.hush().await;
        let list = mara.get(&format!("{ALL}?unread_only=true&page_size=1")).await.expect(200);
        assert_eq!((&list["count"], list["next"].is_string()), (&json!(2), true));
        let one = format!("{ALL}{}/", text(&list.results()[0]["id"]));
        site.owner.get(&one).await.expect(404);
        site.owner.patch(&one, json!({"is_read": 7})).await.expect(404);
        mara.patch(&one, json!({"is_read": 7})).await.expect(400);
        let read = mara.patch(&one, json!({"is_read": true})).await.expect(200);
        assert_eq!((&read["is_read"], &read["read_at"]), (&json!(true), &json!("2026-01-05T08:00:00Z")));
        assert_eq!(mara.get(&format!("{ALL}?unread_only=true")).await.expect(200)["count"], 1);
        mara.patch(&one, json!({"is_archived": true})).await.expect(200);
        assert_eq!(mara.get(ALL).await.expect(200)["count"], 1);
        assert_eq!(mara.get(&format!("{ALL}?archived=true")).await.expect(200)["count"], 1);
        assert_eq!(mara.patch(&one, json!({"is_archived": false, "is_read": false})).await.expect(200)["read_at"], Value::Null);
        let snooze = format!("{one}snooze/");
        for wrong in [json!({}), json!({"preset": "2h"}), json!({"preset": "1h", "until": null}), json!({"until": "2026-01-05T08:00:00Z"})] {
            mara.post(&snooze, wrong).await.expect(400);
        }
        let tomorrow = mara.post(&snooze, json!({"preset": "tomorrow"})).await.expect(200);
        assert_eq!(tomorrow["snoozed_until"], "2026-01-06T09:00:00Z");
        mara.post(&snooze, json!({"preset": "1h"})).await.expect(200);
        assert_eq!(mara.get(ALL).await.expect(200)["count"], 1);
        assert_eq!(mara.get(&format!("{ALL}?snoozed=true")).await.expect(200)["count"], 1);
        app.later(Duration::minutes(61));
        mara.sign_in_again().await;
        assert_eq!(mara.get(ALL).await.expect(200)["count"], 2);
        assert_eq!(mara.post(&snooze, json!({"until": null})).await.expect(200)["snoozed_until"], Value::Null);
        assert_eq!(mara.post(&format!("{ALL}mark-all-read/"), json!({})).await.expect(200)["updated"], 2);
        assert_eq!(mara.post(&format!("{ALL}mark-all-read/"), json!({})).await.expect(200)["updated"], 0);
        assert_eq!(mara.get(&format!("{ALL}?search=dig&category=mentions")).await.expect(200)["count"], 2);
        assert_eq!(mara.get(&format!("{ALL}?search=rope")).await.expect(200)["count"], 0);
        mara.get(&format!("{ALL}?category=tea")).await.expect(400);
    }

    async fn who_leaves_a_project_is_told_nothing_more_and_reads_no_texts(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let task = site.task("Dig", 1).await;
        say(&site, &site.owner, &task, "@mara deep?").await;
        site.hush().await;
        say(&site, &site.owner, &task, "@mara deeper?").await;
        let members = site.owner.get(&site.at("members/")).await.expect(200);
        let row = crate::site::listed(&members).iter().find(|row| row["user"] == json!(mara.id)).cloned().unwrap();
        site.owner.delete(&site.at(&format!("members/{}/", text(&row["id"])))).await.expect(204);
        site.hush().await;
        let list = mara.get(ALL).await.expect(200);
        assert_eq!(list["count"], 1, "what was on its way did not arrive");
        let row = &list.results()[0];
        assert_eq!((&row["subject"], &row["body"], &row["snippet"]), (&json!("You were mentioned"), &json!(""), &json!("")));
        assert_eq!((&row["mention"], &row["task_id"]), (&Value::Null, &Value::Null));
        assert_eq!(mara.get(&format!("{ALL}?search=dig")).await.expect(200)["count"], 0, "a search does not find names either");
    }

    async fn what_was_told_of_a_task_has_no_texts_while_it_is_in_the_trash(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let task = site.task("Dig", 1).await;
        say(&site, &site.owner, &task, "@mara deep?").await;
        site.hush().await;
        let before = mara.get(ALL).await.expect(200);
        site.owner.delete(&task_path(&task)).await.expect(204);
        let list = mara.get(ALL).await.expect(200);
        let row = &list.results()[0];
        assert_eq!((&row["subject"], &row["snippet"]), (&json!("You were mentioned"), &json!("")));
        assert_eq!((&row["mention"], &row["task_id"]), (&Value::Null, &Value::Null));
        assert_eq!(mara.get(&format!("{ALL}?search=dig")).await.expect(200)["count"], 0);
        site.owner.post(&format!("{}restore/", task_path(&task)), json!({})).await.expect(200);
        assert_eq!(mara.get(ALL).await.expect(200).results(), before.results(), "and it is all back");
    }

    async fn preferences_decide_what_is_listed_and_what_is_mailed(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let all = mara.get(PREFERENCES).await.expect(200);
        assert_eq!((&all["count"], &all.results()[0]["id"]), (&json!(36), &json!(1)));
        let page = mara.get(&format!("{PREFERENCES}?page=2&page_size=5")).await.expect(200);
        assert_eq!((page.results().len(), &page.results()[0]["id"]), (5, &json!(6)));
        mara.get(&format!("{PREFERENCES}?page=9&page_size=5")).await.expect(404);
        mara.patch(&format!("{PREFERENCES}37/"), json!({"enabled": true})).await.expect(404);
        let by_mail = preference(&mara, "mention_individual", "email").await;
        assert_eq!(mara.patch(&by_mail, json!({"enabled": true})).await.expect(200)["enabled"], true);
        mara.patch(&preference(&mara, "mention_individual", "in_app").await, json!({"enabled": false})).await.expect(200);
        assert_eq!(preference(&site.owner, "mention_individual", "email").await, by_mail, "ids are the same for all");
        let task = site.task("Dig", 1).await;
        say(&site, &site.owner, &task, "@mara deep?").await;
        site.hush().await;
        site.hush().await;
        assert!(told(&mara).await.is_empty());
        let mail = app.sent_mail();
        assert_eq!(mail.len(), 1);
        assert!(mail[0].contains("mara@example.test") && mail[0].contains("You were mentioned: Dig"), "{}", mail[0]);
        assert!(!mail[0].contains("deep"), "what a comment says is not mailed");
        let fewer = mara.post(&format!("{PREFERENCES}apply-preset/"), json!({"preset": "signal_only"})).await.expect(200);
        let on = fewer.json.as_array().unwrap().iter().filter(|row| row["enabled"] == true);
        let on: Vec<&str> = on.map(|row| text(&row["event_type"])).collect();
        assert_eq!(on, ["task.due_date_changed", "task.blocked"]);
        mara.post(&format!("{PREFERENCES}apply-preset/"), json!({"preset": "nothing"})).await.expect(400);
        say(&site, &site.owner, &task, "@mara deeper?").await;
        site.hush().await;
        assert_eq!((told(&mara).await.len(), app.sent_mail().len()), (0, 1));
    }

    async fn mails_wait_for_the_end_of_quiet_hours_and_are_dropped_when_read(app: &TestApp) {
        let site = Site::new(app).await;
        let mut mara = site.person("mara", 100).await;
        mara.post(&format!("{PREFERENCES}apply-preset/"), json!({"preset": "everything"})).await.expect(200);
        let of_project = site.at("notification-preferences/");
        mara.patch(&of_project, json!({"quiet_hours_from": "07:00", "quiet_hours_until": "10:00"})).await.expect(200);
        let task = site.task("Dig", 1).await;
        say(&site, &site.owner, &task, "@mara one").await;
        say(&site, &site.owner, &task, "@mara two").await;
        site.hush().await;
        assert_eq!(app.sent_mail().len(), 0, "it is eight o'clock");
        let first = text(&mara.get(ALL).await.expect(200).results()[0]["id"]).to_owned();
        mara.patch(&format!("{ALL}{first}/"), json!({"is_read": true})).await.expect(200);
        app.later(Duration::hours(2));
        site.hush().await;
        site.hush().await;
        assert_eq!(app.sent_mail().len(), 1, "one of both was read meanwhile");
        mara.sign_in_again().await;
        assert_eq!(mara.patch(SETTINGS, json!({"dnd_enabled": true})).await.expect(200)["dnd_enabled"], true);
        let site = Site { owner: { let mut owner = site.owner; owner.sign_in_again().await; owner }, ..site };
        say(&site, &site.owner, &task, "@mara three").await;
        site.hush().await;
        assert_eq!((told(&mara).await.len(), app.sent_mail().len()), (3, 1), "it is in the list and disturbs nobody");
        site.change(&task, json!({"assignee": mara.id})).await;
        site.hush().await;
        site.change(&task, json!({"blocked_reason": "No lamps"})).await;
        site.hush().await;
        assert_eq!(app.sent_mail().len(), 2, "only the block disturbs");
    }

    async fn a_project_has_preferences_of_its_own_for_each_person(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let path = site.at("notification-preferences/");
        let usual = vera.get(&path).await.expect(200);
        assert_eq!((&usual["paused"], &usual["quiet_hours_from"], &usual["schema_version"]), (&json!(false), &json!("20:00"), &json!(1)));
        assert_eq!(usual["matrix"].as_object().unwrap().len(), 9);
        let wrong = json!({"matrix": {"tea": {}, "task_assigned": {"smoke": true}}, "quiet_hours_from": "25:00", "paused": 7});
        let refused = mara.patch(&path, wrong).await.expect(400);
        assert!(refused["matrix"]["tea"].is_array() && refused["matrix"]["task_assigned"]["smoke"].is_array());
        assert!(refused["quiet_hours_from"].is_array() && refused["paused"].is_array());
        let changed = mara.patch(&path, json!({"matrix": {"task_assigned": {"in_app": false}}})).await.expect(200);
        assert_eq!((&changed["matrix"]["task_assigned"]["in_app"], &changed["matrix"]["task_assigned"]["email"]), (&json!(false), &json!(true)));
        assert_eq!(vera.get(&path).await.expect(200)["matrix"]["task_assigned"]["in_app"], true);
        app.person("stranger").await.get(&path).await.expect(404);
        let task = site.task("Dig", 1).await;
        site.change(&task, json!({"assignee": mara.id})).await;
        say(&site, &site.owner, &task, "@mara one").await;
        site.hush().await;
        assert_eq!(told(&mara).await, ["mention_individual | You were mentioned: Dig"]);
        mara.patch(&path, json!({"paused": true})).await.expect(200);
        say(&site, &site.owner, &task, "@mara two").await;
        site.hush().await;
        assert_eq!(told(&mara).await.len(), 1);
    }

    async fn settings_are_checked_and_the_profile_shows_whether_a_person_is_left_alone(app: &TestApp) {
        let mara = app.person("mara").await;
        let usual = mara.get(SETTINGS).await.expect(200);
        assert_eq!((&usual["dnd_enabled"], &usual["digest_weekday"], &usual["digest_hour"]), (&json!(false), &json!(0), &json!(8)));
        let wrong = json!({"digest_weekday": 7, "digest_hour": 24, "digest_timezone": "Mars/Olympus"});
        let refused = mara.patch(SETTINGS, wrong).await.expect(400);
        assert!(refused["digest_weekday"].is_array() && refused["digest_hour"].is_array() && refused["digest_timezone"].is_array());
        let changed = mara.patch(SETTINGS, json!({"dnd_enabled": true, "digest_hour": 7, "digest_timezone": "Europe/Berlin"})).await.expect(200);
        assert_eq!((&changed["dnd_enabled"], &changed["digest_hour"], &changed["digest_timezone"]), (&json!(true), &json!(7), &json!("Europe/Berlin")));
        assert_eq!(mara.get("/api/v1/auth/me/").await.expect(200)["dnd_enabled"], true);
    }

    async fn a_link_in_a_mail_ends_its_kind_without_a_sign_in_and_reading_it_changes_nothing(app: &TestApp) {
        app.later(Duration::hours(2));
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let task = site.task("Dig", 1).await;
        for kind in ["mention_individual", "task.assigned"] {
            mara.patch(&preference(&mara, kind, "email").await, json!({"enabled": true})).await.expect(200);
        }
        say(&site, &site.owner, &task, "@mara one").await;
        site.hush().await;
        let link = unsubscribe_link(&app.sent_mail()[0]);
        let nobody = app.anonymous();
        let page = nobody.get(&link).await.expect(200);
        assert!(page.text.contains("<form method=\"post\">") && page.text.contains("You were mentioned"), "{}", page.text);
        assert!(page.header("content-type").starts_with("text/html") && page.header("cache-control") == "no-store");
        let chosen = preference(&mara, "mention_individual", "email").await;
        let enabled = async || {
            let all = mara.get(PREFERENCES).await.expect(200);
            let row = all.results().iter().find(|row| chosen.ends_with(&format!("/{}/", row["id"]))).cloned();
            row.expect("it is in the list")["enabled"].clone()
        };
        assert_eq!(enabled().await, true, "scanners of mail read every link");
        say(&site, &site.owner, &task, "@mara two").await;
        let clients = nobody.lenient();
        let form = "application/x-www-form-urlencoded";
        let done = clients.post_raw(&link, form, "List-Unsubscribe=One-Click").await.expect(200);
        assert!(done.text.contains("You get no more of these mails"), "{}", done.text);
        assert_eq!(enabled().await, false);
        nobody.post(&link, json!({})).await.expect(200);
        say(&site, &site.owner, &task, "@mara three").await;
        site.hush().await;
        site.hush().await;
        assert_eq!(app.sent_mail().len(), 1, "neither the one that waited nor the one after it was sent");
        assert_eq!(told(&mara).await.len(), 3, "the list has all of them");
        site.change(&task, json!({"assignee": mara.id})).await;
        site.hush().await;
        assert_eq!(app.sent_mail().len(), 2, "other kinds go on");
        assert_ne!(unsubscribe_link(&app.sent_mail()[1]), link);
    }

    async fn the_page_that_ends_a_kind_of_mail_speaks_the_language_of_its_reader(app: &TestApp) {
        let (site, _, link) = mentioned_by_mail(app).await;
        let spanish = app.anonymous().with_header("accept-language", "es-ES,es;q=0.9");
        let page = spanish.get(&link).await.expect(200);
        assert!(page.text.contains("Alguien le ha mencionado") && page.text.contains("<html lang=\"es\">"), "{}", page.text);
        assert_eq!(page.header("content-language"), "es");
        let done = spanish.post(&link, json!({})).await.expect(200);
        assert!(done.text.contains("Ya no recibirá estos correos"), "{}", done.text);
        assert!(app.sent_mail()[0].contains("You were mentioned"), "letters are in English");
        site.hush().await;
    }

    async fn a_link_that_was_not_sealed_here_is_not_found(app: &TestApp) {
        let (_, mara, link) = mentioned_by_mail(app).await;
        let mut forged = link.clone().into_bytes();
        forged[40] = if forged[40] == b'A' { b'B' } else { b'A' };
        let forged = String::from_utf8(forged).unwrap();
        let nobody = app.anonymous();
        let unknown = nobody.get("/api/v1/nothing/").await.expect(404).text.clone();
        for wrong in [forged.as_str(), "/unsubscribe/x/", "/unsubscribe/%2e/", "/unsubscribe/AAAA/"] {
            assert_eq!(nobody.get(wrong).await.expect(404).text, unknown, "{wrong}");
            assert_eq!(nobody.post(wrong, json!({})).await.expect(404).text, unknown, "{wrong}");
        }
        let mut admin = app.admin().await;
        admin.sign_in_again().await;
        let gone = json!({"status": "deactivated"});
        admin.patch(&format!("/api/v1/workspace/members/{}/", mara.id), gone).await.expect(200);
        assert_eq!(nobody.get(&link).await.expect(404).text, unknown);
    }
}

/// The path of the link in a mail, which its headers, its text and its page name.
pub(crate) fn unsubscribe_link(mail: &str) -> String {
    let mail = mail.replace("\r\n", "\n");
    let unfolded = mail.replace("\n ", " ");
    assert!(unfolded.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\n"), "{mail}");
    let header = unfolded.lines().find(|line| line.starts_with("List-Unsubscribe: "));
    let (_, rest) = header.and_then(|line| line.split_once('<')).expect("it has the header");
    let (url, _) = rest.split_once('>').expect("it is an address");
    assert!(url.starts_with("http://127.0.0.1:8080/unsubscribe/"), "{url}");
    let whole = mail.replace("=\n", "").replace("=3D", "=");
    assert!(whole.matches(url).count() >= 3, "headers, text and page: {whole}");
    url[url.find("/unsubscribe/").unwrap_or(0)..].to_owned()
}
