// A chart of lines over days. uPlot draws; a table says the same to screen readers.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { shortDay } from "../dates/format";
import { calls } from "../words/calls";
import { number, t } from "../words/words";
import { type Colours, useColours } from "./colours";
import "./charts.css";

export interface Line {
  name: string;
  values: (number | null)[];
  colour: keyof Colours;
  kind?: "line" | "steps" | "dashes" | "area" | undefined;
}

export interface Mark {
  day: number;
  name: string;
  colour: keyof Colours;
}

interface LineChartProps {
  label: string;
  days: number[];
  lines: Line[];
  marks?: Mark[];
  height?: number;
  unit?: string;
  top?: number | undefined;
}

const DAY = 86400;

export function LineChart({ label, days, lines, marks = [], height = 260, unit = "", top }: LineChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const colours = useColours();
  useEffect(() => {
    const element = box.current!;
    const axis = {
      stroke: colours.text2,
      grid: { stroke: colours.line, width: 1 },
      ticks: { show: false },
      font: "12px system-ui, sans-serif",
    };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "UTC"),
        padding: [18, 12, 0, 0],
        cursor: { points: { size: 7 }, drag: { x: false, y: false } },
        legend: { live: true, markers: { width: 2 } },
        scales: { y: { range: (_, low, high) => [Math.min(0, low), top ?? (high || 1) * 1.08] } },
        axes: [
          {
            ...axis,
            space: 76,
            values: (_, ticks) => ticks.map((tick) => shortDay(Math.round(tick / DAY))),
            incrs: [1, 2, 3, 7, 14, 28, 56, 91, 182, 365].map((n) => n * DAY),
          },
          { ...axis, size: 48, values: (_, ticks) => ticks.map((tick) => `${number(tick, 1)}${unit}`) },
        ],
        series: [
          { value: (_, at) => (at === null ? "" : shortDay(Math.round(at / DAY))), label: t(calls.day) },
          ...lines.map((line) => series(line, colours, unit)),
        ],
        hooks: { draw: [(self) => drawMarks(self, marks, colours)] },
      },
      [days.map((day) => day * DAY), ...lines.map((line) => line.values)] as uPlot.AlignedData,
      element,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [days, lines, marks, colours, height]);
  return (
    <figure class="plot" role="group" aria-label={label}>
      <div ref={box} aria-hidden="true" />
      <ChartTable label={label} days={days} lines={lines} unit={unit} />
    </figure>
  );
}

function series(line: Line, colours: Colours, unit: string): uPlot.Series {
  const one: uPlot.Series = {
    label: line.name,
    stroke: colours[line.colour],
    width: line.kind === "dashes" ? 1.5 : 2,
    points: { show: line.values.filter((value) => value !== null).length < 3, size: 7 },
    value: (_, at) => (at === null || at === undefined ? "–" : `${number(at, 1)}${unit}`),
  };
  if (line.kind === "dashes") one.dash = [5, 5];
  if (line.kind === "steps") one.paths = uPlot.paths.stepped!({ align: 1 });
  if (line.kind === "area") one.fill = `${colours[line.colour]}1f`;
  return one;
}

function drawMarks(plot: uPlot, marks: Mark[], colours: Colours): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark.day * DAY, "x", true)) + 0.5;
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue;
    ctx.strokeStyle = ctx.fillStyle = colours[mark.colour];
    ctx.lineWidth = ratio;
    ctx.setLineDash([3 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const wide = ctx.measureText(mark.name).width;
    ctx.fillText(mark.name, Math.max(bbox.left + 2, Math.min(x - wide / 2, bbox.left + bbox.width - wide)), bbox.top - 5 * ratio);
  }
  ctx.restore();
}

function ChartTable({ label, days, lines, unit }: { label: string; days: number[]; lines: Line[]; unit: string }) {
  const stride = Math.max(1, Math.ceil(days.length / 30));
  return (
    <table class="hidden-text">
      <caption>{label}</caption>
      <thead>
        <tr>
          <td />
          {lines.map((line) => (
            <th key={line.name} scope="col">
              {line.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(
          (day, at) =>
            at % stride === 0 && (
              <tr key={day}>
                <th scope="row">{shortDay(day)}</th>
                {lines.map((line) => (
                  <td key={line.name}>{line.values[at] == null ? "–" : `${number(line.values[at]!, 1)}${unit}`}</td>
                ))}
              </tr>
            ),
        )}
      </tbody>
    </table>
  );
}
