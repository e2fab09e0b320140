//! The parameters of a path, by their place in it; one that is no id of the wanted kind is 404.
//! The row that the last one names, with the check of its scope, is [`crate::Item`].

use std::str::FromStr;

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;

use crate::describe::{Describe, Describer};
use crate::{ApiError, ApiResult, App};

/// All parameters of the path, in their order.
pub(crate) async fn parameters(parts: &mut Parts) -> ApiResult<Vec<String>> {
    let parameters = parts.extract::<RawPathParams>().await.map_err(|_| ApiError::not_found())?;
    Ok(parameters.iter().map(|(_, value)| value.to_owned()).collect())
}

/// The last parameter of the path; one that is no id of the wanted kind is 404.
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

impl<T> Describe for Path<T> {
    fn describe(_: &mut Describer) {}
}

/// The last but one parameter of the path, for an action on a row nested below another; one that is no id is 404.
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

impl<T> Describe for ParentPath<T> {
    fn describe(_: &mut Describer) {}
}

/// The first parameter of the path, for a resource nested below a top-level one; one that is no id is 404.
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

impl<T> Describe for OuterPath<T> {
    fn describe(_: &mut Describer) {}
}
