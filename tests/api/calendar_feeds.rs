//! Calendar feeds: who makes them, what a calendar program reads, and when it reads nothing any more. The calendars are read by
//! a parser that has nothing in common with what writes them.

use std::str::FromStr;

use chrono::{Duration, NaiveDate};
use http::{HeaderMap, HeaderValue, Method};
use icalendar::{Calendar, CalendarDateTime, Component, DatePerhapsTime, Event};
use planwright_domain::Role;
use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, listed, text};

const FEEDS: &str = "/api/v1/me/calendar-feeds/";
const GOOD: &str = "copper-lantern-7";

/// Reads an address as nobody, with what the program has already.
async fn ask(app: &TestApp, method: Method, path: &str, known: Option<&str>) -> Answer {
    let mut headers = HeaderMap::new();
    if let Some(tag) = known {
        headers.insert("if-none-match", HeaderValue::from_str(tag).unwrap());
    }
    app.send(method, path, headers, Vec::new()).await
}

async fn read(app: &TestApp, path: &str) -> Answer {
    ask(app, Method::GET, path, None).await
}

/// Makes a feed; its id and its address.
async fn feed(person: &Person<'_>, wish: Value) -> (String, String) {
    let made = person.post(FEEDS, wish).await.expect(201);
    (made.id(), text(&made["feed_path"]).to_owned())
}

fn of_project(site: &Site<'_>) -> Value {
    json!({"content_kind": "milestones", "project": site.project})
}

fn mine() -> Value {
    json!({"content_kind": "my_tasks"})
}

/// The events of an address, in their order.
async fn events(app: &TestApp, path: &str) -> Vec<Event> {
    let answer = read(app, path).await.expect(200);
    let calendar =
        Calendar::from_str(&answer.text).unwrap_or_else(|error| panic!("{error}\n{}", answer.text));
    calendar.components.iter().filter_map(|component| component.as_event().cloned()).collect()
}

/// The titles of the events of an address.
async fn titles(app: &TestApp, path: &str) -> Vec<String> {
    events(app, path).await.iter().map(|event| event.get_summary().unwrap_or_default().to_owned()).collect()
}

fn day(text: &str) -> Option<DatePerhapsTime> {
    Some(DatePerhapsTime::Date(NaiveDate::from_str(text).unwrap()))
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").to_owned()
}

