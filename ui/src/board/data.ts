// The cards and columns of one project: read, kept up to date over the socket, and changed at once on the page.
import { useRef } from "preact/hooks";
import { allPages, api, ok, patiently, type Schemas } from "../api/client";
import { asCallError } from "../api/errors";
import { useLiveRefresh } from "../api/live_refresh";
import { type Read, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { seen } from "../app/shared_text";
import { withStatus } from "../app/task_status";
import { refuse, toast } from "../app/toast";
import { isoOf, today } from "../dates/days";
import { board } from "../words/board";
import { calls } from "../words/calls";
import { schedule } from "../words/schedule";
import { t } from "../words/words";
import { type Column, moved, neighbours, type Place, type Task } from "./model";

/** The fields of some changes as a task had them. */
const asItWas = (task: Task, changes: Change): Change =>
  Object.fromEntries(Object.keys(changes).map((field) => [field, task[field as keyof Task]])) as Change;

export interface BoardData {
  tasks: Task[];
  columns: Column[];
}

export type Change = Schemas["PatchedTaskRequest"];

export function readTasks(project: string): Promise<Task[]> {
  return allPages(200, (page) => ok(api.GET("/api/v1/tasks/", { params: { query: { project, page: String(page), page_size: 200 } } })));
}

async function readBoard(project: string): Promise<BoardData> {
  const [tasks, config] = await Promise.all([
    readTasks(project),
    ok(api.GET("/api/v1/projects/{id}/board-config/", { params: { path: { id: project } } })),
  ]);
  return { tasks, columns: config.columns };
}

export interface Board {
  project: string;
  read: Read<BoardData>;
  change: (task: Task, body: Change) => Promise<boolean>;
  /** Writes a text that somebody else may write too; `base` is the version that the person saw. */
  write: (task: Task, body: Change, base: number | null) => Promise<Task>;
  move: (task: Task, cell: Task[], place: Place) => Promise<void>;
  add: (name: string, status: Task["status"]) => Promise<void>;
  hold: (dragging: boolean) => void;
  /** Takes the last move back, if it was to another column. */
  undo: () => void;
}

export function useBoard(project: string): Board {
  const read = useRead(() => readBoard(project), [project]);
  const writes = useRef(0);
  const dragging = useRef(false);
  const last = useRef<(() => void) | null>(null);
  const data = useRef(read.data);
  data.current = read.data;
  useLiveRefresh(project, read.retry, { busy: () => writes.current > 0 || dragging.current });

  const put = (tasks: Task[]) => {
    if (data.current) read.set({ ...data.current, tasks });
  };
  const replace = (task: Task) => put(data.current!.tasks.map((one) => (one.id === task.id ? { ...one, ...task } : one)));
  const write = async (act: () => Promise<void>, before: Task[]): Promise<boolean> => {
    writes.current++;
    try {
      await act();
      return true;
    } catch (error) {
      put(before);
      refuse(asCallError(error).message);
      return false;
    } finally {
      if (--writes.current === 0) read.retry();
    }
  };

  return {
    project,
    read,
    hold: (on) => {
      dragging.current = on;
    },
    undo: () => last.current?.(),
    change: (task, body) =>
      write(async () => {
        replace({ ...task, ...(body as Partial<Task>) });
        // What is typed in a field waits for a lost connection.
        replace(await patiently(() => ok(api.PATCH("/api/v1/tasks/{id}/", { params: { path: { id: task.id } }, body }))));
      }, data.current!.tasks),
    write: async (task, body, base) => {
      const after = await ok(api.PATCH("/api/v1/tasks/{id}/", { params: { path: { id: task.id }, header: seen(base) }, body }));
      replace(after);
      return after;
    },
    move: async (task, cell, place) => {
      const before = data.current!.tasks;
      const next = moved(before, task.id, cell, place);
      const status = next.find((one) => one.id === task.id)!.status;
      put(next);
      const path = { id: task.id };
      const body = withStatus(task, status, isoOf(today()));
      let base = task.server_version;
      const done = await write(async () => {
        if (status !== task.status)
          base = (await patiently(() => ok(api.PATCH("/api/v1/tasks/{id}/", { params: { path }, body })))).server_version;
        const where = neighbours(cell, task.id, place.index);
        if (Object.keys(where).length)
          await patiently(() => ok(api.POST("/api/v1/tasks/{id}/reorder/", { params: { path }, body: where })));
      }, before);
      if (!done || status === task.status) return;
      const undo = asItWas(task, { ...body, percent_complete: 0, actual_finish: null });
      const send = async (version: number | null) =>
        replace(await patiently(() => ok(api.PATCH("/api/v1/tasks/{id}/", { params: { path, header: seen(version) }, body: undo }))));
      // What somebody else wrote since is not overwritten without a question.
      const kindly = () =>
        send(base).catch(async (thrown: unknown) => {
          const { code } = asCallError(thrown);
          if (code !== "sync_conflict") throw thrown;
          if (await ask(t(schedule.conflictTitle), t(board.undoOther, { name: task.name }), t(board.undoYes), true)) await send(null);
        });
      const back = () => {
        last.current = null;
        void write(kindly, data.current!.tasks);
      };
      last.current = back;
      toast(t(board.changedTo, { name: task.name, status: t(board[status as "REVIEW"]) }), { label: t(calls.undo), run: back });
    },
    add: async (name, status) => {
      const task = await ok(api.POST("/api/v1/tasks/", { body: { project, name, status } }));
      put([...data.current!.tasks, task]);
    },
  };
}
