//! Versions of single rows: `ETag` on reads, `If-Match` on writes, and `X-Base-Version` for merges (facts-platform
//! §9). Concurrent edits of different fields are merged. Edits of the same fields are a conflict that shows both
//! sides.

use std::collections::BTreeSet;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, ETAG, IF_MATCH};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use planwright_domain::hex;
use planwright_domain::ids::UserId;
use planwright_store::{Read, sql};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::describe::{Answer, Describe};
#[for_document]
use crate::document::Describer;
use crate::schema::{JsonSchema, for_document};
use crate::{ApiError, ApiResult, App};

/// 200 with a row and its version.
#[derive(Debug)]
pub struct Versioned<T> {
    /// The row's version.
    pub version: i64,
    /// The row.
    pub row: T,
    /// Fields that others changed since the base version and that were kept.
    pub merged: Vec<String>,
    /// Whether the row is shown with computed values, which can change within a version.
    is_computed: bool,
}

impl<T> Versioned<T> {
    /// A row that changes only with its version.
    pub fn new(version: i64, row: T) -> Self {
        Self { version, row, merged: Vec::new(), is_computed: false }
    }

    /// A row with values that can change within a version, such as its dates.
    pub fn computed(version: i64, row: T) -> Self {
        Self { is_computed: true, ..Self::new(version, row) }
    }

    /// The same with the kept fields of others.
    pub fn merged(self, merged: Vec<String>) -> Self {
        Self { merged, ..self }
    }
}

/// The tag of a version.
pub fn tag(version: i64) -> String {
    format!("\"v{version}\"")
}

/// The weak tag of a version and its shown values: `W/"v3.…"` with a digest of the values.
fn weak_tag(version: i64, shown: &[u8]) -> String {
    let digest = Sha256::digest(shown);
    let digest = hex(&digest[..8]);
    format!("W/\"v{version}.{digest}\"")
}

/// The version in a tag. The part after the point describes the shown values, and a write does not depend on them.
fn version_tag(tag: &str) -> String {
    let bare = tag.trim().trim_start_matches("W/");
    match bare.split_once('.') {
        Some((version, _)) if bare.ends_with('"') => format!("{version}\""),
        _ => bare.to_owned(),
    }
}

impl<T: Serialize> IntoResponse for Versioned<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_vec(&self.row) {
            Ok(body) => body,
            Err(error) => return ApiError::unexpected(error.into()).into_response(),
        };
        let tag = if self.is_computed { weak_tag(self.version, &body) } else { tag(self.version) };
        let mut response = ([(CONTENT_TYPE, "application/json")], body).into_response();
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            response.headers_mut().insert(ETAG, tag);
        }
        if let (false, Ok(merged)) = (self.merged.is_empty(), HeaderValue::from_str(&self.merged.join(","))) {
            response.headers_mut().insert(HeaderName::from_static("x-merged-concurrent-fields"), merged);
        }
        response
    }
}

impl<T: JsonSchema> Answer for Versioned<T> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<T>(200);
        to.answer_header(200, "ETag");
    }
}

/// The version that a caller expects of the row that it writes.
#[derive(Clone, Debug, Default)]
pub struct Precondition {
    if_match: Vec<String>,
    base: Option<i64>,
    /// Somebody whose own changes are no surprise.
    knows: Option<UserId>,
}

impl Precondition {
    fn of(headers: &HeaderMap) -> ApiResult<Self> {
        let if_match = headers
            .get_all(IF_MATCH)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(version_tag)
            .collect();
        let base = headers.get("x-base-version").map(|value| {
            let number = value.to_str().ok().and_then(|text| text.trim().parse::<i64>().ok());
            number
                .filter(|number| *number >= 1)
                .ok_or_else(|| ApiError::invalid_field("base_version", "A valid integer is required."))
        });
        Ok(Self { if_match, base: base.transpose()?, knows: None })
    }

    /// The same with a `base_version` from the body, if the header has none.
    pub fn or_base(mut self, base: Option<i64>) -> Self {
        self.base = self.base.or(base);
        self
    }

    /// The same for somebody who knows what they changed themselves since the base version.
    pub fn knowing_changes_of(self, person: UserId) -> Self {
        Self { knows: Some(person), ..self }
    }

