//! The parameters of a path, by their position. A parameter that is not an id of the right kind is 404.
//! [`crate::Item`] reads the row of the last one and checks its scope.

use std::str::FromStr;

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;

use crate::describe::Describe;
use crate::{ApiError, ApiResult, App};

/// All parameters of the path, in their order.
pub(crate) async fn parameters(parts: &mut Parts) -> ApiResult<Vec<String>> {
    let parameters = parts.extract::<RawPathParams>().await.map_err(|_| ApiError::not_found())?;
    Ok(parameters.iter().map(|(_, value)| value.to_owned()).collect())
}

/// The last parameter of the path. If it is not an id of the right kind, the answer is 404.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T: FromStr + Send> FromRequestParts<App> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let parameters = parts.extract::<RawPathParams>().await.map_err(|_| ApiError::not_found())?;
        let last = parameters.iter().last().map(|(_, value)| value.to_owned());
        last.and_then(|text| text.parse().ok()).map(Path).ok_or_else(ApiError::not_found)
    }
}

impl<T> Describe for Path<T> {}

/// The second to last parameter of the path, for an action on a nested row. If it is not an id, the answer is 404.
#[derive(Clone, Copy, Debug)]
pub struct ParentPath<T>(pub T);

impl<T: FromStr + Send> FromRequestParts<App> for ParentPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let parameters = parts.extract::<RawPathParams>().await.map_err(|_| ApiError::not_found())?;
        let values: Vec<&str> = parameters.iter().map(|(_, value)| value).collect();
        let parent = values.iter().rev().nth(1);
        parent.and_then(|text| text.parse().ok()).map(ParentPath).ok_or_else(ApiError::not_found)
    }
}

impl<T> Describe for ParentPath<T> {}

/// The first parameter of the path, for a nested resource. If it is not an id, the answer is 404.
#[derive(Clone, Copy, Debug)]
pub struct OuterPath<T>(pub T);

impl<T: FromStr + Send> FromRequestParts<App> for OuterPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let parameters = parts.extract::<RawPathParams>().await.map_err(|_| ApiError::not_found())?;
        let first = parameters.iter().next().map(|(_, value)| value.to_owned());
        first.and_then(|text| text.parse().ok()).map(OuterPath).ok_or_else(ApiError::not_found)
    }
}

impl<T> Describe for OuterPath<T> {}
