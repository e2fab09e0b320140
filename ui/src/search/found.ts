// What the server finds for the palette: rows by their words or by their id, people, and the work of one person.
import { useEffect, useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { asCallError, type CallError } from "../api/errors";
import { rowHere } from "../app/palette_state";
import { go } from "../app/router";
import { palette } from "../words/palette";
import { type Message, t } from "../words/words";
import type { Item } from "./commands";
import { projectsOf, saidId, shortId } from "./ids";

export interface Person {
  id: string;
  name: string;
}

interface Found {
  rows: Item[];
  people: Person[];
  busy: boolean;
  error: CallError | null;
}

const WAIT = 130;
const NOTHING: Found = { rows: [], people: [], busy: false, error: null };

function openRow(project: string, task: string): void {
  if (!rowHere.open?.(project, task)) go(`/projects/${project}/schedule?task=${task}`);
}

function rowItem(row: Schemas["OmniSearchResult"]): Item {
  const { project_id: project, program_id: program } = row;
  const kind = (palette as Record<string, Message>)[row.type] ?? palette.task;
  const run = () => (project ? openRow(project, row.id) : go(`/programs/${program}`));
  return {
    id: row.id,
    icon: row.type === "milestone" ? "flag" : "list",
    name: row.title,
    note: `${t(kind)} · ${row.project_name ?? row.program_name ?? ""}`,
    run,
  };
}

function taskItem(task: Schemas["Task"], project: string): Item {
  return {
    id: task.id,
    icon: task.is_milestone ? "flag" : "list",
    name: task.name,
    note: `${task.qualified_id} · ${project}`,
    run: () => openRow(task.project, task.id),
  };
}

async function byId(typed: string, projects: Schemas["Project"][], open: string | null): Promise<Item[]> {
  const said = saidId(typed);
  if (!said) return [];
  const lists = await Promise.all(
    projectsOf(said, projects, open)
      .slice(0, 4)
      .map(async (project) => {
        const { results } = await ok(api.GET("/api/v1/tasks/", { params: { query: { project, short_id: shortId(said.number) } } }));
        return results.map((task) => taskItem(task, nameOf(projects, project)));
      }),
  );
  return lists.flat();
}

const nameOf = (projects: Schemas["Project"][], id: string): string => projects.find((one) => one.id === id)?.name ?? "";

async function search(typed: string, projects: Schemas["Project"][], open: string | null): Promise<Omit<Found, "busy" | "error">> {
  const q = typed.trim();
  const long = q.length >= 2;
  const [ids, rows, people] = await Promise.all([
    byId(q, projects, open),
    long ? ok(api.GET("/api/v1/me/search/", { params: { query: { q, page_size: 12 } } })) : null,
    long ? ok(api.GET("/api/v1/users/search/", { params: { query: { q } } })) : [],
  ]);
  const others = (rows?.results ?? []).filter((row) => !ids.some((one) => one.id === row.id)).map(rowItem);
  return { rows: [...ids, ...others], people: people.map((one) => ({ id: one.id, name: one.display_name || one.username })) };
}

/** Open tasks that a person is responsible for, in all projects that the reader sees. */
async function workOf(person: Person, projects: Schemas["Project"][]): Promise<Item[]> {
  const { results } = await ok(api.GET("/api/v1/tasks/", { params: { query: { assignee: person.id, page_size: 100 } } }));
  return results.filter((task) => task.status !== "COMPLETE").map((task) => taskItem(task, nameOf(projects, task.project)));
}

/** Asked a moment after the last letter; an answer that is late is thrown away. */
export function useFound(
  typed: string,
  person: Person | null,
  projects: Schemas["Project"][],
  open: string | null,
): Found & { retry: () => void } {
  const [state, setState] = useState<Found>(NOTHING);
  const [turn, setTurn] = useState(0);
  const asked = person ? "" : typed;
  useEffect(() => {
    if (!person && asked.trim().length < 2 && !saidId(asked)) return setState(NOTHING);
    let current = true;
    setState((old) => ({ ...old, busy: true }));
    const waiting = setTimeout(() => {
      const found = person ? workOf(person, projects).then((rows) => ({ rows, people: [] })) : search(asked, projects, open);
      found.then(
        (answer) => current && setState({ ...answer, busy: false, error: null }),
        (error: unknown) => current && setState({ ...NOTHING, error: asCallError(error) }),
      );
    }, WAIT);
    return () => {
      current = false;
      clearTimeout(waiting);
    };
  }, [asked, person, projects, turn]);
  return { ...state, retry: () => setTurn(turn + 1) };
}
