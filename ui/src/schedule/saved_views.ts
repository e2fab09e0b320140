// A view of the schedule: which rows, in which order, which columns, and the progress line; written as a query of the address.
import { setQuery } from "../app/router";
import { type Arrangement, arrange, GROUPS, OUTLINE, SORTS } from "./arrange";
import { type Desk, USUAL } from "./desk";
import { EVERYTHING, filterBy, FILTERS, wanted, type Wanted } from "./filter";
import { COLUMNS } from "./grid/columns";

export interface PlanView {
  filter: Wanted;
  arrangement: Arrangement;
  columns: readonly string[];
  progress: boolean;
}

export function currentView(desk: Desk): PlanView {
  return { filter: wanted.peek(), arrangement: desk.arrangement.peek(), columns: desk.columns.peek(), progress: desk.progressLine.peek() };
}

export function usualView(): PlanView {
  return { filter: EVERYTHING, arrangement: OUTLINE, columns: USUAL, progress: false };
}

export function showView(desk: Desk, view: PlanView): void {
  const columns = view.columns.filter((one) => COLUMNS.some((column) => column.key === one));
  desk.showColumns(columns.includes("name") ? columns : USUAL);
  desk.showProgress(view.progress === true);
  filterBy(desk, { ...EVERYTHING, ...view.filter });
  arrange(desk, { ...OUTLINE, ...view.arrangement });
}

/** The view as the query of an address; what is usual is left out. */
export function viewQuery(view: PlanView): string {
  const query = new URLSearchParams();
  const { filter, arrangement } = view;
  if (filter.kind !== "all") query.set("show", filter.kind);
  if (filter.text) query.set("find", filter.text);
  if (filter.person) query.set("person", filter.person);
  if (arrangement.group) query.set("group", arrangement.group);
  if (arrangement.sort) query.set("sort", `${arrangement.down ? "-" : ""}${arrangement.sort}`);
  if (view.progress) query.set("progress", "1");
  query.set("columns", view.columns.join("."));
  return query.toString();
}

const PARTS = ["show", "find", "person", "group", "sort", "progress", "columns"];
/** The last views of the plans that were open in this tab, as queries. */
const last = new Map<string, string>();

/** Writes filter and order into the address, so that Back, a reload and a way over another page find them again. */
export function rememberView(desk: Desk): void {
  const view = currentView(desk);
  const isUsual = JSON.stringify([view.filter, view.arrangement]) === JSON.stringify([EVERYTHING, OUTLINE]);
  const text = isUsual ? "" : viewQuery(view);
  last.set(desk.projectId, text);
  const query = new URLSearchParams(text);
  setQuery(Object.fromEntries(PARTS.map((name) => [name, query.get(name)])));
}

/** The view of the address, or the one that the plan was left with. */
export function firstView(desk: Desk, query: URLSearchParams): PlanView | null {
  return viewOfQuery(query) ?? viewOfQuery(new URLSearchParams(last.get(desk.projectId) ?? ""));
}

/** The view that an address carries, or null if it has none. */
export function viewOfQuery(query: URLSearchParams): PlanView | null {
  if (!PARTS.some((part) => query.has(part))) return null;
  const one = <T extends string>(name: string, list: readonly T[]): T | null =>
    list.find((value) => value === query.get(name)?.replace(/^-/, "")) ?? null;
  return {
    filter: { kind: one("show", FILTERS) ?? "all", text: query.get("find") ?? "", person: query.get("person") },
    arrangement: { group: one("group", GROUPS), sort: one("sort", SORTS), down: query.get("sort")?.startsWith("-") ?? false },
    columns: query.get("columns")?.split(".") ?? USUAL,
    progress: query.get("progress") === "1",
  };
}
