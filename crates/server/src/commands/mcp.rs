//! `planwright mcp`: the tools of `/mcp` over standard input and output. It needs no database: it reads from a running server.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

/// Where the server is, and with which token it is read.
#[derive(Args, Debug)]
pub struct Mcp {
    /// The address of the server
    #[arg(long, env = "SVC_MCP_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// A file with an API token of scope mcp:read; without it the token is in SVC_MCP_TOKEN
    #[arg(long)]
    token_file: Option<PathBuf>,
}

impl Mcp {
    /// Runs the command.
    pub async fn run(self) -> anyhow::Result<u8> {
        let token = match &self.token_file {
            Some(path) => std::fs::read_to_string(path).with_context(|| path.display().to_string())?,
            None => std::env::var("SVC_MCP_TOKEN")
                .context("a token is missing; set SVC_MCP_TOKEN or --token-file")?,
        };
        planwright_mcp::serve_stdio(&self.url, token.trim()).await?;
        Ok(0)
    }
}
