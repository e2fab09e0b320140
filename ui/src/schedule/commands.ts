// The commands of the schedule, for the palette.
import type { Command } from "../app/palette_state";
import { may } from "../projects/rights";
import { place, setQuery } from "../app/router";
import { arrange } from "../words/arrange";
import { calls } from "../words/calls";
import { alike } from "../words/palette";
import { schedule } from "../words/schedule";
import { t } from "../words/words";
import { today } from "../dates/days";
import { savePicture, saveSvg } from "./chart/picture";
import { printPlan } from "./chart/print";
import type { Desk } from "./desk";
import { takeBaseline } from "./edit/baseline";
import { deleteRows, indentRows, linkRows, newRow, outdentRows, shiftRows, toggleAll, unlinkRows } from "./edit/actions";
import { showView, usualView } from "./saved_views";

/** Those that this person can use in this plan. */
export function commandsOf(desk: Desk): Command[] {
  return [...(desk.author.value ? ofAuthors(desk) : []), ...(desk.linker.value ? ofLinkers(desk) : []), ...ofReaders(desk)];
}

function ofAuthors(desk: Desk): Command[] {
  return [
    { name: t(schedule.newRow), keys: "Ctrl+Enter", run: () => newRow(desk) },
    { name: t(schedule.rowAbove), keys: "Insert", run: () => newRow(desk, true) },
    { name: t(schedule.indent), keys: "Alt+Shift+→", run: () => void indentRows(desk) },
    { name: t(schedule.outdent), keys: "Alt+Shift+←", run: () => void outdentRows(desk) },
    { name: t(schedule.moveUp), keys: "Alt+Shift+↑", run: () => void shiftRows(desk, -1) },
    { name: t(schedule.moveDown), keys: "Alt+Shift+↓", run: () => void shiftRows(desk, 1) },
    { name: t(calls.remove), keys: "Delete", run: () => void deleteRows(desk) },
    { name: t(calls.undo), keys: "Ctrl+Z", run: () => void desk.edits.undo() },
    { name: t(calls.redo), keys: "Ctrl+Y", run: () => void desk.edits.redo() },
  ];
}

function ofLinkers(desk: Desk): Command[] {
  return [
    { name: t(schedule.link), keys: "Ctrl+F2", run: () => void linkRows(desk) },
    { name: t(schedule.unlink), keys: "Ctrl+Shift+F2", run: () => void unlinkRows(desk) },
  ];
}

function ofReaders(desk: Desk): Command[] {
  return [
    ...(may(desk.project.value, "manage") ? [{ name: t(schedule.takeBaseline), run: () => void takeBaseline(desk) }] : []),
    { name: t(schedule.today), keys: "T", run: () => desk.view.place(today() - desk.view.chartWidth / desk.view.px / 3, desk.view.px) },
    { name: t(schedule.fit), keys: "0", run: () => desk.fit() },
    { name: t(schedule.picture), alike: t(alike.picture), run: () => savePicture(desk) },
    { name: t(arrange.svg), alike: t(alike.picture), run: () => saveSvg(desk) },
    { name: t(arrange.print), alike: `${t(alike.print)} ${arrange.print[0]}`, run: () => printPlan(desk) },
    { name: t(arrange.progressLine), run: () => desk.showProgress(!desk.progressLine.peek()) },
    { name: t(arrange.usualView), run: () => showView(desk, usualView()) },
    { name: t(schedule.expandAll), run: () => toggleAll(desk, true) },
    { name: t(schedule.collapseAll), run: () => toggleAll(desk, false) },
    { name: t(schedule.inspector), keys: "Shift+F2", run: () => (desk.inspector.value = !desk.inspector.peek()) },
  ];
}

/** Does what another page sent the person here for. */
export function doAsked(desk: Desk): void {
  const asked = place.peek().query.get("do");
  if (!asked) return;
  setQuery({ do: null });
  if (asked === "print") printPlan(desk);
  if (asked === "picture") savePicture(desk);
  if (asked === "svg") saveSvg(desk);
}
