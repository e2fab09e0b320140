// Two fingers on the chart: they zoom around the middle between them, and move it.
import type { Desk } from "../desk";

export class Pinch {
  private readonly fingers = new Map<number, [number, number]>();

  constructor(private readonly desk: Desk) {}

  /** Answers whether this is the second finger. */
  down(id: number, x: number, y: number): boolean {
    this.fingers.set(id, [x, y]);
    return this.fingers.size === 2;
  }

  /** Answers whether two fingers are down and the move was theirs. */
  move(id: number, x: number, y: number): boolean {
    if (this.fingers.size < 2 || !this.fingers.has(id)) return false;
    const before = this.span();
    this.fingers.set(id, [x, y]);
    const after = this.span();
    this.desk.view.pan(before.middle - after.middle);
    if (before.wide > 8 && after.wide > 8) this.desk.view.zoom(after.wide / before.wide, after.middle);
    return true;
  }

  up(id: number): void {
    this.fingers.delete(id);
  }

  private span(): { middle: number; wide: number } {
    const [a, b] = [...this.fingers.values()] as [[number, number], [number, number]];
    return { middle: (a[0] + b[0]) / 2, wide: Math.hypot(a[0] - b[0], a[1] - b[1]) };
  }
}