    /// Fails with 412 when `If-Match` names another version.
    pub fn check(&self, version: i64) -> ApiResult<()> {
        let current = tag(version);
        match self.if_match.is_empty()
            || self.if_match.iter().any(|wanted| *wanted == current || wanted == "*")
        {
            true => Ok(()),
            false => Err(ApiError::precondition_failed()),
        }
    }

    /// Refuses a deletion that is based on another version, because it would delete changes that the caller has not seen.
    pub async fn nothing_unseen(
        &self,
        db: &dyn Read,
        entity: &'static str,
        id: Uuid,
        version: i64,
        current: &Map<String, Json>,
    ) -> ApiResult<()> {
        self.check(version)?;
        let Some(base) = self.base.filter(|base| *base != version) else { return Ok(()) };
        let (changed, known) = changed_since(db, (entity, id), version, base, self.knows).await?;
        let fields: Vec<&String> = current.keys().filter(|field| changed.contains(*field)).collect();
        Err(conflict(&fields, known, current, &Map::new(), version))
    }

    /// Merges a write that is based on another version. It returns the fields that others have changed, or 409 if
    /// they overlap.
    ///
    /// `sent` has the fields that the caller wants to change, `current` is the current row.
    pub async fn merge(
        &self,
        db: &dyn Read,
        entity: &'static str,
        id: Uuid,
        version: i64,
        sent: &Map<String, Json>,
        current: &Map<String, Json>,
    ) -> ApiResult<Vec<String>> {
        self.check(version)?;
        let Some(base) = self.base.filter(|base| *base != version) else { return Ok(Vec::new()) };
        let (changed, known) = changed_since(db, (entity, id), version, base, self.knows).await?;
        let differs = |field: &&String| sent.get(*field) != current.get(*field);
        let overlap: Vec<&String> =
            sent.keys().filter(|field| !known || changed.contains(*field)).filter(differs).collect();
        if overlap.is_empty() {
            return Ok(changed.into_iter().filter(|field| !sent.contains_key(field)).collect());
        }
        Err(conflict(&overlap, known, current, sent, version))
    }
}

/// The fields of a row that changed since a version, and whether the history reaches back to it. What the one person
/// changed who knows of it is left out.
async fn changed_since(
    db: &dyn Read,
    (entity, id): (&'static str, Uuid),
    version: i64,
    base: i64,
    known_to: Option<UserId>,
) -> ApiResult<(BTreeSet<String>, bool)> {
    let select =
        "SELECT actor_id, fields FROM history WHERE entity = :entity AND entity_id = :id AND version > :base";
    let steps: Vec<(Option<UserId>, Json)> =
        db.all(sql!(select, entity = entity, id = id, base = base)).await?;
    let unknown = steps.iter().filter(|(actor, _)| known_to.is_none() || *actor != known_to);
    let fields =
        unknown.filter_map(|(_, fields)| fields.as_object()).flat_map(|fields| fields.keys().cloned());
    // A row that was restored from a backup can be older than what the caller saw.
    Ok((fields.collect(), base < version && steps.len() as i64 >= version - base))
}

fn conflict(
    fields: &[&String],
    known: bool,
    current: &Map<String, Json>,
    sent: &Map<String, Json>,
    version: i64,
) -> ApiError {
    let pick = |from: &Map<String, Json>| -> Json {
        fields
            .iter()
            .map(|field| ((*field).clone(), from.get(*field).cloned().unwrap_or(Json::Null)))
            .collect()
    };
    let conflict = ApiError::conflict("Somebody else has changed the same fields in the meantime.")
        .with_code("sync_conflict")
        .with("conflict_fields", serde_json::json!(fields))
        .with("server_value", pick(current))
        .with("client_value", pick(sent))
        .with("server_version", version);
    if known { conflict } else { conflict.with("ambiguous", true) }
}

impl FromRequestParts<App> for Precondition {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        Self::of(&parts.headers)
    }
}

impl Describe for Precondition {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_header(
            "If-Match",
            r#"^(\*|(W/)?"v[1-9][0-9]*(\.[0-9a-f]*)?")$"#,
            "Write only if the row still has this ETag. Otherwise the answer is 412.",
        );
        to.take_header(
            "X-Base-Version",
            "^[1-9][0-9]{0,8}$",
            "The version on which the edit is based. Edits of different fields are merged.",
        );
    }
}
