//! Jira over its REST interface, as it is in the cloud and as people run it themselves: who the caller is, and every page of a
//! search.

use std::collections::HashSet;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};
use planwright_domain::words::{Deployment, DisplayBucket};
use planwright_egress::{Egress, Failure, Fetched};
use serde_json::Value as Json;
use url::Url;

use super::model::ConnectionRow;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many issues one page has.
const PAGE: usize = 50;

/// How many issues are read at most; nobody works on more.
pub const MOST: usize = 5000;

/// The longest text that is kept of an issue.
const LONGEST: usize = 512;

/// An issue as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Its key.
    pub key: String,
    /// Where people open it.
    pub url: String,
    /// What it is about.
    pub title: String,
    /// Where it stands, in the words of the tracker.
    pub status: String,
    /// Where that is on a board.
    pub bucket: DisplayBucket,
}

/// Why a search came to nothing.
#[derive(Debug)]
pub enum Trouble {
    /// The secret is not accepted.
    Auth,
    /// The query is not accepted.
    Filter,
    /// Everything else, which may be over later.
    Away(String),
}

/// The field with the caller in the answer that says who that is.
pub fn caller(deployment: Deployment) -> &'static str {
    match deployment {
        Deployment::Cloud => "accountId",
        Deployment::Server => "name",
    }
}

/// A tracker, as a person is known there.
pub struct Jira<'a> {
    egress: &'a Egress,
    base: &'a str,
    deployment: Deployment,
    headers: HeaderMap,
}

impl<'a> Jira<'a> {
    /// The tracker of a connection. `None` for a secret that no header can hold.
    pub fn of(egress: &'a Egress, row: &'a ConnectionRow, secret: &str) -> Option<Self> {
        let shown = match row.deployment {
            Deployment::Cloud => {
                format!("Basic {}", STANDARD.encode(format!("{}:{secret}", row.account_email)))
            }
            Deployment::Server => format!("Bearer {secret}"),
        };
        let mut authorization = HeaderValue::from_str(&shown).ok()?;
        authorization.set_sensitive(true);
        let headers = HeaderMap::from_iter([
            (http::header::AUTHORIZATION, authorization),
            (http::header::ACCEPT, HeaderValue::from_static("application/json")),
            (http::header::USER_AGENT, HeaderValue::from_static("planwright")),
        ]);
        Some(Self { egress, base: &row.base_url, deployment: row.deployment, headers })
    }

    /// Asks who the caller is.
    pub async fn myself(&self) -> Result<Fetched, Failure> {
        let version = if self.deployment == Deployment::Cloud { 3 } else { 2 };
        self.ask(&format!("{}/rest/api/{version}/myself", self.base)).await
    }

    async fn ask(&self, url: &str) -> Result<Fetched, Failure> {
        self.egress.ask(Method::GET, url, self.headers.clone(), Bytes::new(), PATIENCE).await
    }

    /// The issues of a query, page by page to the end, each once and in the order of the tracker.
    pub async fn search(&self, query: &str) -> Result<Vec<Issue>, Trouble> {
        let mut issues: Vec<Issue> = Vec::new();
        let mut seen = HashSet::new();
        let mut next = Some(Next::default());
        while let Some(at) = next.take().filter(|_| issues.len() < MOST) {
            let page = self.page(query, &at).await?;
            let found = found(&page)?;
            let before = issues.len();
            let read = found.iter().filter_map(|issue| issue_of(self.base, issue));
            issues.extend(read.filter(|issue| seen.insert(issue.key.clone())));
            // A tracker that shows the same issues again goes round in a circle.
            next = at.after(self.deployment, &page, found.len()).filter(|_| issues.len() > before);
        }
        issues.truncate(MOST);
        Ok(issues)
    }

    async fn page(&self, query: &str, at: &Next) -> Result<Json, Trouble> {
        let path = match self.deployment {
            Deployment::Cloud => "/rest/api/3/search/jql",
            Deployment::Server => "/rest/api/2/search",
        };
        let mut url = Url::parse(&format!("{}{path}", self.base)).map_err(|error| away(&error))?;
        url.query_pairs_mut()
            .append_pair("jql", query)
            .append_pair("fields", "summary,status")
            .append_pair("maxResults", &PAGE.to_string());
        match (self.deployment, &at.token) {
            (Deployment::Cloud, Some(token)) => _ = url.query_pairs_mut().append_pair("nextPageToken", token),
            (Deployment::Cloud, None) => {}
            (Deployment::Server, _) => {
                url.query_pairs_mut().append_pair("startAt", &at.start.to_string());
            }
        }
        let fetched = self.ask(url.as_str()).await.map_err(|failure| away(&failure))?;
        match fetched.status {
            200 => serde_json::from_slice(&fetched.content).map_err(|error| away(&error)),
            400 => Err(Trouble::Filter),
            401 | 403 => Err(Trouble::Auth),
            status => Err(Trouble::Away(format!("it answers {status}"))),
        }
    }
}

