// The palette: rows of all projects, projects, people and commands, found while a person types.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Schemas } from "../api/client";
import { type Places, readPlaces } from "../api/places";
import { useRead } from "../api/read";
import { Dialog } from "../app/dialog";
import { Failure } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { closePalette, pageCommands, takeTyped } from "../app/palette_state";
import { go } from "../app/router";
import { palette } from "../words/palette";
import { type Message, t } from "../words/words";
import { commands, type Item, projectHere } from "./commands";
import { type Person, useFound } from "./found";
import { best } from "./match";
import "./palette.css";

interface Group {
  name: Message;
  items: Item[];
}

const NONE: Schemas["Project"][] = [];

function placeItems({ programs, projects }: Places): Item[] {
  return [
    ...projects.map(
      (one): Item => ({
        id: one.id,
        icon: "gantt",
        name: one.name,
        note: t(palette.project),
        alike: one.code,
        run: () => go(`/projects/${one.id}/schedule`),
      }),
    ),
    ...programs.map(
      (one): Item => ({ id: one.id, icon: "program", name: one.name, note: t(palette.program), run: () => go(`/programs/${one.id}`) }),
    ),
  ];
}

const nameOf = (item: Item): string => (item.alike ? `${item.name} ${item.alike}` : item.name);

export default function Palette() {
  const [typed, setTyped] = useState(takeTyped);
  const [at, setAt] = useState(0);
  const [person, setPerson] = useState<Person | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const places = useRead(readPlaces, []);
  const projects = places.data?.projects ?? NONE;
  const found = useFound(typed, person, projects, projectHere()?.id ?? null);
  const placed = useMemo(() => (places.data ? placeItems(places.data) : []), [places.data]);
  const here: Item[] = pageCommands.value.map((one, index) => ({ id: `page ${index}`, icon: "right", ...one }));
  const workOf = (one: Person) => (setPerson(one), setTyped(""), setAt(0));
  const people = found.people.map(
    (one): Item => ({ id: one.id, icon: "people", name: one.name, note: t(palette.person), stays: true, run: () => workOf(one) }),
  );
  const everything: Group[] = [
    { name: palette.here, items: best(here, typed, nameOf, 6) },
    { name: palette.projects, items: best(placed, typed, nameOf, typed ? 6 : 5) },
    { name: palette.rows, items: found.rows },
    { name: palette.people, items: people },
    { name: palette.commands, items: best(commands(projects, typed), typed, nameOf, typed ? 6 : 9) },
  ];
  const groups = (
    person ? [{ name: palette.rows, items: best(found.rows, typed, (one) => `${one.name} ${one.note}`, 40) }] : everything
  ).filter((group) => group.items.length > 0);
  const all = groups.flatMap((group) => group.items);
  const chosen = Math.min(at, all.length - 1);
  const use = (item: Item | undefined) => {
    if (!item) return;
    if (!item.stays) closePalette();
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
    else if (event.key === "Backspace" && !typed && person) setPerson(null);
    else return;
    event.preventDefault();
  };
  const hint = person ? t(palette.workOf, { name: person.name }) : t(palette.hint);
  const none = person && !typed ? t(palette.noWork, { name: person.name }) : t(palette.nothing, { text: typed });
  return (
    <Dialog title={t(palette.title)} close={closePalette} plain wide>
      <div class="palette">
        <div class="palette-line">
          <Icon name={person ? "people" : "search"} />
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={all[chosen] ? `palette-${chosen}` : undefined}
            aria-label={hint}
            placeholder={hint}
            value={typed}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => (setTyped(value(event)), setAt(0))}
            onKeyDown={onKeyDown}
          />
          {found.busy && (
            <span class="small quiet" aria-hidden="true">
              {t(palette.searching)}
            </span>
          )}
        </div>
        {(found.error ?? places.error) && (
          <Failure error={(found.error ?? places.error)!} retry={found.error ? found.retry : places.retry} />
        )}
        <div ref={list} id="palette-list" role="listbox" aria-label={t(palette.title)} class="palette-list">
          {groups.map((group) => (
            <div key={group.name[0]} role="group" aria-label={t(group.name)}>
              <p class="palette-group" aria-hidden="true">
                {t(group.name)}
              </p>
              {group.items.map((item) => {
                const index = all.indexOf(item);
                return (
                  <div
                    key={item.id}
                    id={`palette-${index}`}
                    role="option"
                    aria-selected={index === chosen}
                    class="palette-item"
                    onPointerMove={() => index !== chosen && setAt(index)}
                    onClick={() => use(item)}
                  >
                    <Icon name={item.icon} /> <span class="grow clip">{item.name}</span>
                    {item.note && <span class="small quiet clip">{item.note}</span>}
                    {item.keys && <kbd>{item.keys}</kbd>}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
        {all.length === 0 && !found.busy && <p class="quiet palette-none">{none}</p>}
        <div class="palette-foot small quiet">
          <kbd>↑</kbd> <kbd>↓</kbd> {t(palette.move)} <kbd>Enter</kbd> {t(palette.use)}{" "}
          <span class="hidden-text" role="status">
            {typed || person ? t(palette.found, { n: all.length }) : ""}
          </span>
        </div>
      </div>
    </Dialog>
  );
}
