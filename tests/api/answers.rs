//! What answers carry beside their bodies: tags, addresses of what was created, fewer bytes and fewer fields.

use planwright_testkit::both_engines;
use serde_json::json;

use crate::site::{LINKS, Site, TASKS, task_path};

both_engines! {
    async fn a_row_that_is_known_already_is_not_told_again_until_its_dates_move(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 2).await, site.task("Pour", 2).await);
        site.link(&dig, &pour).await;
        let tag = site.read(&pour).await.header("etag").to_owned();
        assert!(tag.starts_with("W/\"v1."), "{tag}");
        let known = site.owner.with_header("if-none-match", &tag);
        let same = known.get(&task_path(&pour)).await.expect(304);
        assert_eq!((same.text.as_str(), same.header("etag")), ("", tag.as_str()));
        site.change(&dig, json!({"duration": 4})).await;
        let moved = known.get(&task_path(&pour)).await.expect(200);
        assert_eq!((&moved["server_version"], moved.header("etag") == tag), (&json!(1), false), "its dates moved under the version");
        let expected = site.owner.with_header("if-match", &tag);
        expected.patch(&task_path(&pour), json!({"name": "Pour slab"})).await.expect(200);
        expected.patch(&task_path(&pour), json!({"name": "Pour"})).await.expect(412);
        site.owner.with_header("if-none-match", &tag).get(&format!("{TASKS}?project={}", site.project)).await.expect(200);
    }

    async fn what_was_created_comes_with_its_address_and_its_tag(app: &TestApp) {
        let site = Site::new(app).await;
        let made = site.create(json!({"name": "Dig"})).await;
        assert_eq!((made.header("location"), made.header("etag")), (task_path(&made.id()).as_str(), "\"v1\""));
        let pour = site.task("Pour", 1).await;
        let link = site.owner.post(LINKS.trim_end_matches('/'), json!({"predecessor": made.id(), "successor": pour})).await.expect(201);
        assert_eq!(link.header("location"), format!("{LINKS}{}/", link.id()));
        site.owner.get(link.header("location")).await.expect(200);
    }

    async fn a_long_answer_is_made_smaller_for_who_takes_it_so(app: &TestApp) {
        let site = Site::new(app).await;
        for number in 0..5 {
            site.task(&format!("Task {number}"), 1).await;
        }
        let list = format!("{TASKS}?project={}", site.project);
        let plain = site.owner.get(&list).await.expect(200);
        assert_eq!(plain.header("content-encoding"), "");
        let packed = site.owner.with_header("accept-encoding", "br, gzip").get(&list).await.expect(200);
        assert_eq!((packed.header("content-encoding"), packed.header("vary").contains("accept-encoding")), ("gzip", true));
        assert!(packed.text.len() * 3 < plain.text.len(), "{} of {} bytes", packed.text.len(), plain.text.len());
        let short = site.owner.with_header("accept-encoding", "gzip").get("/api/v1/edition/").await.expect(200);
        assert_eq!(short.header("content-encoding"), "");
    }

    async fn a_list_answers_the_fields_that_are_asked_for(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 2).await;
        let list = site.owner.get(&format!("{TASKS}?project={}&fields=name,early_finish", site.project)).await.expect(200);
        assert_eq!(list.results()[0], json!({"id": dig, "name": "Dig", "early_finish": "2026-01-06"}));
        let one = site.owner.get(&format!("{}?fields=total_float", task_path(&dig))).await.expect(200);
        assert_eq!(one.json, json!({"id": dig, "total_float": 0}));
        let refused = site.owner.get(&format!("{TASKS}?fields=name,colour")).await.expect(400);
        assert!(refused["fields"][0].as_str().unwrap().contains("colour"), "{}", refused.text);
    }
}
