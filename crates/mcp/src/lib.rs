//! The server of the Model Context Protocol: tools by which a language model reads plans, at `/mcp` and over standard input.
//! Tools and resources are a few reads of the API with the token of the client, so rights, consent, limits and the log of
//! agents are those of the API. Nothing is written.

mod arguments;
mod calls;
mod closed_words;
mod endpoint;
mod guides;
mod handler;
mod reader;
mod resources;
mod shaping;
mod stdio;
mod tools;

pub use endpoint::with_endpoint;
pub use stdio::serve_stdio;
