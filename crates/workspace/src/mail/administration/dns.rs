//! Looking up text records of names, at the servers of the machine or at those that a setting names.
//! What the records are worth is in `rules.rs`.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{NameServerConfig, ResolverConfig};
use hickory_resolver::name_server::TokioConnectionProvider;
use hickory_resolver::proto::xfer::Protocol;

/// How long one question may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Looks up text records.
pub struct TextRecords {
    resolver: TokioResolver,
}

impl TextRecords {
    /// Asks the servers of `SVC_DNS_SERVERS`, or those of the machine when it is empty.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        let text = setting("SVC_DNS_SERVERS");
        let servers: Vec<&str> = text.split(',').map(str::trim).filter(|server| !server.is_empty()).collect();
        let mut builder = match servers.is_empty() {
            true => TokioResolver::builder_tokio().unwrap_or_else(|_| {
                TokioResolver::builder_with_config(ResolverConfig::default(), provider())
            }),
            false => TokioResolver::builder_with_config(named(&servers)?, provider()),
        };
        let options = builder.options_mut();
        options.timeout = PATIENCE;
        options.attempts = 1;
        Ok(Self { resolver: builder.build() })
    }

    /// The text records of a name; none when there is no such name.
    ///
    /// # Errors
    /// When no server answers.
    pub async fn of(&self, name: &str) -> anyhow::Result<Vec<String>> {
        let absolute = format!("{}.", name.trim_end_matches('.'));
        match self.resolver.txt_lookup(absolute).await {
            Ok(found) => Ok(found.iter().map(ToString::to_string).collect()),
            Err(error) if error.is_no_records_found() || error.is_nx_domain() => Ok(Vec::new()),
            Err(error) => Err(error).context("the records cannot be looked up"),
        }
    }
}

fn provider() -> TokioConnectionProvider {
    TokioConnectionProvider::default()
}

fn named(servers: &[&str]) -> anyhow::Result<ResolverConfig> {
    let mut config = ResolverConfig::new();
    for server in servers {
        let address: SocketAddr = server
            .parse()
            .with_context(|| format!("SVC_DNS_SERVERS: {server:?} is not an address and a port"))?;
        for protocol in [Protocol::Udp, Protocol::Tcp] {
            config.add_name_server(NameServerConfig::new(address, protocol));
        }
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_an_address_and_a_port() {
        let read = |text: &'static str| named(&[text]);
        assert!(read("192.0.2.1:53").is_ok());
        assert!(read("[2001:db8::1]:53").is_ok());
        assert!(read("dns.example.test").unwrap_err().to_string().contains("SVC_DNS_SERVERS"));
    }
}
