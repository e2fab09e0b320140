// Working days of a plan: a week and its exceptions. Counts over years are quick because days are looked up, not walked.
import { NO_DAY, weekday } from "../../dates/days";

export interface Exception {
  from: number;
  to: number;
  working: boolean;
}

const FIRST = -3650;
const LAST = 40000;

export class WorkCalendar {
  private readonly worked: Uint8Array;
  private readonly before: Int32Array;
  /** The n-th worked day. */
  private readonly days: Int32Array;

  /** `mask`: Monday is 1, Sunday is 64. */
  constructor(mask: number, exceptions: Exception[] = []) {
    const days = LAST - FIRST;
    this.worked = new Uint8Array(days);
    for (let i = 0; i < days; i++) this.worked[i] = (mask >> weekday(FIRST + i)) & 1;
    for (const { from, to, working } of exceptions) {
      for (let day = Math.max(from, FIRST); day <= Math.min(to, LAST - 1); day++) this.worked[day - FIRST] = working ? 1 : 0;
    }
    this.before = new Int32Array(days + 1);
    for (let i = 0; i < days; i++) this.before[i + 1] = this.before[i]! + this.worked[i]!;
    this.days = new Int32Array(this.before[days]!);
    for (let i = 0, n = 0; i < days; i++) if (this.worked[i]) this.days[n++] = FIRST + i;
  }

  isWorking(day: number): boolean {
    return this.worked[day - FIRST] === 1;
  }

  /** The day itself if it is worked, otherwise the next one that is. */
  next(day: number): number {
    let at = day;
    for (let i = 0; i < 3660 && !this.isWorking(at); i++) at++;
    return at;
  }

  previous(day: number): number {
    let at = day;
    for (let i = 0; i < 3660 && !this.isWorking(at); i++) at--;
    return at;
  }

  /** How many worked days lie in `from` … `to`, both included. */
  count(from: number, to: number): number {
    if (from === NO_DAY || to === NO_DAY || to < from) return 0;
    return this.index(to + 1) - this.index(from);
  }

  /** `steps` working days after a working day; negative goes back. */
  add(day: number, steps: number): number {
    const from = steps >= 0 ? this.next(day) : this.previous(day);
    return this.days[this.index(from) + steps] ?? from + steps;
  }

  /** The last day of work that begins on `start` and takes `days`. */
  finish(start: number, days: number): number {
    return days <= 1 ? this.next(start) : this.add(this.next(start), days - 1);
  }

  private index(day: number): number {
    return this.before[Math.max(0, Math.min(this.before.length - 1, day - FIRST))]!;
  }
}
