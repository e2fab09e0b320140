//! `/api/v1/projects/{project_pk}/members/` and `/api/v1/programs/{program_pk}/members/`: who belongs, and with which rank.
//! Ownership changes hands only by a transfer; a place in a program gives none in its projects.

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::access::May;
use planwright_domain::ids::UserId;
use planwright_plan::containers::members::{self, HasMembers, Membership, member_of};
use planwright_plan::edit::{self, Edit};
use planwright_plan::people::{self, UserSummary};
use planwright_store::{Read, Record, Result, sql};
use planwright_web::input::{Patch, take};
use planwright_web::schema::JsonObject;
use planwright_web::scope::{Named, Within};
use planwright_web::version::Precondition;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Input, Item, Json, NoContent, PatchedBody, Problems,
    Query, Resource, Routes, Scope, says,
};
use schemars::JsonSchema;
use serde::Serialize;

/// A project or program, as far as its members differ from those of the other.
pub trait ShowsMembers: HasMembers + Named {
    /// What a sentence calls it.
    const NAME: &'static str;
    /// The address of its members.
    const ALL: &'static str;
    /// The address of one of them.
    const ONE: &'static str;
    /// What each route says in the document.
    const SUMMARIES: Summaries;

    /// What everybody in it may do.
    type Read: May;
    /// What adding and removing members needs.
    type Manage: May;
    /// What changing a member needs; only an Owner changes ranks.
    type Change: May;
    /// What is to be changed of a member; all of it is somebody to be added.
    type Changed: PatchedBody<Whole: 'static> + JsonSchema + Into<MemberChange> + 'static;
    /// A member as they are shown.
    type Shown: Serialize + JsonSchema + Send + 'static;

    /// The rank of people who are added without a rank.
    fn default_role(self, db: &dyn Read) -> impl Future<Output = ApiResult<Role>> + Send;

    /// Gives a member the title they are to have, where members have titles.
    fn entitle(member: &mut Self::Member, title: String);

    /// Members as the caller sees them.
    fn shown(
        self,
        db: &dyn Read,
        caller: &Actor,
        rows: Vec<ShownMember<Self>>,
    ) -> impl Future<Output = ApiResult<Vec<Self::Shown>>> + Send;
}

/// What the routes of members say in the document.
#[derive(Clone, Copy, Debug)]
pub struct Summaries {
    /// Of the list.
    pub list: &'static str,
    /// Of the change.
    pub change: &'static str,
}

/// A member with who it is in short.
pub struct ShownMember<C: HasMembers> {
    /// The row.
    pub row: C::Member,
    /// Who it is.
    pub person: Option<UserSummary>,
}

/// What somebody wants a member to be.
#[derive(Clone, Debug, Default)]
pub struct MemberChange {
    /// Who it is.
    pub user: Patch<UserId>,
    /// The rank.
    pub role: Patch<Role>,
    /// What they are called.
    pub title: Option<String>,
}

/// Which members to list.
#[derive(Clone, Copy, Debug)]
pub struct MemberFilter {
    /// Whether only the caller's own row is wanted.
    pub only_self: bool,
}

// Written by hand, since a field cannot be called `self` in Rust.
impl Input for MemberFilter {
    const NAMES: &'static [&'static str] = &["self"];

    fn read(object: &JsonObject) -> std::result::Result<Self, Problems> {
        let mut problems = Problems::default();
        match take::<Patch<bool>>(object, &["self"], &mut problems) {
            Some(only) => Ok(Self { only_self: only.given().unwrap_or(false) }),
            None => Err(problems),
        }
    }

    fn unknown(object: &JsonObject, _: &str, found: &mut Vec<String>) {
        found.extend(object.keys().filter(|name| *name != "self").cloned());
    }
}

#[schemars::for_document]
impl JsonSchema for MemberFilter {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MemberFilter".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let only_self =
            ("self", "Whether only your own row is listed.", false, generator.subschema_for::<bool>());
        planwright_web::schema::object("Which members to list.", vec![only_self])
    }
}

