//! The application that people plan on: the built files of `ui/dist`, embedded in the binary. Which page is shown is decided
//! in the browser; here every address of a page answers with the same document.

use axum::response::{IntoResponse, Response};
use http::header::CONTENT_SECURITY_POLICY;
use http::{HeaderMap, HeaderValue};
use planwright_web::lost::LostPage;
use planwright_web::reply::Raw;
use planwright_web::{ApiError, ApiResult, Path, Routes, says};
use serde_json::Value as Json;

use crate::packed_files::{self, PackedFiles};

/// The built files.
const FILES: PackedFiles = include!(concat!(env!("OUT_DIR"), "/application.rs"));
const HTML: (&str, &str) = ("text/html; charset=utf-8", "no-cache");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'";

/// The addresses of pages, as `ui/src/app/routes.ts` has them.
const PAGES: [&str; 11] = [
    "/",
    "/sign-in",
    "/my-work",
    "/import",
    "/templates",
    "/notifications",
    "/settings",
    "/programs/{id}",
    "/programs/{id}/settings",
    "/projects/{id}",
    "/projects/{id}/{page}",
];

/// The routes of this file.
pub fn routes() -> Routes {
    // A page loads many files, and people behind one address load many pages.
    let hidden = |summary| says(summary).public().hidden().unlimited();
    let pages = PAGES
        .iter()
        .fold(Routes::new(), |routes, page| routes.get(page, document, hidden("A page of the application.")));
    pages.get("/assets/{name}", asset, hidden("A file of the application.")).get(
        "/favicon.svg",
        icon,
        hidden("The icon of the application."),
    )
}

async fn document(headers: HeaderMap) -> ApiResult<Raw<Json>> {
    page(&headers).map(Raw::new)
}

fn page(headers: &HeaderMap) -> ApiResult<Response> {
    let mut response = packed_files::answer_file(FILES, "index.html", headers, HTML)?;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

/// The same document for an address that nothing has: there it says so, and shows ways on.
pub fn lost_page() -> LostPage {
    LostPage(|| page(&HeaderMap::new()).unwrap_or_else(IntoResponse::into_response))
}

async fn icon(headers: HeaderMap) -> ApiResult<Raw<Json>> {
    packed_files::answer_file(FILES, "favicon.svg", &headers, ("image/svg+xml", "no-cache")).map(Raw::new)
}

/// A file whose name has a digest of its content, so that it never changes.
async fn asset(headers: HeaderMap, Path(name): Path<String>) -> ApiResult<Raw<Json>> {
    let media = match name.rsplit_once('.').map(|(_, end)| end) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "map") => "application/json",
        _ => return Err(ApiError::not_found()),
    };
    let how = (media, "public, max-age=31536000, immutable");
    packed_files::answer_file(FILES, &format!("assets/{name}"), &headers, how).map(Raw::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_loads_only_files_that_are_there() {
        let text = packed_files::unpack(packed_files::find_file(FILES, "index.html").unwrap()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let named: Vec<&str> = text
            .split('"')
            .filter(|piece| piece.starts_with("/assets/") || piece.starts_with("/favicon"))
            .collect();
        assert!(!named.is_empty());
        for path in named {
            assert!(packed_files::find_file(FILES, path.trim_start_matches('/')).is_ok(), "{path}");
        }
    }

    #[test]
    fn every_page_of_the_application_has_an_address_here() {
        let routes = include_str!("../../../ui/src/app/routes.ts");
        let patterns = routes.split("[\"/").skip(1).filter_map(|rest| rest.split('"').next());
        for pattern in patterns {
            let pieces: Vec<&str> = pattern.split('/').filter(|piece| !piece.is_empty()).collect();
            let is_served = PAGES.iter().any(|page| {
                let own: Vec<&str> = page.split('/').filter(|piece| !piece.is_empty()).collect();
                own.len() == pieces.len()
                    && own.iter().zip(&pieces).all(|(own, piece)| own.starts_with('{') || own == piece)
            });
            assert!(is_served, "/{pattern}");
        }
    }
}
