//! Whether this installation has public links and how much one shows, and where calendars lead.

/// The settings of public links and calendar feeds.
#[derive(Clone, Debug)]
pub struct SharingSettings {
    /// Whether there are public links at all (`SVC_PUBLIC_BOARD_SHARING_ENABLED`).
    pub is_enabled: bool,
    /// How many cards a board shows (`SVC_SHARE_BOARD_MAX_CARDS`).
    pub most_cards: usize,
    /// How many rows a schedule shows (`SVC_SHARE_SCHEDULE_MAX_TASKS`).
    pub most_tasks: usize,
    /// What the addresses of tasks in calendars begin with (`SVC_FRONTEND_BASE_URL`); empty: the address of this server.
    pub frontend_url: String,
}

impl SharingSettings {
    /// The settings as they were given; the message names the one that is wrong.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        let count = |name: &str| -> anyhow::Result<usize> {
            let text = setting(name);
            let parsed = text.trim().parse().ok().filter(|count| (1..=10_000).contains(count));
            parsed.ok_or_else(|| anyhow::anyhow!("{name}: {text:?} is not a number from 1 to 10000"))
        };
        let is_enabled = match setting("SVC_PUBLIC_BOARD_SHARING_ENABLED").trim() {
            "true" | "1" => true,
            "false" | "0" => false,
            other => anyhow::bail!("SVC_PUBLIC_BOARD_SHARING_ENABLED: it is true or false, not {other:?}"),
        };
        Ok(Self {
            is_enabled,
            most_cards: count("SVC_SHARE_BOARD_MAX_CARDS")?,
            most_tasks: count("SVC_SHARE_SCHEDULE_MAX_TASKS")?,
            frontend_url: setting("SVC_FRONTEND_BASE_URL").trim_end_matches('/').to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_setting_is_named() {
        let read = |cards: &'static str| {
            SharingSettings::from_settings(move |name| match name {
                "SVC_PUBLIC_BOARD_SHARING_ENABLED" => "true".to_owned(),
                "SVC_SHARE_BOARD_MAX_CARDS" => cards.to_owned(),
                _ => "1000".to_owned(),
            })
        };
        assert_eq!(read("7").unwrap().most_cards, 7);
        assert!(read("0").unwrap_err().to_string().contains("SVC_SHARE_BOARD_MAX_CARDS"));
    }
}
