//! Who somebody is here, after their provider said who they are there. People are known by issuer and subject; an address links
//! somebody once, and only if the provider has verified it and its domain is allowed.

use planwright_domain::ids::UserId;
use planwright_domain::words::{AuditKind, MemberStatus, SignInEvent};
use planwright_store::audit::Audited;
use planwright_store::{StoreError, Tx};
use planwright_web::{ApiResult, App};
use serde_json::json;

use super::super::providers::model::SsoProviderRow;
use super::super::{Identity, Refusal};
use super::{queries, rules};
use crate::people::{self, NewPerson, may_sign_in};
use crate::second_factor::{self, challenges};
use crate::settings::AccountSettings;
use crate::sign_in::audit::How;
use crate::sign_in::model::{Device, SignedIn};
use crate::sign_in::{Factor, Session, audit};

/// How far somebody got who came back from their provider.
#[derive(Debug)]
pub enum Entered {
    /// They are signed in.
    SignedIn(SignedIn),
    /// They have to show their second factor here; the word continues the sign-in.
    Waits(String),
}

/// Whether the workspace takes what a provider asked for as a second factor.
async fn provider_counts(tx: &Tx) -> ApiResult<bool> {
    Ok(second_factor::queries::policy(tx).await?.is_none_or(|policy| policy.sso_is_second_factor))
}

async fn has_second_factor(tx: &Tx, person: UserId) -> ApiResult<bool> {
    Ok(second_factor::queries::standing(tx, person).await?.since.is_some())
}

/// Signs the person of an identity in. The inner error says why nobody is signed in.
pub async fn sign_in(
    app: &App,
    provider: &SsoProviderRow,
    identity: &Identity,
    device: &Device,
) -> ApiResult<Result<Entered, Refusal>> {
    let mut tx = app.db.begin().await?;
    let person = match person(&mut tx, provider, identity, device).await? {
        Ok(person) => person,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if !queries::note_sign_in(&mut tx, person).await? {
        return Ok(Err(Refusal::AccountDisabled));
    }
    queries::note_use(&mut tx, provider.id, &identity.subject).await?;
    let counts = provider_counts(&tx).await?;
    if !counts && has_second_factor(&tx, person).await? {
        let word = challenges::begin_sign_in(&mut tx, person, false).await?;
        tx.commit().await?;
        return Ok(Ok(Entered::Waits(word)));
    }
    let longest = app.get::<AccountSettings>().longest_session;
    let factor = if counts { Factor::OfProvider } else { Factor::None };
    let session = Session::begin(&mut tx, person, device, longest, factor).await?;
    // A sign-in at a provider ends with the browser (contract 1, rule 8).
    let signed_in = session.issue(app, &mut tx, Some(false)).await?;
    let how = How { device, provider: Some(&provider.slug), second_factor: None };
    audit::note_how(&mut tx, SignInEvent::SignedIn, person, Some(session.id), Some(person), how).await?;
    tx.commit().await?;
    Ok(Ok(Entered::SignedIn(signed_in)))
}

async fn person(
    tx: &mut Tx,
    provider: &SsoProviderRow,
    identity: &Identity,
    device: &Device,
) -> ApiResult<Result<UserId, Refusal>> {
    if let Some(known) = known(tx, provider, identity).await? {
        return Ok(known);
    }
    let Some(email) = identity.verified_email.as_deref() else { return Ok(Err(Refusal::EmailUnverified)) };
    if !rules::applies(provider, email) {
        return Ok(Err(Refusal::NoMember));
    }
    let found = match queries::by_address(tx, provider, email).await?.as_slice() {
        [one] if !rules::may_link(one) => Err(Refusal::NoMember),
        [one] => active(one.id, one.is_active, one.status),
        [] if provider.auto_create_members && creates(tx, provider).await? => {
            Ok(add(tx, provider, identity, email).await?)
        }
        _ => Err(Refusal::NoMember),
    };
    // Of two first sign-ins at once, the second waited for the first, which has linked the person by now.
    if let (Err(Refusal::NoMember), Some(known)) = (&found, known(tx, provider, identity).await?) {
        return Ok(known);
    }
    if let Ok(person) = found {
        queries::link(tx, provider.id, person, identity).await?;
        tx.audit(linked(provider, person, identity, device)).await?;
    }
    Ok(found)
}

/// The person who is linked to a subject already.
async fn known(
    tx: &mut Tx,
    provider: &SsoProviderRow,
    identity: &Identity,
) -> ApiResult<Option<Result<UserId, Refusal>>> {
    let linked = queries::linked(tx, provider.id, &identity.subject).await?;
    Ok(linked.map(|(id, is_active, status, issuer)| match issuer == identity.issuer {
        true => active(id, is_active, status),
        false => Err(Refusal::NoMember),
    }))
}

async fn creates(tx: &Tx, provider: &SsoProviderRow) -> ApiResult<bool> {
    Ok(rules::may_create(queries::keeper_role(tx, provider).await?, provider.default_role))
}

/// The line of the audit about somebody who is known at a provider from now on.
fn linked(provider: &SsoProviderRow, person: UserId, identity: &Identity, device: &Device) -> Audited {
    let metadata = json!({
        "provider": provider.slug, "issuer": identity.issuer, "subject": identity.subject, "source_ip": device.address,
    });
    let (kind, actor, target) = (AuditKind::IdentityLinked, Some(person), Some(person.0));
    Audited { kind, actor, target_type: "user", target, label: String::new(), metadata }
}

/// Notes in the audit that somebody came back from a provider and was not let in. Whoever never went there leaves no line.
pub async fn note_refusal(
    app: &App,
    provider: &SsoProviderRow,
    refusal: Refusal,
    device: &Device,
) -> ApiResult<()> {
    let mut tx = app.db.begin().await?;
    let metadata = json!({ "reason": refusal.as_str(), "source_ip": device.address });
    let (kind, target, label) = (AuditKind::SignInRefused, Some(provider.id.0), provider.slug.clone());
    let line = Audited { kind, actor: None, target_type: "sso_provider", target, label, metadata };
    tx.audit(line).await?;
    Ok(tx.commit().await?)
}

fn active(id: UserId, is_active: bool, status: MemberStatus) -> Result<UserId, Refusal> {
    if may_sign_in(is_active, status) { Ok(id) } else { Err(Refusal::AccountDisabled) }
}

async fn add(tx: &mut Tx, provider: &SsoProviderRow, identity: &Identity, email: &str) -> ApiResult<UserId> {
    for username in rules::usernames(email) {
        if people::is_name_taken(tx, &username).await? {
            continue;
        }
        let (first_name, last_name) = rules::names(&identity.name);
        let person = NewPerson {
            username,
            email: email.to_owned(),
            first_name,
            last_name,
            password_hash: None,
            workspace_role: provider.default_role,
        };
        return Ok(people::let_in(tx, &person).await?);
    }
    Err(StoreError::Unexpected(anyhow::anyhow!("no user name is free for a new person")).into())
}
