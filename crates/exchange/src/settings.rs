//! The settings of this area. Their names and defaults are listed with all others in `server/src/settings.rs`.

/// Room for the other fields of a form and its boundaries, beside the document itself.
const FORM_ROOM: usize = 64 * 1024;

/// How documents are taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeSettings {
    /// The largest document, in bytes (`SEED_MAX_UPLOAD_MB`).
    pub most_bytes: usize,
}

impl Default for ExchangeSettings {
    fn default() -> Self {
        Self { most_bytes: 5 << 20 }
    }
}

impl ExchangeSettings {
    /// The settings as they were given; the message names the one that is wrong.
    pub fn from_settings(setting: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let Some(given) = setting("SEED_MAX_UPLOAD_MB") else { return Ok(Self::default()) };
        let megabytes: Option<f64> = given.trim().parse().ok();
        match megabytes.filter(|size| *size > 0.0 && *size <= 1024.0) {
            Some(size) => Ok(Self { most_bytes: (size * f64::from(1 << 20)) as usize }),
            None => Err(format!("SEED_MAX_UPLOAD_MB: {given:?} is not a number above 0 and at most 1024")),
        }
    }

    /// The largest request that can hold such a document.
    pub fn most_request_bytes(&self) -> usize {
        self.most_bytes + FORM_ROOM
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceiling_is_given_in_megabytes_and_a_wrong_one_is_named() {
        let read = |value: Option<&str>| ExchangeSettings::from_settings(|_| value.map(str::to_owned));
        assert_eq!(read(None).unwrap().most_bytes, 5_242_880);
        assert_eq!(read(Some("0.5")).unwrap().most_bytes, 524_288);
        for wrong in ["0", "-1", "many", "NaN", "1e9"] {
            assert!(read(Some(wrong)).unwrap_err().contains("SEED_MAX_UPLOAD_MB"), "{wrong}");
        }
    }
}
