//! The procedural macros of the workspace. They read tokens without a parser of Rust, so they cost no time to build.

mod field_names;

use proc_macro::TokenStream;

/// Takes the place of the derive of `schemars` where no schema is generated: it knows the attributes, and adds nothing.
#[proc_macro_derive(JsonSchema, attributes(schemars, serde))]
pub fn no_json_schema(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Leaves an item as it is: what `for_document` does where schemas are generated.
#[proc_macro_attribute]
pub fn keep_item(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Leaves an item out: what `for_document` does where no schema is generated.
#[proc_macro_attribute]
pub fn omit_item(_: TokenStream, _: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Lists the fields of a struct as JSON names them. It knows `#[serde(rename = "…")]` and no other change of names.
#[proc_macro_derive(FieldNames, attributes(serde))]
pub fn field_names(input: TokenStream) -> TokenStream {
    field_names::implement(input)
}
