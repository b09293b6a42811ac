// What the agents of a draft do whatever their models answer: the model as an adversary.
import { isJsonObject, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { agentsOf, exploreAgent } from '@hilo/simulator';
import { z } from 'zod';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import type { AgentFinding } from './protocol.ts';
import './tester.ts'; // with it comes what the build leaves out of the worker, such as the turns of an agent

/** Two answers in a row, and as many steps as take a second: a person waits for it. */
const reach = { depth: 2, maxSteps: 200_000 };

/** Explores each agent that can run: what is wrong with the data of another is a problem of the check. */
export function exploreAgents(canvas: CanvasJson): readonly AgentFinding[] {
  const json = parseJsonText(JSON.stringify(canvas)); // fields that are undefined in the editor are none
  return isJsonObject(json) ? agentsOf(json).flatMap((agent) => explore(json, agent)) : [];
}

function explore(canvas: JsonObject, agent: string): readonly AgentFinding[] {
  try {
    const { steps, worst, breaches } = exploreAgent(canvas, { agent, ...reach });
    const { modelCalls, toolCalls, messages } = worst;
    return [
      { nodeId: agent, steps, worst: { modelCalls, toolCalls, messages }, breaches: breaches.map(({ law, script }) => ({ law, script })) },
    ];
  } catch (error) {
    if (error instanceof z.core.$ZodError) return [];
    throw error;
  }
}
