//! A storm of mentions: many authors mention a group at once. Nobody is told twice, nobody without access is told, the limit
//! of each author holds, and nothing breaks.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};

const NOTIFICATIONS: &str = "/api/v1/me/notifications/";

/// So many people write at once.
const AUTHORS: usize = 6;
/// So many people are in the group, and no author is.
const CREW: usize = 20;
/// So many comments each of them writes. A hundred people an hour are five of them.
const EACH: usize = 8;
/// So many comments of an author are accepted.
const ACCEPTED: usize = 100 / CREW;

/// The comments of which a person was told.
async fn told(person: &Person<'_>) -> Vec<String> {
    let list = person.get(&format!("{NOTIFICATIONS}?category=mentions&page_size=500")).await.expect(200);
    let comment = |row: &Value| text(&row["mention"]["task_comment"]).to_owned();
    let mut comments: Vec<String> = list.results().iter().map(comment).collect();
    comments.sort();
    comments
}

both_engines! {
    async fn a_storm_of_mentions_tells_everybody_once_and_nobody_without_access(app: &TestApp) {
        let site = Site::new(app).await;
        let groups = site.at("mention-groups/");
        let group = site.owner.post(&groups, json!({"name": "crew"})).await.expect(201).id();
        let mut crew = Vec::new();
        for number in 0..CREW {
            let person = site.person(&format!("crew{number}"), 100).await;
            site.owner.post(&format!("{groups}{group}/add-member/"), json!({"user": person.id})).await.expect(200);
            crew.push(person);
        }
        let mut authors = Vec::new();
        for number in 0..AUTHORS {
            authors.push(site.person(&format!("author{number}"), 100).await);
        }
        // One wants to hear nothing of the group, and one leaves the project before the mentions are delivered.
        crew[0].post(&format!("{groups}{group}/mute/"), json!({})).await.expect(200);
        let tasks = [site.task("Dig", 1).await, site.task("Fill", 1).await];
        let comments = tasks.map(|task| site.at(&format!("tasks/{task}/comments/")));
        site.hush().await;
        let say = async |author: &Person<'_>, number: usize| {
            author.post(&comments[number % 2], json!({"body": format!("@crew {number}, and @crew again")})).await
        };
        let storm = authors.iter().flat_map(|author| (0..EACH).map(move |number| (author, number)));
        let answers = join_all(storm.map(|(author, number)| say(author, number))).await;
        let mut accepted: BTreeMap<String, usize> = BTreeMap::new();
        for answer in &answers {
            assert!(matches!(answer.status, 201 | 429), "{}: {}", answer.status, answer.text);
            if answer.status == 201 {
                *accepted.entry(text(&answer["author"]["username"]).to_owned()).or_default() += 1;
            } else {
                assert!(answer.header("ratelimit").starts_with("\"mention_hour\";r=0;"), "{}", answer.header("ratelimit"));
                assert_eq!(answer.header("ratelimit-policy"), "\"mention_hour\";q=100;w=3600");
            }
        }
        assert_eq!(accepted.len(), AUTHORS, "{accepted:?}");
        assert!(accepted.values().all(|count| *count == ACCEPTED), "the limit of each author holds: {accepted:?}");
        let members = site.owner.get(&site.at("members/")).await.expect(200);
        let gone = &crew[CREW - 1];
        let row = members.json.as_array().unwrap().iter().find(|row| row["user"] == json!(gone.id)).unwrap().clone();
        site.owner.delete(&site.at(&format!("members/{}/", text(&row["id"])))).await.expect(204);
        tokio::join!(app.run_jobs(), app.run_jobs());
        site.hush().await;
        let mut written: Vec<String> =
            answers.iter().filter(|answer| answer.status == 201).map(|answer| answer.id()).collect();
        written.sort();
        assert_eq!(written.len(), AUTHORS * ACCEPTED);
        for person in &crew[1..CREW - 1] {
            assert_eq!(told(person).await, written, "each is told of each comment once");
        }
        for person in [&crew[0], gone, &authors[0], &site.owner] {
            assert_eq!(told(person).await, Vec::<String>::new(), "{}", person.id);
        }
    }
}
