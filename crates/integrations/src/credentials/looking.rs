//! Reading the page behind a link for a person who is known at its provider: its title, and how far the work is that it shows.

use bytes::Bytes;
use http::Method;
use planwright_domain::ids::UserId;
use planwright_domain::words::{CredentialProvider, LinkStatus, Word};
use planwright_egress::Egress;
use planwright_web::{ApiError, ApiResult, App};
use serde_json::Value as Json;
use url::Url;

use super::commands::PATIENCE;
use super::model::CredentialRow;
use super::providers::{Known, known};
use super::queries;

/// What a provider says about a page: its title and its state. `None` when the person has no credential that opens it.
///
/// # Errors
/// 422 `credential_required` if their credential cannot be opened.
pub async fn look(app: &App, person: UserId, address: &str) -> ApiResult<Option<(String, LinkStatus)>> {
    let Ok(url) = Url::parse(address) else { return Ok(None) };
    let now = app.clock.now();
    for row in queries::of_person(&app.db, person).await? {
        let known = known(row.provider);
        let is_valid = row.expires_at.is_none_or(|at| now < at);
        if let Some(page) = question(known, &row.base_url, &url).filter(|_| is_valid) {
            return ask(app, known, &row, &page).await;
        }
    }
    Ok(None)
}

async fn ask(
    app: &App,
    known: &Known,
    row: &CredentialRow,
    page: &str,
) -> ApiResult<Option<(String, LinkStatus)>> {
    let secret = app.sealer.open_text(&row.purpose(), &row.sealed_secret).map_err(|error| {
        tracing::warn!(credential = %row.id, %error, "a credential does not open with any key");
        unreadable(row.provider)
    })?;
    let Some(headers) = known.headers(&secret) else { return Ok(None) };
    let egress = app.get::<Egress>();
    let asked = match egress.admit(page).await {
        Ok(target) if egress.keeps_secrets(&target) => {
            egress.ask(Method::GET, page, headers, Bytes::new(), PATIENCE).await
        }
        Ok(_) => return Ok(None),
        Err(failure) => Err(failure),
    };
    queries::note_use(&app.db, row.id).await?;
    let fetched = match asked {
        Ok(fetched) if (200..300).contains(&fetched.status) => fetched,
        Ok(_) => return Ok(None),
        Err(failure) => {
            tracing::info!(%failure, "a provider cannot be asked about a link");
            return Ok(None);
        }
    };
    Ok(serde_json::from_slice(&fetched.content).ok().map(|said: Json| (title(&said), status(&said))))
}

/// Who has a credential that cannot be opened is not somebody without one: the page is not read as if it were public.
fn unreadable(provider: CredentialProvider) -> ApiError {
    let detail = "The stored credential cannot be opened any more. Save it again.";
    let refusal = ApiError::unprocessable(detail).with_code("credential_required");
    refusal.with("provider", provider.as_str()).with("requires_credential", true)
}

/// Where a provider says more about a page, if it is one of its pages.
fn question(known: &Known, base_url: &str, url: &Url) -> Option<String> {
    let pages = match (known.provider, base_url) {
        (CredentialProvider::Github, "") => "https://github.com",
        (CredentialProvider::GoogleDrive, "") => "https://drive.google.com",
        (_, "") => known.home,
        (_, base) => base,
    };
    let home = Url::parse(pages).ok()?;
    let is_google =
        url.host_str() == Some("docs.google.com") && known.provider == CredentialProvider::GoogleDrive;
    if !is_google
        && (url.host() != home.host() || url.port_or_known_default() != home.port_or_known_default())
    {
        return None;
    }
    let below = url.path().strip_prefix(home.path().trim_end_matches('/'))?;
    let parts: Vec<&str> = below.split('/').filter(|part| !part.is_empty()).collect();
    let api = known.interface(base_url);
    match (known.provider, &parts[..]) {
        (CredentialProvider::Github, [owner, repository, kind @ ("pull" | "issues"), number, ..]) => {
            let kind = if *kind == "pull" { "pulls" } else { *kind };
            Some(format!("{api}/repos/{owner}/{repository}/{kind}/{}", digits(number)?))
        }
        (CredentialProvider::Gitea, [owner, repository, kind @ ("pulls" | "issues"), number, ..]) => {
            Some(format!("{api}/api/v1/repos/{owner}/{repository}/{kind}/{}", digits(number)?))
        }
        (CredentialProvider::Gitlab, parts) => {
            let at = parts.iter().position(|part| matches!(*part, "merge_requests" | "issues"))?;
            let (kind, number) = (parts[at], digits(parts.get(at + 1)?)?);
            let path: Vec<&str> = parts[..at].iter().copied().filter(|part| *part != "-").collect();
            (path.len() >= 2).then(|| format!("{api}/api/v4/projects/{}/{kind}/{number}", path.join("%2F")))
        }
        (CredentialProvider::GoogleDrive, [.., "d", id] | [.., "d", id, _]) => {
            Some(format!("{api}/drive/v3/files/{id}?fields=name"))
        }
        _ => None,
    }
}

fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.len() < 12 && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

/// The longest title that is kept, in characters.
const LONGEST_TITLE: usize = 512;

fn title(said: &Json) -> String {
    let title = said["title"].as_str().or(said["name"].as_str()).unwrap_or_default();
    title.chars().filter(|one| !one.is_control()).take(LONGEST_TITLE).collect()
}

fn status(said: &Json) -> LinkStatus {
    let is = |field: &str| said[field] == true;
    let is_merged =
        is("merged") || said["pull_request"]["merged_at"].is_string() || said["state"] == "merged";
    match said["state"].as_str() {
        _ if is_merged => LinkStatus::Merged,
        Some("open" | "opened") if is("draft") => LinkStatus::Draft,
        Some("open" | "opened") => LinkStatus::Open,
        Some("closed" | "locked") => LinkStatus::Closed,
        _ => LinkStatus::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asks(provider: CredentialProvider, base: &str, address: &str) -> Option<String> {
        question(known(provider), base, &Url::parse(address).unwrap())
    }

    #[test]
    fn a_page_of_a_provider_has_an_address_in_its_interface() {
        use CredentialProvider::*;
        assert_eq!(
            asks(Github, "", "https://github.com/o/r/pull/5/files").as_deref(),
            Some("https://api.github.com/repos/o/r/pulls/5")
        );
        assert_eq!(
            asks(Gitlab, "https://lab.x.org/git", "https://lab.x.org/git/a/b/c/-/merge_requests/7")
                .as_deref(),
            Some("https://lab.x.org/git/api/v4/projects/a%2Fb%2Fc/merge_requests/7")
        );
        assert_eq!(
            asks(GoogleDrive, "", "https://docs.google.com/document/d/abc/edit").as_deref(),
            Some("https://www.googleapis.com/drive/v3/files/abc?fields=name")
        );
        for (provider, address) in [
            (Github, "https://github.com.evil.org/o/r/pull/5"),
            (Github, "https://github.com/o/r/pull/5x"),
            (Github, "http://github.com:8080/o/r/pull/5"),
            (Gitlab, "https://gitlab.com/a/-/issues/7"),
        ] {
            assert_eq!(asks(provider, "", address), None, "{address}");
        }
    }

    #[test]
    fn providers_say_how_far_the_work_is() {
        assert_eq!(status(&json!({"state": "open", "draft": true})), LinkStatus::Draft);
        assert_eq!(status(&json!({"state": "opened"})), LinkStatus::Open);
        assert_eq!(status(&json!({"state": "closed", "merged": true})), LinkStatus::Merged);
        assert_eq!(status(&json!({"state": "merged"})), LinkStatus::Merged);
        assert_eq!(status(&json!({"state": "closed"})), LinkStatus::Closed);
        assert_eq!(status(&json!({"name": "Plan.pdf"})), LinkStatus::Unknown);
        assert_eq!(title(&json!({"title": "a\nb"})), "ab");
    }
}
