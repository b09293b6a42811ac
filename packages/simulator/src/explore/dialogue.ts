// A problem of a canvas as a conversation: what a user says, and others answer, until the node is visited that the problem is about.
import type { Problem } from '@hilo/engine/contract';
import { explore, type ExploreOptions } from './explore.ts';
import { play } from './play.ts';
import { readCanvas } from '../simulation/simulate.ts';

/** A conversation that shows a problem. */
export interface Dialogue {
  /** What the user, time and other systems do, a line each: a script. */
  readonly script: string;
  /** The same with what happens then. */
  readonly transcript: string;
}

/**
 * Finds a conversation that follows the way of a problem to its node, or else one in which that node fails. It was played by the simulator: what it shows happens.
 *
 * @param canvases - the first has the problem; the others are those that it calls
 * @returns `undefined` for a problem without a way, and where none was found: the way is possible all the same, as far as the check knows
 */
export async function dialogueOf(
  canvases: readonly (object | string)[],
  { way }: Pick<Problem, 'way'>,
  options: ExploreOptions = {},
): Promise<Dialogue | undefined> {
  const [main] = canvases;
  const last = way?.at(-1)?.nodeId;
  if (main === undefined || way === undefined || last === undefined) return undefined;
  const workflowId = readCanvas(main).id;
  // The check knows no values: its way may be none that a conversation can take, where another leads to the same.
  for (const goal of [{ way }, { fails: last }]) {
    const { walked } = await explore(canvases, { ...options, ...goal });
    for (const inputs of walked) {
      const played = await play(canvases, inputs, options);
      const executions = (await played?.conversation.executions()) ?? [];
      const isThere = executions.some((one) => one.workflowId === workflowId && (one.state.visits[last] ?? 0) > 0);
      if (played !== undefined && isThere) return { script: `${played.script}\n`, transcript: played.transcript };
    }
  }
  return undefined;
}
