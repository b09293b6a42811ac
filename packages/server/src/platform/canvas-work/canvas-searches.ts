/** The searches in canvases that are always a thread's work, by name: each is a function of data that can be sent to it, and back. */
import type { NodeDefinition, Problem } from '@hilo/engine/contract';
import type { Dialogue, SimulatedCompany } from '@hilo/simulator';

/** How long is searched for one problem, and for all of a canvas, in time of this thread: a busy machine finds what an idle one finds. */
const limits = { eachMs: 500, allMs: 5_000 } as const;

const workedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** What a search is given beside the canvas. */
export interface SearchFacts {
  /** Canvases that it calls, as JSON. */
  readonly others: readonly string[];
  readonly company: SimulatedCompany | undefined;
}

export const canvasSearches = {
  /**
   * Conversations that lead to the problems of a canvas, in their order: `null` where none was found in time, `undefined` where none was
   * looked for.
   */
  async dialogues(
    nodes: readonly NodeDefinition[],
    text: string,
    { others, company }: SearchFacts,
    problems: readonly Problem[],
  ): Promise<readonly (Dialogue | null | undefined)[]> {
    const { dialogueOf } = await import('@hilo/simulator'); // not loaded where nobody asks
    const untilMs = workedMs() + limits.allMs;
    const found: (Dialogue | null | undefined)[] = [];
    for (const problem of problems) {
      const beganMs = workedMs();
      const isWanted = problem.severity === 'error' && problem.way !== undefined && problem.follows === undefined && beganMs < untilMs;
      const isOver = (): boolean => workedMs() > Math.min(beganMs + limits.eachMs, untilMs);
      const options = { nodes, isOver, ...(company !== undefined && { company }) };
      found.push(isWanted ? ((await dialogueOf([text, ...others], problem, options)) ?? null) : undefined);
    }
    return found;
  },
};

export type SearchName = keyof typeof canvasSearches;
