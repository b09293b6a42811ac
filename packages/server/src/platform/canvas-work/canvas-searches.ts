/** The searches in canvases that are always a thread's work, by name: each is a function of data that can be sent to it, and back. */
import type { NodeDefinition, Problem } from '@hilo/engine/contract';
import type { Dialogue, SimulatedCompany } from '@hilo/simulator';

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
    const { dialoguesOf } = await import('@hilo/simulator'); // not loaded where nobody asks
    return dialoguesOf([text, ...others], problems, { nodes, ...(company !== undefined && { company }) });
  },
};

export type SearchName = keyof typeof canvasSearches;