/// The issues of a page.
fn found(page: &Json) -> Result<&[Json], Trouble> {
    let found = page["issues"].as_array().map(Vec::as_slice);
    found.ok_or_else(|| Trouble::Away("its answer has no list of issues".to_owned()))
}

/// Where people open an issue.
fn page_of(base: &str, key: &str) -> Option<String> {
    let mut url = Url::parse(base).ok()?;
    url.path_segments_mut().ok()?.pop_if_empty().extend(["browse", key]);
    Some(url.into())
}

fn away(cause: &impl std::fmt::Display) -> Trouble {
    Trouble::Away(cause.to_string())
}

/// Where the next page begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Next {
    start: usize,
    token: Option<String>,
}

impl Next {
    /// Where the page after this one begins. `None` at the end, and for a tracker that goes round in a circle.
    fn after(&self, deployment: Deployment, page: &Json, found: usize) -> Option<Self> {
        match deployment {
            Deployment::Cloud => {
                let token = page["nextPageToken"].as_str().filter(|_| page["isLast"] != true)?;
                (self.token.as_deref() != Some(token))
                    .then(|| Self { start: 0, token: Some(token.to_owned()) })
            }
            Deployment::Server => {
                // A server may give fewer issues than it was asked for.
                let start = self.start + found;
                let total = page["total"].as_u64().unwrap_or_default() as usize;
                (found > 0 && start < total).then_some(Self { start, token: None })
            }
        }
    }
}

/// An issue as it is kept; none without a key.
fn issue_of(base: &str, issue: &Json) -> Option<Issue> {
    let key = text(&issue["key"]);
    let status = &issue["fields"]["status"];
    let bucket = match status["statusCategory"]["key"].as_str() {
        Some("done") => DisplayBucket::Done,
        Some("indeterminate") => DisplayBucket::InProgress,
        _ => DisplayBucket::Todo,
    };
    let url = page_of(base, &key).filter(|_| !key.is_empty())?;
    Some(Issue { url, key, title: text(&issue["fields"]["summary"]), status: text(&status["name"]), bucket })
}

/// A text of a tracker on one line, cut.
fn text(value: &Json) -> String {
    let text = value.as_str().unwrap_or_default().chars();
    text.filter(|one| !one.is_control()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pages_are_followed_to_the_end_and_never_in_a_circle() {
        let cloud = |token: Option<&str>, page: Json| {
            let at = Next { start: 0, token: token.map(str::to_owned) };
            at.after(Deployment::Cloud, &page, 50).and_then(|next| next.token)
        };
        assert_eq!(cloud(None, json!({"nextPageToken": "b"})).as_deref(), Some("b"));
        assert_eq!(cloud(Some("b"), json!({"nextPageToken": "b"})), None);
        assert_eq!(cloud(Some("b"), json!({"nextPageToken": "c", "isLast": true})), None);
        assert_eq!(cloud(None, json!({})), None);
        let server = |start, found, total: usize| {
            let at = Next { start, token: None };
            at.after(Deployment::Server, &json!({"total": total}), found).map(|next| next.start)
        };
        assert_eq!(server(0, 20, 45), Some(20), "it gives fewer than it was asked for");
        assert_eq!(server(20, 25, 45), None);
        assert_eq!(server(20, 0, 45), None);
    }

    #[test]
    fn an_issue_is_cut_and_has_its_place_on_a_board() {
        let issue = issue_of(
            "https://x.org",
            &json!({"key": "A-1", "fields": {"summary": "a\nb".repeat(400),
            "status": {"name": "Doing", "statusCategory": {"key": "indeterminate"}}}}),
        );
        let issue = issue.unwrap();
        assert_eq!(
            (issue.url.as_str(), issue.bucket),
            ("https://x.org/browse/A-1", DisplayBucket::InProgress)
        );
        assert_eq!(issue.title.len(), 512);
        let base = "https://x.org/jira";
        assert_eq!(issue_of(base, &json!({"fields": {}})), None);
        assert_eq!(issue_of(base, &json!({"key": "A-2"})).unwrap().bucket, DisplayBucket::Todo);
        let odd = issue_of(base, &json!({"key": "../a?b#c"})).unwrap();
        assert_eq!(odd.url, "https://x.org/jira/browse/..%2Fa%3Fb%23c", "a key leads to no other page");
    }

    #[test]
    fn a_page_without_a_list_of_issues_is_no_empty_page() {
        assert!(found(&json!({"issues": []})).unwrap().is_empty());
        for other in [json!({}), json!([]), json!("sign in"), json!({"issues": null})] {
            assert!(matches!(found(&other), Err(Trouble::Away(_))), "{other}");
        }
    }
}
