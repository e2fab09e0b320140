//! What an agent asked for, for the log of its actions. The guard reports each request of an agent once its answer is
//! known; how it is stored is the business of an area.

use std::pin::Pin;

use axum::RequestExt;
use axum::extract::{MatchedPath, RawPathParams, Request};
use axum::response::Response;
use chrono::{DateTime, Utc};
use http::StatusCode;
use planwright_domain::ids::{ProjectId, TokenId, UserId};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::actor::{Actor, ClientAddress, peer_of};
use crate::body::form_pairs;
use crate::{ApiError, ApiResult, App};

/// The rule that refuses what the person of an agent may not see, or what does not exist.
pub const NOT_VISIBLE: &str = "not_visible";

/// A request of an agent.
#[derive(Clone, Debug)]
pub struct AgentRequest {
    /// The token.
    pub token: TokenId,
    /// The person for whom the agent acts.
    pub principal: UserId,
    /// The method.
    pub method: String,
    /// The route, with the names of its parameters.
    pub route: String,
    /// The path as it was asked for.
    pub path: String,
    /// The parameters of the query, in their order.
    pub query: Vec<(String, String)>,
    /// The kind of row that the last parameter of the path names. Empty if there is none.
    pub object_type: String,
    /// That row.
    pub object_id: String,
    /// The project that the path or the query names.
    pub project: Option<ProjectId>,
    /// What the route does.
    pub summary: String,
    /// Why it was refused. `None` if it was not.
    pub refusal: Option<Refusal>,
    /// The address of the agent.
    pub address: String,
    /// When it was asked.
    pub at: DateTime<Utc>,
}

/// Why a request of an agent was refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// `identity` or `policy`.
    pub reason: String,
    /// The rule.
    pub constraint: String,
}

/// A record that is being written; false if it could not be.
pub type Recording<'a> = Pin<Box<dyn Future<Output = bool> + Send + 'a>>;

/// Keeps what agents ask for.
pub trait Records: Send + Sync {
    /// Writes a request so that it is not lost.
    fn record(&self, request: AgentRequest) -> Recording<'_>;
}

/// The log that the guard reports to.
pub struct AgentLog(Box<dyn Records>);

impl AgentLog {
    /// A log that is kept like this.
    pub fn new(records: impl Records + 'static) -> Self {
        Self(Box::new(records))
    }
}

/// What is known of a request of an agent before it is answered.
pub(crate) async fn asked(
    app: &App,
    actor: &Actor,
    summary: &str,
    request: &mut Request,
) -> Option<AgentRequest> {
    let token = actor.credential.token().filter(|_| actor.is_agent())?;
    let route =
        request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned()).unwrap_or_default();
    let parameters: Vec<(String, String)> = match request.extract_parts::<RawPathParams>().await {
        Ok(parameters) => {
            parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        }
        Err(_) => Vec::new(),
    };
    let query: Vec<(String, String)> = form_pairs(request.uri().query().unwrap_or_default()).collect();
    let (object_type, object_id) = object_of(&route, &parameters);
    let address = ClientAddress::of(request.headers(), peer_of(request), app.settings.proxies);
    Some(AgentRequest {
        token,
        principal: actor.id,
        method: request.method().to_string(),
        path: request.uri().path().to_owned(),
        project: project_of(&route, &parameters, &query),
        query,
        object_type,
        object_id,
        summary: summary.trim_end_matches('.').to_owned(),
        refusal: None,
        address: address.0.map_or_else(|| "unknown".to_owned(), |address| address.to_canonical().to_string()),
        at: app.clock.now(),
        route,
    })
}

/// Records a request of an agent with what became of it.
///
/// # Errors
/// 503 if it cannot be recorded: agents get nothing that nobody can look up.
pub(crate) async fn report(app: &App, asked: AgentRequest, refusal: Option<Refusal>) -> ApiResult<()> {
    match app.get::<AgentLog>().0.record(AgentRequest { refusal, ..asked }).await {
        true => Ok(()),
        false => Err(ApiError::unavailable("The request of the agent could not be recorded.")),
    }
}

/// The row that the last parameter names; its kind is the word before it.
fn object_of(route: &str, parameters: &[(String, String)]) -> (String, String) {
    let Some((name, value)) = parameters.last() else { return Default::default() };
    let place = format!("{{{name}}}");
    let before = route.split('/').zip(route.split('/').skip(1)).find(|(_, piece)| *piece == place);
    (before.map(|(kind, _)| kind.to_owned()).unwrap_or_default(), value.clone())
}

/// The project of a path below `projects/`, or of a query.
fn project_of(route: &str, parameters: &[(String, String)], query: &[(String, String)]) -> Option<ProjectId> {
    let in_path = route.contains("/projects/{").then(|| parameters.first()).flatten().map(|(_, value)| value);
    let in_query =
        query.iter().find(|(name, _)| name == "project" || name == "project_id").map(|(_, value)| value);
    in_path.or(in_query)?.parse::<Uuid>().ok().map(ProjectId)
}

/// Marks an answer with the reason of its refusal.
#[derive(Clone)]
pub(crate) struct Refused(pub(crate) Map<String, Json>);

/// Why an answer refuses. `None` if it does not.
pub(crate) fn refusal_of(response: &Response) -> Option<Refusal> {
    let said = |field: &str| {
        let marked = response.extensions().get::<Refused>()?;
        marked.0.get(field).and_then(Json::as_str).map(str::to_owned)
    };
    let constraint = match response.status() {
        StatusCode::FORBIDDEN => said("constraint").unwrap_or_else(|| "role".to_owned()),
        StatusCode::NOT_FOUND => NOT_VISIBLE.to_owned(),
        _ => return None,
    };
    Some(Refusal { reason: said("reason").unwrap_or_else(|| "identity".to_owned()), constraint })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_last_parameter_names_the_object() {
        let route = "/api/v1/projects/{project_pk}/risks/{id}/";
        let parameters = pairs(&[("project_pk", "0197a000-0000-7000-8000-00000000000a"), ("id", "7")]);
        assert_eq!(object_of(route, &parameters), ("risks".to_owned(), "7".to_owned()));
        assert!(project_of(route, &parameters, &[]).is_some());
        assert_eq!(object_of("/api/v1/tasks/", &[]), (String::new(), String::new()));
    }

    #[test]
    fn a_query_names_the_project_where_the_path_does_not() {
        let query = pairs(&[("project", "0197a000-0000-7000-8000-00000000000a")]);
        assert!(project_of("/api/v1/tasks/", &[], &query).is_some());
        assert_eq!(project_of("/api/v1/tasks/", &[], &pairs(&[("project", "x")])), None);
    }
}
