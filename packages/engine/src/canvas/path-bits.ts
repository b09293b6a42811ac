import type { Path } from '../variables/path.ts';

interface Step {
  readonly next: Map<string, Step>;
  /** Paths that end here, and paths that continue from here. */
  here: number;
  beyond: number;
}

/** Up to 31 paths, each a bit of a number, found by the paths of writes. */
export class PathBits {
  /** The bits of all paths. */
  readonly all: number;
  readonly #root: Step = newStep();

  constructor(paths: readonly Path[]) {
    this.all = 2 ** paths.length - 1;
    for (const [index, path] of paths.entries()) {
      const bit = 1 << index;
      let step = this.#root;
      for (const name of path) {
        step.beyond |= bit;
        const next = step.next.get(String(name)) ?? newStep();
        step.next.set(String(name), next);
        step = next;
      }
      step.here |= bit;
    }
  }

  /** The paths that have a value, whole or in part, once these are written: a write above them, at them or below them. */
  of(writes: readonly Path[]): number {
    let bits = 0;
    for (const path of writes) {
      let step: Step | undefined = this.#root;
      for (const name of path) {
        bits |= step.here;
        step = step.next.get(String(name));
        if (step === undefined) break;
      }
      if (step !== undefined) bits |= step.here | step.beyond;
    }
    return bits;
  }
}

const newStep = (): Step => ({ next: new Map(), here: 0, beyond: 0 });
