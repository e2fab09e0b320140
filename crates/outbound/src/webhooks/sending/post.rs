//! One attempt of a delivery: the request with its signatures, computed again for each attempt over the same bytes.
//! `deliveries/rules.rs` decides what happens after the attempt.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};
use planwright_domain::hex;
use planwright_web::App;
use ring::hmac;

use crate::webhooks::deliveries::model::{Recipient, Taken};
use crate::webhooks::deliveries::rules::Attempt;
use planwright_egress::Egress;

/// The purpose of encrypted webhook secrets.
pub const SECRET: &str = "webhook secret";

/// The prefix of secrets in the form of Standard Webhooks. The rest is the key in base64.
const STANDARD_PREFIX: &str = "whsec_";

/// Sends a delivery once.
pub async fn attempt(app: &App, to: &Recipient, delivery: &Taken) -> Attempt {
    let headers = match headers_for(app, to, delivery) {
        Ok(headers) => headers,
        Err(error) => {
            tracing::error!(delivery = %delivery.id, error = %format!("{error:#}"), "a delivery cannot be signed");
            return Attempt::failed("It cannot be signed. Give the webhook a new secret.".to_owned());
        }
    };
    let body = Bytes::from(delivery.body.clone());
    match app.get::<Egress>().post(&to.url, headers, body).await {
        Ok(answer) => Attempt::answered(answer.status, answer.excerpt),
        Err(failure) => Attempt::failed(failure.to_string()),
    }
}

fn headers_for(app: &App, to: &Recipient, delivery: &Taken) -> anyhow::Result<HeaderMap> {
    let secret = app.sealer.open_text(SECRET, &to.sealed_secret)?.into_bytes();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_str(&format!("planwright/{}", app.settings.version))?);
    let prefix = &app.settings.prefix;
    let now = app.clock.now();
    let own = [
        (format!("x-{prefix}-event"), delivery.event_type.clone()),
        (format!("x-{prefix}-delivery"), delivery.id.to_string()),
        (format!("x-{prefix}-signature"), signature(&secret, delivery.body.as_bytes())),
        (format!("x-{prefix}-signature-v2"), dated_signature(&secret, now, &delivery.body)),
        (format!("x-{prefix}-webhook-sequence"), delivery.sequence_number.to_string()),
    ];
    let standard = [
        ("webhook-id".to_owned(), delivery.id.to_string()),
        ("webhook-timestamp".to_owned(), now.timestamp().to_string()),
        (
            "webhook-signature".to_owned(),
            standard_signature(&secret, &delivery.id.to_string(), now, &delivery.body),
        ),
    ];
    for (name, value) in own.into_iter().chain(standard) {
        headers.insert(HeaderName::from_bytes(name.as_bytes())?, HeaderValue::from_str(&value)?);
    }
    Ok(headers)
}

/// `sha256=` and the HMAC of the body in hexadecimal, keyed by the secret as it was typed.
fn signature(secret: &[u8], body: &[u8]) -> String {
    format!("sha256={}", hex(mac(secret, body).as_ref()))
}

/// `t=`, the time, `,v1=` and the HMAC of time and body in hexadecimal, so that an old request cannot be replayed.
fn dated_signature(secret: &[u8], at: DateTime<Utc>, body: &str) -> String {
    let signed = format!("{}.{body}", at.timestamp());
    format!("t={},v1={}", at.timestamp(), hex(mac(secret, signed.as_bytes()).as_ref()))
}

/// `v1,` and the HMAC of id, instant and body in base64, as Standard Webhooks has it.
fn standard_signature(secret: &[u8], id: &str, at: DateTime<Utc>, body: &str) -> String {
    let signed = format!("{id}.{}.{body}", at.timestamp());
    format!("v1,{}", STANDARD.encode(mac(&standard_key(secret), signed.as_bytes())))
}

/// The key of a secret. A secret in the form of Standard Webhooks is decoded, any other is the key itself.
fn standard_key(secret: &[u8]) -> Vec<u8> {
    let encoded = secret.strip_prefix(STANDARD_PREFIX.as_bytes());
    encoded.and_then(|text| STANDARD.decode(text).ok()).unwrap_or_else(|| secret.to_vec())
}

fn mac(key: &[u8], text: &[u8]) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_the_hmac_of_the_raw_bytes() {
        // The second test case of RFC 4231.
        let expected = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(signature(b"Jefe", b"what do ya want for nothing?"), expected);
    }

    #[test]
    fn a_dated_signature_covers_instant_and_body() {
        let at = DateTime::from_timestamp(1_614_265_330, 0).unwrap();
        let digits = hex(mac(b"Jefe", b"1614265330.what do ya want for nothing?").as_ref());
        let signature = dated_signature(b"Jefe", at, "what do ya want for nothing?");
        assert_eq!(signature, format!("t=1614265330,v1={digits}"));
    }

    #[test]
    fn a_standard_signature_covers_id_instant_and_body() {
        // The example that the specification of Standard Webhooks gives.
        let secret = b"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let at = DateTime::from_timestamp(1_614_265_330, 0).unwrap();
        let signature =
            standard_signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", at, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(standard_key(b"a secret without the prefix"), b"a secret without the prefix");
    }
}
