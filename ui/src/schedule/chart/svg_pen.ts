// Writes strokes of a canvas as SVG. It knows what the painters of the chart use, and nothing else.

const round = (value: number): number => Math.round(value * 100) / 100;

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

class SvgPath {
  text = "";

  constructor(private readonly at: () => [number, number]) {}

  moveTo(x: number, y: number): void {
    this.add("M", x, y);
  }

  lineTo(x: number, y: number): void {
    this.add("L", x, y);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.add("M", x, y);
    this.text += `h${round(width)}v${round(height)}h${round(-width)}z`;
  }

  roundRect(x: number, y: number, width: number, height: number, wish: number): void {
    const r = round(Math.max(0, Math.min(wish, width / 2, height / 2)));
    const [w, h] = [round(width - 2 * r), round(height - 2 * r)];
    this.add("M", x + r, y);
    const corner = `a${r} ${r} 0 0 1 `;
    this.text += `h${w}${corner}${r} ${r}v${h}${corner}${-r} ${r}h${-w}${corner}${-r} ${-r}v${-h}${corner}${r} ${-r}z`;
  }

  private add(step: string, x: number, y: number): void {
    const [dx, dy] = this.at();
    this.text += `${step}${round(x + dx)} ${round(y + dy)}`;
  }
}

interface State {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textBaseline: string;
  textAlign: string;
  dash: number[];
  clip: string;
  dx: number;
  dy: number;
}

export class SvgPen implements Omit<State, "dash" | "clip" | "dx" | "dy"> {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "12px sans-serif";
  textBaseline = "alphabetic";
  textAlign = "left";
  private dash: number[] = [];
  private clipped = "";
  private dx = 0;
  private dy = 0;
  private readonly parts: string[] = [];
  private readonly kept: State[] = [];
  private clips = 0;
  private now = this.path();

  /** A canvas measures the texts. */
  constructor(private readonly ruler: CanvasRenderingContext2D) {}

  path(): SvgPath {
    return new SvgPath(() => [this.dx, this.dy]);
  }

  beginPath(): void {
    this.now = this.path();
  }

  moveTo(x: number, y: number): void {
    this.now.moveTo(x, y);
  }

  lineTo(x: number, y: number): void {
    this.now.lineTo(x, y);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.now.rect(x, y, width, height);
  }

  roundRect(x: number, y: number, width: number, height: number, radius: number): void {
    this.now.roundRect(x, y, width, height, radius);
  }

  fill(): void {
    this.write(this.now, `fill="${this.fillStyle}"`);
  }

  stroke(path: SvgPath = this.now): void {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    this.write(path, `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${dash}`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (width <= 0 || height <= 0) return;
    const path = this.path();
    path.rect(x, y, width, height);
    this.write(path, `fill="${this.fillStyle}"`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    const path = this.path();
    path.rect(x, y, width, height);
    this.stroke(path);
  }

  clip(): void {
    const id = `c${++this.clips}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.now.text}"/></clipPath>`);
    this.clipped = ` clip-path="url(#${id})"`;
  }

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textBaseline, textAlign, dash, clipped: clip, dx, dy } = this;
    this.kept.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textBaseline, textAlign, dash, clip, dx, dy });
  }

  restore(): void {
    const { clip, ...state } = this.kept.pop()!;
    Object.assign(this, state);
    this.clipped = clip;
  }

  translate(x: number, y: number): void {
    this.dx += x;
    this.dy += y;
  }

  setLineDash(dash: number[]): void {
    this.dash = dash;
  }

  measureText(text: string): TextMetrics {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  fillText(text: string, x: number, y: number, width?: number): void {
    if (!text) return;
    const [, weight, size] = /^(?:(\d+) )?([\d.]+)px/.exec(this.font) ?? [];
    const cut = width === undefined ? text : this.cut(text, width);
    const down = this.textBaseline === "middle" ? Number(size) * 0.35 : 0;
    const end = this.textAlign === "right" ? ' text-anchor="end"' : "";
    const place = `x="${round(x + this.dx)}" y="${round(y + this.dy + down)}"`;
    const look = `font-size="${size}" font-weight="${weight ?? 400}" fill="${this.fillStyle}"${end}${this.clipped}`;
    this.parts.push(`<text ${place} ${look}>${escaped(cut)}</text>`);
  }

  /** The picture as a file of its own. */
  svg(width: number, height: number, font: string): string {
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    const family = escaped(font.replace(/"/g, "'"));
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${family}">${this.parts.join("")}</svg>`;
  }

  private cut(text: string, width: number): string {
    if (this.measureText(text).width <= width) return text;
    let length = text.length;
    while (length > 1 && this.measureText(`${text.slice(0, length)}…`).width > width) length--;
    return `${text.slice(0, length).trimEnd()}…`;
  }

  private write(path: SvgPath, look: string): void {
    if (!path.text) return;
    const faint = this.globalAlpha < 1 ? ` opacity="${round(this.globalAlpha)}"` : "";
    this.parts.push(`<path d="${path.text}" ${look}${faint}${this.clipped}/>`);
  }
}
