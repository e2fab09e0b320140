// The chart as a picture: all visible rows of the plan with their names, painted by the same code as the screen.
import { NO_DAY, today } from "../../dates/days";
import type { Desk } from "../desk";
import { paintAxis } from "./axis";
import { readColours } from "./colours";
import { paintMain } from "./paint";
import { AXIS } from "./view";

const NAMES = 320;
const MOST_ROWS = 1000;

/** Saves a PNG with the current zoom; a plan with very many rows is cut after a thousand. */
export function savePicture(desk: Desk): void {
  const { view, plan } = desk;
  const rows = Math.min(MOST_ROWS, plan.visible.length);
  const canvas = document.createElement("canvas");
  canvas.width = NAMES + view.chartWidth;
  canvas.height = AXIS + rows * view.rowHeight;
  const ctx = canvas.getContext("2d", { alpha: false })!;
  const colours = readColours();
  const { scrollTop, height } = view;
  try {
    view.scrollTop = 0;
    view.height = rows * view.rowHeight - 1;
    ctx.translate(NAMES, 0);
    paintAxis(ctx, view, colours, { today: today(), data: desk.dataDate === NO_DAY ? today() : desk.dataDate });
    ctx.translate(0, AXIS);
    paintMain(ctx, desk, colours);
    ctx.translate(-NAMES, -AXIS);
    ctx.fillStyle = colours.ground;
    ctx.fillRect(0, 0, NAMES, canvas.height);
    ctx.textBaseline = "middle";
    ctx.fillStyle = colours.text;
    for (let row = 0; row < rows; row++) {
      const task = plan.visible[row]!;
      ctx.font = `${plan.rows[task]!.is_summary ? "600 " : ""}13px ${colours.font}`;
      ctx.fillText(plan.rows[task]!.name, 8 + plan.level[task]! * 12, AXIS + (row + 0.5) * view.rowHeight, NAMES - 16);
    }
  } finally {
    view.scrollTop = scrollTop;
    view.height = height;
    view.request();
  }
  canvas.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${desk.project.peek()?.name ?? "plan"}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}
