// A pen for model tests: it draws nothing and records what would be drawn, so that a test can look at it.
import type { Pen } from "../chart/pen";

export interface Stroke {
  kind: "rect" | "round" | "clip" | "text" | "point";
  x: number;
  y: number;
  width: number;
  height: number;
  colour: string;
}

/** A letter is six pixels wide. */
const LETTER = 6;

export class Recorder {
  readonly strokes: Stroke[] = [];
  fillStyle = "";
  strokeStyle = "";
  lineWidth = 1;
  globalAlpha = 1;
  font = "";
  textBaseline = "alphabetic";
  textAlign = "left";
  /** How many states are saved and not yet restored. */
  depth = 0;

  get pen(): Pen & CanvasRenderingContext2D {
    return this as never;
  }

  private add(kind: Stroke["kind"], x: number, y: number, width = 0, height = 0): void {
    this.strokes.push({ kind, x, y, width, height, colour: String(this.fillStyle) });
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.add("rect", x, y, width, height);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.add("rect", x, y, width, height);
  }

  clearRect(x: number, y: number, width: number, height: number): void {
    this.add("rect", x, y, width, height);
  }

  /** The painters use it for what a clip leaves. */
  rect(x: number, y: number, width: number, height: number): void {
    this.add("clip", x, y, width, height);
  }

  roundRect(x: number, y: number, width: number, height: number): void {
    this.add("round", x, y, width, height);
  }

  moveTo(x: number, y: number): void {
    this.add("point", x, y);
  }

  lineTo(x: number, y: number): void {
    this.add("point", x, y);
  }

  arc(x: number, y: number): void {
    this.add("point", x, y);
  }

  fillText(text: string, x: number, y: number): void {
    this.add("text", x, y, text.length * LETTER, 12);
  }

  measureText(text: string): { width: number } {
    return { width: text.length * LETTER };
  }

  save(): void {
    this.depth++;
  }

  restore(): void {
    this.depth--;
  }

  beginPath(): void {}
  closePath(): void {}
  fill(): void {}
  stroke(): void {}
  clip(): void {}
  translate(): void {}
  setLineDash(): void {}
}
