//! Where settings come from: flags, then `SVC_*` variables, then `planwright.toml` in the data directory, then defaults.
//! Each setting is listed here once, with its default. The crate that reads a setting decides what it means.

mod known;

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

pub use known::{KNOWN, Known};

/// The variable that says where the data directory is.
pub const DATA_DIR_VARIABLE: &str = "SVC_DATA_DIR";

/// Old names that still work when the new one is not set.
const FALLBACKS: &[(&str, &str)] = &[
    ("SVC_AUTH_REFRESH_COOKIE_NAME", "AUTH_REFRESH_COOKIE_NAME"),
    ("SVC_AUTH_REFRESH_COOKIE_PATH", "AUTH_REFRESH_COOKIE_PATH"),
    ("SVC_AUTH_REFRESH_COOKIE_SAMESITE", "AUTH_REFRESH_COOKIE_SAMESITE"),
    ("SVC_AUTH_REFRESH_COOKIE_SECURE", "AUTH_REFRESH_COOKIE_SECURE"),
    ("SVC_DATABASE_URL", "DATABASE_URL"),
    ("SVC_REDIS_URL", "REDIS_URL"),
];

/// The settings in force, each with where it came from.
#[derive(Clone, Debug)]
pub struct Settings {
    values: BTreeMap<String, (String, String)>,
    /// Where files of this installation are.
    pub data_dir: PathBuf,
}

impl Settings {
    /// Reads every source; `flags` are values given on the command line, by setting name.
    pub fn load(
        data_dir: PathBuf,
        flags: &HashMap<&str, String>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> anyhow::Result<Self> {
        let file = read_file(&data_dir.join("planwright.toml"))?;
        let mut values = BTreeMap::new();
        let limits = planwright_web::limits::Limit::ALL.iter().filter_map(|limit| limit.row().setting);
        let names: Vec<&str> = KNOWN.iter().map(|known| known.name).chain(limits).collect();
        for name in &names {
            let fallback = FALLBACKS.iter().find(|(new, _)| new == name).map(|(_, old)| *old);
            let found = flags
                .get(name)
                .map(|value| (value.clone(), "flag".to_owned()))
                .or_else(|| environment(name).map(|value| (value, "environment".to_owned())))
                .or_else(|| {
                    file.get(&key_of(name)).map(|value| (value.clone(), "planwright.toml".to_owned()))
                })
                .or_else(|| {
                    let old = fallback?;
                    environment(old).map(|value| (value, format!("environment, as {old}")))
                });
            if let Some(found) = found {
                values.insert((*name).to_owned(), found);
            }
        }
        if let Some(unknown) = file.keys().find(|key| !names.iter().any(|name| key_of(name) == **key)) {
            bail!("planwright.toml: there is no setting called {unknown}");
        }
        Ok(Self { values, data_dir })
    }

    /// The value of a setting, if any source but the default gave one.
    pub fn given(&self, name: &str) -> Option<String> {
        self.values.get(name).map(|(value, _)| value.clone()).filter(|value| !value.is_empty())
    }

    /// The value of a setting, or its default.
    pub fn text(&self, name: &str) -> String {
        let default = KNOWN.iter().find(|known| known.name == name).map_or("", |known| known.default);
        self.given(name).unwrap_or_else(|| default.to_owned())
    }

    /// The value of a setting as people may read it: an address without its password, and of a secret only that it is there.
    pub fn shown(&self, known: &Known) -> String {
        match known.secret && self.given(known.name).is_some() {
            true => "(set)".to_owned(),
            false => without_password(self.text(known.name)),
        }
    }

    /// The value of a setting as people may read it, by its name.
    pub fn shown_text(&self, name: &str) -> String {
        KNOWN.iter().find(|known| known.name == name).map_or_else(String::new, |known| self.shown(known))
    }

    /// The value of a numeric setting.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> anyhow::Result<T> {
        let text = self.text(name);
        text.trim().parse().ok().with_context(|| format!("{name}: {text:?} is not a valid number"))
    }

    /// The value of a setting that is a whole number within bounds.
    pub fn whole(&self, name: &str, bounds: RangeInclusive<u64>) -> anyhow::Result<u64> {
        let number = self.number(name).ok().filter(|number| bounds.contains(number));
        let (least, most) = (bounds.start(), bounds.end());
        number.with_context(|| {
            format!("{name}: {:?} is not a whole number from {least} to {most}", self.text(name))
        })
    }

    /// The value of a truth setting.
    pub fn truth(&self, name: &str) -> anyhow::Result<bool> {
        match self.text(name).trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            other => bail!("{name}: {other:?} is neither true nor false"),
        }
    }

    /// The parts of a setting that is a list.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.text(name)
            .split(',')
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect()
    }

    /// Where the value of a setting came from.
    pub fn source(&self, name: &str) -> &str {
        self.values.get(name).map_or("default", |(_, source)| source)
    }
}

/// Sentences about variables of an environment that look like settings and are none, each with the nearest name.
pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<String> {
    let limits = planwright_web::limits::Limit::ALL.iter().filter_map(|limit| limit.row().setting);
    let known: Vec<&str> =
        KNOWN.iter().map(|known| known.name).chain(limits).chain([DATA_DIR_VARIABLE]).collect();
    let mut sentences: Vec<String> = names
        .filter(|name| name.starts_with("SVC_") && !known.contains(&name.as_str()))
        .map(|name| {
            let closeness = |known: &&&str| (strsim::jaro_winkler(known, &name) * 1e6) as u64;
            match known.iter().max_by_key(closeness).filter(|known| closeness(known) > 850_000) {
                Some(nearest) => format!("there is no setting called {name}; did you mean {nearest}?"),
                None => format!("there is no setting called {name}"),
            }
        })
        .collect();
    sentences.sort();
    sentences
}

