// The palette: rows of all projects, projects and commands, found while a person types.
import { useEffect, useRef, useState } from "preact/hooks";
import { allPages, api, ok, type Schemas } from "../api/client";
import { asCallError, type CallError } from "../api/errors";
import { useRead } from "../api/read";
import { Dialog } from "../app/dialog";
import { Failure } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { pageCommands, paletteOpen, rowHere } from "../app/palette_state";
import { go } from "../app/router";
import { palette } from "../words/palette";
import { type Message, t } from "../words/words";
import { commands, type Item } from "./commands";
import { best } from "./match";
import "./palette.css";

interface Group {
  name: Message;
  items: Item[];
}

const WAIT = 130;

async function readPlaces(): Promise<Item[]> {
  const [programs, projects] = await Promise.all([
    allPages(200, (page) => ok(api.GET("/api/v1/programs/", { params: { query: { page: String(page), page_size: 200 } } }))),
    allPages(200, (page) => ok(api.GET("/api/v1/projects/", { params: { query: { page: String(page), page_size: 200 } } }))),
  ]);
  return [
    ...projects.map((one): Item => ({ id: one.id, icon: "gantt", name: one.name, note: t(palette.project), run: () => go(`/projects/${one.id}/schedule`) })),
    ...programs.map((one): Item => ({ id: one.id, icon: "program", name: one.name, note: t(palette.program), run: () => go(`/programs/${one.id}`) })),
  ];
}

function rowItem(row: Schemas["OmniSearchResult"]): Item {
  const { project_id: project, program_id: program } = row;
  const run = () => {
    if (!project) go(`/programs/${program}`);
    else if (!rowHere.open?.(project, row.id)) go(`/projects/${project}/schedule?task=${row.id}`);
  };
  const kind = (palette as Record<string, Message>)[row.type] ?? palette.task;
  return { id: row.id, icon: row.type === "milestone" ? "flag" : "list", name: row.title, note: `${t(kind)} · ${row.project_name ?? row.program_name ?? ""}`, run };
}

/** Rows of all projects, asked a moment after the last letter; an answer that is late is thrown away. */
function useRows(typed: string): { rows: Item[]; busy: boolean; error: CallError | null; retry: () => void } {
  const [state, setState] = useState<{ rows: Item[]; busy: boolean; error: CallError | null }>({ rows: [], busy: false, error: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const q = typed.trim();
    if (q.length < 2) return setState({ rows: [], busy: false, error: null });
    let current = true;
    setState((old) => ({ ...old, busy: true }));
    const waiting = setTimeout(() => {
      ok(api.GET("/api/v1/me/search/", { params: { query: { q, page_size: 12 } } })).then(
        (answer) => current && setState({ rows: answer.results.map(rowItem), busy: false, error: null }),
        (error: unknown) => current && setState({ rows: [], busy: false, error: asCallError(error) }),
      );
    }, WAIT);
    return () => {
      current = false;
      clearTimeout(waiting);
    };
  }, [typed, turn]);
  return { ...state, retry: () => setTurn(turn + 1) };
}

export default function Palette() {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const places = useRead(readPlaces, []);
  const rows = useRows(typed);
  const here: Item[] = pageCommands.value.map((one, index) => ({ id: `page ${index}`, icon: "right", ...one }));
  const groups: Group[] = [
    { name: palette.here, items: best(here, typed, (one) => one.name, 6) },
    { name: palette.projects, items: best(places.data ?? [], typed, (one) => one.name, typed ? 6 : 5) },
    { name: palette.rows, items: rows.rows },
    { name: palette.commands, items: best(commands(), typed, (one) => one.name, typed ? 6 : 9) },
  ].filter((group) => group.items.length > 0);
  const all = groups.flatMap((group) => group.items);
  const chosen = Math.min(at, all.length - 1);
  const close = () => (paletteOpen.value = false);
  const use = (item: Item | undefined) => {
    if (!item) return;
    close();
    item.run();
  };
  useEffect(() => list.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" }), [chosen, typed]);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = all.length - 1;
    if (event.key === "ArrowDown") setAt(chosen >= last ? 0 : chosen + 1);
    else if (event.key === "ArrowUp") setAt(chosen <= 0 ? last : chosen - 1);
    else if (event.key === "PageDown") setAt(Math.min(last, chosen + 8));
    else if (event.key === "PageUp") setAt(Math.max(0, chosen - 8));
    else if (event.key === "Enter") use(all[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t(palette.title)} close={close} plain wide>
      <div class="palette">
        <div class="palette-line">
          <Icon name="search" />
          <input role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant={all[chosen] ? `palette-${chosen}` : undefined} aria-label={t(palette.hint)} placeholder={t(palette.hint)} value={typed} autocomplete="off" spellcheck={false} onInput={(event) => (setTyped(value(event)), setAt(0))} onKeyDown={onKeyDown} />
          {rows.busy && <span class="small quiet" aria-hidden="true">{t(palette.searching)}</span>}
        </div>
        {(rows.error ?? places.error) && <Failure error={(rows.error ?? places.error)!} retry={rows.error ? rows.retry : places.retry} />}
        <div ref={list} id="palette-list" role="listbox" aria-label={t(palette.title)} class="palette-list">
          {groups.map((group) => (
            <div key={group.name[0]} role="group" aria-label={t(group.name)}>
              <h3 aria-hidden="true">{t(group.name)}</h3>
              {group.items.map((item) => {
                const index = all.indexOf(item);
                return (
                  <div key={item.id} id={`palette-${index}`} role="option" aria-selected={index === chosen} class="palette-item" onPointerMove={() => index !== chosen && setAt(index)} onClick={() => use(item)}>
                    <Icon name={item.icon} /> <span class="grow clip">{item.name}</span>
                    {item.note && <span class="small quiet clip">{item.note}</span>}
                    {item.keys && <kbd>{item.keys}</kbd>}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
        {all.length === 0 && !rows.busy && <p class="quiet palette-none">{t(palette.nothing, { text: typed })}</p>}
        <div class="palette-foot small quiet"><kbd>↑</kbd> <kbd>↓</kbd> {t(palette.move)} <kbd>Enter</kbd> {t(palette.use)} <span class="hidden-text" role="status">{typed ? t(palette.found, { n: all.length }) : ""}</span></div>
      </div>
    </Dialog>
  );
}
