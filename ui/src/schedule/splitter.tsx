// The line between grid and chart: dragged, or moved with the arrows.
import { schedule } from "../words/schedule";
import { t } from "../words/words";

export function Splitter({ width, set, min }: { width: number; set: (width: number) => void; min: number }) {
  const most = innerWidth - Math.min(320, innerWidth / 2);
  const clamp = (wish: number) => Math.max(min, Math.min(most, wish));
  const down = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    const from = event.clientX;
    bar.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => set(clamp(width + moved.clientX - from));
    const end = () => {
      bar.removeEventListener("pointermove", move);
      bar.removeEventListener("pointerup", end);
    };
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", end);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    set(clamp(width + (event.key === "ArrowLeft" ? -32 : 32)));
  };
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t(schedule.splitter)}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={most}
      onPointerDown={down}
      onKeyDown={key}
    />
  );
}