/// `SVC_LISTEN` is `listen` in the file.
fn key_of(name: &str) -> String {
    name.strip_prefix("SVC_").unwrap_or(name).to_ascii_lowercase()
}

fn read_file(path: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    };
    let table: toml::Table = text.parse().map_err(|error| not_toml(path, &text, &error))?;
    Ok(table
        .into_iter()
        .map(|(key, value)| match value {
            toml::Value::String(text) => (key, text),
            other => (key, other.to_string()),
        })
        .collect())
}

/// Where a file is wrong, without the line itself: it may hold a secret.
fn not_toml(path: &Path, text: &str, error: &toml::de::Error) -> anyhow::Error {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    anyhow::anyhow!("{} is not TOML: line {line}: {}", path.display(), error.message())
}

/// The platform's place for an application's data.
pub fn default_data_dir(environment: impl Fn(&str) -> Option<String>) -> PathBuf {
    let base = environment("XDG_DATA_HOME").map(PathBuf::from).or_else(|| {
        let home = environment("HOME").map(PathBuf::from)?;
        Some(if cfg!(target_os = "macos") {
            home.join("Library/Application Support")
        } else {
            home.join(".local/share")
        })
    });
    base.unwrap_or_else(|| PathBuf::from(".")).join("planwright")
}

/// An address whose password, in front of the host or among its parameters, is replaced.
fn without_password(text: String) -> String {
    const HIDDEN: &str = "***";
    let Ok(mut url) = url::Url::parse(&text) else { return text };
    let is_secret = |name: &str| name.contains("password") || name.contains("secret");
    if url.password().is_some() && url.set_password(Some(HIDDEN)).is_err() {
        return HIDDEN.to_owned();
    }
    if url.query_pairs().any(|(name, _)| is_secret(&name)) {
        let kept: Vec<(String, String)> = url
            .query_pairs()
            .map(|(name, value)| match is_secret(&name) {
                true => (name.into_owned(), HIDDEN.to_owned()),
                false => (name.into_owned(), value.into_owned()),
            })
            .collect();
        url.query_pairs_mut().clear().extend_pairs(kept);
    }
    // What has no password is shown letter by letter as it was given.
    if url.as_str().contains(HIDDEN) { url.into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_beats_the_environment_which_beats_the_file_which_beats_an_old_name() {
        let dir = std::env::temp_dir().join("planwright-settings-test");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("planwright.toml"), "listen = \"file:1\"\nnum_proxies = 2\n").unwrap();
        let environment = |name: &str| match name {
            "SVC_MAX_BODY_BYTES" => Some("9".to_owned()),
            "AUTH_REFRESH_COOKIE_NAME" => Some("old".to_owned()),
            _ => None,
        };
        let flags = HashMap::from([("SVC_LISTEN", "flag:1".to_owned())]);
        let settings = Settings::load(dir, &flags, environment).unwrap();
        assert_eq!(settings.text("SVC_LISTEN"), "flag:1");
        assert_eq!(settings.number::<usize>("SVC_MAX_BODY_BYTES").unwrap(), 9);
        assert_eq!(settings.source("SVC_NUM_PROXIES"), "planwright.toml");
        assert_eq!(settings.text("SVC_AUTH_REFRESH_COOKIE_NAME"), "old");
        assert_eq!(settings.source("SVC_EDITION"), "default");
        assert!(settings.number::<u8>("SVC_EDITION").unwrap_err().to_string().contains("SVC_EDITION"));
    }

    #[test]
    fn a_variable_that_is_no_setting_is_named_with_the_nearest_one() {
        let names =
            ["SVC_LISTEN", "SVC_DATA_DIR", "SVC_THROTTLE_USER_RATE", "PATH", "SVC_DATABSE_URL", "SVC_QQ"];
        let said = unknown_variables(names.iter().map(|name| (*name).to_owned()));
        assert_eq!(
            said,
            [
                "there is no setting called SVC_DATABSE_URL; did you mean SVC_DATABASE_URL?",
                "there is no setting called SVC_QQ",
            ]
        );
    }

    #[test]
    fn a_file_that_is_wrong_is_named_with_the_line_and_without_what_stands_there() {
        let text = "listen = \"x:1\"\nsecret_key = \"hush-hush\n";
        let error = text.parse::<toml::Table>().unwrap_err();
        let said = not_toml(Path::new("planwright.toml"), text, &error).to_string();
        assert!(said.contains("planwright.toml is not TOML: line 2:") && !said.contains("hush"), "{said}");
    }

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        let shown = |text: &str| without_password(text.to_owned());
        assert_eq!(shown("postgres://ann:pass@db:5432/plans"), "postgres://ann:***@db:5432/plans");
        assert_eq!(
            shown("postgres://db/plans?user=ann&password=x"),
            "postgres://db/plans?user=ann&password=***"
        );
        assert_eq!(shown("redis://:pass@cache/0"), "redis://:***@cache/0");
        assert_eq!(
            shown("postgres://ann@db/plans?sslmode=disable"),
            "postgres://ann@db/plans?sslmode=disable"
        );
        assert_eq!(shown("127.0.0.1:8400"), "127.0.0.1:8400");
    }
}
