//! What a task refers to: the row above it, people, sprints, epics, resources, all of its project; and a calendar of the library.
//! What did not change is not looked at again.

use planwright_domain::words::{SprintState, TaskType};

use super::validate::{Owner, Validation};

/// The row that a new one is to stand below.
pub(super) fn place_fits(validation: &mut Validation<'_>) {
    let is_subtask = validation.after.is_subtask;
    let Some(parent) = validation.after.parent_id else {
        if is_subtask {
            validation.say("parent_id", "A subtask stands below a task.");
        }
        return;
    };
    let Some(parent) = validation.context.tasks.get(&parent) else {
        return validation.say("parent_id", "There is no such task in the project.");
    };
    if parent.is_milestone {
        let message = "Nothing can stand below a milestone.";
        return validation.refuse("parent_id", "child_of_milestone", message);
    }
    if parent.is_recurring && !is_subtask {
        return validation.say("parent_id", "It comes back by a rule, so it holds subtasks only.");
    }
    if parent.is_subtask {
        return validation.say("parent_id", "Nothing can stand below a subtask.");
    }
    if !parent.has_place {
        return validation.say("parent_id", "It has no place in the outline, so nothing can stand below it.");
    }
    if is_subtask && parent.structural_children > 0 {
        validation.refuse("is_subtask", "subtask_on_phase", "A phase has tasks below it, not subtasks.");
    }
}

/// Everything else that a task refers to.
pub(super) fn check(validation: &mut Validation<'_>) {
    sprint(validation);
    let (context, is_new) = (validation.context, validation.is_new);
    let (before, after) = (validation.before, validation.after.clone());
    let blocking = after.blocking_task_id.filter(|id| is_new || before.blocking_task_id != Some(*id));
    if let Some(blocking) = blocking {
        if blocking == after.id {
            validation.say("blocking_task", "A task cannot block itself.");
        } else if !context.tasks.contains_key(&blocking) {
            validation.say("blocking_task", "There is no such task in the project.");
        }
    }
    let assignee = after.assignee_id.filter(|id| is_new || before.assignee_id != Some(*id));
    if assignee.is_some_and(|person| !context.members.contains(&person)) {
        validation.say("assignee", "Must be a member of the project.");
    }
    let calendar = after.calendar_id.filter(|id| is_new || before.calendar_id != Some(*id));
    if calendar.is_some_and(|calendar| !context.calendars.contains_key(&calendar)) {
        validation.say("calendar", "There is no such calendar.");
    }
    let epic = after.parent_epic_id.filter(|id| is_new || before.parent_epic_id != Some(*id));
    if let Some(epic) = epic {
        match context.tasks.get(&epic) {
            None => validation.say("parent_epic", "There is no such task in the project."),
            Some(_) if epic == after.id => validation.say("parent_epic", "An epic cannot belong to itself."),
            Some(epic) if epic.r#type != TaskType::Epic => validation.say("parent_epic", "It is no epic."),
            Some(_) if after.r#type == TaskType::Epic => {
                validation.say("parent_epic", "An epic cannot belong to another.");
            }
            Some(_) => {}
        }
    }
    if after.r#type == TaskType::Epic && after.parent_epic_id.is_some() && epic.is_none() {
        validation.say("type", "It belongs to an epic, so it cannot be one.");
    }
}

fn sprint(validation: &mut Validation<'_>) {
    let Some(sprint) = validation.after.sprint_id else { return };
    if !validation.is_new && validation.before.sprint_id == Some(sprint) {
        return;
    }
    let Some(facts) = validation.context.sprints.get(&sprint) else {
        return validation.say("sprint", "There is no such sprint in the project.");
    };
    if matches!(facts.state, SprintState::Completed | SprintState::Cancelled) {
        return validation.say("sprint", "The sprint is over.");
    }
    if validation.is_phase() && !validation.before.is_subtask {
        let message = "A phase is not done in a sprint; its tasks are.";
        validation.refuse("sprint", "phase_in_sprint_forbidden", message);
    }
}

/// The allocations that were asked for and are not there yet; each resource has to be on the roster, and a summary takes none.
pub(super) fn owners(validation: &mut Validation<'_>) -> Vec<Owner> {
    let wanted = validation.request.owners.as_given().map(Vec::as_slice).unwrap_or_default();
    if wanted.is_empty() {
        return Vec::new();
    }
    if !validation.is_new && validation.context.family(validation.before.id).children > 0 {
        validation.say("owners", "A row with rows below it is not allocated; those below it are.");
        return Vec::new();
    }
    let stranger = wanted.iter().find(|owner| !validation.context.roster.contains(&owner.resource));
    if let Some(stranger) = stranger {
        let message = format!("The resource {} is not on the roster of the project.", stranger.resource);
        validation.say("owners", &message);
        return Vec::new();
    }
    let mut owners: Vec<Owner> = Vec::with_capacity(wanted.len());
    for owner in wanted {
        let units = owner.units.as_given().map_or(100, |units| units.0);
        match owners.iter_mut().find(|context| context.resource == owner.resource) {
            Some(context) => context.units = units,
            None => owners.push(Owner { resource: owner.resource, units }),
        }
    }
    let task = validation.before.id;
    owners.retain(|owner| validation.context.allocated.get(&(task, owner.resource)) != Some(&owner.units));
    owners
}
