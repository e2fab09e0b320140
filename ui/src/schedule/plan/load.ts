// Reads a plan: its project, its rows (the first page is shown at once) and its links.
import { allPages, api, ok } from "../../api/client";
import { dayOf } from "../../dates/days";
import { may } from "../../projects/rights";
import type { Desk } from "../desk";
import { WorkCalendar } from "./calendar";
import { FIELDS, type LinkRow, type TaskRow } from "./row";

const PAGE = 500;
const FIRST_PAGE = 60;

function readPage(project: string, page: number, size: number): Promise<{ count: number; results: TaskRow[] }> {
  const query = { project, ordering: ["wbs_path" as const], fields: FIELDS.join(",") as never, page: String(page), page_size: size };
  return ok(api.GET("/api/v1/tasks/", { params: { query } })) as Promise<{ count: number; results: TaskRow[] }>;
}

/** All rows. `first` gets those of the first screen as soon as they are there. */
export async function readRows(project: string, first?: (rows: TaskRow[]) => void): Promise<TaskRow[]> {
  if (first) {
    const { count, results } = await readPage(project, 1, FIRST_PAGE);
    first(results.filter(inOutline));
    if (count <= results.length) return results.filter(inOutline);
  }
  const rows = await allPages<TaskRow>(PAGE, (page) => readPage(project, page, PAGE));
  return rows.filter(inOutline);
}

/** Small items inside a task have no place of their own in the schedule. */
const inOutline = (row: TaskRow): boolean => !row.is_subtask;

export async function readRow(id: string): Promise<TaskRow> {
  return (await ok(api.GET("/api/v1/tasks/{id}/", { params: { path: { id }, query: { fields: FIELDS.join(",") as never } } }))) as TaskRow;
}

export async function readLinks(project: string): Promise<LinkRow[]> {
  return allPages<LinkRow>(PAGE, (page) =>
    ok(api.GET("/api/v1/dependencies/", { params: { query: { project, page: String(page), page_size: PAGE } } })),
  );
}

export async function readProject(desk: Desk): Promise<void> {
  const id = desk.projectId;
  const project = await ok(api.GET("/api/v1/projects/{id}/", { params: { path: { id } } }));
  desk.project.value = project;
  desk.author.value = may(project, "author");
  desk.linker.value = may(project, "link");
  desk.plan.broken = new Set(project.schedule_conflicts.map((conflict) => conflict.task_id));
}

export async function readCalendar(desk: Desk): Promise<void> {
  const effective = desk.project.peek()?.effective_calendar;
  if (!effective) return;
  const calendar = await ok(api.GET("/api/v1/calendars/{id}/", { params: { path: { id: effective.id } } }));
  const exceptions = calendar.exceptions.map((one) => ({ from: dayOf(one.exc_start), to: dayOf(one.exc_end), working: one.working }));
  desk.calendar = new WorkCalendar(calendar.working_days, exceptions);
  desk.view.request();
}

/** The percentiles of the milestones, where a forecast has been taken. */
async function readMarks(desk: Desk): Promise<void> {
  const { milestones } = await ok(api.GET("/api/v1/projects/{id}/forecast/", { params: { path: { id: desk.projectId } } }));
  desk.marks = new Map(
    milestones
      .filter((one) => one.milestone_id && one.p50 && one.p80)
      .map((one) => [one.milestone_id!, { p50: dayOf(one.p50), p80: dayOf(one.p80) }]),
  );
  desk.view.request();
}

/** Everything, first rows first. `seen` is called when there is something to look at, and again when all is there. */
export async function loadPlan(desk: Desk, seen: (whole: boolean) => void): Promise<void> {
  const project = readProject(desk);
  project.catch(() => undefined);
  let links: Promise<LinkRow[]> | null = null;
  const rows = await readRows(desk.projectId, (first) => {
    desk.plan.setRows(first);
    seen(false);
    links = readLinks(desk.projectId);
    links.catch(() => undefined);
  });
  await project;
  if (rows.length !== desk.plan.count) desk.plan.setRows(rows);
  else desk.plan.rebuild();
  desk.plan.setLinks(await links!);
  seen(true);
  await Promise.allSettled([readCalendar(desk), readMarks(desk)]);
}

/** Reads the plan again in place: scroll, focus, selection and closed rows stay. */
export async function reloadPlan(desk: Desk): Promise<void> {
  const [rows, links] = await Promise.all([readRows(desk.projectId), readLinks(desk.projectId), readProject(desk)]);
  desk.plan.linkRows = new Map(links.map((link) => [link.id, link]));
  const drafts = desk.plan.rows.filter((row) => row.id.startsWith("draft-"));
  desk.plan.setRows(rows);
  for (const draft of drafts) desk.plan.insertAfter(draft, desk.plan.task(draft.parent_id ?? ""));
}