/// The routes of the members of projects, or of programs.
pub fn table<C: ShowsMembers>() -> Routes {
    Routes::new()
        .get(C::ALL, list::<C>, says(C::SUMMARIES.list))
        .post(C::ALL, create::<C>, says("Add a member."))
        .get(C::ONE, show::<C>, says("One member."))
        .patch(C::ONE, update::<C>, says(C::SUMMARIES.change))
        .delete(C::ONE, delete::<C>, says("Remove a member, or leave."))
}

async fn list<C: ShowsMembers>(
    State(app): State<App>,
    within: Within<C, C::Read>,
    Query(filter): Query<MemberFilter>,
) -> ApiResult<Json<Vec<C::Shown>>> {
    let actor = &within.grant.actor;
    let rows = members_of(&app.db, within.container, filter.only_self.then_some(actor.id)).await?;
    Ok(Json(shown(&app.db, actor, within.container, rows).await?))
}

async fn show<C: ShowsMembers>(
    State(app): State<App>,
    item: Item<C::Member, C::Read>,
) -> ApiResult<Json<C::Shown>> {
    Ok(Json(one::<C>(&app.db, &item.scope.grant().actor, item.row).await?))
}

async fn create<C: ShowsMembers>(
    State(app): State<App>,
    within: Within<C, C::Manage>,
    Body(request): Body<<C::Changed as PatchedBody>::Whole>,
) -> ApiResult<Created<C::Shown>> {
    let mut edit = Edit::locked(&app, &within.grant).await?;
    let member = newcomer(&edit, within.container, C::Changed::from_whole(request).into()).await?;
    members::add::<C>(&mut edit, &member).await?;
    let shown = one::<C>(&edit, &edit.grant.actor, member).await?;
    edit.commit().await?;
    Ok(Created(shown))
}

