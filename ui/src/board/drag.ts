// Drag of a card with the pointer: it begins after 4 px, or when a finger rests on it for a moment; a copy follows the pointer,
// and the place is read from the page.
import type { Place, Status } from "./model";

interface Drag {
  lane: HTMLElement;
  place: (place: Place) => void;
  drop: (place: Place | null) => void;
}

const BEGIN = 4;
const FINGER = 10;
const REST_MS = 350;
const EDGE = 48;

/** Follows the pointer from a press on a card. A press that does not move stays a click. */
export function followPointer(start: PointerEvent, card: HTMLElement, drag: Drag): void {
  if (start.button !== 0) return;
  let ghost: HTMLElement | null = null;
  let place: Place | null = null;
  let frame = 0;
  let at = { x: start.clientX, y: start.clientY };
  const box = card.getBoundingClientRect();

  const touch = start.pointerType === "touch";
  const resting = touch ? setTimeout(() => begin(), REST_MS) : undefined;

  const begin = () => {
    ghost = card.cloneNode(true) as HTMLElement;
    ghost.classList.add("board-ghost");
    ghost.removeAttribute("id");
    ghost.style.width = `${box.width}px`;
    document.body.append(ghost);
    card.setPointerCapture(start.pointerId);
    document.body.classList.add("dragging");
  };
  const draw = () => {
    frame = 0;
    if (!ghost) return;
    ghost.style.transform = `translate(${box.left + at.x - start.clientX}px, ${box.top + at.y - start.clientY}px) rotate(1.5deg)`;
    scrollAtEdge(drag.lane, at.x);
    const next = placeAt(drag.lane, at.x, at.y, card.dataset.task ?? "");
    if (next && (next.column !== place?.column || next.index !== place.index)) drag.place(next);
    place = next ?? place;
  };
  const move = (event: PointerEvent) => {
    at = { x: event.clientX, y: event.clientY };
    const far = Math.hypot(at.x - start.clientX, at.y - start.clientY);
    if (!ghost && touch && far >= FINGER) return end(false);
    if (!ghost && !touch && far >= BEGIN) begin();
    if (ghost) {
      event.preventDefault();
      frame ||= requestAnimationFrame(draw);
    }
  };
  const end = (taken: boolean) => {
    cancelAnimationFrame(frame);
    clearTimeout(resting);
    for (const [name, hear] of hearing) window.removeEventListener(name, hear as EventListener, true);
    document.body.classList.remove("dragging");
    if (!ghost) return;
    ghost.remove();
    // The click that follows a drag opens nothing.
    const swallow = (event: Event) => (event.stopPropagation(), event.preventDefault());
    window.addEventListener("click", swallow, true);
    setTimeout(() => window.removeEventListener("click", swallow, true));
    drag.drop(taken ? place : null);
  };
  const hearing: [string, (event: never) => void][] = [
    ["pointermove", move as never],
    ["pointerup", (() => end(true)) as never],
    ["pointercancel", (() => end(false)) as never],
    ["keydown", ((event: KeyboardEvent) => event.key === "Escape" && (event.stopPropagation(), end(false))) as never],
    // While a card is carried by a finger, the page does not scroll and no menu opens.
    ["touchmove", ((event: TouchEvent) => ghost && event.cancelable && event.preventDefault()) as never],
    ["contextmenu", ((event: Event) => touch && event.preventDefault()) as never],
  ];
  for (const [name, hear] of hearing) window.addEventListener(name, hear as EventListener, { capture: true, passive: false });
}

function scrollAtEdge(lane: HTMLElement, x: number): void {
  const scroller = lane.closest<HTMLElement>(".board-scroll");
  if (!scroller) return;
  const box = scroller.getBoundingClientRect();
  if (x > box.right - EDGE) scroller.scrollLeft += 12;
  else if (x < box.left + EDGE) scroller.scrollLeft -= 12;
}

/** The column below the pointer and how many other cards stand above it there. */
function placeAt(lane: HTMLElement, x: number, y: number, moving: string): Place | null {
  for (const cell of lane.querySelectorAll<HTMLElement>("[data-column]")) {
    const box = cell.getBoundingClientRect();
    if (x < box.left || x > box.right) continue;
    let index = 0;
    for (const card of cell.querySelectorAll<HTMLElement>("[data-task]")) {
      if (card.dataset.task === moving) continue;
      const at = card.getBoundingClientRect();
      if (y > at.top + at.height / 2) index++;
    }
    return { column: cell.dataset.column as Status, index };
  }
  return null;
}
