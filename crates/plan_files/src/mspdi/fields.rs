//! The fields of MSPDI that need no word in a list of losses: those that are read, and those that Microsoft Project
//! computes or keeps for its own display. Source: the schema `mspdi_pj12.xsd` that Microsoft publishes.

use crate::unread::Known;

/// Read, or named with a reason of their own.
const OF_TASKS: [&str; 29] = [
    "UID",
    "IgnoreResourceCalendar",
    "ID",
    "Name",
    "IsNull",
    "OutlineLevel",
    "OutlineNumber",
    "WBS",
    "Active",
    "Manual",
    "Summary",
    "Milestone",
    "Duration",
    "DurationFormat",
    "PercentComplete",
    "Notes",
    "Start",
    "Finish",
    "Deadline",
    "ConstraintType",
    "ConstraintDate",
    "ActualStart",
    "ActualFinish",
    "CalendarUID",
    "PredecessorLink",
    "Baseline",
    "ExternalTask",
    "SubprojectName",
    "HyperlinkAddress",
];

/// Read only to be named, with the value that says nothing.
const NAMED_OF_TASKS: [&str; 5] = ["Priority", "Work", "Cost", "FixedCost", "LevelingDelay"];

/// Computed from the others, or ids, or how Project shows a row.
const COMPUTED_OF_TASKS: [&str; 53] = [
    "GUID",
    "Stop",
    "Resume",
    "CreateDate",
    "EarlyStart",
    "EarlyFinish",
    "LateStart",
    "LateFinish",
    "StartVariance",
    "FinishVariance",
    "DurationVariance",
    "WorkVariance",
    "CostVariance",
    "FreeSlack",
    "TotalSlack",
    "StartSlack",
    "FinishSlack",
    "Critical",
    "ActualDuration",
    "RemainingDuration",
    "RemainingWork",
    "RegularWork",
    "RemainingCost",
    "RemainingOvertimeCost",
    "RemainingOvertimeWork",
    "CV",
    "SV",
    "BCWS",
    "BCWP",
    "ACWP",
    "CPI",
    "SPI",
    "VAC",
    "TCPI",
    "PreLeveledStart",
    "PreLeveledFinish",
    "LevelAssignments",
    "LevelingCanSplit",
    "LevelingDelayFormat",
    "OverAllocated",
    "StartText",
    "FinishText",
    "DurationText",
    "ManualStart",
    "ManualFinish",
    "ManualDuration",
    "IsPublished",
    "IsSubproject",
    "IsSubprojectReadOnly",
    "DisplayOnTimeline",
    "ResumeValid",
    "ExternalTaskProject",
    "BaselineDurationText",
];

/// Flags that are set unless somebody took them away, and what is lost then.
pub(super) const USUALLY_SET: [(&str, &str, &str); 3] = [
    ("Task", "LevelAssignments", "Whether levelling may move a part of the work is not imported."),
    ("Task", "LevelingCanSplit", "Whether levelling may interrupt the work is not imported."),
    ("Resource", "CanLevel", "Whether a resource is levelled is not imported."),
];

