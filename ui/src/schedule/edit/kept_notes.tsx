// The fields that two people changed, each as a note below its cell. It follows the scroll; if its row is out of sight, it stays
// at that edge of the plan, so that nobody misses it.
import { useEffect, useRef } from "preact/hooks";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import { AXIS } from "../chart/view";
import type { Desk } from "../desk";
import { KeptField } from "./conflict";
import { columnOf, type Kept, kept } from "./patch";
import { heightsOf, placed } from "./places";

const GAP = 4;

export function KeptNotes({ desk }: { desk: Desk }) {
  const box = useRef<HTMLUListElement>(null);
  const list = kept.value;
  useEffect(() => {
    const place = () => {
      const notes = [...(box.current?.children ?? [])] as HTMLElement[];
      if (notes.length === 0) return;
      const tops = placed(
        kept.peek().map((one) => wish(desk, one)),
        heightsOf(notes),
        AXIS,
        AXIS + desk.view.height,
        GAP,
      );
      notes.forEach((note, at) => {
        note.style.top = `${tops[at]}px`;
        const most = note.parentElement!.clientWidth - note.offsetWidth - GAP;
        note.style.left = `${Math.max(GAP, Math.min(cellLeft(desk, note, kept.peek()[at]!), most))}px`;
      });
    };
    place();
    return desk.view.onFrame(place);
  }, [desk, list]);
  return (
    <ul ref={box} class="kept-notes" role="alert" aria-label={t(schedule.conflictTitle)}>
      {list.map((one) => (
        <li key={`${one.id} ${one.field}`} class="kept-line kept-note">
          <KeptField desk={desk} one={one} />
        </li>
      ))}
    </ul>
  );
}

/** The place below the row of a note, in pixels of the panes. */
function wish(desk: Desk, one: Kept): number {
  const task = desk.plan.task(one.id);
  const row = task < 0 ? -1 : desk.plan.rowOf[task]!;
  return AXIS + desk.view.y(row + 1);
}

function cellLeft(desk: Desk, note: HTMLElement, one: Kept): number {
  const panes = note.parentElement!.parentElement!;
  const at = desk.columns.peek().indexOf(columnOf(one.field));
  const head = panes.querySelectorAll<HTMLElement>(".grid-head [role=columnheader]")[at];
  return at < 0 || !head ? GAP : head.getBoundingClientRect().left - panes.getBoundingClientRect().left;
}
