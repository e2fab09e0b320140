//! Codes of a second factor, without database or clock: those of an app (TOTP, RFC 6238) and those for people who lost theirs.
//! Passkeys are in `ceremonies.rs`.

use chrono::{DateTime, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::{Entropy, hex};
use qrcode::QrCode;
use qrcode::render::svg;
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Totp};

/// How many bytes the secret of an app has (RFC 4226 recommends them).
pub const SECRET_BYTES: usize = 20;

/// How long one code of an app lasts, in seconds.
const STEP_SECONDS: i64 = 30;

/// How many recovery codes a person has.
pub const RECOVERY_CODES: usize = 10;

/// When so many recovery codes are left, people are told to make new ones.
pub const FEW_RECOVERY_CODES: usize = 3;

/// How many signs a recovery code has, without its dashes: 80 bits.
const RECOVERY_SIGNS: usize = 16;

/// The signs of recovery codes; none looks like another.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// How long people have for the second step of a sign-in, in seconds.
pub const PATIENCE_SECONDS: i64 = 300;

/// How many wrong codes end a sign-in.
pub const MOST_ATTEMPTS: i64 = 5;

/// How many passkeys a person may have.
pub const MOST_PASSKEYS: usize = 20;

/// An app with this secret, as apps understand it.
pub fn totp(secret: &[u8], username: &str) -> anyhow::Result<Totp> {
    let account = username.replace(':', "_");
    let built = Builder::new()
        .with_secret(secret.to_vec())
        .with_account_name(account)
        .with_issuer(Some("planwright"))
        .with_skew(1)
        .build();
    built.map_err(|error| anyhow::anyhow!("{error}"))
}

/// The step that a code belongs to: the current one, the one before or the next. Codes are compared in constant time.
pub fn step_of(totp: &Totp, code: &str, now: DateTime<Utc>) -> Option<i64> {
    let step = totp.check(code, u64::try_from(now.timestamp()).ok()?)?;
    i64::try_from(step).ok()
}

/// The step before every one that may be accepted now.
pub fn step_before(now: DateTime<Utc>) -> i64 {
    now.timestamp() / STEP_SECONDS - 2
}

/// A code as it is compared: people type blanks and dashes.
pub fn plain(code: &str) -> String {
    code.chars().filter(|sign| !sign.is_whitespace() && *sign != '-').collect::<String>().to_lowercase()
}

/// Whether a plain code looks like one of an app.
pub fn is_of_app(code: &str) -> bool {
    code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// A random recovery code, in groups of four.
pub fn recovery_code() -> String {
    let bytes: [u8; RECOVERY_SIGNS] = Entropy.bytes();
    let signs = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    let groups = signs.enumerate().flat_map(|(at, sign)| {
        let dash = (at > 0 && at % 4 == 0).then_some('-');
        dash.into_iter().chain([sign])
    });
    groups.collect()
}

/// What is kept of a recovery code. It has 80 random bits, so nobody finds it by trying.
pub fn hash_of(user: UserId, plain_code: &str) -> String {
    let digest = Sha256::new().chain_update(b"recovery code").chain_update(user.0.as_bytes());
    hex(&digest.chain_update(plain_code).finalize())
}

/// Whether two hashes are the same, without telling by the time where they differ.
pub fn is_same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differing == 0
}

/// An address as a picture that a phone can read.
pub fn picture(uri: &str) -> anyhow::Result<String> {
    let code = QrCode::new(uri.as_bytes())?;
    Ok(code.render::<svg::Color<'_>>().min_dimensions(200, 200).build())
}

#[cfg(test)]
mod tests {
    use chrono::Duration;
    use uuid::Uuid;

    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::seconds(second)
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B: the last six digits for SHA-1.
        let totp = totp(b"12345678901234567890", "ann").unwrap();
        assert_eq!(step_of(&totp, "287082", at(59)), Some(1));
        assert_eq!(step_of(&totp, "081804", at(1_111_111_109)), Some(37_037_036));
        assert_eq!(step_of(&totp, "287083", at(59)), None);
    }

    #[test]
    fn a_code_is_good_one_step_before_and_after_its_time() {
        let totp = totp(b"12345678901234567890", "ann").unwrap();
        for (second, known) in [(0, Some(1)), (30, Some(1)), (89, Some(1)), (90, None)] {
            assert_eq!(step_of(&totp, "287082", at(second)), known, "{second}");
        }
        assert!(step_before(at(59)) < 0);
    }

    #[test]
    fn what_an_app_reads_names_the_account() {
        let totp = totp(b"12345678901234567890", "a:b@c").unwrap();
        let uri = totp.to_url().unwrap();
        assert!(uri.starts_with("otpauth://totp/planwright:a_b%40c?secret=GEZDGNBV"), "{uri}");
        assert!(picture(&uri).unwrap().contains("<svg"));
    }

    #[test]
    fn recovery_codes_are_long_and_forgive_how_they_are_typed() {
        let code = recovery_code();
        assert_eq!((code.len(), code.matches('-').count()), (19, 3), "{code}");
        assert_ne!(code, recovery_code());
        assert_eq!(plain(&format!(" {} ", code.to_uppercase())), code.replace('-', ""));
        let (ann, bob) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        assert_ne!(hash_of(ann, "x"), hash_of(bob, "x"));
        assert!(is_same("ab", "ab") && !is_same("ab", "ac") && !is_same("ab", "abc"));
        assert!(is_of_app(&plain("123 456")) && !is_of_app("12345") && !is_of_app("１２３４５６"));
    }
}
