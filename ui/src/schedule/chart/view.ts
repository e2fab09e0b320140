// Where the schedule looks: scroll, zoom and sizes. One animation frame draws whatever asked for it.
import { signal } from "@preact/signals";

export const MIN_PX = 0.2;
export const MAX_PX = 480;
export const AXIS = 48;

export class View {
  scrollTop = 0;
  /** The height of the rows, without the axis. */
  height = 0;
  rowHeight = 28;
  chartWidth = 0;
  /** The day at the left edge of the chart, with a fraction. */
  origin = 0;
  /** Pixels of a day. */
  px = 12;
  readonly zoomed = signal(0);
  /** A sheet is being painted: no focus and no selection. */
  paper = false;
  private painters: (() => void)[] = [];
  private frame = 0;

  onFrame(paint: () => void): () => void {
    this.painters.push(paint);
    return () => {
      this.painters = this.painters.filter((one) => one !== paint);
    };
  }

  request(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      for (const paint of this.painters) paint();
    });
  }

  /** Draws now, where a person may type before the next frame. */
  flush(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    for (const paint of this.painters) paint();
  }

  x(day: number): number {
    return (day - this.origin) * this.px;
  }

  dayAt(x: number): number {
    return this.origin + x / this.px;
  }

  y(row: number): number {
    return row * this.rowHeight - this.scrollTop;
  }

  rowAt(y: number): number {
    return Math.floor((y + this.scrollTop) / this.rowHeight);
  }

  firstRow(): number {
    return Math.floor(this.scrollTop / this.rowHeight);
  }

  lastRow(): number {
    return Math.floor((this.scrollTop + this.height) / this.rowHeight);
  }

  place(origin: number, px: number): void {
    this.origin = origin;
    this.px = Math.min(MAX_PX, Math.max(MIN_PX, px));
    this.zoomed.value++;
    this.request();
  }

  pan(pixels: number): void {
    this.origin += pixels / this.px;
    this.request();
  }

  /** Zooms so that the day under `x` stays where it is. */
  zoom(factor: number, x = this.chartWidth / 2): void {
    const day = this.dayAt(x);
    const px = Math.min(MAX_PX, Math.max(MIN_PX, this.px * factor));
    this.place(day - x / px, px);
  }

  /** Brings a span of days into sight without changing the zoom. */
  reveal(start: number, finish: number): void {
    const left = this.x(start);
    const right = this.x(finish + 1);
    if (left >= 0 && right <= this.chartWidth) return;
    if (right - left > this.chartWidth || left < 0) this.origin = start - 40 / this.px;
    else this.origin = finish + 1 - (this.chartWidth - 120) / this.px;
    this.request();
  }
}
