//! How large files may be, one by one and together.

/// The largest file by default, in megabytes.
const MOST_MEGABYTES: u64 = 100;

/// How much files may take.
#[derive(Clone, Debug)]
pub struct FileSettings {
    /// The largest file, in bytes (`SVC_ATTACHMENT_MAX_MB`).
    pub most_bytes: u64,
    /// How many bytes the files of one project may have in all (`SVC_ATTACHMENTS_PROJECT_QUOTA_MB`); none is no limit.
    pub project_quota_bytes: Option<u64>,
    /// How many bytes all files may have (`SVC_ATTACHMENTS_QUOTA_MB`); none is no limit.
    pub quota_bytes: Option<u64>,
}

impl FileSettings {
    /// The settings as they were given; the message names the one that is wrong.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        let megabytes = |name: &str| -> anyhow::Result<u64> {
            let text = setting(name);
            let parsed = text.trim().parse::<u64>().ok().filter(|size| *size <= 1 << 30);
            parsed.ok_or_else(|| anyhow::anyhow!("{name}: {text:?} is not a whole number of megabytes"))
        };
        let bytes = |size: u64| size << 20;
        let quota = |size: u64| (size > 0).then(|| bytes(size));
        let most = megabytes("SVC_ATTACHMENT_MAX_MB")?;
        Ok(Self {
            most_bytes: bytes(if most == 0 { MOST_MEGABYTES } else { most }),
            project_quota_bytes: quota(megabytes("SVC_ATTACHMENTS_PROJECT_QUOTA_MB")?),
            quota_bytes: quota(megabytes("SVC_ATTACHMENTS_QUOTA_MB")?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_is_no_number_is_named() {
        let read = |value: &'static str| FileSettings::from_settings(move |_| value.to_owned());
        assert_eq!(read("2").unwrap().most_bytes, 2 << 20);
        assert_eq!(read("0").unwrap().quota_bytes, None);
        assert!(read("much").unwrap_err().to_string().contains("SVC_ATTACHMENT_MAX_MB"));
    }
}
