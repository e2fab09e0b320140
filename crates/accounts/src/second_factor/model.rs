//! Second factors on the wire and in storage. Secrets are sealed, codes are hashed, and neither is shown a second time.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{PasskeyId, UserId};
use planwright_store::record::OnDelete;
use planwright_store::{ToValue, Tracked, Value, record, row};
use planwright_web::input::{Name, Patch, Secret};
use planwright_web::{body, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::sign_in::model::RememberMe;

/// The policy in the history, which knows rows by id.
const POLICY: Uuid = Uuid::from_u128(3);

row! {
    /// The app of a person that makes codes.
    pub struct TotpRow {
        pub id: Uuid,
        pub sealed_secret: String,
        pub confirmed_at: Option<DateTime<Utc>>,
    }
}

impl TotpRow {
    /// What its secret is sealed for.
    pub fn purpose(id: Uuid) -> String {
        format!("totp factor {id}")
    }
}

row! {
    /// A passkey of a person.
    pub struct PasskeyRow {
        pub id: PasskeyId,
        pub user_id: UserId,
        pub name: String,
        pub credential_id: String,
        pub public_key: String,
        pub counter_state: String,
        pub created_at: DateTime<Utc>,
        pub last_used_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// Something that waits for its second step.
    pub struct ChallengeRow {
        pub user_id: Option<UserId>,
        pub sealed_state: String,
        pub remember: bool,
    }
}

record! {
    /// What the workspace asks of sign-ins, as it is stored.
    pub struct SignInPolicyRow in sign_in_policy {
        #[serde(skip)]
        pub id: i64,
        pub second_factor_required: bool,
        pub sso_is_second_factor: bool,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

// There is one row; nobody deletes it.
impl Tracked for SignInPolicyRow {
    const ENTITY: &'static str = "sign_in_policy";

    const ON_DELETE: OnDelete = OnDelete::Remove;

    fn id(&self) -> Uuid {
        POLICY
    }

    fn key(&self) -> Value {
        self.id.to_value()
    }

    fn version(&self) -> i64 {
        self.server_version
    }

    fn set_version(&mut self, version: i64) {
        self.server_version = version;
    }
}

impl SignInPolicyRow {
    /// What holds before anybody writes: nothing beyond a password is asked, and providers are trusted.
    pub fn fresh(now: DateTime<Utc>) -> Self {
        Self {
            id: 1,
            second_factor_required: false,
            sso_is_second_factor: true,
            updated_at: now,
            server_version: 1,
        }
    }

    /// Whether both ask the same of sign-ins.
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        let said = |row: &Self| (row.second_factor_required, row.sso_is_second_factor);
        said(self) == said(other)
    }
}

/// What the workspace asks of sign-ins.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SignInPolicy {
    /// Whether people without a second factor can do nothing but set one up.
    pub second_factor_required: bool,
    /// Whether a sign-in with a provider of identities counts as one with a second factor.
    pub sso_is_second_factor: bool,
    /// How many people who may sign in have no second factor.
    pub people_without: i64,
}

body! {
    /// What the workspace asks of sign-ins.
    pub struct SignInPolicyRequest;
    /// Some of it.
    pub struct PatchedSignInPolicyRequest;
    required {
        /// Whether people without a second factor can do nothing but set one up.
        second_factor_required: bool,
        /// Whether a sign-in with a provider of identities counts as one with a second factor.
        sso_is_second_factor: bool,
    }
}

/// A passkey.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Passkey {
    pub id: PasskeyId,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

impl From<PasskeyRow> for Passkey {
    fn from(row: PasskeyRow) -> Self {
        Self { id: row.id, name: row.name, created_at: row.created_at, last_used_at: row.last_used_at }
    }
}

/// The second factors of a person.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SecondFactor {
    /// Since when the person has any. Null: they have none.
    pub since: Option<DateTime<Utc>>,
    /// Whether the workspace wants one.
    pub is_required: bool,
    /// Since when an app makes codes. Null: none does.
    pub totp_since: Option<DateTime<Utc>>,
    /// The passkeys, oldest first.
    pub passkeys: Vec<Passkey>,
    /// Whether passkeys can be made at the address of this installation.
    pub passkeys_available: bool,
    /// How many recovery codes are left.
    pub recovery_codes_left: i64,
}

/// An app that is being set up. It is shown only once.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TotpSetup {
    /// The secret, for typing it in (base32).
    pub secret: String,
    /// The same as an address that apps open.
    pub otpauth_uri: String,
    /// The same as a picture that apps read (SVG).
    pub qr_svg: String,
}

/// Recovery codes. They are shown only once.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RecoveryCodes {
    /// Each is good once. Empty if the person has some already.
    pub recovery_codes: Vec<String>,
}

/// A new passkey, and the recovery codes if it is the first factor.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AddedPasskey {
    pub passkey: Passkey,
    /// Each is good once. They are shown only once, and empty if the person has some already.
    pub recovery_codes: Vec<String>,
}

/// What an authenticator is asked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PasskeyOptions {
    /// Goes back together with the answer. It is good for five minutes, once.
    pub challenge: String,
    /// For `navigator.credentials`, as `publicKey`, after `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.
    pub public_key: Json,
}

input! {
    /// A code.
    pub struct TotpCodeRequest {
        /// Six digits of the app.
        pub code: Name<1, 64>,
    }
}

input! {
    /// A passkey that an authenticator made.
    pub struct NewPasskeyRequest {
        /// What options were answered with.
        pub challenge: Name<1, 128>,
        /// What people call it.
        pub name: Name<1, 80>,
        /// What the browser answered, as its `toJSON()` writes it.
        pub credential: Map<String, Json>,
    }
}

input! {
    /// Another name of a passkey.
    pub struct PasskeyNameRequest {
        /// What people call it.
        pub name: Patch<Name<1, 80>>,
    }
}

input! {
    /// The second step of a sign-in.
    pub struct SecondStepRequest {
        /// What the first step was answered with. It can be left out where a cookie has it, after a sign-in with a provider.
        pub challenge: Patch<Name<0, 128>>,
        /// Six digits of the app, or a recovery code.
        pub code: Name<1, 64>,
    }
}

input! {
    /// A sign-in with a passkey.
    pub struct PasskeySignInRequest {
        /// What options were answered with.
        pub challenge: Name<1, 128>,
        /// What the browser answered, as its `toJSON()` writes it.
        pub credential: Map<String, Json>,
        /// Whether the sign-in continues after the browser is closed.
        pub remember_me: RememberMe,
    }
}

input! {
    /// A proof that it is the caller who acts: one of password, code, or passkey with its challenge.
    pub struct ConfirmationRequest {
        /// The password.
        pub current_password: Patch<Secret<0, 1024>>,
        /// Six digits of the app, or a recovery code.
        pub code: Patch<Name<0, 64>>,
        /// What passkey options were answered with.
        pub challenge: Patch<Name<0, 128>>,
        /// What the browser answered, as its `toJSON()` writes it.
        pub credential: Patch<Map<String, Json>>,
    }
}
