// Numbers for model tests that are the same in every run. A failure names its seed; sizes grow with the seed, so that the first
// seed that fails has a small plan. A library would make cases smaller by itself, but it does not know which plans are possible.

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed + 1, 0x9e3779b1);
  }

  /** At least 0, below 1. */
  share(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.share() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)]!;
  }

  shuffle<T>(list: readonly T[]): T[] {
    const mixed = [...list];
    for (let at = mixed.length - 1; at > 0; at--) {
      const other = this.whole(0, at);
      [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
    }
    return mixed;
  }
}

/** Checks a property with many seeds. */
export function checkSeeds(count: number, property: (random: Random, size: number) => void): void {
  for (let seed = 0; seed < count; seed++) {
    try {
      property(new Random(seed), 2 + Math.floor((seed * 30) / count));
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}
