//! Inviting, sending again, revoking and accepting.

use planwright_domain::access::may;
use planwright_domain::words::{ChangeKind, InviteStatus};
use planwright_jobs::mail;
use planwright_plan::edit::Edit;
use planwright_store::history::Change;
use planwright_store::{Read, Tx};
use planwright_web::{ApiError, ApiResult, App, WorkspaceScope, token};
use serde_json::json;

use super::model::{
    InviteAcceptRequest, InviteAccepted, InviteRow, ListedInvite, WorkspaceInviteCreateRequest,
};
use super::{queries, rules};
use crate::passwords::rules::{Wanted, is_plain_address, weaknesses};
use crate::people::{self, NewPerson, PersonRow};
use crate::settings::AccountSettings;
use crate::{hashing, passwords};

/// Why an address gets no invitation.
const TAKEN: &str = "Somebody has this address, or an invitation waits for an answer.";

/// Who invites.
pub(super) type Administrator = WorkspaceScope<may::AdministerWorkspace>;

/// Invites somebody; the mail leaves after the commit.
///
/// # Errors
/// 400 when the address is none, belongs to somebody or has an invitation that waits; 403 for too high a rank.
pub(super) async fn invite(
    app: &App,
    scope: Administrator,
    request: WorkspaceInviteCreateRequest,
) -> ApiResult<ListedInvite> {
    let mut edit = Edit::begin(app, &scope).await?;
    let email = String::from(request.email);
    if !is_plain_address(&email) {
        return Err(ApiError::invalid_field("email", "Enter a valid e-mail address."));
    }
    let role = rules::granted(request.role, edit.grant.actor.workspace_role)?;
    let email_key = rules::key(&email);
    let now = edit.now();
    if queries::is_taken(&edit, &email_key, now).await? {
        return Err(ApiError::invalid_field("email", TAKEN));
    }
    if let Some(expired) = queries::lock_expired(&edit, &email_key, now).await? {
        let after = InviteRow { status: InviteStatus::Revoked, ended_at: Some(now), ..expired.clone() };
        edit.update(&expired, after).await?;
    }
    if queries::count_pending(&edit).await? >= rules::MOST_PENDING {
        return Err(ApiError::bad_request("Too many invitations wait for an answer."));
    }
    let secret = token::random();
    let row = InviteRow {
        id: edit.mint(),
        email,
        email_key,
        role,
        status: InviteStatus::Pending,
        token_hash: token::hash(&secret),
        invited_by: edit.grant.actor.id,
        created_at: edit.now(),
        expires_at: edit.now() + rules::lifetime(),
        ended_at: None,
        server_version: 1,
    };
    edit.create(&row).await.map_err(|error| taken(error, "uq_workspace_invites_pending", "email", TAKEN))?;
    send(app, &mut edit, &row, &secret).await?;
    let listed = listed(&edit, &row).await?;
    edit.commit().await?;
    Ok(listed)
}

/// Sends the mail of an invitation again with a new link; the old one is good no more.
pub(super) async fn resend(app: &App, edit: &mut Edit, row: InviteRow) -> ApiResult<()> {
    if row.status != InviteStatus::Pending {
        return Err(ApiError::conflict("This invitation has been answered or revoked."));
    }
    // Whoever sends it again stands for it from now on.
    rules::granted(planwright_web::input::Patch::Set(row.role), edit.grant.actor.workspace_role)?;
    let secret = token::random();
    let after = InviteRow {
        token_hash: token::hash(&secret),
        invited_by: edit.grant.actor.id,
        expires_at: edit.now() + rules::lifetime(),
        ..row.clone()
    };
    let resent = serde_json::Map::from_iter([("resent".to_owned(), json!([null, edit.now()]))]);
    let written = edit.update_noting(&row, after, resent).await?;
    send(app, edit, &written.row, &secret).await
}

/// Sends the mails of all invitations again that wait and that the caller may send; returns how many.
pub(super) async fn resend_all(app: &App, scope: Administrator) -> ApiResult<usize> {
    let mut edit = Edit::begin(app, &scope).await?;
    let own = edit.grant.actor.workspace_role;
    let mut count = 0;
    for row in queries::lock_pending(&edit).await?.into_iter().filter(|row| row.role < own) {
        resend(app, &mut edit, row).await?;
        count += 1;
    }
    edit.commit().await?;
    Ok(count)
}

/// Revokes an invitation. A second time changes nothing.
pub(super) async fn revoke(mut edit: Edit, row: InviteRow) -> ApiResult<()> {
    if row.status == InviteStatus::Accepted {
        return Err(ApiError::conflict("This invitation was accepted."));
    }
    let after = InviteRow { status: InviteStatus::Revoked, ended_at: Some(edit.now()), ..row.clone() };
    if row.status == InviteStatus::Pending {
        edit.update(&row, after).await?;
    }
    Ok(edit.commit().await?)
}

/// The invitation of a token, if it can be accepted.
///
/// # Errors
/// The same 400 for every token that is no good, also when who sent it may not give its rank any more.
pub async fn invited(app: &App, secret: &str) -> ApiResult<InviteRow> {
    let invite = queries::good(&app.db, &token::hash(secret), app.clock.now(), "").await?;
    let invite = invite.ok_or_else(rules::no_good)?;
    match queries::may_grant(&app.db, invite.invited_by, invite.role).await? {
        true => Ok(invite),
        false => Err(rules::no_good()),
    }
}

