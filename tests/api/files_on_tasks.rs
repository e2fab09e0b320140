//! Files and addresses that people put on tasks, fetched by signed addresses.

use chrono::Duration;
use http::{HeaderMap, Method};
use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::file_imports::form;
use crate::site::{Site, text};

async fn send(
    person: &Person<'_>,
    path: &str,
    filename: &str,
    content: &str,
    fields: &[(&str, &str)],
) -> Answer {
    let (media_type, body) = form(filename, content, fields);
    person.post_raw(path, &media_type, body).await
}

/// Fetches a file without a credential, as a browser does that follows an address.
async fn fetch(app: &TestApp, url: &str, range: Option<&'static str>) -> Answer {
    let mut headers = HeaderMap::new();
    if let Some(range) = range {
        headers.insert("range", http::HeaderValue::from_static(range));
    }
    let path = url.find("/files/").map_or(url, |at| &url[at..]);
    app.send(Method::GET, path, headers, Vec::new()).await
}

/// A text document of Office with a picture that cannot be made smaller.
fn office_file() -> Vec<u8> {
    const TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
    let types = format!("<Types><Override PartName=\"/word/document.xml\" ContentType=\"{TYPE}\"/></Types>");
    let mut random = 1u32;
    let picture = (0..60_000).map(|_| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 24) as u8
    });
    let parts = [
        ("[Content_Types].xml", types.into_bytes()),
        ("word/document.xml", b"<document/>".to_vec()),
        ("word/media/image1.png", picture.collect()),
    ];
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut writer, &content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

