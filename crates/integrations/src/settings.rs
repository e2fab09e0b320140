//! Which hosts people may name as places of systems that they run, and how old what is read from them may become.

/// The settings of integrations.
#[derive(Clone, Debug, Default)]
pub struct IntegrationSettings {
    /// The hosts (`SVC_INTEGRATION_ALLOWED_HOSTS`); all that are public if it is empty.
    pub allowed_hosts: Vec<String>,
    /// The age in seconds at which a tracker is read again (`SVC_EXTERNAL_SYNC_ON_OPEN_STALE_SECONDS`).
    pub stale_seconds: i64,
}

impl IntegrationSettings {
    /// The settings as they were given; the message names the one that is wrong.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        const NAME: &str = "SVC_INTEGRATION_ALLOWED_HOSTS";
        let hosts = setting(NAME);
        let hosts = hosts.split(',').map(|host| host.trim().to_ascii_lowercase());
        let allowed_hosts: Vec<String> = hosts.filter(|host| !host.is_empty()).collect();
        if let Some(wrong) = allowed_hosts.iter().find(|host| host.contains(['/', '*', ' ', ':'])) {
            anyhow::bail!("{NAME}: {wrong:?} is no host");
        }
        const AGE: &str = "SVC_EXTERNAL_SYNC_ON_OPEN_STALE_SECONDS";
        let text = setting(AGE);
        let seconds = text.trim().parse().ok().filter(|seconds| (1..=86_400).contains(seconds));
        let stale_seconds =
            seconds.ok_or_else(|| anyhow::anyhow!("{AGE}: {text:?} is not a number from 1 to 86400"))?;
        Ok(Self { allowed_hosts, stale_seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_host_is_named() {
        let read = |text: &'static str| {
            IntegrationSettings::from_settings(move |name| match name {
                "SVC_INTEGRATION_ALLOWED_HOSTS" => text.to_owned(),
                _ => "300".to_owned(),
            })
        };
        assert_eq!(read(" Lab.x.org, git.x.org ,").unwrap().allowed_hosts, ["lab.x.org", "git.x.org"]);
        assert!(read("").unwrap().allowed_hosts.is_empty());
        assert!(read("https://x.org").unwrap_err().to_string().contains("SVC_INTEGRATION_ALLOWED_HOSTS"));
    }
}
