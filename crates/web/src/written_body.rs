//! The body of a route that writes a row: PUT reads all fields, PATCH reads some, and one handler accepts both.
//! `body!` declares both from one list of fields.

use axum::extract::{FromRequest, Request};
use http::Method;

use crate::body::{Body, Partial};
use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::input::Input;
use crate::schema::{JsonSchema, for_document};
use crate::{ApiError, ApiResult, App};

/// Some fields of a row. It knows the names of all fields.
pub trait PatchedBody: Input + Send {
    /// All of the row.
    type Whole: Input + JsonSchema + Send;

    /// A whole row has all required fields.
    fn from_whole(whole: Self::Whole) -> Self;
}

impl<P: PatchedBody> PatchedBody for Partial<P> {
    type Whole = Partial<P::Whole>;

    fn from_whole(Partial { read, problems }: Self::Whole) -> Self {
        Self { read: P::from_whole(read), problems }
    }
}

/// The fields to write: all of them with PUT, some with PATCH.
#[derive(Debug)]
pub struct WrittenBody<P>(pub P);

impl<P: PatchedBody> FromRequest<App> for WrittenBody<P> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> ApiResult<Self> {
        if request.method() == Method::PUT {
            let Body(whole) = Body::<P::Whole>::from_request(request, app).await?;
            return Ok(Self(P::from_whole(whole)));
        }
        Body::from_request(request, app).await.map(|Body(patched)| Self(patched))
    }
}

impl<P: PatchedBody + JsonSchema> Describe for WrittenBody<P> {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        match to.is_put() {
            true => to.take_body::<P::Whole>(),
            false => to.take_body::<P>(),
        }
    }
}

/// Declares the two bodies of a row from one list of fields. The first has all fields and is for creating and
/// replacing a row. The second has some fields and is for changing it. `created` fields are only in the first,
/// `changed` fields only in the second.
///
/// ```text
/// body! {
///     /// A new label, or all of one.
///     pub struct LabelRequest;
///     /// Some fields of a label.
///     pub struct PatchedLabelRequest;
///     required { /// Its name. name: Name<1, 100>, }
///     optional { /// Its colour. color: Color, }
/// }
/// ```
#[macro_export]
macro_rules! body {
    (
        $(#[doc = $whole_doc:literal])* pub struct $whole:ident;
        $(#[doc = $patched_doc:literal])* pub struct $patched:ident;
        $(created { $($(#[doc = $created_doc:literal])* $created:ident: $created_type:ty),* $(,)? })?
        $(changed { $($(#[doc = $changed_doc:literal])* $changed:ident: $changed_type:ty),* $(,)? })?
        $(required { $($(#[doc = $required_doc:literal])* $required:ident: $required_type:ty),* $(,)? })?
        $(optional { $($(#[doc = $optional_doc:literal])* $optional:ident: $optional_type:ty),* $(,)? })?
    ) => {
        $crate::input! {
            $(#[doc = $whole_doc])*
            pub struct $whole {
                $($($(#[doc = $created_doc])* pub $created: $crate::Patch<$created_type>,)*)?
                $($($(#[doc = $required_doc])* pub $required: $required_type,)*)?
                $($($(#[doc = $optional_doc])* pub $optional: $crate::Patch<$optional_type>,)*)?
            }
        }

        $crate::input! {
            $(#[doc = $patched_doc])*
            pub struct $patched {
                $($($(#[doc = $changed_doc])* pub $changed: $crate::Patch<$changed_type>,)*)?
                $($($(#[doc = $required_doc])* pub $required: $crate::Patch<$required_type>,)*)?
                $($($(#[doc = $optional_doc])* pub $optional: $crate::Patch<$optional_type>,)*)?
            }
        }

        impl $crate::PatchedBody for $patched {
            type Whole = $whole;

            fn from_whole(whole: $whole) -> Self {
                whole.into()
            }
        }

        impl From<$whole> for $patched {
            fn from(whole: $whole) -> Self {
                Self {
                    $($($changed: $crate::Patch::Absent,)*)?
                    $($($required: $crate::Patch::Set(whole.$required),)*)?
                    $($($optional: whole.$optional,)*)?
                }
            }
        }

        impl $patched {
            /// The names of the fields that were sent.
            #[allow(dead_code)]
            pub fn sent(&self) -> Vec<&'static str> {
                let fields: &[(&'static str, bool)] = &[
                    $($(($crate::schema::wire_name(stringify!($required)), self.$required.is_given()),)*)?
                    $($(($crate::schema::wire_name(stringify!($optional)), self.$optional.is_given()),)*)?
                ];
                fields.iter().filter(|(_, given)| *given).map(|(field, _)| *field).collect()
            }
        }
    };
}
