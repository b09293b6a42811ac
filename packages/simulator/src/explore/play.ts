// Plays what a search has found in the simulator, before anybody is shown it.
import type { HistoryRecord } from '@hilo/engine/contract';
import type { ScriptInput } from '../script/script-input.ts';
import { writeInput } from '../script/write-input.ts';
import type { Conversation } from '../simulation/conversation.ts';
import { simulate } from '../simulation/simulate.ts';
import type { ExploreOptions } from './explore.ts';

/** A conversation that was played. */
export interface Played {
  /** The inputs, a line each. */
  readonly script: string;
  /** All that happened: a script that can be played again, byte for byte. */
  readonly transcript: string;
  /** Of every execution, oldest first. */
  readonly histories: readonly (readonly HistoryRecord[])[];
  readonly conversation: Conversation;
}

/** @returns `undefined` where the simulator takes one of the inputs for none */
export async function play(
  canvases: readonly (object | string)[],
  inputs: readonly ScriptInput[],
  { channel, user, bot, company, startAt, seed, nodes, asks, drivers }: ExploreOptions,
): Promise<Played | undefined> {
  const conversation = await simulate({
    canvases,
    runsUnchecked: true,
    ...(channel !== undefined && { channel }),
    ...(user !== undefined && { user }),
    ...(bot !== undefined && { bot }),
    ...(company !== undefined && { company }),
    ...(startAt !== undefined && { startAt }),
    ...(seed !== undefined && { seed }),
    ...(nodes !== undefined && { nodes }),
    ...(asks !== undefined && { asks }),
    ...(drivers !== undefined && { drivers }),
  });
  try {
    for (const input of inputs) await conversation.plays(input);
  } catch {
    return undefined; // an answer that does not fit, a start that is refused
  }
  const executions = await conversation.executions();
  const histories = await Promise.all(executions.map(({ executionId }) => conversation.history(executionId)));
  const transcript = conversation.transcript();
  return { script: inputs.map(writeInput).join('\n'), transcript: `${transcript}\n`, histories, conversation };
}