/// Lets in who holds the link of an invitation, with an account of their address.
pub async fn accept(app: &App, request: InviteAcceptRequest) -> ApiResult<InviteAccepted> {
    let secret = String::from(request.token);
    let invite = invited(app, &secret).await?;
    let password = request.password.given().map(String::from).unwrap_or_default();
    let known = queries::people_at(&app.db, &invite.email_key).await?;
    let newcomer = match known.is_empty() {
        true => {
            let chosen = request.username.given().map(String::from).filter(|name| !name.trim().is_empty());
            let username = chosen.unwrap_or_else(|| rules::suggested_name(&invite.email));
            Some(newcomer(app, &invite, username, password.clone()).await?)
        }
        false => None,
    };
    let holder = holder(known, password).await?;
    let mut tx = app.db.begin().await?;
    let lock = tx.engine().row_lock();
    let invite = queries::good(&tx, &token::hash(&secret), tx.now(), lock).await?;
    let invite = invite.ok_or_else(rules::no_good)?;
    if !queries::may_grant(&tx, invite.invited_by, invite.role).await? {
        return Err(rules::no_good());
    }
    let username = let_in(&mut tx, &invite, newcomer, holder).await?;
    tx.commit().await?;
    Ok(InviteAccepted { detail: "Welcome. You can sign in now.", username })
}

/// What a person is told whom another request was ahead of by a moment: the same as if it had been ahead by more.
fn taken(error: ApiError, key: &str, field: &'static str, message: &'static str) -> ApiError {
    match error.body().get("key").is_some_and(|taken| taken == key) {
        true => ApiError::invalid_field(field, message),
        false => error,
    }
}

/// Adds the account, or raises the rank of the one there is, and uses the invitation up.
async fn let_in(
    tx: &mut Tx,
    invite: &InviteRow,
    newcomer: Option<NewPerson>,
    holder: Option<PersonRow>,
) -> ApiResult<String> {
    let (person, username) = match (newcomer, holder) {
        (Some(newcomer), _) => {
            let id = people::let_in(tx, &newcomer).await.map_err(ApiError::from);
            let late = |error| taken(error, "uq_users_username", "username", "This user name is taken.");
            (id.map_err(late)?, newcomer.username)
        }
        (None, Some(holder)) => {
            if queries::raise(tx, holder.id, invite.role).await? {
                let sides = json!([holder.workspace_role, invite.role]);
                people::record(tx, holder.id, Some(holder.id), "workspace_role", sides).await?;
            }
            (holder.id, holder.username)
        }
        (None, None) => return Err(rules::no_good()),
    };
    let mut after = InviteRow { status: InviteStatus::Accepted, ended_at: Some(tx.now()), ..invite.clone() };
    after.server_version += 1;
    let number = tx.next_change_number(None).await?;
    tx.update(&after, planwright_store::record::column("change_number", number)).await?;
    let updated = Change::of("invite", invite.id, ChangeKind::Updated, person).between(invite, &after);
    tx.record(Change { version: after.server_version, ..updated }).await?;
    Ok(username)
}

/// The account that an invitation makes, or what is wrong with its name and password.
async fn newcomer(app: &App, invite: &InviteRow, username: String, password: String) -> ApiResult<NewPerson> {
    if let Some(wrong) = rules::wrong_with_name(&username) {
        return Err(ApiError::invalid_field("username", wrong));
    }
    if people::is_name_taken(&app.db, &username).await? {
        return Err(ApiError::invalid_field("username", "Choose another user name; this one is taken."));
    }
    let wanted = Wanted { password: &password, username: &username, email: &invite.email, is_current: false };
    let wrong = weaknesses(wanted);
    if !wrong.is_empty() {
        let refusal = ApiError::bad_request("This password is too weak.").with_code("weak_password");
        return Err(refusal.with("messages", wrong));
    }
    let password_hash = Some(passwords::hash_aside(password).await?);
    Ok(NewPerson {
        username,
        email: invite.email.clone(),
        first_name: String::new(),
        last_name: String::new(),
        password_hash,
        workspace_role: invite.role,
    })
}

/// The one account of an address, for who knows its password: a link alone opens no account that is there.
async fn holder(known: Vec<PersonRow>, password: String) -> ApiResult<Option<PersonRow>> {
    let mut known = known.into_iter();
    let (Some(person), None) = (known.next(), known.next()) else { return Ok(None) };
    let is_right = hashing::matches_aside(password, person.password_hash.clone()).await?;
    Ok(Some(person).filter(|person| is_right && person.may_sign_in()))
}

async fn send(app: &App, edit: &mut Edit, row: &InviteRow, secret: &str) -> ApiResult<()> {
    let link = rules::link(app.get::<AccountSettings>(), secret);
    let sealed = mail::seal_link(&app.sealer, &link)?;
    let workspace = queries::workspace_name(edit).await?;
    let letter = rules::mail(row, &edit.grant.actor.username.clone(), &workspace, sealed);
    let letter = mail::send_known(edit, &letter).await?;
    Ok(queries::note_letter(edit, row.id, letter).await?)
}

async fn listed(db: &dyn Read, row: &InviteRow) -> ApiResult<ListedInvite> {
    let one = queries::pending().push(" AND i.id = :id").bind("id", row.id);
    Ok(db.one(one.wrap(&format!("{} ", queries::COLUMNS), "")).await?)
}