both_engines! {
    async fn a_calendar_program_reads_the_milestones_of_a_project(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig, deep; wide", 3).await;
        let handover = site.create(json!({"name": "Übergabe 🙂, vor Ort", "duration": 0, "is_milestone": true})).await.id();
        site.link(&dig, &handover).await;
        let made = site.owner.post(FEEDS, of_project(&site)).await.expect(201);
        let path = text(&made["feed_path"]).to_owned();
        assert!(path.starts_with("/calendar/") && path.ends_with(".ics") && path.len() > 70, "{path}");
        assert_eq!((&made["name"], &made["include_done"], &made["last_used_at"]), (&json!("Bridge"), &json!(false), &Value::Null));
        let answer = read(app, &path).await.expect(200);
        assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert!(answer.text.split("\r\n").all(|line| line.len() <= 75 && !line.contains('\n')), "{}", answer.text);
        let calendar = Calendar::from_str(&answer.text).unwrap();
        assert_eq!((calendar.get_name(), calendar.property_value("X-WR-CALNAME")), (Some("Bridge"), Some("Bridge")));
        let found = events(app, &path).await;
        let [event] = found.as_slice() else { panic!("one milestone, and no task: {found:?}") };
        assert_eq!(event.get_summary(), Some("Übergabe 🙂, vor Ort"));
        assert_eq!((event.get_start(), event.get_end()), (day("2026-01-07"), day("2026-01-08")), "the end is not part of it");
        assert_eq!(event.get_uid(), Some(handover.as_str()));
        let page = format!("/projects/{}/schedule?task={handover}", site.project);
        assert!(event.get_url().is_some_and(|url| url.ends_with(&page)), "{:?}", event.get_url());
        assert_eq!(event.property_value("TRANSP"), Some("TRANSPARENT"));
        let head = ask(app, Method::HEAD, &path, None).await.expect(200);
        assert_eq!((head.text.as_str(), tag(&head)), ("", tag(&answer)));
        let rows = listed(&site.owner.get(FEEDS).await.expect(200));
        assert!(rows[0]["last_used_at"].is_string() && rows[0].get("feed_path").is_none(), "the address is shown once");
        let secret = &path["/calendar/".len()..path.len() - ".ics".len()];
        assert!(secret.starts_with(text(&rows[0]["token_prefix"])) && !rows[0].to_string().contains(secret));
    }

    async fn a_change_is_a_later_version_of_the_same_event_also_where_only_its_dates_move(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 3).await;
        let handover = site.create(json!({"name": "Handover", "duration": 0, "is_milestone": true})).await.id();
        site.link(&dig, &handover).await;
        let (_, path) = feed(&site.owner, of_project(&site)).await;
        let sequence = |event: &Event| event.property_value("SEQUENCE").unwrap().parse::<i64>().unwrap();
        let modified = |event: &Event| match event.property_value("LAST-MODIFIED") {
            Some(text) => DatePerhapsTime::from(CalendarDateTime::from_str(text).unwrap()),
            None => panic!("an event says when it was changed"),
        };
        let first = events(app, &path).await.remove(0);
        let before = tag(&read(app, &path).await);
        ask(app, Method::GET, &path, Some(&before)).await.expect(304);
        app.later(Duration::seconds(5));
        site.change(&dig, json!({"duration": 5})).await;
        let moved = events(app, &path).await.remove(0);
        assert_eq!((moved.get_uid(), moved.get_start()), (first.get_uid(), day("2026-01-09")));
        assert!(sequence(&moved) > sequence(&first));
        assert_ne!(modified(&moved), modified(&first));
        let after = tag(&ask(app, Method::GET, &path, Some(&before)).await.expect(200));
        app.later(Duration::seconds(5));
        site.change(&handover, json!({"name": "Opening"})).await;
        let renamed = events(app, &path).await.remove(0);
        assert_eq!(renamed.get_summary(), Some("Opening"));
        assert!(sequence(&renamed) > sequence(&moved));
        ask(app, Method::GET, &path, Some(&after)).await.expect(200);
    }

    async fn my_tasks_are_those_of_all_projects_that_i_see_and_what_is_done_only_where_asked(app: &TestApp) {
        let site = Site::new(app).await;
        let other = app.project(&site.owner, "Tower").await;
        let mara = site.person("mara", 100).await;
        let membership = site.owner.let_in(&format!("/api/v1/projects/{other}/"), &mara, Role::Member).await;
        let dig = site.create(json!({"name": "Dig", "duration": 2, "assignee": mara.id})).await.id();
        let pour = site.create(json!({"name": "Pour", "duration": 1, "assignee": mara.id})).await.id();
        site.link(&dig, &pour).await;
        site.create(json!({"name": "Of somebody else", "duration": 1})).await;
        let climb = json!({"project": other, "name": "Climb", "duration": 1, "assignee": mara.id});
        site.owner.post("/api/v1/tasks/", climb).await.expect(201);
        let (_, open) = feed(&mara, mine()).await;
        let (_, all) = feed(&mara, json!({"content_kind": "my_tasks", "include_done": true, "name": "Everything"})).await;
        let found = events(app, &open).await;
        let shown: Vec<_> = found.iter().map(|event| event.get_summary().unwrap()).collect();
        assert_eq!(shown.len(), 3, "{shown:?}");
        let first = found.iter().find(|event| event.get_summary() == Some("Dig")).unwrap();
        assert_eq!((first.get_start(), first.get_end()), (day("2026-01-05"), day("2026-01-07")));
        site.change(&dig, json!({"status": "COMPLETE"})).await;
        let mut left = titles(app, &open).await;
        left.sort();
        assert_eq!(left, ["Climb", "Pour"]);
        assert!(titles(app, &all).await.contains(&"✓ Dig".to_owned()));
        site.owner.delete(&format!("/api/v1/projects/{other}/members/{membership}/")).await.expect(204);
        assert_eq!(titles(app, &open).await, ["Pour"], "what she cannot see any more is gone at once");
        site.owner.delete(&site.at("")).await.expect(204);
        assert!(titles(app, &open).await.is_empty());
    }

    async fn a_program_shows_the_milestones_of_those_of_its_projects_that_the_person_is_in(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        let tower = app.project(&site.owner, "Tower").await;
        site.settle(json!({"program": program})).await;
        site.owner.patch(&format!("/api/v1/projects/{tower}/"), json!({"program": program})).await.expect(200);
        for (project, name) in [(site.project.clone(), "Handover"), (tower.to_string(), "Topping out")] {
            let milestone = json!({"project": project, "name": name, "duration": 0, "is_milestone": true});
            site.owner.post("/api/v1/tasks/", milestone).await.expect(201);
        }
        let vic = site.person("vic", 1).await;
        let wish = json!({"content_kind": "milestones", "program": program});
        vic.post(FEEDS, wish.clone()).await.expect(404);
        let place = format!("/api/v1/programs/{program}/");
        let membership = site.owner.let_in(&place, &vic, Role::Viewer).await;
        let (_, path) = feed(&vic, wish.clone()).await;
        assert_eq!(titles(app, &path).await, ["Handover"]);
        let (_, whole) = feed(&site.owner, wish).await;
        assert_eq!(titles(app, &whole).await.len(), 2);
        site.owner.delete(&format!("{place}members/{membership}/")).await.expect(204);
        assert!(titles(app, &path).await.is_empty());
    }

    async fn whoever_may_not_read_gets_one_answer_that_says_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let admin = app.admin().await;
        let (mara, ida) = (site.person("mara", 100).await, site.person("ida", 100).await);
        let (id, revoked) = feed(&mara, of_project(&site)).await;
        let (_, out) = feed(&ida, of_project(&site)).await;
        let known = tag(&read(app, &revoked).await.expect(200));
        read(app, &out).await.expect(200);
        ida.delete(&format!("{FEEDS}{id}/")).await.expect(404);
        mara.delete(&format!("{FEEDS}{id}/")).await.expect(204);
        mara.delete(&format!("{FEEDS}{id}/")).await.expect(404);
        assert!(listed(&mara.get(FEEDS).await.expect(200)).is_empty());
        let refused = ask(app, Method::GET, &revoked, Some(&known)).await.expect(404);
        admin.delete(&format!("/api/v1/workspace/members/{}/", ida.id)).await.expect(204);
        let never = format!("/calendar/{}.ics", "0".repeat(64));
        for path in [out.as_str(), &never, "/calendar/x.ics", "/calendar/x", &out.replace(".ics", "")] {
            assert_eq!(read(app, path).await.expect(404).text, refused.text, "{path}");
        }
        app.run_jobs().await;
        admin.patch(&format!("/api/v1/workspace/members/{}/", ida.id), json!({"status": "active"})).await.expect(200);
        read(app, &out).await.expect(404);
    }

    async fn a_new_password_ends_the_feeds_of_its_person_and_the_audit_says_so(app: &TestApp) {
        let site = Site::new(app).await;
        let admin = app.admin().await;
        let (_, path) = feed(&site.owner, json!({"content_kind": "my_tasks", "name": "On my phone"})).await;
        let change = json!({"old_password": "ona-password-1", "new_password": GOOD});
        site.owner.post("/api/v1/auth/password/change/", change).await.expect(200);
        read(app, &path).await.expect(404);
        let lines = admin.get("/api/v1/workspace/audit-events/").await.expect(200);
        let of_feeds: Vec<_> = lines.results().iter().filter(|line| line["target_type"] == "calendar_feed").collect();
        let kinds: Vec<_> = of_feeds.iter().map(|line| text(&line["event_type"])).collect();
        assert_eq!(kinds, ["calendar_feed_revoked", "calendar_feed_created"]);
        assert!(of_feeds.iter().all(|line| line["target_label"] == "On my phone"));
        assert!(of_feeds.iter().all(|line| !line.to_string().contains(&path[10..40])), "no secret is in the audit");
    }

    async fn a_guest_reads_where_guests_are_allowed(app: &TestApp) {
        let site = Site::new(app).await;
        let gus = site.person("gus", 1).await;
        site.create(json!({"name": "Handover", "duration": 0, "is_milestone": true})).await;
        let admin = app.admin().await;
        admin.patch(&format!("/api/v1/workspace/members/{}/", gus.id), json!({"status": "guest"})).await.expect(200);
        let (_, path) = feed(&gus, of_project(&site)).await;
        assert_eq!(titles(app, &path).await, ["Handover"]);
        site.settle(json!({"allow_guests": false})).await;
        assert!(titles(app, &path).await.is_empty());
        gus.post(FEEDS, of_project(&site)).await.expect(404);
    }

    async fn wrong_wishes_are_refused_by_field_and_places_of_others_do_not_exist(app: &TestApp) {
        let site = Site::new(app).await;
        let outsider = app.person("out").await;
        outsider.post(FEEDS, of_project(&site)).await.expect(404);
        for (wish, field) in [
            (json!({}), "content_kind"),
            (json!({"content_kind": "milestones"}), "project"),
            (json!({"content_kind": "my_tasks", "project": site.project}), "project"),
            (json!({"content_kind": "my_tasks", "name": "x".repeat(121)}), "name"),
        ] {
            app.later(Duration::seconds(13));
            let refused = site.owner.post(FEEDS, wish).await.expect(400);
            assert!(refused[field].is_array(), "{field}: {}", refused.text);
        }
        assert!(listed(&site.owner.get(FEEDS).await.expect(200)).is_empty());
    }

    async fn a_feed_needs_a_recent_sign_in_and_no_token_manages_feeds(app: &TestApp) {
        let mara = app.person("mara").await;
        let minted = mara.post("/api/v1/me/api-tokens/", json!({"name": "a"})).await.expect(201);
        let by_token = mara.with_token(text(&minted["token"]));
        assert_eq!(by_token.get(FEEDS).await.expect(403)["refusal"]["constraint"], "token_identity");
        by_token.post(FEEDS, mine()).await.expect(403);
        let (id, _) = feed(&mara, mine()).await;
        by_token.delete(&format!("{FEEDS}{id}/")).await.expect(403);
        app.later(Duration::minutes(11));
        assert_eq!(mara.post(FEEDS, mine()).await.expect(403)["code"], "recent_sign_in_required");
        mara.delete(&format!("{FEEDS}{id}/")).await.expect(204);
    }

    async fn a_person_has_twenty_feeds_and_no_more(app: &TestApp) {
        let mara = app.person("mara").await;
        let mut last = String::new();
        for _ in 0..20 {
            app.later(Duration::seconds(13));
            last = feed(&mara, mine()).await.0;
        }
        app.later(Duration::seconds(13));
        assert!(text(&mara.post(FEEDS, mine()).await.expect(400)["detail"]).contains("20"));
        mara.delete(&format!("{FEEDS}{last}/")).await.expect(204);
        app.later(Duration::seconds(13));
        feed(&mara, mine()).await;
    }

    async fn an_address_reads_so_often_and_no_more(app: &TestApp, "SVC_THROTTLE_CALENDAR_FEED_RATE" = "2/min") {
        let mara = app.person("mara").await;
        let (_, path) = feed(&mara, mine()).await;
        read(app, &path).await.expect(200);
        read(app, "/calendar/unknown.ics").await.expect(404);
        assert!(!read(app, &path).await.expect(429).header("retry-after").is_empty());
    }

    async fn a_read_sends_two_statements_however_many_rows_there_are(app: &TestApp) {
        let site = Site::new(app).await;
        let (_, path) = feed(&site.owner, of_project(&site)).await;
        let mut costs = Vec::new();
        for rows in [0, 30] {
            let milestone = |number| json!({"op": "create", "data": {"name": format!("M{number}"), "duration": 0, "is_milestone": true}});
            if rows > 0 {
                site.bulk(json!({"operations": (0..rows).map(milestone).collect::<Vec<_>>()})).await;
            }
            read(app, &path).await.expect(200);
            let before = app.app.db.statements();
            assert_eq!(events(app, &path).await.len(), rows);
            costs.push(app.app.db.statements() - before);
        }
        assert_eq!(costs, [2, 2]);
    }
}
