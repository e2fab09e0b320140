//! What the other crates know as `schemars`: the library itself with the feature `document`, and otherwise a trait that says
//! nothing and a derive that adds nothing. So the program has no schemas, and the tests make the document from types.

#[cfg(not(feature = "document"))]
pub use planwright_macros::JsonSchema;
/// Marks an item that exists only where schemas are generated.
#[cfg(feature = "document")]
pub use planwright_macros::keep_item as for_document;
/// Marks an item that exists only where schemas are generated.
#[cfg(not(feature = "document"))]
pub use planwright_macros::omit_item as for_document;
#[cfg(feature = "document")]
pub use schemars::*;

/// A type with a schema. Without schemas, every type is one.
#[cfg(not(feature = "document"))]
pub trait JsonSchema {}

#[cfg(not(feature = "document"))]
impl<T: ?Sized> JsonSchema for T {}
