//! `?fields=`: answers with only some fields of a row. The id is always included.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use schemars::for_document;
use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::input;
use crate::input::{Name, Patch};
use crate::{ApiError, ApiResult, App, Query};

input! {
    /// The requested fields.
    pub struct FieldsQuery {
        /// Names of fields, separated by commas. The default is all fields. The id is always included.
        fields: Patch<Name<1, 2000>>,
    }
}

/// An answer whose fields can be requested one by one. `#[derive(FieldNames)]` lists them.
pub trait FieldNames {
    /// The names in JSON.
    const NAMES: &'static [&'static str];
}

/// The fields of a `T` that a caller requests.
#[derive(Clone, Debug)]
pub struct SparseFields<T> {
    names: Option<Arc<BTreeSet<String>>>,
    of: PhantomData<fn() -> T>,
}

impl<T: FieldNames> FromRequestParts<App> for SparseFields<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let Query(asked) = Query::<FieldsQuery>::from_request_parts(parts, app).await?;
        let names = asked.fields.given().map(|text| names_in::<T>(&text)).transpose()?;
        Ok(Self { names: names.map(Arc::new), of: PhantomData })
    }
}

/// The names in a list. An unknown name is a 400.
fn names_in<T: FieldNames>(text: &str) -> ApiResult<BTreeSet<String>> {
    let mut names: BTreeSet<String> =
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    match names.iter().find(|name| !T::NAMES.contains(&name.as_str())) {
        Some(unknown) => Err(ApiError::invalid_field("fields", format!("\"{unknown}\" is not a field."))),
        None => {
            names.insert("id".to_owned());
            Ok(names)
        }
    }
}

impl<T> Describe for SparseFields<T> {
    const QUERY: &'static [&'static str] = Query::<FieldsQuery>::QUERY;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_query::<FieldsQuery>();
    }
}

impl<T> SparseFields<T> {
    /// A row with the requested fields.
    pub fn of(&self, row: T) -> Sparse<T> {
        Sparse { row, names: self.names.clone() }
    }
}

/// A row with some of its fields.
#[derive(Clone, Debug)]
pub struct Sparse<T> {
    row: T,
    names: Option<Arc<BTreeSet<String>>>,
}

impl<T: Serialize> Serialize for Sparse<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(names) = &self.names else { return self.row.serialize(serializer) };
        let Json::Object(fields) = serde_json::to_value(&self.row).map_err(S::Error::custom)? else {
            return Err(S::Error::custom("only objects have fields"));
        };
        let mut some = serializer.serialize_map(None)?;
        for (name, value) in fields.iter().filter(|(name, _)| names.contains(*name)) {
            some.serialize_entry(name, value)?;
        }
        some.end()
    }
}

#[for_document]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Sparse<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}