both_engines! {
    async fn a_valid_office_file_is_accepted_each_time(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/attachments/"));
        let mut body = b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.docx\"\r\nContent-Type: \
            application/vnd.openxmlformats-officedocument.wordprocessingml.document\r\n\r\n".to_vec();
        body.extend(office_file());
        body.extend(b"\r\n--edge--\r\n");
        for _ in 0..40 {
            site.owner.post_raw(&all, "multipart/form-data; boundary=edge", body.clone()).await.expect(201);
        }
    }

    async fn a_quota_holds_for_the_file_that_comes_and_for_several_at_once(app: &TestApp,
        "SVC_ATTACHMENTS_PROJECT_QUOTA_MB" = "1", "SVC_ATTACHMENTS_QUOTA_MB" = "2",
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/attachments/"));
        let refused = send(&site.owner, &all, "a.csv", &"a;b\n".repeat(300_000), &[]).await.expect(400);
        assert!(refused["file"].is_array(), "{}", refused.text);
        let part = "a;b\n".repeat(75_000);
        let upload = || send(&site.owner, &all, "a.csv", &part, &[]);
        let sent = tokio::join!(upload(), upload(), upload(), upload(), upload(), upload());
        let statuses = [sent.0, sent.1, sent.2, sent.3, sent.4, sent.5].map(|answer| answer.status);
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 3, "{statuses:?}");
        assert!(statuses.iter().all(|status| [201, 400].contains(status)), "{statuses:?}");
    }

    async fn a_file_is_put_on_a_task_fetched_by_a_signed_address_and_taken_off(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let other = site.person("nils", 100).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/attachments/"));
        site.hush().await;
        send(&vera, &all, "a.csv", "a;b\n", &[]).await.expect(403);
        let made = send(&mara, &all, "../list of pipes.csv", "name;length\nA;3\n", &[("is_pinned", "true")]).await.expect(201);
        assert_eq!((text(&made["file_name"]), &made["file_size"]), ("list of pipes.csv", &json!(16)));
        assert_eq!((text(&made["file_mime"]), &made["is_pinned"]), ("text/csv", &json!(true)));
        assert_eq!(text(&made["uploaded_by"]["username"]), "mara");
        assert_eq!(site.payloads("task_attachment_created").await, [json!({"id": made.id(), "task_id": task})]);
        let link = json!({"external_url": "https://example.org/plan", "external_title": "Plan"});
        let link = mara.post(&all, link).await.expect(201);
        assert_eq!((&link["file"], text(&link["external_url"])), (&Value::Null, "https://example.org/plan"));
        let list = vera.get(&all).await.expect(200);
        assert_eq!(list.results().len(), 2);
        assert_eq!(list.results()[0]["id"], made["id"], "what is pinned stands first");
        assert_eq!(vera.get(&format!("{all}?search=PIPES")).await.expect(200).results().len(), 1);

        let one = format!("{all}{}/", made.id());
        let feed = vera.get("/api/v1/assets/").await.expect(200);
        let kinds: Vec<&str> = feed["results"].as_array().unwrap().iter().map(|row| text(&row["kind"])).collect();
        assert_eq!(kinds, ["link", "file"], "the newest is first");
        let files = vera.get(&site.at("assets/?kind=file")).await.expect(200);
        assert_eq!(text(&files["results"][0]["download_url"]), format!("{one}signed-url/"));
        assert_eq!((&files["results"][0]["url"], &files["results"][1]), (&Value::Null, &Value::Null));
        let signed = vera.get(&format!("{one}signed-url/?ttl=60")).await.expect(200);
        let url = text(&signed["url"]).to_owned();
        let file = fetch(app, &url, None).await.expect(200);
        assert_eq!(file.text, "name;length\nA;3\n");
        assert_eq!(file.header("content-disposition"), "attachment; filename=\"list of pipes.csv\"");
        assert_eq!((file.header("x-content-type-options"), file.header("cache-control")), ("nosniff", "private, no-store"));
        assert!(file.header("content-security-policy").contains("sandbox"));
        let part = fetch(app, &url, Some("bytes=5-10")).await.expect(206);
        assert_eq!((part.text.as_str(), part.header("content-range")), ("length", "bytes 5-10/16"));
        assert_eq!(fetch(app, &url, Some("bytes=-4")).await.expect(206).text, "A;3\n");
        let behind = fetch(app, &url, Some("bytes=99-")).await.expect(416);
        assert_eq!(behind.header("content-range"), "bytes */16");
        conditions_hold(app, &url).await;
        assert_eq!(fetch(app, &url, Some("lines=1-2")).await.expect(200).text.len(), 16);
        let mut forged = url.clone();
        let at = forged.find("/files/").unwrap() + 40;
        forged.replace_range(at..=at, if &forged[at..=at] == "A" { "B" } else { "A" });
        fetch(app, &forged, None).await.expect(404);
        vera.get(&format!("{one}signed-url/?ttl=3601")).await.expect(400);
        mara.get(&format!("{all}{}/signed-url/", link.id())).await.expect(400);

        // Whoever is no longer in the project fetches nothing, whatever address they kept.
        let members = site.owner.get(&site.at("members/")).await.expect(200);
        let row = members.json.as_array().unwrap().iter().find(|row| row["role"] == 1).unwrap().clone();
        site.owner.delete(&site.at(&format!("members/{}/", text(&row["id"])))).await.expect(204);
        fetch(app, &url, None).await.expect(404);
        let signed = mara.get(&format!("{one}signed-url/")).await.expect(200);
        other.delete(&one).await.expect(403);
        app.later(Duration::seconds(901));
        fetch(app, text(&signed["url"]), None).await.expect(404);

        let mut mara = mara;
        mara.sign_in_again().await;
        site.hush().await;
        mara.delete(&one).await.expect(204);
        mara.get(&one).await.expect(404);
        assert_eq!(site.payloads("task_attachment_deleted").await.len(), 1);
        app.person("otto").await.get(&all).await.expect(404);
    }

    async fn what_is_not_allowed_or_not_what_it_says_is_refused_and_leaves_nothing(app: &TestApp,
        "SVC_ATTACHMENT_MAX_MB" = "1") {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/attachments/"));
        let refused = send(&site.owner, &all, "page.html", "<b>", &[]).await.expect(415);
        assert_eq!(text(&refused["code"]), "attachment_unsupported_mime");
        for (name, content) in [("a.csv", "<svg onload=alert(1)>"), ("a.pdf", "MZ not a pdf"), ("a.csv", ""), ("a.csv", "a\0b")] {
            let refused = send(&site.owner, &all, name, content, &[]).await.expect(415);
            assert_eq!(text(&refused["code"]), "attachment_content_mismatch", "{name} {content}");
        }
        let large = "a;b\n".repeat(300_000);
        let refused = send(&site.owner, &all, "a.csv", &large, &[]).await.expect(400);
        assert!(refused["file"].is_array(), "{}", refused.text);
        send(&site.owner, &all, "a.csv", "a;b\n", &[("external_url", "https://example.org")]).await.expect(400);
        site.owner.post(&all, json!({})).await.expect(400);
        let refused = site.owner.post(&all, json!({"file": "a;b"})).await.expect(400);
        assert!(refused["file"].is_array(), "{}", refused.text);
        let refused = site.owner.post(&all, json!({"external_url": "javascript:alert(1)"})).await.expect(400);
        assert!(refused["external_url"].is_array());
        site.owner.patch(&site.at(""), json!({"attachments_enabled": false})).await.expect(200);
        send(&site.owner, &all, "a.csv", "a;b\n", &[]).await.expect(403);
        site.owner.post(&all, json!({"external_url": "https://example.org"})).await.expect(201);
        assert_eq!(site.owner.get(&all).await.expect(200).results().len(), 1);
    }

    async fn a_task_and_a_project_have_room_for_so_many_files(app: &TestApp,
        "SVC_ATTACHMENTS_PROJECT_QUOTA_MB" = "1", "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/attachments/"));
        let large = "a;b\n".repeat(262_144);
        send(&site.owner, &all, "a.csv", &large, &[]).await.expect(201);
        let refused = send(&site.owner, &all, "b.csv", "a;b\n", &[]).await.expect(400);
        assert!(refused["file"].is_array(), "{}", refused.text);
        for number in 1..50 {
            let asked = json!({"external_url": format!("https://example.org/{number}")});
            site.owner.post(&all, asked).await.expect(201);
        }
        site.owner.post(&all, json!({"external_url": "https://example.org/51"})).await.expect(400);
    }

    async fn the_room_of_a_file_that_is_taken_off_is_free_at_once(app: &TestApp, "SVC_ATTACHMENTS_PROJECT_QUOTA_MB" = "1") {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/attachments/"));
        let large = "a;b\n".repeat(200_000);
        let made = send(&site.owner, &all, "a.csv", &large, &[]).await.expect(201);
        send(&site.owner, &all, "b.csv", &large, &[]).await.expect(400);
        site.owner.delete(&format!("{all}{}/", made.id())).await.expect(204);
        send(&site.owner, &all, "b.csv", &large, &[]).await.expect(201);
        site.owner.delete(&format!("/api/v1/tasks/{task}/")).await.expect(204);
        let other = site.task("Pour", 1).await;
        let others = site.at(&format!("tasks/{other}/attachments/"));
        send(&site.owner, &others, "c.csv", &large, &[]).await.expect(400);
    }

    async fn an_address_is_a_body_like_any_other(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/attachments/"));
        let keyed = site.owner.with_header("idempotency-key", "once");
        let address = json!({"external_url": "https://example.org/"});
        let first = keyed.post(&all, address.clone()).await.expect(201);
        assert_eq!(keyed.post(&all, address).await.expect(201).id(), first.id());
        assert_eq!(site.owner.get(&all).await.expect(200)["count"], 1);
        let unknown = json!({"external_url": "https://example.org/", "colour": "red"});
        assert!(site.owner.post(&all, unknown.clone()).await.expect(400)["colour"].is_array());
        let ignored = site.owner.lenient().post(&all, unknown).await.expect(201);
        assert_eq!(ignored.header("x-svc-ignored-fields"), "colour");
        let surplus = send(&site.owner, &all, "a.csv", "a;b\n", &[("colour", "red")]).await.expect(400);
        assert!(surplus["colour"].is_array(), "{}", surplus.text);
        let broken = json!({"external_url": "https://example.org/", "external_title": "a\nb"});
        assert!(site.owner.post(&all, broken).await.expect(400)["external_title"].is_array());
        let (media_type, form) = ("application/x-www-form-urlencoded", "external_url=https%3A%2F%2Fexample.org%2Fform");
        site.owner.post_raw(&all, media_type, form).await.expect(201);
        let list = site.owner.post_raw(&all, "application/json", "[1]").await.expect(400);
        assert!(list["non_field_errors"].is_array(), "{}", list.text);
    }

    async fn the_files_of_a_task_in_the_trash_are_out_of_reach_and_come_back(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/attachments/"));
        let made = send(&site.owner, &all, "a.csv", "a;b\n", &[]).await.expect(201);
        let signed = site.owner.get(&format!("{all}{}/signed-url/", made.id())).await.expect(200);
        site.owner.delete(&format!("/api/v1/tasks/{task}/")).await.expect(204);
        fetch(app, text(&signed["url"]), None).await.expect(404);
        site.owner.get(&format!("{all}{}/", made.id())).await.expect(404);
        site.owner.post(&format!("/api/v1/tasks/{task}/restore/"), json!({})).await.expect(200);
        assert_eq!(fetch(app, text(&signed["url"]), None).await.expect(200).text, "a;b\n");
    }
}

