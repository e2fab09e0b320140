// The tools above the plan: rows, links, undo, filter, order, views, columns, zoom, legend.
import { useComputed } from "@preact/signals";
import { Icon, type IconName } from "../app/icons";
import { MenuButton } from "../app/menu";
import { arrange } from "../words/arrange";
import { calls } from "../words/calls";
import { schedule } from "../words/schedule";
import { type Message, t } from "../words/words";
import { isArranged } from "./arrange";
import type { Desk } from "./desk";
import { indentRows, linkRows, newRow, outdentRows, toggleAll } from "./edit/actions";
import { ArrangeMenu, FilterTools, ViewsMenu } from "./arrange_menu";
import { savePicture, saveSvg } from "./chart/picture";
import { printPlan } from "./chart/print";
import { COLUMNS } from "./grid/columns";
import { Legend } from "./legend";
import { today } from "../dates/days";

function Tool({
  icon,
  name,
  keys,
  run,
  off,
  pressed,
}: {
  icon: IconName;
  name: Message;
  keys?: string;
  run: () => void;
  off?: boolean;
  pressed?: boolean;
}) {
  const title = keys ? `${t(name)} (${keys})` : t(name);
  return (
    <button type="button" class="icon" title={title} aria-label={t(name)} aria-pressed={pressed} disabled={off} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}

export function Toolbar({ desk }: { desk: Desk }) {
  const author = desk.canAuthor.value;
  const outline = !isArranged(desk.arrangement.value);
  const noUndo = useComputed(() => desk.edits.undoable.value.length === 0).value;
  const noRedo = useComputed(() => desk.edits.redoable.value.length === 0).value;
  return (
    <div class="tools" role="toolbar" aria-label={t(schedule.grid)}>
      {author && (
        <>
          <button type="button" class="button small primary" onClick={() => newRow(desk)}>
            <Icon name="plus" /> <span class="tool-text">{t(schedule.newRow)}</span>
          </button>
          <Tool icon="outdent" name={schedule.outdent} keys="Alt+Shift+←" run={() => void outdentRows(desk)} off={!outline} />
          <Tool icon="indent" name={schedule.indent} keys="Alt+Shift+→" run={() => void indentRows(desk)} off={!outline} />
        </>
      )}
      {desk.canLink.value && (
        <Tool icon="link" name={schedule.link} keys="Ctrl+F2" run={() => void linkRows(desk)} off={desk.selected.value.size < 2} />
      )}
      {(author || desk.canLink.value) && (
        <>
          <span class="tool-gap" />
          <Tool icon="undo" name={calls.undo} keys="Ctrl+Z" run={() => void desk.edits.undo()} off={noUndo} />
          <Tool icon="redo" name={calls.redo} keys="Ctrl+Y" run={() => void desk.edits.redo()} off={noRedo} />
          <span class="tool-gap" />
        </>
      )}
      <FilterTools desk={desk} />
      <ArrangeMenu desk={desk} />
      <ViewsMenu desk={desk} />
      <MoreMenu desk={desk} />
      <span class="grow" />
      <Tool
        icon="today"
        name={schedule.today}
        keys="T"
        run={() => desk.view.place(today() - desk.view.chartWidth / desk.view.px / 3, desk.view.px)}
      />
      <Tool icon="fit" name={schedule.fit} keys="0" run={() => desk.fit()} />
      <Tool icon="minus" name={schedule.zoomOut} keys="−" run={() => desk.view.zoom(0.8)} />
      <Tool icon="plus" name={schedule.zoomIn} keys="+" run={() => desk.view.zoom(1.25)} />
      <Columns desk={desk} />
      <MenuButton label={t(schedule.legend)} icon="flag">
        {() => <Legend />}
      </MenuButton>
      <Tool
        icon="info"
        name={schedule.inspector}
        keys="Shift+F2"
        run={() => (desk.inspector.value = !desk.inspector.peek())}
        pressed={desk.inspector.value}
      />
    </div>
  );
}

function MoreMenu({ desk }: { desk: Desk }) {
  return (
    <MenuButton label={t(calls.more)} icon="more">
      {(close) => {
        const run = (act: () => void) => () => (close(), act());
        return (
          <>
            <button type="button" onClick={run(() => toggleAll(desk, true))}>
              {t(schedule.expandAll)}
            </button>
            <button type="button" onClick={run(() => toggleAll(desk, false))}>
              {t(schedule.collapseAll)}
            </button>
            <label>
              <input type="checkbox" checked={desk.progressLine.value} onChange={() => desk.showProgress(!desk.progressLine.peek())} />{" "}
              {t(arrange.progressLine)}
            </label>
            <hr />
            <button type="button" onClick={run(() => printPlan(desk))}>
              {t(arrange.print)}
            </button>
            <button type="button" onClick={run(() => savePicture(desk))}>
              {t(schedule.picture)}
            </button>
            <button type="button" onClick={run(() => saveSvg(desk))}>
              {t(arrange.svg)}
            </button>
          </>
        );
      }}
    </MenuButton>
  );
}

function Columns({ desk }: { desk: Desk }) {
  const shown = desk.columns.value;
  const toggle = (key: string) => {
    const next = COLUMNS.map((column) => column.key).filter((one) => (one === key ? !shown.includes(key) : shown.includes(one)));
    desk.showColumns(next);
  };
  return (
    <MenuButton label={t(schedule.columns)} icon="columns">
      {() =>
        COLUMNS.filter((column) => column.key !== "name").map((column) => (
          <label key={column.key}>
            <input type="checkbox" checked={shown.includes(column.key)} onChange={() => toggle(column.key)} /> {t(column.title)}
          </label>
        ))
      }
    </MenuButton>
  );
}
