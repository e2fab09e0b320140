//! The settings of the storage of files.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};

use crate::bucket::BucketSettings;

/// Where the files of an installation are.
#[derive(Clone, Debug)]
pub struct StorageSettings {
    /// The directory of the files, or only of those that are not complete yet when there is a bucket.
    pub directory: PathBuf,
    /// The bucket of the files, if they are in one.
    pub bucket: Option<BucketSettings>,
}

/// Where the uploaded files are: in the directory of a setting, else in the data directory.
pub fn directory(setting: impl Fn(&str) -> String, data_dir: &Path) -> PathBuf {
    let given = setting("SVC_ATTACHMENTS_DIR");
    if given.trim().is_empty() { data_dir.join("attachments") } else { given.into() }
}

impl StorageSettings {
    /// The settings as they were given; `setting` gives the value of one, or its default.
    ///
    /// # Errors
    /// A setting that is missing or cannot be used; the message names it.
    pub fn from_settings(setting: impl Fn(&str) -> String, data_dir: &Path) -> anyhow::Result<Self> {
        let directory = directory(&setting, data_dir);
        let text = |name: &str| setting(name).trim().to_owned();
        let bucket = match text("SVC_DEFAULT_FILE_STORAGE").as_str() {
            "" | "local" => None,
            "s3" => Some(bucket(text)?),
            other => bail!("SVC_DEFAULT_FILE_STORAGE: {other:?} is neither local nor s3"),
        };
        Ok(Self { directory, bucket })
    }
}

fn bucket(text: impl Fn(&str) -> String) -> anyhow::Result<BucketSettings> {
    let settings = BucketSettings {
        name: text("SVC_S3_BUCKET"),
        endpoint: text("SVC_S3_ENDPOINT"),
        region: text("SVC_S3_REGION"),
        access_key_id: text("SVC_S3_ACCESS_KEY_ID"),
        secret_access_key: text("SVC_S3_SECRET_ACCESS_KEY"),
        prefix: text("SVC_S3_PREFIX"),
        is_virtual_host: match text("SVC_S3_VIRTUAL_HOST").to_lowercase().as_str() {
            "" | "false" => false,
            "true" => true,
            other => bail!("SVC_S3_VIRTUAL_HOST: {other:?} is neither true nor false"),
        },
    };
    ensure!(!settings.name.is_empty(), "SVC_S3_BUCKET is missing: SVC_DEFAULT_FILE_STORAGE is s3");
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    ensure!(settings.name.chars().all(is_name), "SVC_S3_BUCKET: {:?} is no name of a bucket", settings.name);
    let is_web = |endpoint: &str| ["http://", "https://"].iter().any(|scheme| endpoint.starts_with(scheme));
    ensure!(
        settings.endpoint.is_empty() || is_web(&settings.endpoint),
        "SVC_S3_ENDPOINT: {:?} begins with neither http:// nor https://",
        settings.endpoint
    );
    let has_half_a_key = settings.access_key_id.is_empty() != settings.secret_access_key.is_empty();
    ensure!(!has_half_a_key, "SVC_S3_ACCESS_KEY_ID and SVC_S3_SECRET_ACCESS_KEY need each other");
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[(&str, &str)]) -> anyhow::Result<StorageSettings> {
        let value = |name: &str| given.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value);
        StorageSettings::from_settings(|name| value(name).to_owned(), Path::new("/data"))
    }

    #[test]
    fn files_are_in_the_data_directory_unless_a_setting_says_otherwise() {
        let usual = read(&[]).unwrap();
        assert_eq!((usual.directory, usual.bucket.is_none()), ("/data/attachments".into(), true));
        let elsewhere = read(&[("SVC_ATTACHMENTS_DIR", "/files")]).unwrap();
        assert_eq!(elsewhere.directory, PathBuf::from("/files"));
    }

    #[test]
    fn a_setting_of_a_bucket_that_is_missing_or_wrong_is_named() {
        for (given, named) in [
            (vec![("SVC_DEFAULT_FILE_STORAGE", "ftp")], "SVC_DEFAULT_FILE_STORAGE"),
            (vec![("SVC_DEFAULT_FILE_STORAGE", "s3")], "SVC_S3_BUCKET"),
            (
                vec![
                    ("SVC_DEFAULT_FILE_STORAGE", "s3"),
                    ("SVC_S3_BUCKET", "plans"),
                    ("SVC_S3_ACCESS_KEY_ID", "a"),
                ],
                "SVC_S3_SECRET_ACCESS_KEY",
            ),
            (vec![("SVC_DEFAULT_FILE_STORAGE", "s3"), ("SVC_S3_BUCKET", "no such")], "SVC_S3_BUCKET"),
            (
                vec![
                    ("SVC_DEFAULT_FILE_STORAGE", "s3"),
                    ("SVC_S3_BUCKET", "plans"),
                    ("SVC_S3_ENDPOINT", "ftp://files.example.org"),
                ],
                "SVC_S3_ENDPOINT",
            ),
            (
                vec![
                    ("SVC_DEFAULT_FILE_STORAGE", "s3"),
                    ("SVC_S3_BUCKET", "plans"),
                    ("SVC_S3_VIRTUAL_HOST", "maybe"),
                ],
                "SVC_S3_VIRTUAL_HOST",
            ),
        ] {
            let error = read(&given).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
