//! Changing and resetting passwords, on the wire and in storage.
//! No password is ever answered, stored in clear or written to a log.

use planwright_domain::ids::UserId;
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Name, Secret};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

row! {
    /// A reset link that is still good.
    pub struct ResetLink {
        pub id: Uuid,
        pub user_id: UserId,
    }
}

input! {
    /// A request for a reset link.
    pub struct PasswordResetRequest {
        /// The address of the account.
        pub email: Name<1, 254>,
    }
}

input! {
    /// A new password for a person with a reset link.
    pub struct PasswordResetConfirmRequest {
        /// The person, as given in the link.
        pub uid: Name<1, 64>,
        /// The secret of the link.
        pub token: Name<1, 128>,
        /// The new password.
        pub new_password: Secret<1, 1024>,
    }
}

input! {
    /// A new password for the caller.
    pub struct PasswordChangeRequest {
        /// The current password.
        pub old_password: Secret<1, 1024>,
        /// The new password.
        pub new_password: Secret<1, 1024>,
    }
}

/// A message for people.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PasswordAnswer {
    /// A message for people.
    pub detail: &'static str,
}

/// The payload of the job that mails reset links.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResetRequest {
    /// The address that was typed in.
    pub email: String,
}
