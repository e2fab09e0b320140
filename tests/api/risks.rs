//! Risks of a project: the register, what people say about a risk, and a table of risks that is imported.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, ids, text};

/// A table of risks as the part of a form.
fn form(table: &str) -> (String, String) {
    let body = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"risks.csv\"\r\nContent-Type: text/csv\r\n\r\n{table}\r\n--edge--\r\n"
    );
    ("multipart/form-data; boundary=edge".to_owned(), body)
}

both_engines! {
    async fn a_risk_is_noted_changed_and_told_of(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let (dig, pour) = (site.task("Dig", 3).await, site.task("Pour", 2).await);
        let all = site.at("risks/");
        site.hush().await;
        let asked = json!({"title": "Rain", "probability": 2, "impact": 4, "category": "", "owner": mara.id, "tasks": [dig]});
        vera.post(&all, asked.clone()).await.expect(403);
        let risk = mara.post(&all, asked).await.expect(201);
        assert_eq!(risk["severity"], 8);
        assert_eq!((text(&risk["short_id_display"]), &risk["category"]), ("R-001", &Value::Null));
        assert_eq!((text(&risk["owner_initials"]), &risk["tasks"]), ("MA", &json!([dig])));
        assert_eq!(site.payloads("risk_created").await, [json!({"id": risk.id()})]);
        assert_eq!(site.payloads("risk.opened").await[0]["severity"], 8);
        assert_eq!(site.read(&dig).await["linked_risks_max_severity"], 8);
        site.hush().await;
        let one = format!("{all}{}/", risk.id());
        let worse = mara.patch(&one, json!({"impact": 5, "status": "CLOSED", "tasks": [pour, dig]})).await.expect(200);
        assert_eq!((&worse["severity"], worse["tasks"].as_array().map(Vec::len)), (&json!(10), Some(2)));
        let told = site.announced_names().await;
        assert_eq!(told, ["risk.closed", "risk.escalated", "risk_updated"]);
        site.hush().await;
        mara.patch(&one, json!({"impact": 5})).await.expect(200);
        assert_eq!(site.announced_names().await, Vec::<String>::new(), "nothing has changed");
        mara.delete(&one).await.expect(403);
        site.owner.delete(&one).await.expect(204);
        mara.get(&one).await.expect(404);
        assert_eq!(site.read(&dig).await["linked_risks_count"], 0);
        let next = mara.post(&all, json!({"title": "Snow", "probability": 1, "impact": 1})).await.expect(201);
        assert_eq!(text(&next["short_id_display"]), "R-002", "a number is given once");
    }

    async fn wrong_fields_of_a_risk_are_all_named(app: &TestApp) {
        let site = Site::new(app).await;
        let outsider = app.person("otto").await;
        let foreign = app.project(&outsider, "Tunnel").await.to_string();
        let task = outsider.post("/api/v1/tasks/", json!({"name": "Bore", "project": foreign})).await.expect(201).id();
        let all = site.at("risks/");
        let wrong = json!({"title": " ", "probability": 6, "impact": 0, "status": "GONE"});
        let refused = site.owner.post(&all, wrong).await.expect(400);
        for field in ["title", "probability", "impact", "status"] {
            assert!(refused[field].is_array(), "{field}: {}", refused.text);
        }
        let foreign = json!({"title": "Rain", "probability": 1, "impact": 1, "owner": outsider.id, "tasks": [task]});
        let refused = site.owner.post(&all, foreign).await.expect(400);
        assert!(refused["owner"].is_array() && refused["tasks"].is_array(), "{}", refused.text);
        let task = site.task("Dig", 1).await;
        let twice = json!({"title": "Rain", "probability": 1, "impact": 1, "tasks": [task, task]});
        assert!(site.owner.post(&all, twice).await.expect(400)["tasks"].is_array());
        assert_eq!(site.owner.get(&all).await.expect(200)["count"], 0);
        outsider.get(&all).await.expect(404);
    }

    async fn risks_are_listed_the_worst_first_and_found_by_what_they_say(app: &TestApp) {
        let site = Site::new(app).await;
        let all = site.at("risks/");
        let dig = site.task("Dig", 3).await;
        for (title, probability, impact) in [("Rain", 5, 1), ("Flood", 1, 5), ("Strike", 3, 3)] {
            let tasks = if title == "Flood" { json!([dig]) } else { json!([]) };
            let risk = json!({"title": title, "probability": probability, "impact": impact, "tasks": tasks});
            site.owner.post(&all, risk).await.expect(201);
        }
        let titles = async |query: &str| -> Vec<String> {
            let page = site.owner.get(&format!("{all}{query}")).await.expect(200);
            page.results().iter().map(|risk| text(&risk["title"]).to_owned()).collect()
        };
        assert_eq!(titles("").await, ["Flood", "Strike", "Rain"]);
        assert_eq!(titles("?ordering=-severity").await[0], "Strike");
        assert_eq!(titles("?search=rai").await, ["Rain"]);
        assert_eq!(titles(&format!("?task={dig}")).await, ["Flood"]);
        assert_eq!(titles("?status=CLOSED").await, Vec::<String>::new());
        assert_eq!(titles("?short_id=00000003").await, ["Strike"]);
    }

    async fn what_people_say_about_a_risk_stays(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let risk = json!({"title": "Rain", "probability": 1, "impact": 1});
        let risk = mara.post(&site.at("risks/"), risk).await.expect(201).id();
        let comments = site.at(&format!("risks/{risk}/comments/"));
        vera.post(&comments, json!({"message": "Hm"})).await.expect(403);
        mara.post(&comments, json!({"message": "  "})).await.expect(400);
        site.hush().await;
        let said = mara.post(&comments, json!({"message": "Tarpaulins are ordered"})).await.expect(201);
        assert_eq!(said["author"]["id"], json!(mara.id));
        assert_eq!(site.payloads("comment_created").await, [json!({"id": said.id(), "risk_id": risk})]);
        site.owner.post(&comments, json!({"message": "Good"})).await.expect(201);
        let page = vera.get(&comments).await.expect(200);
        assert_eq!((&page["count"], &page["results"][1]["message"]), (&json!(2), &json!("Good")));
        let found = vera.get(&format!("{comments}?search=tarp")).await.expect(200);
        assert_eq!(ids(&found["results"]), [said.id()]);
    }

    async fn a_table_of_risks_is_imported_row_by_row(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let import = site.at("risks/import/");
        site.hush().await;
        let table = "Title,P,I,Owner,Status\nRain,3,4,mara,mitigating\nSnow,,,,\nHail,9,1,nobody,open\n";
        let (kind, body) = form(table);
        let result = mara.post_raw(&import, &kind, body).await.expect(200);
        assert_eq!((&result["imported"], &result["skipped"]), (&json!(2), &json!(1)));
        assert_eq!(result["warnings"].as_array().map(Vec::len), Some(2));
        assert_eq!((&result["errors"][0]["row"], &result["errors"][0]["field"]), (&json!(4), &json!("owner")));
        let told = site.announced_names().await;
        assert_eq!(told, ["risk.opened", "risks_imported"], "one is open, and the board is told once");
        let listed = mara.get(&site.at("risks/")).await.expect(200);
        assert_eq!((&listed["results"][0]["owner"], &listed["results"][0]["severity"]), (&json!(mara.id), &json!(12)));
        let (kind, body) = form("Colour\nred\n");
        assert!(mara.post_raw(&import, &kind, body).await.expect(400)["file"].is_array());
        mara.post(&import, json!({"file": "x"})).await.expect(415);
        let history = mara.get(&site.at("history/?entity=risk")).await.expect(200);
        assert_eq!(history["count"], 2);
    }

    async fn what_a_table_of_risks_says_is_read_or_named(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 3).await;
        let send = async |table: &str| {
            let (media_type, body) = form(table);
            site.owner.post_raw(&site.at("risks/import/"), &media_type, body).await
        };
        let done = send("Title,Colour,Tasks\nRain,red,1\nSnow,blue,T-1\nHail,white,9\nFog,grey,1,more\n").await.expect(200);
        assert_eq!((&done["imported"], &done["skipped"]), (&json!(2), &json!(2)));
        let named: Vec<&str> = done["warnings"].as_array().unwrap().iter().map(|issue| text(&issue["field"])).collect();
        assert!(named.contains(&"Colour"), "{}", done.text);
        let wrong: Vec<&str> = done["errors"].as_array().unwrap().iter().map(|issue| text(&issue["field"])).collect();
        assert_eq!(wrong, ["tasks", "row"], "{}", done.text);
        let list = site.owner.get(&site.at("risks/")).await.expect(200);
        assert!(list.results().iter().all(|risk| risk["tasks"] == json!([dig])), "{}", list.text);
        for table in ["Title,P,Probability\nRain,1,2\n", "Title,Notes\nRain,\"wet\nSnow,cold\n"] {
            assert!(send(table).await.expect(400)["file"].is_array());
        }
    }
}
