import type { CanvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import type { ScriptInput } from '../../packages/simulator/src/script/script-input.ts';
import type { Conversation } from '../../packages/simulator/src/simulation/conversation.ts';
import { sampleAnswer } from '../../packages/simulator/src/simulation/sample-answers.ts';
import { simulate, type SimulationOptions } from '../../packages/simulator/src/simulation/simulate.ts';

/** Plays a script with canvases that call each other. */
export async function play(
  { main, children }: CanvasFamily,
  script: readonly ScriptInput[],
  options: SimulationOptions = {},
): Promise<Conversation> {
  const talk = await simulate({ answers: sampleAnswer, ...options, canvases: [main, ...children] });
  for (const input of script) await talk.plays(input);
  return talk;
}
