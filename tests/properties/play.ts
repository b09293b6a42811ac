// Plays random scripts with the engine and with the oracle.
import { canvasHash } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import type { CanvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';
import { simulate, type SimulationOptions } from '../../packages/simulator/src/simulation/simulate.ts';
import type { ScriptInput } from '../../packages/simulator/src/script/script-input.ts';
import type { Conversation } from '../../packages/simulator/src/simulation/conversation.ts';
import { sampleAnswer } from '../../packages/simulator/src/simulation/sample-answers.ts';
import { libraryOf } from '../cluster/canvas-library.ts';

/** Plays a script with canvases that call each other. */
export async function play(
  { main, children }: CanvasFamily,
  script: readonly ScriptInput[],
  options: SimulationOptions = {},
): Promise<Conversation> {
  const conversation = await simulate({ answers: sampleAnswer, ...options, canvases: [main, ...children] });
  for (const input of script) await conversation.plays(input);
  return conversation;
}

/** The canvases of a family, compiled, by their hash. */
export function compiledOf({ main, children }: CanvasFamily): ReturnType<typeof libraryOf> {
  const canvases = [main, ...children].map(readCanvas);
  return libraryOf(new Map(canvases.map((canvas) => [canvasHash(canvas), canvas])), standardNodes);
}
