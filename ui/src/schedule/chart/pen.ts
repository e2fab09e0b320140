// What the chart is painted with: a canvas on the screen, or a pen that writes the same strokes as SVG.
import { escaped, SvgPen } from "./svg_pen";

export type Pen = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
  | "font"
  | "textBaseline"
  | "textAlign"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "rect"
  | "roundRect"
  | "fill"
  | "stroke"
  | "fillRect"
  | "strokeRect"
  | "clip"
  | "save"
  | "restore"
  | "translate"
  | "setLineDash"
  | "fillText"
  | "measureText"
>;

/** A path for this pen that is stroked later as a whole. */
export function pathOf(pen: Pen): Path2D {
  return pen instanceof SvgPen ? (pen.path() as unknown as Path2D) : new Path2D();
}

export function svgPen(): Pen & SvgPen {
  return new SvgPen(document.createElement("canvas").getContext("2d")!) as unknown as Pen & SvgPen;
}

export { escaped };
