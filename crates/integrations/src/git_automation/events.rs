//! What forges tell of a merge request, in one form. Everything else that they tell is nothing to us.

use planwright_domain::words::GitProvider;
use serde_json::Value as Json;

/// What happened to a merge request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// It waits for a review.
    Opened(String),
    /// It is a draft, which nobody reviews yet.
    Draft,
    /// It was merged.
    Merged(String),
    /// Something else, by its name.
    Other(String),
}

/// What an event tells; a merge request without an address has a blank one.
pub fn told(provider: GitProvider, event: &str, document: &Json) -> Told {
    match (provider, event) {
        (GitProvider::Github | GitProvider::Gitea, "pull_request") => pull_request(document),
        (GitProvider::Gitlab, "Merge Request Hook") => merge_request(document),
        _ => Told::Other(short(event)),
    }
}

fn pull_request(document: &Json) -> Told {
    let (action, request) = (text(&document["action"]), &document["pull_request"]);
    let url = text(&request["html_url"]).to_owned();
    let is = |field: &str| request[field] == true;
    match action {
        "opened" | "reopened" if is("draft") => Told::Draft,
        "opened" | "reopened" | "ready_for_review" => Told::Opened(url),
        "closed" if is("merged") => Told::Merged(url),
        action => Told::Other(short(&format!("pull_request.{action}"))),
    }
}

fn merge_request(document: &Json) -> Told {
    let request = &document["object_attributes"];
    let (action, url) = (text(&request["action"]), text(&request["url"]).to_owned());
    let is_draft = request["draft"] == true || request["work_in_progress"] == true;
    let was_draft = document["changes"]["draft"]["previous"] == true;
    match action {
        "open" | "reopen" if is_draft => Told::Draft,
        "open" | "reopen" => Told::Opened(url),
        "update" if was_draft && !is_draft => Told::Opened(url),
        "merge" => Told::Merged(url),
        action => Told::Other(short(&format!("merge_request.{action}"))),
    }
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

/// The beginning of a name that somebody else chose.
fn short(name: &str) -> String {
    name.chars().filter(|one| !one.is_control()).take(64).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hub(action: &str, draft: bool, merged: bool) -> Told {
        let request = json!({"html_url": "https://github.com/o/r/pull/5", "draft": draft, "merged": merged});
        told(GitProvider::Github, "pull_request", &json!({"action": action, "pull_request": request}))
    }

    #[test]
    fn github_and_gitea_tell_of_pull_requests() {
        let url = "https://github.com/o/r/pull/5".to_owned();
        assert_eq!(hub("opened", false, false), Told::Opened(url.clone()));
        assert_eq!(hub("opened", true, false), Told::Draft);
        assert_eq!(hub("ready_for_review", false, false), Told::Opened(url.clone()));
        assert_eq!(hub("closed", false, true), Told::Merged(url));
        assert_eq!(hub("closed", false, false), Told::Other("pull_request.closed".into()));
        assert_eq!(told(GitProvider::Gitea, "push", &json!({})), Told::Other("push".into()));
    }

    #[test]
    fn gitlab_tells_of_merge_requests() {
        let lab = |action: &str, draft: bool, was: bool| {
            let attributes = json!({"action": action, "url": "https://gitlab.com/m/1", "draft": draft});
            let document = json!({"object_attributes": attributes, "changes": {"draft": {"previous": was}}});
            told(GitProvider::Gitlab, "Merge Request Hook", &document)
        };
        let url = "https://gitlab.com/m/1".to_owned();
        assert_eq!(lab("open", false, false), Told::Opened(url.clone()));
        assert_eq!(lab("open", true, false), Told::Draft);
        assert_eq!(lab("update", false, true), Told::Opened(url.clone()), "it is no draft any more");
        assert_eq!(lab("update", false, false), Told::Other("merge_request.update".into()));
        assert_eq!(lab("merge", false, false), Told::Merged(url));
    }

    #[test]
    fn nonsense_is_told_by_a_short_name() {
        for document in [json!(null), json!([]), json!({"action": 7, "pull_request": "x"})] {
            assert_eq!(
                told(GitProvider::Github, "pull_request", &document),
                Told::Other("pull_request.".into())
            );
        }
        let Told::Other(name) = told(GitProvider::Gitlab, &"x".repeat(500), &json!({})) else { panic!() };
        assert_eq!(name.len(), 64);
    }
}