async fn update<C: ShowsMembers>(
    State(app): State<App>,
    item: Item<C::Member, C::Change>,
    Body(request): Body<C::Changed>,
) -> ApiResult<Json<C::Shown>> {
    let (mut edit, before) = edit::open_within(&app, item, Precondition::default()).await?;
    let after = changed::<C>(&edit, &before, request.into()).await?;
    let row = members::change::<C>(&mut edit, &before, after).await?;
    let shown = one::<C>(&edit, &edit.grant.actor, row).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

async fn delete<C: ShowsMembers>(
    State(app): State<App>,
    item: Item<C::Member, C::Read>,
) -> ApiResult<NoContent> {
    let (mut edit, member) = edit::open_within(&app, item, Precondition::default()).await?;
    if member.user_id != edit.grant.actor.id {
        member.container().scope::<C::Manage>(&edit, &edit.grant.actor).await?;
    }
    keep_an_owner::<C>(&edit.grant.actor, &member)?;
    has_a_direct_place::<C>(&member)?;
    members::remove::<C>(&mut edit, &member).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// The membership that was asked for, if the request is right.
async fn newcomer<C: ShowsMembers>(edit: &Edit, container: C, change: MemberChange) -> ApiResult<C::Member> {
    let user = change.user.given().ok_or_else(ApiError::not_found)?;
    let role = match change.role.given() {
        Some(role) => role,
        None => container.default_role(edit).await?,
    };
    let mut problems = Problems::default();
    if !people::is_active(edit, user).await? {
        problems.say("user", "There is no such person, or they can no longer sign in.");
    }
    check_grant(rank_in(edit, container).await?, role, &mut problems);
    problems.check()?;
    if member_of(edit, container, user).await?.is_some() {
        let twice = format!("This person is already a member of the {}.", C::NAME);
        return Err(ApiError::conflict(twice));
    }
    let mut member = members::fresh(edit, container, user, role);
    C::entitle(&mut member, change.title.unwrap_or_default());
    Ok(member)
}

/// The member as they are to be, if the request is right; who only manages changes titles, not ranks.
async fn changed<C: ShowsMembers>(
    edit: &Edit,
    before: &C::Member,
    change: MemberChange,
) -> ApiResult<C::Member> {
    let mut problems = Problems::default();
    if change.user.given().is_some_and(|user| user != before.user_id) {
        problems.say("user", "The person of a membership cannot be changed.");
    }
    let mut after = before.clone();
    if let Some(title) = change.title {
        C::entitle(&mut after, title);
    }
    let Some(role) = change.role.given().filter(|role| C::direct(before) != Some(*role)) else {
        problems.check()?;
        return Ok(after);
    };
    let own = rank_in(edit, before.container()).await?;
    if own < Role::Owner {
        return Err(ApiError::forbidden("Only the Owner may change ranks."));
    }
    check_grant(own, role, &mut problems);
    problems.check()?;
    keep_an_owner::<C>(&edit.grant.actor, before)?;
    C::set_direct(&mut after, Some(role));
    Ok(after)
}

/// The caller's own rank, as it stands under the lock.
async fn rank_in<C: ShowsMembers>(edit: &Edit, container: C) -> ApiResult<Role> {
    let own = member_of(edit, container, edit.grant.actor.id).await?;
    own.map(|member| member.role).ok_or_else(ApiError::not_found)
}

/// Nobody grants what they have themselves, so that ownership changes hands in one way only.
fn check_grant(own: Role, granted: Role, problems: &mut Problems) {
    if granted >= own {
        problems.say("role", "You can only give a rank below your own.");
    }
}

/// There is one Owner at any time, who stays until everything is handed over.
fn keep_an_owner<C: ShowsMembers>(caller: &Actor, member: &Membership) -> ApiResult<()> {
    if member.role < Role::Owner {
        return Ok(());
    }
    Err(ApiError::bad_request(match member.user_id == caller.id {
        true => format!(
            "The last Owner cannot leave or get a lower rank. Make somebody else the Owner of the {} first.",
            C::NAME
        ),
        false => "Nobody else can remove an Owner or lower their rank.".to_owned(),
    }))
}

/// A place that only groups give goes with the groups.
fn has_a_direct_place<C: ShowsMembers>(member: &C::Member) -> ApiResult<()> {
    match C::direct(member) {
        Some(_) => Ok(()),
        None => {
            Err(ApiError::bad_request("A group of the workspace gives this place. Change the group instead."))
        }
    }
}

/// Hands a project or program over from the caller to another member.
pub async fn hand_over<C: ShowsMembers>(edit: &mut Edit, container: C, heir: UserId) -> ApiResult<()> {
    let refused = |message: String| ApiError::invalid_field("new_owner_user_id", message);
    let actor = edit.grant.actor.id;
    let owner = member_of(edit, container, actor).await?.ok_or_else(ApiError::not_found)?;
    let new = member_of(edit, container, heir).await?.filter(|member| member.user_id != actor);
    let new = new.ok_or_else(|| refused(format!("Must be another member of the {}.", C::NAME)))?;
    if !people::may_own(edit, heir).await? {
        return Err(refused("The new Owner must be active and no guest of the workspace.".to_owned()));
    }
    members::hand_over::<C>(edit, (owner, new)).await
}

/// The members by name, or one person's row.
async fn members_of<C: HasMembers>(
    db: &dyn Read,
    container: C,
    only: Option<UserId>,
) -> Result<Vec<C::Member>> {
    let select = format!(
        "SELECT {} FROM {} m JOIN users u ON u.id = m.user_id
         WHERE m.{} = :container AND m.deletion_id IS NULL",
        C::Member::select_list("m"),
        C::Member::TABLE,
        C::COLUMN
    );
    let members = sql!(select, container = container).when("AND m.user_id = :only", "only", only);
    db.all(members.push(" ORDER BY u.username, m.id")).await
}

async fn one<C: ShowsMembers>(db: &dyn Read, caller: &Actor, row: C::Member) -> ApiResult<C::Shown> {
    let container = row.container();
    shown(db, caller, container, vec![row]).await?.pop().ok_or_else(ApiError::not_found)
}

async fn shown<C: ShowsMembers>(
    db: &dyn Read,
    caller: &Actor,
    container: C,
    rows: Vec<C::Member>,
) -> ApiResult<Vec<C::Shown>> {
    let people: Vec<UserId> = rows.iter().map(|row| row.user_id).collect();
    let mut people = people::in_short(db, caller, people).await?;
    let with_person = |row: C::Member| ShownMember { person: people.remove(&row.user_id), row };
    let rows = rows.into_iter().map(with_person).collect();
    container.shown(db, caller, rows).await
}
