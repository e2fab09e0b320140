//! Pages for people: where to go next, and the document of the interface with its reader.
//! Everything they load is embedded; nothing comes from elsewhere.

use axum::response::IntoResponse;
use http::header::{ACCEPT, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use planwright_web::input::{Name, Patch};
use planwright_web::reply::Raw;
use planwright_web::{ApiResult, Path, Query, Routes, input, says};
use serde_json::Value as Json;

use crate::packed_files::PackedFiles;
use crate::{document, packed_files};

const READER_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The routes of this file.
pub fn routes() -> Routes {
    let page = |summary| says(summary).public().hidden();
    Routes::new()
        .get("/api/", home, page("The start page, with links to the documentation."))
        .get("/api/schema/", schema, says("The OpenAPI document, as YAML or JSON.").public())
        .get("/api/schema/swagger-ui/", swagger, page("Swagger UI."))
        .get(
            "/api/schema/redoc/",
            swagger,
            page("Swagger UI, at an address that other servers of this contract have."),
        )
        .get("/api/docs/", swagger, page("Swagger UI."))
        .get("/api/schema/assets/{name}", asset, page("A file of these pages."))
}

input! {
    /// How the document is wanted.
    struct SchemaQuery {
        /// `json` or `yaml`. The default is taken from the Accept header.
        format: Patch<Name<1, 20>>,
    }
}

async fn schema(headers: HeaderMap, Query(query): Query<SchemaQuery>) -> ApiResult<Raw<Json>> {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let as_json = match query.format.given().as_deref() {
        Some(format) => format.eq_ignore_ascii_case("json"),
        None => accept.contains("json") && !accept.contains("yaml"),
    };
    let (media, text) = match as_json {
        true => ("application/vnd.oai.openapi+json", document::as_json()),
        false => ("application/vnd.oai.openapi; charset=utf-8", document::as_yaml()),
    };
    Ok(Raw::new(([(CONTENT_TYPE, media)], text.map_err(anyhow::Error::from)?)))
}

fn page(policy: &'static str, text: &'static str) -> Raw<Json> {
    let mut response = ([(CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response();
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    Raw::new(response)
}

async fn home() -> Raw<Json> {
    page(READER_POLICY, include_str!("../assets/home.html"))
}

async fn swagger() -> Raw<Json> {
    page(READER_POLICY, include_str!("../assets/swagger.html"))
}

/// The files of these pages.
const FILES: PackedFiles = include!(concat!(env!("OUT_DIR"), "/reader.rs"));

async fn asset(headers: HeaderMap, Path(name): Path<String>) -> ApiResult<Raw<Json>> {
    let media = if name.ends_with(".css") { "text/css" } else { "text/javascript" };
    packed_files::answer_file(FILES, &name, &headers, (media, "public, max-age=3600")).map(Raw::new)
}
