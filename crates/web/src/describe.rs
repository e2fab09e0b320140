//! What the types of handlers say about themselves: what each takes from a request, which the program reads at its start,
//! and for the OpenAPI document how that looks and what they answer. `document/` builds the document.

use crate::schema::for_document;

#[for_document]
use crate::document::Describer;

/// An extractor that says what it takes from a request.
pub trait Describe {
    /// The names of the query parameters that it reads.
    const QUERY: &'static [&'static str] = &[];
    /// Whether it reads the body.
    const BODY: bool = false;

    /// Adds to the operation.
    #[for_document]
    fn describe(_: &mut Describer) {}
}

/// A return type that describes its answers.
pub trait Answer {
    /// Adds to the operation.
    #[for_document]
    fn describe(to: &mut Describer);
}

impl<T: Answer, E> Answer for Result<T, E> {
    #[for_document]
    fn describe(to: &mut Describer) {
        T::describe(to);
    }
}

impl<T: Describe> Describe for Option<T> {
    const QUERY: &'static [&'static str] = T::QUERY;
    const BODY: bool = T::BODY;

    #[for_document]
    fn describe(to: &mut Describer) {
        T::describe(to);
    }
}

/// A handler whose extractors and answer describe themselves.
pub trait Described<Arguments> {
    /// The names of the query parameters of each extractor.
    const QUERY: &'static [&'static [&'static str]];
    /// Whether an extractor reads the body.
    const BODY: bool;

    /// Describes the whole handler.
    #[for_document]
    fn describe(to: &mut Describer);
}

macro_rules! described {
    ($($argument:ident),*) => {
        impl<F, Fut, $($argument),*> Described<($($argument,)*)> for F
        where
            F: FnOnce($($argument),*) -> Fut,
            Fut: Future,
            Fut::Output: Answer,
            $($argument: Describe,)*
        {
            const QUERY: &'static [&'static [&'static str]] = &[$($argument::QUERY),*];
            const BODY: bool = false $(|| $argument::BODY)*;

            #[for_document]
            fn describe(to: &mut Describer) {
                $($argument::describe(to);)*
                <Fut::Output as Answer>::describe(to);
            }
        }
    };
}

described!();
described!(A);
described!(A, B);
described!(A, B, C);
described!(A, B, C, D);
described!(A, B, C, D, E);
described!(A, B, C, D, E, G);
described!(A, B, C, D, E, G, H);

/// Extractors of axum that take nothing of their own.
impl Describe for axum::extract::State<crate::App> {}

impl Describe for http::HeaderMap {}

impl Describe for http::Uri {}

impl Describe for crate::actor::ClientAddress {}

impl Describe for crate::Actor {}

impl<T> Describe for axum::extract::Path<T> {}