/// What requests with conditions get of a file with sixteen bytes.
pub(crate) async fn conditions_hold(app: &TestApp, url: &str) {
    let whole = fetch(app, url, None).await.expect(200);
    let tag = whole.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() == 34, "a strong tag: {tag}");
    let path = &url[url.find("/files/").unwrap_or(0)..];
    let ask = async |asked: &[(http::HeaderName, &str)]| {
        let pairs =
            asked.iter().map(|(name, value)| (name.clone(), http::HeaderValue::from_str(value).unwrap()));
        app.send(http::Method::GET, path, http::HeaderMap::from_iter(pairs), Vec::new()).await
    };
    use http::header::{IF_NONE_MATCH, IF_RANGE, RANGE};
    let weak = format!("W/{tag}");
    for known in [tag.as_str(), "*", weak.as_str(), &format!("\"other\", {tag}")] {
        let answer = ask(&[(IF_NONE_MATCH, known)]).await.expect(304);
        assert_eq!((answer.text.as_str(), answer.header("etag")), ("", tag.as_str()), "{known}");
        ask(&[(IF_NONE_MATCH, known), (RANGE, "bytes=0-3")]).await.expect(304);
    }
    ask(&[(IF_NONE_MATCH, "\"other\"")]).await.expect(200);
    let part = ask(&[(IF_RANGE, &tag), (RANGE, "bytes=0-3")]).await.expect(206);
    assert_eq!((part.text.len(), part.header("etag")), (4, tag.as_str()));
    for changed in ["\"other\"", weak.as_str(), "Mon, 05 Jan 2026 08:00:00 GMT"] {
        let answer = ask(&[(IF_RANGE, changed), (RANGE, "bytes=0-3")]).await.expect(200);
        assert_eq!(answer.text, whole.text, "{changed}");
    }
    let behind = ask(&[(RANGE, "bytes=16-")]).await.expect(416);
    assert_eq!(behind.header("content-range"), "bytes */16");
}
