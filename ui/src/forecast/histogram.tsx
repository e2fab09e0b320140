// The histogram of the ends of all runs, drawn by hand on a canvas. Pointer and arrows read one bar.
import { useEffect, useRef, useState } from "preact/hooks";
import { useColours } from "../charts/colours";
import { shortDay } from "../dates/format";
import { forecast } from "../words/forecast";
import { t } from "../words/words";
import type { Bar } from "./model";

const FOOT = 22;

interface HistogramProps {
  bars: Bar[];
  plan: number;
  p80: number;
  height?: number;
}

export function Histogram({ bars, plan, p80, height = 190 }: HistogramProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState<number | null>(null);
  const colours = useColours();
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    watch.observe(canvas.current!.parentElement!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const box = canvas.current!;
    const ratio = devicePixelRatio || 1;
    box.width = width * ratio;
    box.height = height * ratio;
    box.style.width = `${width}px`;
    box.style.height = `${height}px`;
    const draw = box.getContext("2d")!;
    draw.scale(ratio, ratio);
    draw.clearRect(0, 0, width, height);
    if (!bars.length || !width) return;
    const most = Math.max(...bars.map((bar) => bar.count));
    const step = width / bars.length;
    bars.forEach((bar, index) => {
      const tall = Math.max(1, ((height - FOOT - 10) * bar.count) / most);
      draw.fillStyle = index === at ? colours.text : bar.to <= plan ? colours.good : bar.from > p80 ? colours.critical : colours.task;
      draw.beginPath();
      draw.roundRect(index * step + 1, height - FOOT - tall, Math.max(1, step - 2), tall, [2, 2, 0, 0]);
      draw.fill();
    });
    draw.fillStyle = colours.line;
    draw.fillRect(0, height - FOOT, width, 1);
    draw.fillStyle = colours.text2;
    draw.font = "12px system-ui, sans-serif";
    const every = Math.max(1, Math.ceil((bars.length * 84) / width));
    bars.forEach(
      (bar, index) => index % every === 0 && index * step + 70 < width && draw.fillText(shortDay(bar.from), index * step + 1, height - 5),
    );
  }, [bars, width, height, at, colours, plan, p80]);
  const read = at === null ? null : bars[at];
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(bars.length - 1, (at ?? (step > 0 ? -1 : bars.length)) + step)));
  };
  return (
    <div class="histogram">
      <p class="small num histogram-read" aria-live="polite">
        {read ? (
          `${shortDay(read.from)}${read.to > read.from ? ` – ${shortDay(read.to)}` : ""}: ${t(forecast.runsIn, { n: read.count })}`
        ) : (
          <Key />
        )}
      </p>
      <div>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label={t(forecast.histogram)}
          onKeyDown={move}
          onBlur={() => setAt(null)}
          onPointerLeave={() => setAt(null)}
          onPointerMove={(event) => setAt(Math.max(0, Math.min(bars.length - 1, Math.floor((event.offsetX / width) * bars.length))))}
        />
      </div>
    </div>
  );
}

/** What the colours say. */
function Key() {
  return (
    <>
      <span class="histogram-key is-good">{t(forecast.byPlan)}</span>
      <span class="histogram-key">{t(forecast.between)}</span>
      <span class="histogram-key is-late">{t(forecast.afterPromise)}</span>
    </>
  );
}