const OF_PROJECTS: [&str; 58] = [
    "SaveVersion",
    "BuildNumber",
    "UID",
    "GUID",
    "Name",
    "Title",
    "CreationDate",
    "LastSaved",
    "Revision",
    "ScheduleFromStart",
    "StartDate",
    "FinishDate",
    "StatusDate",
    "CurrentDate",
    "CalendarUID",
    "DefaultStartTime",
    "DefaultFinishTime",
    "MinutesPerDay",
    "MinutesPerWeek",
    "DaysPerMonth",
    "DefaultTaskType",
    "DefaultFixedCostAccrual",
    "DurationFormat",
    "WorkFormat",
    "EditableActualCosts",
    "NewTasksEffortDriven",
    "NewTasksEstimated",
    "NewTasksAreManual",
    "NewTaskStartDate",
    "DefaultTaskEVMethod",
    "ProjectExternallyEdited",
    "ExtendedCreationDate",
    "ActualsInSync",
    "RemoveFileProperties",
    "AdminProject",
    "AutoAddNewResourcesAndTasks",
    "AutoLink",
    "Autolink",
    "AutolinkTasks",
    "SplitsInProgressTasks",
    "SpreadActualCost",
    "SpreadPercentComplete",
    "TaskUpdatesResource",
    "FiscalYearStart",
    "FYStartDate",
    "WeekStartDay",
    "MoveCompletedEndsBack",
    "MoveCompletedEndsForward",
    "MoveRemainingStartsBack",
    "MoveRemainingStartsForward",
    "MicrosoftProjectServerURL",
    "InsertedProjectsLikeSummary",
    "MultipleCriticalPaths",
    "ShowProjectSummaryTask",
    "CurrencyDigits",
    "CurrencySymbolPosition",
    "KeepTaskOnNearestWorkingTimeWhenMadeAutoScheduled",
    "UpdateManuallyScheduledTasksWhenEditingLinks",
];

/// The parts of the file, which are read by themselves. Definitions of fields say nothing without values.
const PARTS: [&str; 9] = [
    "Calendars",
    "Tasks",
    "Resources",
    "Assignments",
    "OutlineCodes",
    "WBSMasks",
    "ExtendedAttributes",
    "Views",
    "Filters",
];

const OF_RESOURCES: [&str; 40] = [
    "UID",
    "ID",
    "GUID",
    "Name",
    "Type",
    "IsNull",
    "Group",
    "EmailAddress",
    "MaxUnits",
    "CalendarUID",
    "PeakUnits",
    "OverAllocated",
    "CanLevel",
    "AccrueAt",
    "Work",
    "RegularWork",
    "OvertimeWork",
    "ActualWork",
    "RemainingWork",
    "ActualOvertimeWork",
    "RemainingOvertimeWork",
    "PercentWorkComplete",
    "Cost",
    "OvertimeCost",
    "ActualCost",
    "ActualOvertimeCost",
    "RemainingCost",
    "RemainingOvertimeCost",
    "WorkVariance",
    "CostVariance",
    "SV",
    "CV",
    "ACWP",
    "BCWS",
    "BCWP",
    "StandardRate",
    "StandardRateFormat",
    "OvertimeRateFormat",
    "CreationDate",
    "IsCostResource",
];

/// Work follows from the duration, the units and what is done.
const OF_ASSIGNMENTS: [&str; 30] = [
    "UID",
    "GUID",
    "TaskUID",
    "ResourceUID",
    "Units",
    "Start",
    "Finish",
    "Work",
    "RegularWork",
    "RemainingWork",
    "ActualStart",
    "ActualFinish",
    "ActualWork",
    "PercentWorkComplete",
    "Confirmed",
    "StartVariance",
    "FinishVariance",
    "WorkVariance",
    "CostVariance",
    "RemainingCost",
    "RemainingOvertimeCost",
    "RemainingOvertimeWork",
    "HasFixedRateUnits",
    "CV",
    "VAC",
    "ACWP",
    "BCWS",
    "BCWP",
    "CreationDate",
    "Milestone",
];

/// Fields of tasks.
pub(super) fn of_tasks() -> Known {
    Known::of(&[&OF_TASKS, &NAMED_OF_TASKS, &COMPUTED_OF_TASKS])
}

/// Fields of the project itself.
pub(super) fn of_projects() -> Known {
    Known::of(&[&OF_PROJECTS, &PARTS])
}

/// Fields of resources.
pub(super) fn of_resources() -> Known {
    Known::of(&[&OF_RESOURCES])
}

/// Fields of assignments.
pub(super) fn of_assignments() -> Known {
    Known::of(&[&OF_ASSIGNMENTS])
}

/// Fields of baselines.
pub(super) fn of_baselines() -> Known {
    Known::of(&[&["Number", "Start", "Finish", "Duration", "DurationFormat", "EstimatedDuration", "Interim"]])
}
