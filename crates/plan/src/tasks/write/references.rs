//! What a task refers to: the row above it, people, sprints, epics, resources; all have to be there and of its project.
//! What did not change is not looked at again.

use planwright_domain::words::TaskType;

use super::judge::{Bench, Owner};

/// The row that a new one is to stand below.
pub(super) fn place_fits(bench: &mut Bench<'_>) {
    let is_subtask = bench.after.is_subtask;
    let Some(parent) = bench.after.parent_id else {
        if is_subtask {
            bench.say("parent_id", "A subtask stands below a task.");
        }
        return;
    };
    let Some(parent) = bench.known.tasks.get(&parent) else {
        return bench.say("parent_id", "There is no such task in the project.");
    };
    if parent.is_milestone {
        let message = "Nothing can stand below a milestone.";
        return bench.refuse("parent_id", "child_of_milestone", message);
    }
    if parent.is_recurring && !is_subtask {
        return bench.say("parent_id", "It comes back by a rule, so it holds subtasks only.");
    }
    if parent.is_subtask {
        return bench.say("parent_id", "Nothing can stand below a subtask.");
    }
    if !parent.has_place {
        return bench.say("parent_id", "It has no place in the outline, so nothing can stand below it.");
    }
    if is_subtask && parent.structural_children > 0 {
        bench.refuse("is_subtask", "subtask_on_phase", "A phase has tasks below it, not subtasks.");
    }
}

/// Everything else that a task refers to.
pub(super) fn check(bench: &mut Bench<'_>) {
    sprint(bench);
    let (known, is_new) = (bench.known, bench.is_new);
    let (before, after) = (bench.before, bench.after.clone());
    let blocking = after.blocking_task_id.filter(|id| is_new || before.blocking_task_id != Some(*id));
    if let Some(blocking) = blocking {
        if blocking == after.id {
            bench.say("blocking_task", "A task cannot block itself.");
        } else if !known.tasks.contains_key(&blocking) {
            bench.say("blocking_task", "There is no such task in the project.");
        }
    }
    let assignee = after.assignee_id.filter(|id| is_new || before.assignee_id != Some(*id));
    if assignee.is_some_and(|person| !known.members.contains(&person)) {
        bench.say("assignee", "Must be a member of the project.");
    }
    let epic = after.parent_epic_id.filter(|id| is_new || before.parent_epic_id != Some(*id));
    if let Some(epic) = epic {
        match known.tasks.get(&epic) {
            None => bench.say("parent_epic", "There is no such task in the project."),
            Some(_) if epic == after.id => bench.say("parent_epic", "An epic cannot belong to itself."),
            Some(epic) if epic.r#type != TaskType::Epic => bench.say("parent_epic", "It is no epic."),
            Some(_) if after.r#type == TaskType::Epic => {
                bench.say("parent_epic", "An epic cannot belong to another.");
            }
            Some(_) => {}
        }
    }
    if after.r#type == TaskType::Epic && after.parent_epic_id.is_some() && epic.is_none() {
        bench.say("type", "It belongs to an epic, so it cannot be one.");
    }
}

fn sprint(bench: &mut Bench<'_>) {
    let Some(sprint) = bench.after.sprint_id else { return };
    if !bench.is_new && bench.before.sprint_id == Some(sprint) {
        return;
    }
    if !bench.known.sprints.contains_key(&sprint) {
        return bench.say("sprint", "There is no such sprint in the project.");
    }
    if bench.is_phase() && !bench.before.is_subtask {
        let message = "A phase is not done in a sprint; its tasks are.";
        bench.refuse("sprint", "phase_in_sprint_forbidden", message);
    }
}

/// The allocations that were asked for and are not there yet; each resource has to be on the roster, and a summary takes none.
pub(super) fn owners(bench: &mut Bench<'_>) -> Vec<Owner> {
    let wanted = bench.wish.owners.as_given().map(Vec::as_slice).unwrap_or_default();
    if wanted.is_empty() {
        return Vec::new();
    }
    if !bench.is_new && bench.known.family(bench.before.id).children > 0 {
        bench.say("owners", "A row with rows below it is not allocated; those below it are.");
        return Vec::new();
    }
    let stranger = wanted.iter().find(|owner| !bench.known.roster.contains(&owner.resource));
    if let Some(stranger) = stranger {
        let message = format!("The resource {} is not on the roster of the project.", stranger.resource);
        bench.say("owners", &message);
        return Vec::new();
    }
    let mut owners: Vec<Owner> = Vec::with_capacity(wanted.len());
    for owner in wanted {
        let units = owner.units.as_given().map_or(100, |units| units.0);
        match owners.iter_mut().find(|known| known.resource == owner.resource) {
            Some(known) => known.units = units,
            None => owners.push(Owner { resource: owner.resource, units }),
        }
    }
    let task = bench.before.id;
    owners.retain(|owner| bench.known.allocated.get(&(task, owner.resource)) != Some(&owner.units));
    owners
}
