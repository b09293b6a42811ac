// A problem of a canvas as a conversation: what a user says, and others answer, until the node is visited that the problem is about.
import type { Problem } from '@hilo/engine/contract';
import { workedMs } from '@hilo/sandbox';
import { explore, type ExploreOptions } from './explore.ts';
import { play } from './play.ts';
import { readCanvas } from '../read-canvas.ts';

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
 * @param given - the first has the problem; the others are those that it calls
 * @returns `undefined` for a problem without a way, and where none was found: the way is possible all the same, as far as the check knows
 */
export async function dialogueOf(
  given: readonly (object | string)[],
  { way }: Pick<Problem, 'way'>,
  options: ExploreOptions = {},
): Promise<Dialogue | undefined> {
  const canvases = given.map(readCanvas); // once, for all that is played
  const [main] = canvases;
  const last = way?.at(-1)?.nodeId;
  if (main === undefined || way === undefined || last === undefined) return undefined;
  // The check knows no values: its way may be none that a conversation can take, where another leads to the same.
  for (const goal of [{ way }, { fails: last }]) {
    const { walked } = await explore(canvases, { ...options, ...goal });
    for (const inputs of walked) {
      const played = await play(canvases, inputs, options);
      const executions = (await played?.conversation.executions()) ?? [];
      const isThere = executions.some((one) => one.workflowId === main.id && (one.state.visits[last] ?? 0) > 0);
      if (played !== undefined && isThere) return { script: `${played.script}\n`, transcript: played.transcript };
    }
  }
  return undefined;
}

/** How long is searched for one problem, and for all of a canvas, in time of this thread: a busy machine finds what an idle one finds. */
export const dialogueLimits = { eachMs: 500, allMs: 5_000 } as const;

/**
 * Finds conversations for the errors among some problems of a canvas, within {@link dialogueLimits}.
 *
 * @param canvases - as for {@link dialogueOf}
 * @returns in the order of the problems: `null` where none was found in time, `undefined` where none was looked for: a warning, an error
 *   without a way, one that follows from another, and all that is left when the time for the canvas is over
 */
export async function dialoguesOf(
  canvases: readonly (object | string)[],
  problems: readonly Pick<Problem, 'severity' | 'way' | 'follows'>[],
  options: Omit<ExploreOptions, 'isOver'> = {},
): Promise<readonly (Dialogue | null | undefined)[]> {
  const untilMs = workedMs() + dialogueLimits.allMs;
  const found: (Dialogue | null | undefined)[] = [];
  for (const problem of problems) {
    const beganMs = workedMs();
    const isWanted = problem.severity === 'error' && problem.way !== undefined && problem.follows === undefined && beganMs < untilMs;
    const isOver = (): boolean => workedMs() > Math.min(beganMs + dialogueLimits.eachMs, untilMs);
    found.push(isWanted ? ((await dialogueOf(canvases, problem, { ...options, isOver })) ?? null) : undefined);
  }
  return found;
}
