// The board of a project: columns with limits, lanes, filter, cards that move by pointer and by key.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { api, ok } from "../api/client";
import { me } from "../api/me";
import { useRead } from "../api/read";
import { Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { chord } from "../app/keys";
import { rowHere } from "../app/palette_state";
import { place, setQuery } from "../app/router";
import type { PageProps } from "../app/routes";
import { footText } from "../app/status";
import { ProjectFrame, useProject } from "../projects/project_frame";
import { useMembers } from "../projects/members";
import { useMay } from "../projects/rights";
import { board } from "../words/board";
import { t } from "../words/words";
import { ColumnsDialog } from "./columns_dialog";
import { type Board, type BoardData, useBoard } from "./data";
import { LaneCells } from "./lane";
import { breach, type Column, type Filter, isCard, lanesOf, type LaneKind, passes, type Task } from "./model";
import { Panel, type Part } from "./panel";
import { People } from "./card";
import { Toolbar } from "./toolbar";
import "./board.css";

export default function BoardPage({ params }: PageProps) {
  const id = params.id!;
  const project = useProject(id);
  const desk = useBoard(id);
  return (
    <ProjectFrame id={id} project={project}>
      <div
        class="board"
        onKeyDown={(event) =>
          chord(event) === "Ctrl+z" && !(event.target as Element).matches("input, textarea") && (event.preventDefault(), desk.undo())
        }
      >
        <Shown read={desk.read} lines={12}>
          {(data) => <BoardView id={id} data={data} desk={desk} />}
        </Shown>
      </div>
    </ProjectFrame>
  );
}

function filterOf(query: URLSearchParams): Filter {
  const show = (query.get("show") ?? "").split(",");
  return {
    text: query.get("q") ?? "",
    mine: show.includes("mine"),
    blocked: show.includes("blocked"),
    critical: show.includes("critical"),
    sprint: query.get("sprint"),
  };
}

function BoardView({ id, data, desk }: { id: string; data: BoardData; desk: Board }) {
  const query = place.value.query;
  const filter = filterOf(query);
  const kind = (query.get("lanes") ?? "none") as LaneKind;
  const mayAdd = useMay("author");
  const keysHelp = useMay("takePart") ? board.keysHelp : board.keysRead;
  const [focus, setFocus] = useState<string | null>(null);
  const [columnsOpen, setColumnsOpen] = useState(false);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [part, setPart] = useState<Part | undefined>();
  const members = useMembers(id);
  const people = useMemo(() => new Map((members.data ?? []).map((one) => [one.id, one.name])), [members.data]);
  const sprints = useRead(
    async () => (await ok(api.GET("/api/v1/projects/{project_pk}/sprints/", { params: { path: { project_pk: id } } }))).results,
    [id],
  );

  const columns = data.columns.filter((column) => column.visible);
  const cards = useMemo(() => data.tasks.filter(isCard), [data]);
  const shown = cards.filter((task) => passes(task, filter, { id: me.value?.id ?? "", name: me.value?.display_name ?? "" }));
  const lanes = lanesOf(data.tasks, shown, columns, kind, kind === "person" ? t(board.nobody) : t(board.noPhase));
  const first = lanes.flatMap((lane) => columns.flatMap((column) => lane.cells.get(column.status) ?? []))[0]?.id ?? null;
  const current = focus !== null && shown.some((task) => task.id === focus) ? focus : first;
  const opened = data.tasks.find((task) => task.id === query.get("task"));
  const open = (task: Task, at?: "block") => (setPart({ block: at === "block" }), setQuery({ task: task.id }, !query.has("task")));
  const close = () => {
    setQuery({ task: null });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`.board [data-task="${opened?.id}"]`)?.focus());
  };
  // The palette shows a card here, with the keyboard in its details.
  useEffect(() => {
    rowHere.open = (project, task) => {
      if (project !== id || !data.tasks.some((one) => one.id === task)) return false;
      setPart(undefined);
      setFocus(task);
      setQuery({ task }, !place.peek().query.has("task"));
      setTimeout(() => {
        document.querySelector(`.board [data-task="${task}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
        document.querySelector<HTMLElement>(".board-panel textarea")?.focus();
      });
      return true;
    };
    return () => {
      rowHere.open = null;
    };
  });
  // A card that goes to another column takes the focus along.
  const grid = useRef<HTMLDivElement>(null);
  const held = useRef(false);
  useLayoutEffect(() => {
    if (held.current && document.activeElement === document.body && current)
      grid.current?.querySelector<HTMLElement>(`[data-task="${current}"]`)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    footText.value = `${t(board.cards, { n: shown.length })} · ${t(keysHelp)}`;
    return () => (footText.value = "");
  });

  return (
    <>
      <Toolbar project={id} filter={filter} kind={kind} sprints={sprints.data ?? []} setColumns={() => setColumnsOpen(true)} />
      <div class="board-body">
        <People.Provider value={people}>
          <div class="board-scroll">
            <p id="board-keys" class="hidden-text">
              {t(keysHelp)}
            </p>
            <div
              ref={grid}
              class="board-grid"
              onFocusIn={() => (held.current = true)}
              onFocusOut={(event) => {
                if (event.relatedTarget) held.current = grid.current!.contains(event.relatedTarget as Node);
              }}
              style={{ "--columns": columns.length }}
            >
              <Heads columns={columns} cards={cards} />
              {lanes.map((lane) => (
                <section key={lane.id} class="board-lane" aria-label={lane.name || undefined}>
                  {kind !== "none" && (
                    <button
                      type="button"
                      class="board-lane-head"
                      aria-expanded={!folded.has(lane.id)}
                      onClick={() => setFolded(toggled(folded, lane.id))}
                    >
                      <Icon name={folded.has(lane.id) ? "right" : "down"} size={14} /> <b class="clip">{lane.name}</b>{" "}
                      <span class="quiet num">{lane.count}</span>
                    </button>
                  )}
                  {!folded.has(lane.id) && (
                    <LaneCells
                      lane={lane}
                      columns={columns}
                      desk={desk}
                      focus={current}
                      setFocus={setFocus}
                      open={open}
                      add={kind === "none" && mayAdd}
                    />
                  )}
                </section>
              ))}
            </div>
            {cards.length === 0 && <Note title={t(board.emptyTitle)} text={t(board.emptyText)} />}
            {cards.length > 0 && shown.length === 0 && (
              <div class="board-note">
                <p>{t(board.noMatch)}</p>
                <button type="button" class="button" onClick={() => setQuery({ q: null, show: null, sprint: null })}>
                  {t(board.clear)}
                </button>
              </div>
            )}
          </div>
        </People.Provider>
        {opened && <Panel task={opened} part={part} desk={desk} members={members.data} close={close} />}
      </div>
      {columnsOpen && <ColumnsDialog project={id} columns={data.columns} close={() => setColumnsOpen(false)} saved={desk.read.retry} />}
    </>
  );
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

const Note = ({ title, text }: { title: string; text: string }) => (
  <div class="board-note">
    <h2>{title}</h2>
    <p class="quiet">{text}</p>
  </div>
);

function Heads({ columns, cards }: { columns: Column[]; cards: Task[] }) {
  return (
    <div class="board-heads">
      {columns.map((column) => {
        const count = cards.filter(
          (task) => task.status === column.status || (task.status === "ON_HOLD" && column.status === "IN_PROGRESS"),
        ).length;
        const state = breach(count, column.wip_limit);
        return (
          <header key={column.status} class={`board-head is-${state}`}>
            <span class={`board-dot is-${column.status}`} />
            <h2 class="clip">{column.label}</h2>
            <span class="num quiet nowrap">{column.wip_limit === null ? count : `${count} / ${column.wip_limit}`}</span>
            {state === "over" && (
              <span class="chip bad" title={t(board.over)}>
                <Icon name="warn" size={11} />
                <span class="hidden-text">{t(board.over)}</span>
              </span>
            )}
          </header>
        );
      })}
    </div>
  );
}
